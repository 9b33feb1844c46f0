/** Taking out of a recording what nobody asks for; at every moment what is there can be replayed. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contentDigest } from '../format/content-digest.ts';
import { parseHar, parseProvenance, RecordingError } from '../format/schema.ts';
import { diskErrorReason } from '../record/recorder.ts';
import { replaceFile } from '../store/atomic-write.ts';
import { LaneFile } from '../store/lane-file.ts';
import { type Lock, lockFolder } from '../store/lock.ts';
import { PROVENANCE, readWithin, refuseLinks } from '../store/recording-files.ts';

export interface PruneList {
  /** Keys to leave out, by the file of their lane, relative to the folder. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files nothing names, or will name without those entries; relative to the folder. */
  readonly files: readonly string[];
}

/**
 * Takes things out of a recording that nobody else writes meanwhile. `find` is called when the lock is held. Lanes are
 * replaced first, one by one and each whole; only then go the files they do not name any more.
 * @returns what `find` found
 * @throws RecordingError while it is recorded, or where it cannot be written
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
    await takeOut(folder, found);
    return found;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code) throw error;
    throw new RecordingError(
      `${folder} can no longer be written (${diskErrorReason(error)}): what was not taken out is intact`,
    );
  } finally {
    await lock.release();
  }
}

async function takeOut(folder: string, { keys, files }: PruneList): Promise<void> {
  const about = join(folder, PROVENANCE);
  const said = parseProvenance(readWithin(folder, PROVENANCE).toString('utf8'), about);
  const scanned = said.redaction.contents;
  const isAsScanned = scanned !== undefined && scanned === (await contentDigest(folder));
  const emptied = new Map<string, string>();
  for (const [file, left] of keys) {
    const path = join(folder, file);
    const har = parseHar(readWithin(folder, file).toString('utf8'), path);
    const lane = new LaneFile(path, har);
    lane.drop(left);
    await lane.write();
    if (lane.isEmpty) emptied.set(har.log._recordingName, dirname(path));
  }
  const lanes = said.lanes.filter((each) => !emptied.has(each));
  const tell = (contents: string | undefined): Promise<void> => {
    const redaction = { ...said.redaction, ...(contents !== undefined && { contents }) };
    return replaceFile(about, `${JSON.stringify({ ...said, lanes, redaction }, null, 2)}\n`);
  };
  // A lane that is named and gone would make the recording a damaged one.
  if (emptied.size > 0) await tell(scanned);
  for (const path of emptied.values()) await rm(path, { recursive: true, force: true });
  for (const file of files) await rm(join(folder, file), { recursive: true, force: true });
  // What was clean as a whole is clean in part.
  if (isAsScanned) await tell(await contentDigest(folder));
}
