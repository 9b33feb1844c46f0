/** Finds the entries and files that can be removed from a recording. */
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
  /** The total size of those files. */
  readonly bytes: number;
  /** A description, one line each. */
  readonly lines: readonly string[];
}

/**
 * Finds unused entries, and files that no other entry names. Throws RecordingError for a damaged recording, and if nothing
 * would remain.
 * @param used keys that the suites request; absent: no entry is removed
 */
export function findPrunable(onDisk: FolderOnDisk, used?: ReadonlySet<string>): Prunable {
  const { folder, lanes, findings, sizes } = onDisk;
  const damaged = findings.find(({ kind }) => kind === 'damaged');
  if (damaged)
    throw new RecordingError(
      `${folder} is damaged (${damaged.file} ${damaged.says}): ${damaged.advice}, before you prune it`,
    );
  const unused = used ? unusedKeys(onDisk, used, MAIN_LANE) : new Map<string, { file: string; responses: number }>();
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
    throw new RecordingError(`every entry of ${folder} would be removed: delete the folder if you do not need it`);
  const before = new Set(orphansOf(onDisk));
  const named = namedFiles({ lanes });
  const files = [
    ...findings.flatMap(({ kind, file }) => (kind === 'leftover' && file !== undefined ? [file] : [])),
    ...orphansOf({ ...onDisk, lanes: kept }),
  ].filter((file) => file !== LOCK);
  return {
    keys,
    entries: [...unused.values()].reduce((sum, { responses: answers }) => sum + answers, 0),
    files,
    bytes: files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0),
    lines: [
      ...[...unused].map(
        ([key, { responses: answers }]) => `  entry   ${entryName(key)}${answers > 1 ? ` (${answers} responses)` : ''}`,
      ),
      ...files.map((file) => `  file    ${file}${before.has(file) || !named.has(file) ? '' : ' (of such an entry)'}`),
    ],
  };
}
