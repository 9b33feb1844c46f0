/** Selects the entries of a HAR file that are traffic with the service; gives a reason for every other entry. */

import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { GROUPS, type OperationKey } from '../../contract/index.ts';
import { operationLocator } from '../../exchange/operation-finder.ts';
import { counted } from '../../format-values.ts';
import type { Profile } from '../../profile/schema.ts';
import { HarDamageError, harEntries } from '../format/har-entries.ts';
import { RecordingError } from '../format/schema.ts';
import { type Address, addressOf, type ConvertedEntry, convertEntry, timeOf } from './convert-entry.ts';
import type { SkipReason } from './exported-members.ts';

const CHUNK = 1024 * 1024;

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return message;
};

/** An entry, and its number in the file, from 0. */
interface FoundEntry {
  readonly index: number;
  readonly value: unknown;
}

/** The bytes as UTF-8 without byte order mark: decompresses gzip, and converts the UTF-16 that some shells write. */
async function* textOf(file: string): AsyncGenerator<Uint8Array> {
  const first = await firstBytes(file);
  if (first.subarray(0, 2).equals(Buffer.from('PK'))) throw new HarDamageError('it is a ZIP archive: unpack it first');
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  const bytes = createReadStream(file, { highWaterMark: CHUNK });
  const encoding =
    first[0] === 0xff && first[1] === 0xfe ? 'utf-16le' : first[0] === 0xfe && first[1] === 0xff ? 'utf-16be' : 'utf-8';
  const decompressed = isGzip ? createGunzip() : undefined;
  if (decompressed) bytes.on('error', (error) => decompressed.destroy(error));
  const decoder = new TextDecoder(encoding);
  for await (const chunk of decompressed ? bytes.pipe(decompressed) : bytes)
    yield Buffer.from(decoder.decode(chunk as Buffer, { stream: true }));
}

async function firstBytes(file: string): Promise<Buffer> {
  for await (const chunk of createReadStream(file, { end: 3 })) return chunk as Buffer;
  return Buffer.alloc(0);
}

/**
 * The entries of a HAR file in file order; only one entry is in memory at a time. Throws RecordingError with one sentence
 * that gives the position if the file is damaged or is not a HAR file.
 */
async function* readHar(file: string): AsyncGenerator<FoundEntry> {
  let found: FoundEntry[] = [];
  const entries = harEntries((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new HarDamageError(`entry ${index} is not an object`);
    found.push({ index, value });
  });
  try {
    for await (const chunk of textOf(file)) {
      entries.push(chunk);
      yield* found;
      found = [];
    }
    entries.end();
    yield* found;
    if (!entries.found()) throw new HarDamageError('it holds no log.entries');
  } catch (error) {
    if (error instanceof HarDamageError) throw new RecordingError(`${file} cannot be read as HAR: ${error.message}`);
    if ((error as NodeJS.ErrnoException).code !== undefined)
      throw new RecordingError(`${file} cannot be read: ${reasonOf(error)}`);
    throw error;
  }
}

/** What is requested at a base address. */
interface Candidate {
  readonly base: string;
  readonly operations: Set<OperationKey>;
  requests: number;
}

const describeCandidate = ({ base, operations, requests }: Candidate): string =>
  `${base} (${counted(operations.size, 'operation')}, ${counted(requests, 'request')})`;

/**
 * The base address with at least twice as many of the 41 operations (section 4) as any other; otherwise the candidates, the
 * best first, none if no request maps to an operation.
 */
function chooseBase(
  candidates: Iterable<Candidate>,
): Pick<HarOverview, 'base' | 'otherBases'> | { readonly candidates: readonly string[] } {
  const ranked = [...candidates].sort((x, y) => y.operations.size - x.operations.size || y.requests - x.requests);
  const [first, second] = ranked;
  if (!first || (second && second.operations.size * 2 > first.operations.size))
    return { candidates: ranked.map(describeCandidate) };
  return { base: first.base, otherBases: ranked.slice(1).map(describeCandidate) };
}

/** Splits a base address at the end of its origin. */
export function splitBase(base: string): { readonly origin: string; readonly basePath: string } {
  const { origin } = new URL(base);
  return { origin, basePath: base.slice(base.indexOf('//') + 2).replace(/^[^/]*/, '') };
}

export interface HarOverview {
  /** The base address of the service. */
  readonly base: string;
  /** Other base addresses with requests for operations, with counts; empty if the base address was given. */
  readonly otherBases: readonly string[];
  readonly entries: number;
  /** The chronological rank of each entry of each file; an entry without a time stays after its predecessor. */
  readonly positions: readonly (readonly number[])[];
}

/**
 * A first pass over HAR files: finds the base address of the service and the order of the responses. Throws RecordingError
 * with one sentence if no base address fits, or several do.
 * @param baseUrl the base address of the service, if known
 */
export async function scanHar(files: readonly string[], profile: Profile, baseUrl?: string): Promise<HarOverview> {
  const locate = operationLocator(profile.data.prefixes);
  const candidates = new Map<string, Candidate>();
  const times: { readonly file: number; readonly index: number; readonly at: number }[] = [];
  for (const [file, name] of files.entries()) {
    let lastTime = Number.NEGATIVE_INFINITY;
    for await (const { index, value } of readHar(name)) {
      const address = addressOf(value);
      const found = typeof address === 'string' ? undefined : locate(address.method, address.target);
      if (typeof address !== 'string' && found && !found.basePath.endsWith('/')) {
        const base = address.origin + found.basePath;
        const candidate = candidates.get(base) ?? { base, operations: new Set(), requests: 0 };
        candidates.set(base, candidate);
        candidate.operations.add(found.key);
        candidate.requests++;
      }
      const { startedAt, endedAt } = timeOf(value);
      lastTime = endedAt ?? startedAt ?? lastTime;
      times.push({ file, index, at: lastTime });
    }
  }
  const positions = files.map((): number[] => []);
  for (const [rank, { file, index }] of times.sort((x, y) => x.at - y.at).entries())
    (positions[file] as number[])[index] = rank;
  const entries = times.length;
  if (baseUrl !== undefined) return { base: baseUrl, otherBases: [], entries, positions };
  const chosen = chooseBase(candidates.values());
  if ('base' in chosen) return { ...chosen, entries, positions };
  const where = files.length === 1 ? files[0] : `${files.length} files`;
  throw new RecordingError(
    chosen.candidates.length === 0
      ? `none of the ${entries} requests in ${where} is for a method and path of the interface: check the file, or the profile’s prefixes`
      : `${where} holds traffic with several services: choose one with --base-url: ${chosen.candidates.join(', ')}`,
  );
}

/** Whether a path belongs to the interface: it is below the base path and has the prefix of a group. */
function interfacePathFilter({ data: { prefixes = {} } }: Profile, basePath: string): (target: string) => boolean {
  const known = new Set([
    ...Object.values(GROUPS).map(({ prefix }) => prefix),
    ...Object.values(prefixes).map((each) => `${each}/`),
  ]);
  // The first segment is enough: unversioned and misspelled paths are of interest, too.
  const starts = [...known].map((each) => `/${each.split('/')[1]}`.toLowerCase());
  return (target) => {
    if (!target.startsWith(`${basePath}/`)) return false;
    const rest = target.slice(basePath.length).toLowerCase();
    return starts.some((each) => rest === each || rest.startsWith(`${each}/`) || rest.startsWith(`${each}?`));
  };
}

export interface HarTraffic {
  /** The position in the file, from 0. */
  readonly index: number;
  readonly file: string;
  readonly converted: ConvertedEntry | SkipReason;
}

/** The entries of a file, one at a time: each converted, or the reason why it is skipped. */
export async function* readHarTraffic(file: string, base: string, profile: Profile): AsyncGenerator<HarTraffic> {
  const { origin, basePath } = splitBase(base);
  const isInterfacePath = interfacePathFilter(profile, basePath);
  for await (const { index, value } of readHar(file)) {
    const address = addressOf(value);
    const converted =
      typeof address === 'string' ? address : (skipReasonOf(address, origin, isInterfacePath) ?? convertEntry(value));
    yield { index, file, converted };
  }
}

function skipReasonOf(
  address: Address,
  origin: string,
  isInterfacePath: (target: string) => boolean,
): SkipReason | undefined {
  if (address.origin !== origin) return 'elsewhere';
  return isInterfacePath(address.target) ? undefined : 'unrelated';
}
