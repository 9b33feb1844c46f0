/** Removes unused entries and files from a recording. The recording can be replayed at every moment. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../atomic-write.ts';
import { contentDigest } from '../format/content-digest.ts';
import { parseProvenance, RecordingError } from '../format/schema.ts';
import { diskErrorReason } from '../record/recorder.ts';
import { LaneFile } from '../store/lane-file.ts';
import { type Lock, lockFolder } from '../store/lock.ts';
import { PROVENANCE, readWholeLane, readWithin, refuseLinks } from '../store/recording-files.ts';

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
