/** Opens a folder for recording. */
import { constants } from 'node:fs';
import { access, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PARTIAL_SUFFIX } from '../../atomic-write.ts';
import { CANARY_LANE } from '../../secrets/canary.ts';
import { joinRecordingOptions, recordingOptionsOf } from '../format/recording-options.ts';
import { type Provenance, parseProvenance, RecordingError } from '../format/schema.ts';
import { removeUnnamedFiles } from '../rerecord/refresh.ts';
import { LaneFile } from '../store/lane-file.ts';
import { type Lock, lockFolder } from '../store/lock.ts';
import {
  laneFilesIn,
  makeFolder,
  PROVENANCE,
  readWholeLane,
  readWithin,
  refuseLinks,
  statWithin,
} from '../store/recording-files.ts';
import { diskErrorReason, Recorder, type RecorderOptions } from './recorder.ts';

/** The lanes of a recording by their folder, and their names. */
function lanesOf(folder: string) {
  const lanes = new Map<string, LaneFile>();
  const names = new Set<string>();
  for (const file of laneFilesIn(folder)) {
    const har = readWholeLane(folder, file);
    lanes.set(dirname(file), new LaneFile(join(folder, file), har));
    names.add(har.log._recordingName);
  }
  return { lanes, names };
}

/** Removes unfinished files of a killed recorder; the lock is held, so no other recorder uses them. */
async function removeUnfinished(folder: string): Promise<void> {
  // With file types, because the plain recursive listing follows symbolic links to other folders.
  for (const each of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (each.name.endsWith(PARTIAL_SUFFIX)) await rm(join(each.parentPath, each.name), { force: true });
  for (const each of await readdir(folder))
    if (each.startsWith(CANARY_LANE)) await rm(join(folder, each), { recursive: true, force: true });
}

/** The provenance with the commands of the former recording: its entries remain unless they are recorded again. */
const withFormerCommands = (
  now: RecorderOptions['provenance'],
  former: Provenance | undefined,
): RecorderOptions['provenance'] => ({
  ...now,
  made: joinRecordingOptions(former ? recordingOptionsOf(former) : [], recordingOptionsOf(now)),
});

/** Refuses to mix generated and real data in one recording, because they cannot be distinguished later. */
function checkScrubbed(folder: string, former: readonly string[] = [], now: readonly string[] = []): void {
  const [before, current] = [former, now].map((each) => [...each].sort().join(','));
  if (before === current) return;
  const scrubOption = before === '' ? 'without --scrub' : `with --scrub ${before}`;
  throw new RecordingError(`${folder} was recorded ${scrubOption}: do so again, or choose another name`);
}

/**
 * Opens a folder for recording: an empty one or a former recording that is refreshed. Throws RecordingError with one
 * sentence if the folder is not writable, locked by another recorder, or damaged.
 */
export async function openRecorder({ dir, name, ...rest }: RecorderOptions) {
  const folder = join(dir, name);
  let lock: Lock;
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK);
    refuseLinks(folder);
    lock = await lockFolder(folder);
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(
      `${folder} cannot be written (${diskErrorReason(error)}): make it writable, or choose another folder with --recordings`,
    );
  }
  try {
    await removeUnfinished(folder);
    const about = join(folder, PROVENANCE);
    const exists = statWithin(folder, PROVENANCE) !== undefined;
    const former = exists ? parseProvenance(readWithin(folder, PROVENANCE).toString('utf8'), about) : undefined;
    if (former) checkScrubbed(folder, former.redaction.scrubbed, rest.scrubbed);
    const existing = lanesOf(folder);
    // Side files of a killed recorder; a lane that is missing may name them.
    if (lock.tookOver && (former?.lanes ?? []).every((each) => existing.names.has(each)))
      await removeUnnamedFiles(folder, existing.lanes);
    return new Recorder(
      folder,
      name,
      {
        ...rest,
        provenance: withFormerCommands(rest.provenance, former),
        masks: former?.masks ?? [],
        formerPlaceholders: Object.keys(former?.redaction.placeholders ?? {}),
      },
      former?.lanes ?? [],
      existing.lanes,
      lock,
    );
  } catch (error) {
    await lock.release();
    throw error;
  }
}
