/** Ids of jobs that a service may have issued before another one (the format of ids: not shown, section 2). */

/** Shorter ids may all be in use. */
const MIN_RANDOM_CHARACTERS = 8;

/**
 * Whether a service may have issued the id before another one: ids of a sequence differ in their last number only, and two
 * kinds of jobs may count separately.
 * @example mayPrecede('17', '19') // true
 * @example mayPrecede('job-1-17', 'job-3-19') // false
 */
export function mayPrecede(id: string, issued: string): boolean {
  const prefixOf = (text: string): string => text.replace(/\d.*$/s, '');
  if (prefixOf(id) !== prefixOf(issued)) return false;
  const characters = (text: string): number => text.replace(/[^A-Za-z0-9]/g, '').length;
  const [runs, issuedRuns] = [id.split(/(\d+)/), issued.split(/(\d+)/)];
  const isNumber = (run: string): boolean => /^\d+$/.test(run);
  const isSameForm =
    runs.length === issuedRuns.length && runs.every((run, at) => isNumber(run) || run === issuedRuns[at]);
  const at = runs.findLastIndex(isNumber);
  if (isSameForm && at >= 0) {
    const isSequence = runs.every((run, index) => index === at || run === issuedRuns[index]);
    return isSequence && BigInt(runs[at] as string) <= BigInt(issuedRuns[at] as string);
  }
  return Math.min(characters(id), characters(issued)) < MIN_RANDOM_CHARACTERS;
}
