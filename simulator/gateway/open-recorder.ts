/** Opening a folder for recording. */
import { constants } from 'node:fs';
import { access, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { joinMakings, makingsOf } from '../../src/exchange/har/made.ts';
import { type Provenance, parseHar, parseProvenance, RecordingError } from '../../src/exchange/har/schema.ts';
import { BODIES } from '../../src/exchange/har/types.ts';
import { CANARY_NEST } from '../../src/exchange/secrets/canary.ts';
import { makeFolder, UNFINISHED } from './atomic.ts';
import { LaneFile } from './lane-file.ts';
import { type Lock, lockFolder } from './lock.ts';
import { HAR, PROVENANCE, Recorder, type RecorderOptions, reasonOf } from './recorder.ts';

interface Found {
  readonly lanes: Map<string, LaneFile>;
  /** Names of lanes. */
  readonly names: ReadonlySet<string>;
  /** Side files that entries name. */
  readonly files: ReadonlySet<string>;
}

async function lanesOf(folder: string): Promise<Found> {
  const lanes = new Map<string, LaneFile>();
  const [names, files] = [new Set<string>(), new Set<string>()];
  for (const each of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, each.name, HAR);
    const text = each.isDirectory() ? await readFile(path, 'utf8').catch(() => undefined) : undefined;
    if (text === undefined) continue;
    const har = parseHar(text, path);
    lanes.set(each.name, new LaneFile(path, har));
    names.add(har.log._recordingName);
    for (const { _mdwi: extra } of har.log.entries)
      for (const body of [extra.requestBody, extra.responseBody]) if (body) files.add(body.file);
  }
  return { lanes, names, files };
}

/** Removes what a killed recorder left unfinished; the lock is held, so nobody else is at it. */
async function sweep(folder: string): Promise<void> {
  for (const each of await readdir(folder, { recursive: true }))
    if (each.endsWith(UNFINISHED)) await rm(join(folder, each), { force: true });
  for (const each of await readdir(folder))
    if (each.startsWith(CANARY_NEST)) await rm(join(folder, each), { recursive: true, force: true });
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
  made: joinMakings(former ? makingsOf(former) : [], makingsOf(now)),
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
    lock = await lockFolder(folder);
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(
      `${folder} cannot be written (${reasonOf(error)}): make it writable, or choose another folder with --recordings`,
    );
  }
  try {
    await sweep(folder);
    const about = join(folder, PROVENANCE);
    const text = await readFile(about, 'utf8').catch(() => undefined);
    const former = text === undefined ? undefined : parseProvenance(text, about);
    if (former) checkScrubbed(folder, former.redaction.scrubbed, rest.scrubbed);
    const found = await lanesOf(folder);
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
