/** What may be taken out of a recording. */
import { MAIN_LANE } from '../format/lane-name.ts';
import { RecordingError } from '../format/schema.ts';
import { LOCK } from '../store/lock.ts';
import { unusedKeys } from './check-coverage.ts';
import { namedFiles, orphansOf } from './check-side-files.ts';
import { entryName } from './finding.ts';
import type { FolderOnDisk } from './read-folder.ts';

export interface Prunable {
  /** Keys by the file of their lane. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly entries: number;
  readonly files: readonly string[];
  /** Of those files. */
  readonly bytes: number;
  /** What that is, a line each. */
  readonly lines: readonly string[];
}

/**
 * Entries nobody asks and files nobody names, then. Throws RecordingError for a damaged recording, and where nothing
 * would be left.
 * @param used keys the suites ask; absent: no entry goes
 */
export function findPrunable(onDisk: FolderOnDisk, used?: ReadonlySet<string>): Prunable {
  const { folder, lanes, findings, sizes } = onDisk;
  const damaged = findings.find(({ kind }) => kind === 'damaged');
  if (damaged)
    throw new RecordingError(
      `${folder} is damaged (${damaged.file} ${damaged.says}): ${damaged.advice}, before anything is taken out`,
    );
  const unused = used ? unusedKeys(onDisk, used, MAIN_LANE) : new Map<string, { file: string; answers: number }>();
  const keys = new Map<string, Set<string>>();
  for (const [key, { file }] of unused) keys.set(file, (keys.get(file) ?? new Set()).add(key));
  const kept = lanes.map((lane) => ({
    ...lane,
    har: {
      log: {
        ...lane.har.log,
        entries: lane.har.log.entries.filter(({ _mdwi }) => !keys.get(lane.file)?.has(_mdwi.key)),
      },
    },
  }));
  if (keys.size > 0 && kept.every(({ har }) => har.log.entries.length === 0))
    throw new RecordingError(`nothing would be left of ${folder}: delete it if it is not needed`);
  const before = new Set(orphansOf(onDisk));
  const named = namedFiles({ lanes });
  const files = [
    ...findings.flatMap(({ kind, file }) => (kind === 'leftover' && file !== undefined ? [file] : [])),
    ...orphansOf({ ...onDisk, lanes: kept }),
  ].filter((file) => file !== LOCK);
  return {
    keys,
    entries: [...unused.values()].reduce((sum, { answers }) => sum + answers, 0),
    files,
    bytes: files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0),
    lines: [
      ...[...unused].map(
        ([key, { answers }]) => `  entry   ${entryName(key)}${answers > 1 ? ` (${answers} answers)` : ''}`,
      ),
      ...files.map((file) => `  file    ${file}${before.has(file) || !named.has(file) ? '' : ' (of such an entry)'}`),
    ],
  };
}
