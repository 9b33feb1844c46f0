/** Reads waivers from a file, or from a list in a configuration. */
import { readFileSync, statSync } from 'node:fs';
import { describeIssues } from '../profile/first-issue.ts';
import { ProfileError } from '../profile/profile-error.ts';
import { formatLocation } from '../profile/profile-location.ts';
import { readYaml } from '../profile/read-yaml.ts';
import type { Waiver } from '../run/waiver-types.ts';
import { UsageError } from '../usage-error.ts';
import { toWaiver } from './to-waiver.ts';
import { type WaiverData, waiverFileSchema } from './waiver-schema.ts';

const MAX_BYTES = 1 << 20;

/** The text of a file of waivers. Throws UsageError if there is no such file. */
export function readWaiverText(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`${file}: there is no such file of waivers; mdwi waive writes one`);
  if (!stats.isFile()) throw new UsageError(`${file}: is no file; a file of waivers is needed`);
  if (stats.size > MAX_BYTES) throw new UsageError(`${file}: is larger than ${MAX_BYTES} bytes`);
  return readFileSync(file, 'utf8');
}

/**
 * Parses the text of a file of waivers.
 * @param file its name, for messages and for the lines to delete
 * @throws UsageError with file, line and key
 * @example parseWaivers('- { rule: C.delta-*, reason: ticket 7 }', 'waivers.yaml')[0].source // 'waivers.yaml:1'
 */
export function parseWaivers(text: string, file: string): Waiver[] {
  let parsed: ReturnType<typeof readYaml>;
  try {
    parsed = readYaml(text, file);
  } catch (error) {
    throw error instanceof ProfileError ? new UsageError(error.message) : error;
  }
  const { tree, lineOf } = parsed;
  const isList = Array.isArray(tree);
  if (!isList && typeof tree === 'object' && Object.keys(tree as object).length === 0) return [];
  const inFile = (path: readonly PropertyKey[]) => (isList ? path.slice(1) : path);
  const sourceOf = (path: readonly PropertyKey[]) => `${file}${lineOf(inFile(path))}`;
  return waiversIn(
    isList ? { waivers: tree } : tree,
    sourceOf,
    (path, key) => `${sourceOf(key)}: ${formatLocation(inFile(path), 'the file')}`,
  );
}

/** Checks waivers that a program lists. Throws UsageError with the location in the list. */
export const checkWaivers = (waivers: readonly WaiverData[]): Waiver[] =>
  waiversIn({ waivers }, formatLocation, (path) => formatLocation(path, 'waivers'));

/**
 * @param sourceOf the source of the waiver at a path
 * @param placeOf the place of a mistake, for messages: its path, and that of the key if it is unknown
 */
function waiversIn(
  tree: unknown,
  sourceOf: (path: readonly PropertyKey[]) => string,
  placeOf: (path: readonly PropertyKey[], key: readonly PropertyKey[]) => string,
): Waiver[] {
  const result = waiverFileSchema.safeParse(tree, { reportInput: true });
  if (result.success) return result.data.waivers.map((each, at) => toWaiver(each, sourceOf(['waivers', at])));
  const mistakes = describeIssues(waiverFileSchema, result.error.issues);
  throw new UsageError(mistakes.map(({ path, key, sentence }) => `${placeOf(path, key)}: ${sentence}`).join('\n'));
}

/** Reads a file of waivers. Throws UsageError with file, line and key. */
export const readWaivers = (file: string): Waiver[] => parseWaivers(readWaiverText(file), file);
