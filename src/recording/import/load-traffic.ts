/** Finds and loads the traffic to judge: HAR files, or a recording. */

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bodyFrom, Capture, type TemporaryBodies } from '../../exchange/body.ts';
import type { CapturedBody } from '../../exchange/types.ts';
import type { Profile } from '../../profile/schema.ts';
import { credentialsInCookies, credentialsSent, type ReceivedCredential } from '../../secrets/received.ts';
import { fromHarEntry } from '../format/entry.ts';
import { RECORDED_ORIGIN } from '../format/origin.ts';
import type { RecordedExchange, StoredBody } from '../format/recorded-exchange.ts';
import { type Provenance, RecordingError } from '../format/schema.ts';
import type { ObservedExchange, ObservedTraffic } from '../observe/map-traffic.ts';
import { openRecording } from '../store/open-recording.ts';
import { sideFileChunks, storedBytes, verifySideFiles } from '../store/read-side-file.ts';
import { HAR, laneFilesIn, PROVENANCE, readWholeLane } from '../store/recording-files.ts';
import { type ConvertedEntry, timeOf } from './convert-entry.ts';
import { SKIP_REASONS, type SkipReason } from './exported-members.ts';
import { readHarTraffic, scanHar, splitBase } from './har-traffic.ts';

/** The traffic that an argument of the command line names. */
export type TrafficSource =
  | { readonly files: readonly string[] }
  | { readonly recording: { readonly dir: string; readonly name: string; readonly about: Provenance } };

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function recordingAt(folder: string): TrafficSource {
  const dir = dirname(folder);
  const name = basename(folder);
  return { recording: { dir, name, about: openRecording(dir, name).about } };
}

/**
 * Finds the traffic that an argument names: a HAR file, a folder of HAR files, or a recording by folder or name. Throws a
 * RecordingError whose message is one sentence.
 * @param dir the folder of all recordings
 */
export function findTraffic(argument: string, dir: string): TrafficSource {
  // The path of a lane’s HAR file selects the whole recording, because long bodies are stored beside it.
  if (isFile(argument))
    return isFile(join(dirname(argument), '..', PROVENANCE)) && basename(argument) === HAR
      ? recordingAt(join(dirname(argument), '..'))
      : { files: [argument] };
  if (isFolder(argument)) {
    if (isFile(join(argument, PROVENANCE))) return recordingAt(join(argument, '.'));
    const files = readdirSync(argument).filter((each) => /\.har(?:\.gz)?$/i.test(each) && isFile(join(argument, each)));
    if (files.length > 0) return { files: files.sort().map((each) => join(argument, each)) };
    if (!isFile(join(dir, argument, PROVENANCE)))
      throw new RecordingError(`the folder ${argument} holds neither HAR files nor a recording`);
  }
  if (/\.har(?:\.gz)?$/i.test(argument) || /[\\/]/.test(argument))
    throw new RecordingError(`${argument}: there is no such file or folder`);
  return recordingAt(join(dir, argument));
}

export interface LoadedTraffic extends ObservedTraffic {
  /** The name in the report. */
  readonly name: string;
  /** The number of entries in the files. */
  readonly entries: number;
  /** The reasons why entries were skipped, with counts. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Other base addresses with requests for operations. */
  readonly otherBases: readonly string[];
}

/** Longer bodies are stored in a private temporary file. */
const MAX_IN_MEMORY_BYTES = 64 * 1024;

/** Loads the traffic. A recording contains its base address. Throws a RecordingError whose message is one sentence. */
export async function loadTraffic(
  source: TrafficSource,
  profile: Profile,
  bodies: TemporaryBodies,
  baseUrl?: string,
  signal?: AbortSignal,
): Promise<LoadedTraffic> {
  if ('files' in source) return loadFiles(source.files, profile, bodies, baseUrl, signal);
  if (baseUrl !== undefined) throw new RecordingError('--base-url is for HAR files: a recording contains its own');
  return loadRecording(source.recording);
}

/** The credentials of requests and responses. */
export const credentialsInTraffic = ({ exchanges }: LoadedTraffic): ReceivedCredential[] =>
  exchanges.flatMap(({ exchange: { request, response } }) => [
    ...credentialsSent(request.headers),
    ...credentialsInCookies(response?.headers ?? []),
  ]);

/** Loads HAR files until `signal` aborts. Throws a RecordingError whose message is one sentence. */
async function loadFiles(
  files: readonly string[],
  profile: Profile,
  bodies: TemporaryBodies,
  baseUrl?: string,
  signal?: AbortSignal,
): Promise<LoadedTraffic> {
  const overview = await scanHar(files, profile, baseUrl);
  const { origin } = splitBase(overview.base);
  const skipped = new Map<SkipReason, number>();
  const seenIdentities = new Set<string>();
  const found: { readonly position: number; readonly observed: ObservedExchange }[] = [];
  for (const [at, file] of files.entries()) {
    for await (const { index, converted } of readHarTraffic(file, overview.base, profile)) {
      if (signal?.aborted) break;
      if (typeof converted === 'string') {
        skipped.set(converted, (skipped.get(converted) ?? 0) + 1);
        continue;
      }
      // Exports may overlap: an exchange must not count twice.
      const { startedAt, endedAt, method, target, status, body } = converted;
      const identity = JSON.stringify([startedAt, endedAt, method, target, status, body.length]);
      if (startedAt !== undefined && seenIdentities.has(identity)) {
        skipped.set('twice', (skipped.get('twice') ?? 0) + 1);
        continue;
      }
      seenIdentities.add(identity);
      const id = files.length === 1 ? `entries[${index}]` : `${basename(file)} entries[${index}]`;
      found.push({
        position: overview.positions[at]?.[index] ?? 0,
        observed: await observedExchange(converted, id, origin, bodies),
      });
    }
  }
  found.sort((x, y) => x.position - y.position);
  const [only] = files;
  return {
    base: overview.base,
    exchanges: found.map(({ observed }) => observed),
    hasFixedData: false,
    name: `${files.length === 1 ? only : `${files.length} files`} (${overview.base})`,
    entries: overview.entries,
    skipped: new Map([...skipped].map(([reason, count]) => [SKIP_REASONS[reason], count])),
    otherBases: overview.otherBases,
  };
}

async function observedExchange(
  converted: ConvertedEntry,
  id: string,
  origin: string,
  bodies: TemporaryBodies,
): Promise<ObservedExchange> {
  const { requestBody, startedAt, endedAt, ...sent } = converted;
  const capture = new Capture(bodies, MAX_IN_MEMORY_BYTES);
  await capture.write(sent.body);
  return {
    id,
    exchange: {
      request: {
        method: sent.method,
        url: `${origin}${sent.target}`,
        headers: sent.requestHeaders,
        ...(requestBody && { body: requestBody }),
      },
      response: { status: sent.status, reasonPhrase: sent.reasonPhrase, headers: sent.responseHeaders },
      body: await capture.end(),
      redirects: [],
      timing: { startedAt: new Date(startedAt ?? 0).toISOString(), totalMs: (endedAt ?? 0) - (startedAt ?? 0) },
    },
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
}

/** Loads a recording and verifies its side files. Throws a RecordingError whose message is one sentence. */
async function loadRecording({
  dir,
  name,
  about,
}: Extract<TrafficSource, { recording: unknown }>['recording']): Promise<LoadedTraffic> {
  const folder = join(dir, name);
  const exchanges: ObservedExchange[] = [];
  const skipped = new Map<string, number>();
  let entries = 0;
  for (const file of laneFilesIn(folder)) {
    const { log } = readWholeLane(folder, file);
    const lane = log._recordingName;
    for (const [index, entry] of log.entries.entries()) {
      entries++;
      const exchange = fromHarEntry(entry);
      await verifySideFiles(folder, [exchange.request.body, exchange.response?.body]);
      if (!exchange.response) {
        skipped.set(SKIP_REASONS.unanswered, (skipped.get(SKIP_REASONS.unanswered) ?? 0) + 1);
        continue;
      }
      const id = about.lanes.length === 1 ? `entries[${index}]` : `${lane} entries[${index}]`;
      exchanges.push({ id, lane, exchange: exchangeOf(exchange, exchange.response, folder), ...timeOf(entry) });
    }
  }
  return {
    base: `${RECORDED_ORIGIN}${about.basePath}`,
    exchanges: exchanges.every(({ startedAt }) => startedAt !== undefined)
      ? exchanges.toSorted((x, y) => (x.startedAt as number) - (y.startedAt as number))
      : exchanges,
    // The simulator’s clock is frozen while it is recorded.
    hasFixedData: about.source === 'simulator',
    name: `recording ${name} (${about.upstream}, ${about.recordedAt.slice(0, 10)})`,
    entries,
    skipped,
    otherBases: [],
  };
}

function exchangeOf(
  { request, failure }: RecordedExchange,
  response: NonNullable<RecordedExchange['response']>,
  folder: string,
): ObservedExchange['exchange'] {
  const { status, reasonPhrase, headers } = response;
  const body = request.body && storedBytes(folder, request.body);
  return {
    request: { method: request.method, url: request.url, headers: request.headers, ...(body && { body }) },
    response: { status, reasonPhrase, headers },
    body: bodyOf(response.body, folder),
    ...(failure && { failure }),
    redirects: [],
    timing: { startedAt: new Date(0).toISOString(), totalMs: 0 },
  };
}

function bodyOf(stored: StoredBody | undefined, folder: string): CapturedBody {
  if (!stored || 'text' in stored) return bodyFrom(Buffer.from(stored?.text ?? ''));
  const readRange = (range: { start?: number; end?: number }) => readPart(sideFileChunks(folder, stored, range));
  return {
    bytes: stored.bytes,
    chunks: () => sideFileChunks(folder, stored),
    firstBytes: (limit = MAX_IN_MEMORY_BYTES) => readRange({ end: Math.max(0, limit - 1) }),
    lastBytes: (limit = 4096) => readRange({ start: Math.max(0, stored.bytes - limit) }),
  };
}

async function readPart(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
