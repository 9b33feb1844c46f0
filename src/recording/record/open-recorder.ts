/** Opens a folder for recording. */
import { constants } from 'node:fs';
import { access, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PARTIAL_SUFFIX } from '../../atomic-write.ts';
import { CANARY_LANE } from '../../secrets/canary.ts';
import { BODIES } from '../format/recorded-exchange.ts';
import { joinRecordingOptions, recordingOptionsOf } from '../format/recording-options.ts';
import { type Provenance, parseProvenance, RecordingError } from '../format/schema.ts';
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

interface ExistingLanes {
  readonly lanes: Map<string, LaneFile>;
  /** Names of lanes. */
  readonly names: ReadonlySet<string>;
  /** Side files named by entries. */
  readonly files: ReadonlySet<string>;
}

function lanesOf(folder: string): ExistingLanes {
  const lanes = new Map<string, LaneFile>();
  const [names, files] = [new Set<string>(), new Set<string>()];
  for (const file of laneFilesIn(folder)) {
    const path = join(folder, file);
    const har = readWholeLane(folder, file);
    lanes.set(dirname(file), new LaneFile(path, har));
    names.add(har.log._recordingName);
    for (const { _mdwi: extra } of har.log.entries)
      for (const body of [extra.requestBody, extra.responseBody]) if (body) files.add(body.file);
  }
  return { lanes, names, files };
}

/** Removes unfinished files of a killed recorder; the lock is held, so no other recorder uses them. */
async function removeUnfinished(folder: string): Promise<void> {
  // With file types, because the plain recursive listing follows symbolic links to other folders.
  for (const each of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (each.name.endsWith(PARTIAL_SUFFIX)) await rm(join(each.parentPath, each.name), { force: true });
  for (const each of await readdir(folder))
    if (each.startsWith(CANARY_LANE)) await rm(join(folder, each), { recursive: true, force: true });
}

/** Removes side files of a killed recorder that no entry names; only if no lane is missing that may name them. */
async function removeUnnamedBodies(
  folder: string,
  { names, files }: ExistingLanes,
  lanes: readonly string[],
): Promise<void> {
  if (lanes.some((each) => !names.has(each))) return;
  for (const each of await readdir(join(folder, BODIES)).catch(() => []))
    if (SIDE_FILE.test(each) && !files.has(`${BODIES}/${each}`)) await rm(join(folder, BODIES, each), { force: true });
}
const SIDE_FILE = /^sha256-[0-9a-f]{64}$/;

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
    if (lock.tookOver) await removeUnnamedBodies(folder, existing, former?.lanes ?? []);
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
