/** A recording read for replay: every answer by lane and key. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fromHarEntry } from '../format/entry.ts';
import { MAIN_LANE } from '../format/lane-name.ts';
import type { RecordedExchange, RecordedRequest, StoredBody } from '../format/recorded-exchange.ts';
import { type Provenance, parseHar, parseProvenance, RecordingError } from '../format/schema.ts';
import { laneFilesIn, PROVENANCE, readWithin, statWithin } from './recording-files.ts';

/** What is replayed of an exchange. */
export type RecordedAnswer = Pick<RecordedExchange, 'interim' | 'response' | 'failure'>;

/** All answers of one lane by the key of their request, in the order in which they were given. */
export type LaneAnswers = ReadonlyMap<string, readonly RecordedAnswer[]>;

export interface Recording {
  readonly name: string;
  readonly folder: string;
  readonly about: Provenance;
  readonly lanes: ReadonlyMap<string, LaneAnswers>;
  /** The requests of all lanes by their keys. */
  readonly requests: ReadonlyMap<string, RecordedRequest>;
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
    throw new RecordingError(`${join(dir, name)} holds no recording (no ${PROVENANCE}): ${whatIsThere(dir)}`);
  }
  return parseProvenance(text, file);
}

function whatIsThere(dir: string): string {
  let names: string[] = [];
  try {
    names = readdirSync(dir).filter((each) => statSync(join(dir, each, PROVENANCE), { throwIfNoEntry: false }));
  } catch {
    return `there is no folder ${dir}; name the folder of all recordings with --recordings DIR, or record first`;
  }
  return names.length > 0 ? `there are ${names.join(', ')}` : `there is none in ${dir}; record first`;
}

/**
 * Reads a recording whole, side files aside. Throws RecordingError with one sentence: not there, damaged, incomplete.
 * @param dir the folder of all recordings
 * @example openRecording('recordings', 'reference').lanes.get('main')
 */
export function openRecording(dir: string, name: string): Recording {
  const folder = join(dir, name);
  const about = readProvenance(dir, name);
  const lanes = new Map<string, Map<string, (RecordedAnswer & { readonly order: number })[]>>();
  const requests = new Map<string, RecordedRequest>();
  const sideFiles = new Map<string, number>();
  for (const file of laneFilesIn(folder)) {
    const { log } = parseHar(readWithin(folder, file).toString('utf8'), join(folder, file));
    const lane = lanes.get(log._recordingName) ?? new Map();
    lanes.set(log._recordingName, lane);
    for (const entry of log.entries) {
      const { key, order, request, interim, response, failure } = fromHarEntry(entry);
      requests.set(key, request);
      const answers = lane.get(key) ?? [];
      answers.push({
        order,
        ...(interim && { interim }),
        ...(response && { response }),
        ...(failure && { failure }),
      });
      lane.set(key, answers);
      note(response?.body, sideFiles);
    }
    for (const answers of lane.values())
      answers.sort((a: { order: number }, b: { order: number }) => a.order - b.order);
  }
  for (const [file, bytes] of sideFiles) {
    const size = statWithin(folder, file)?.size;
    if (size !== bytes)
      throw new RecordingError(
        `${join(folder, file)} ${size === undefined ? 'is missing' : `has ${size} bytes, not ${bytes}`}: restore it, or record anew`,
      );
  }
  const missing = about.lanes.find((each) => !lanes.has(each));
  if (missing !== undefined)
    throw new RecordingError(
      `${folder} lacks its lane “${missing}” (${PROVENANCE} names it): restore it, or record anew`,
    );
  return { name, folder, about, lanes, requests };
}

function note(body: StoredBody | undefined, sideFiles: Map<string, number>): void {
  if (body && 'file' in body) sideFiles.set(body.file, body.bytes);
}

/**
 * What a client’s lane is answered from: the lane recorded under that name; where there is none, a copy of the main
 * lane, or of the only one, with a place in its sequences of its own.
 */
export function answersFor({ lanes }: Recording, lane: string): LaneAnswers | undefined {
  const [only] = lanes.size === 1 ? lanes.values() : [];
  return lanes.get(lane) ?? lanes.get(MAIN_LANE) ?? only;
}
