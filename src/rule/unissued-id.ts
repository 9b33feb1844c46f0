/** Ids of jobs that were never issued, and ids that may have been issued earlier (the format of ids: not shown, section 2). */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Shorter ids may all be in use. Numbers of 9 digits that begin with 9 fit into 32 bits. */
const MIN_RANDOM_CHARACTERS = 8;
const MIN_DIGITS = 9;

/** Numbers from 0 to 2³² − 1 that depend on the text only. */
function randomFrom(text: string): () => number {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ char.charCodeAt(0), 16777619) >>> 0;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return (state ^ (state >>> 15)) >>> 0;
  };
}

/**
 * Returns an id of the form of an issued one that no job has: its numbers and its random parts are replaced. Undefined if the
 * form is too short to be sure.
 * @example unissuedIdLike('job-000017', 1) // 'job-948205117'
 */
export function unissuedIdLike(id: string, seed: number): string | undefined {
  const random = randomFrom(`${seed} ${id}`);
  const digits = (count: number): string => Array.from({ length: count }, () => random() % 10).join('');
  const number = (run: string): string => `9${digits(Math.max(MIN_DIGITS, run.length + (run[0] === '9' ? 1 : 0)) - 1)}`;
  const like = (run: string): string => {
    const isHex = /^[0-9a-f]+$/i.test(run);
    return [...run]
      .map((char) => {
        if (/\d/.test(char)) return String(random() % 10);
        const letter = String.fromCharCode(97 + (random() % (isHex ? 6 : 26)));
        return char === char.toUpperCase() ? letter.toUpperCase() : letter;
      })
      .join('');
  };
  if (UUID.test(id)) {
    // The version and the variant of a UUID are fixed.
    const other = like(id.replaceAll('-', ''));
    const raw = [...other].map((char, at) => (at === 12 || at === 16 ? id.replaceAll('-', '')[at] : char)).join('');
    return raw.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
  const changed = id.replace(/[A-Za-z0-9]*\d[A-Za-z0-9]*/g, (run) => {
    const [, letters, trailing] = /^([A-Za-z]*)(\d+)$/.exec(run) ?? [];
    if (trailing !== undefined) return `${letters}${number(trailing)}`;
    return run.length < MIN_RANDOM_CHARACTERS ? run : like(run);
  });
  return changed === id ? undefined : changed;
}

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
