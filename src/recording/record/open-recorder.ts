/** Opening a folder for recording. */
import { constants } from 'node:fs';
import { access, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CANARY_LANE } from '../../secrets/canary.ts';
import { BODIES, PARTIAL_SUFFIX } from '../format/recorded-exchange.ts';
import { joinRecordingOptions, recordingOptionsOf } from '../format/recording-options.ts';
import { type Provenance, parseHar, parseProvenance, RecordingError } from '../format/schema.ts';
import { makeFolder } from '../store/atomic-write.ts';
import { LaneFile } from '../store/lane-file.ts';
import { type Lock, lockFolder } from '../store/lock.ts';
import { laneFilesIn, PROVENANCE, readWithin, refuseLinks, statWithin } from '../store/recording-files.ts';
import { diskErrorReason, Recorder, type RecorderOptions } from './recorder.ts';

interface Found {
  readonly lanes: Map<string, LaneFile>;
  /** Names of lanes. */
  readonly names: ReadonlySet<string>;
  /** Side files that entries name. */
  readonly files: ReadonlySet<string>;
}

function lanesOf(folder: string): Found {
  const lanes = new Map<string, LaneFile>();
  const [names, files] = [new Set<string>(), new Set<string>()];
  for (const file of laneFilesIn(folder)) {
    const path = join(folder, file);
    const har = parseHar(readWithin(folder, file).toString('utf8'), path);
    lanes.set(dirname(file), new LaneFile(path, har));
    names.add(har.log._recordingName);
    for (const { _mdwi: extra } of har.log.entries)
      for (const body of [extra.requestBody, extra.responseBody]) if (body) files.add(body.file);
  }
  return { lanes, names, files };
}

/** Removes what a killed recorder left unfinished; the lock is held, so nobody else is at it. */
async function sweep(folder: string): Promise<void> {
  // With types, for the plain listing goes through links to other folders.
  for (const each of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (each.name.endsWith(PARTIAL_SUFFIX)) await rm(join(each.parentPath, each.name), { force: true });
  for (const each of await readdir(folder))
    if (each.startsWith(CANARY_LANE)) await rm(join(folder, each), { recursive: true, force: true });
}

/** Removes bodies a killed recorder wrote and came to name no more; only where no lane is missing that may name them. */
async function sweepBodies(folder: string, { names, files }: Found, lanes: readonly string[]): Promise<void> {
  if (lanes.some((each) => !names.has(each))) return;
  for (const each of await readdir(join(folder, BODIES)).catch(() => []))
    if (SIDE_FILE.test(each) && !files.has(`${BODIES}/${each}`)) await rm(join(folder, BODIES, each), { force: true });
}
const SIDE_FILE = /^sha256-[0-9a-f]{64}$/;

/** The provenance with what made the former recording, too: what is not asked again stays. */
const remembering = (
  now: RecorderOptions['provenance'],
  former: Provenance | undefined,
): RecorderOptions['provenance'] => ({
  ...now,
  made: joinRecordingOptions(former ? recordingOptionsOf(former) : [], recordingOptionsOf(now)),
});

/** Half of a recording with invented data and half with true ones could not be told apart. */
function checkScrubbed(folder: string, former: readonly string[] = [], now: readonly string[] = []): void {
  const [before, given] = [former, now].map((each) => [...each].sort().join(','));
  if (before === given) return;
  const was = before === '' ? 'without --scrub' : `with --scrub ${before}`;
  throw new RecordingError(`${folder} was recorded ${was}: do so again, or choose another name`);
}

/**
 * Opens a folder for recording, an empty one or a former recording that is to be refreshed. Throws RecordingError with
 * one sentence where that cannot be: not writable, locked by another recorder, damaged.
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
    await sweep(folder);
    const about = join(folder, PROVENANCE);
    const isThere = statWithin(folder, PROVENANCE) !== undefined;
    const former = isThere ? parseProvenance(readWithin(folder, PROVENANCE).toString('utf8'), about) : undefined;
    if (former) checkScrubbed(folder, former.redaction.scrubbed, rest.scrubbed);
    const found = lanesOf(folder);
    if (lock.tookOver) await sweepBodies(folder, found, former?.lanes ?? []);
    return new Recorder(
      folder,
      name,
      {
        ...rest,
        provenance: remembering(rest.provenance, former),
        masks: former?.masks ?? [],
        counted: Object.keys(former?.redaction.placeholders ?? {}),
      },
      former?.lanes ?? [],
      found.lanes,
      lock,
    );
  } catch (error) {
    await lock.release();
    throw error;
  }
}
