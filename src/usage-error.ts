/** The error of a wrong command line or argument. */

/** A command line that cannot be carried out; the message is one sentence. Nothing has been sent. */
export class UsageError extends Error {}

/**
 * Returns the word of a closed set that is given.
 * @param option what the user calls the option
 * @throws UsageError that lists the set
 */
export function oneOf<T extends string>(option: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === given);
  if (found === undefined) throw new UsageError(`${option} ${given}: allowed are ${allowed.join(', ')}`);
  return found;
}
