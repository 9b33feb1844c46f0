/** Loads a recording for replay: every response by lane and key. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fromHarEntry } from '../format/entry.ts';
import { MAIN_LANE } from '../format/names.ts';
import type { RecordedExchange } from '../format/recorded-exchange.ts';
import { type Provenance, parseProvenance, RecordingError } from '../format/schema.ts';
import type { SideFile } from './read-side-file.ts';
import { laneFilesIn, PROVENANCE, readLane, readWithin, statWithin } from './recording-files.ts';

/** The replayed part of an exchange. */
export type ReplayableResponse = Pick<RecordedExchange, 'interim' | 'response' | 'failure'>;

/** All exchanges of one lane by the key of their request, in the order received; those of one key share a request. */
export type LaneResponses = ReadonlyMap<string, readonly RecordedExchange[]>;

export interface Recording {
  readonly name: string;
  readonly folder: string;
  readonly about: Provenance;
  readonly lanes: ReadonlyMap<string, LaneResponses>;
}

function readProvenance(dir: string, name: string): Provenance {
  const file = join(dir, name, PROVENANCE);
  let text: string;
  try {
    text = readWithin(join(dir, name), PROVENANCE).toString('utf8');
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new RecordingError(`${file} cannot be read: ${message}`);
    throw new RecordingError(`${join(dir, name)} holds no recording (no ${PROVENANCE}): ${listRecordings(dir)}`);
  }
  return parseProvenance(text, file);
}

function listRecordings(dir: string): string {
  let names: string[] = [];
  try {
    names = readdirSync(dir).filter((each) => statSync(join(dir, each, PROVENANCE), { throwIfNoEntry: false }));
  } catch {
    return `there is no folder ${dir}; name the folder of all recordings with --recordings DIR, or record first`;
  }
  return names.length > 0 ? `there are ${names.join(', ')}` : `there is none in ${dir}; record first`;
}

/**
 * Loads a recording except its side files, whose sizes it checks. Throws RecordingError with one sentence if the recording
 * is missing, damaged or incomplete.
 * @param dir the folder of all recordings
 * @example openRecording('recordings', 'reference').lanes.get('main')
 */
export function openRecording(dir: string, name: string): Recording {
  const folder = join(dir, name);
  const about = readProvenance(dir, name);
  const lanes = new Map<string, Map<string, RecordedExchange[]>>();
  const lengths = new Map<string, number | undefined>();
  const checkLength = (body: SideFile, key: string, lane: string): void => {
    if (!lengths.has(body.file)) lengths.set(body.file, statWithin(folder, body.file)?.size);
    const bytes = lengths.get(body.file);
    if (bytes === body.bytes) return;
    const problem = bytes === undefined ? 'is missing' : `has ${bytes} bytes, not ${body.bytes}`;
    throw new RecordingError(
      `${join(folder, body.file)} ${problem}; it is the response to ${key.split('\n', 1)} in ${join(folder, lane)}: restore it, or record again`,
    );
  };
  for (const file of laneFilesIn(folder)) {
    const byKey = new Map<string, RecordedExchange[]>();
    const { _recordingName: laneName } = readLane(folder, file, (entry) => {
      const exchange = fromHarEntry(entry);
      const { key, response } = exchange;
      const known = byKey.get(key);
      if (known) known.push({ ...exchange, request: (known[0] as RecordedExchange).request });
      else byKey.set(key, [exchange]);
      if (response?.body && 'file' in response.body) checkLength(response.body, key, file);
    });
    const lane = lanes.get(laneName) ?? new Map<string, RecordedExchange[]>();
    lanes.set(laneName, lane);
    for (const [key, exchanges] of byKey) lane.set(key, [...(lane.get(key) ?? []), ...exchanges]);
  }
  for (const lane of lanes.values()) for (const each of lane.values()) each.sort((a, b) => a.order - b.order);
  const missing = about.lanes.find((each) => !lanes.has(each));
  if (missing !== undefined)
    throw new RecordingError(
      `the lane “${missing}” of ${folder} is missing (${PROVENANCE} names it): restore it, or record again`,
    );
  return { name, folder, about, lanes };
}

/**
 * The recorded responses for a client’s lane: the lane of that name; otherwise the main lane, or the only one. Every client
 * lane has its own position in the sequences.
 */
export function responsesFor({ lanes }: Recording, lane: string): LaneResponses | undefined {
  const [only] = lanes.size === 1 ? lanes.values() : [];
  return lanes.get(lane) ?? lanes.get(MAIN_LANE) ?? only;
}
