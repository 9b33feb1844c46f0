/** Removes unused entries and files from a recording. The recording can be replayed at every moment. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../atomic-write.ts';
import { MAIN_LANE } from '../format/names.ts';
import { parseProvenance, RecordingError } from '../format/schema.ts';
import { diskErrorReason } from '../record/recorder.ts';
import { LaneFile } from '../store/lane-file.ts';
import { LOCK, type Lock, lockFolder } from '../store/lock.ts';
import { contentDigest, PROVENANCE, readWholeLane, readWithin, refuseLinks } from '../store/recording-files.ts';
import { unusedKeys } from './check-coverage.ts';
import { namedFiles, orphansOf } from './check-side-files.ts';
import { entryName } from './finding.ts';
import type { FolderOnDisk } from './read-folder.ts';

interface Prunable extends PruneList {
  readonly entries: number;
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

export interface PruneList {
  /** Keys to remove, by the file of their lane, relative to the folder. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files that no remaining entry names; relative to the folder. */
  readonly files: readonly string[];
}

/**
 * Removes entries and files from a recording while it holds the lock; `find` is called with the lock held. First replaces
 * the lanes, one by one and each atomically, then removes the files that they no longer name.
 * @returns the result of `find`
 * @throws RecordingError if the recording is being recorded, or cannot be written
 */
export async function pruneFolder<T extends PruneList>(folder: string, find: () => Promise<T>): Promise<T> {
  let lock: Lock;
  try {
    refuseLinks(folder);
    lock = await lockFolder(folder);
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(`${folder} cannot be written (${diskErrorReason(error)}): make it writable`);
  }
  try {
    const found = await find();
    await removeFound(folder, found);
    return found;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code) throw error;
    throw new RecordingError(
      `${folder} can no longer be written (${diskErrorReason(error)}): the rest of the recording is intact`,
    );
  } finally {
    await lock.release();
  }
}

async function removeFound(folder: string, { keys, files }: PruneList): Promise<void> {
  const about = join(folder, PROVENANCE);
  const provenance = parseProvenance(readWithin(folder, PROVENANCE).toString('utf8'), about);
  const scanned = provenance.redaction.contents;
  const isAsScanned = scanned !== undefined && scanned === (await contentDigest(folder));
  const emptied = new Map<string, string>();
  for (const [file, removed] of keys) {
    const path = join(folder, file);
    const har = readWholeLane(folder, file);
    const lane = new LaneFile(path, har);
    lane.removeRequests(removed);
    await lane.write();
    if (lane.isEmpty) emptied.set(har.log._recordingName, dirname(path));
  }
  const lanes = provenance.lanes.filter((each) => !emptied.has(each));
  const writeProvenance = (contents: string | undefined): Promise<void> => {
    const redaction = { ...provenance.redaction, ...(contents !== undefined && { contents }) };
    return replaceFile(about, `${JSON.stringify({ ...provenance, lanes, redaction }, null, 2)}\n`);
  };
  // A recording whose provenance names a missing lane is damaged.
  if (emptied.size > 0) await writeProvenance(scanned);
  for (const path of emptied.values()) await rm(path, { recursive: true, force: true });
  for (const file of files) await rm(join(folder, file), { recursive: true, force: true });
  // The whole recording was scanned, so the rest is scanned, too.
  if (isAsScanned) await writeProvenance(await contentDigest(folder));
}
