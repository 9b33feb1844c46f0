/** What decides about colours besides the terminal. */
interface ColourEnvironment {
  readonly NO_COLOR?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

const OFF: readonly string[] = ['0', 'false'];

/**
 * Whether reports on standard output use colours. FORCE_COLOR decides if it is set, as in Node: colours, except for `0` and
 * `false`. Otherwise they are used on a terminal, not if NO_COLOR is set and not empty (no-color.org) or TERM is `dumb`.
 */
export function usesColour(
  { FORCE_COLOR, NO_COLOR, TERM }: ColourEnvironment = process.env,
  stream: { readonly isTTY?: boolean } = process.stdout,
): boolean {
  if (FORCE_COLOR !== undefined) return !OFF.includes(FORCE_COLOR);
  return stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
}
