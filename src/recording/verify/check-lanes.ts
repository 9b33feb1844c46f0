/** Checks that lanes and entries are consistent: names, ids, keys, operations, order, origins. */

import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import { operationFinder } from '../../exchange/operation-finder.ts';
import { fromHarEntry, targetOf } from '../format/entry.ts';
import { mayHoldUrls, originPattern, RECORDED_ORIGIN } from '../format/origin.ts';
import {
  type RecordedExchange,
  type RecordedResponse,
  type StoredBody,
  sha256Of,
} from '../format/recorded-exchange.ts';
import { CANONICAL_BYTES, hashedForm, type Matching, requestKey } from '../format/request-key.ts';
import type { HarEntry, Provenance } from '../format/schema.ts';
import { laneFolder, recordWithPolly } from '../store/polly-adapter.ts';
import { readWithin } from '../store/recording-files.ts';
import { entryName, problem, type RecordingProblem } from './finding.ts';
import type { FolderOnDisk, LaneOnDisk } from './read-folder.ts';

/** The possible forms of a request body in a key: a body that was too long to be buffered counts by its hash. */
function bodyForms(body: StoredBody | undefined, folder: string): readonly (Uint8Array | string)[] {
  if (!body || 'text' in body) return [Buffer.from(body?.text ?? '')];
  const hashed = hashedForm(sha256Of(body));
  if (body.bytes > CANONICAL_BYTES) return [hashed];
  try {
    return [readWithin(folder, body.file), hashed];
  } catch {
    // checkSideFiles reports the missing file.
    return [];
  }
}

/** The key that a stored request should have; undefined if its key is correct or cannot be computed. */
function expectedKey({ key, request }: RecordedExchange, folder: string, matching: Matching): string | undefined {
  const { method, headers } = request;
  const keys = bodyForms(request.body, folder).map((body) =>
    requestKey({ method, target: targetOf(request), headers, body }, matching),
  );
  return keys.includes(key) ? undefined : keys[0];
}

/** Whether the indented copy equals the response that is served. */
function copyIsEqual({ _mdwi: extra, response }: HarEntry): boolean {
  if (extra.readable === undefined) return true;
  try {
    return JSON.stringify(extra.readable) === JSON.stringify(JSON.parse(response.content.text ?? ''));
  } catch {
    return false;
  }
}

/** The pattern of the service’s origin; the origin of a simulator is on the local machine. */
function serviceOriginOf({ upstream, source }: Provenance): RegExp | undefined {
  if (source === 'simulator') return /https?:(?:\\?\/){2}(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?/i;
  try {
    return new RegExp(originPattern(new URL(upstream).origin).pattern.source, 'i');
  } catch {
    return undefined;
  }
}

/** Whether the recorder replaced origins in this body. */
function hasReplacedOrigins({ status, headers }: RecordedResponse): boolean {
  if (status === 206 || firstHeader(headers, 'content-encoding') !== undefined) return false;
  return mayHoldUrls(mediaTypeOf(headers).type) ?? false;
}

function findOriginLeft({ request, response }: RecordedExchange, folder: string, origin: RegExp): string | undefined {
  if (!request.url.startsWith(`${RECORDED_ORIGIN}/`)) return `the request is for ${request.url.slice(0, 80)}`;
  if (!response) return undefined;
  const line = response.headers.find(([, value]) => origin.test(value));
  if (line) return `the header ${line[0]} holds ${origin.exec(line[1])?.[0]}`;
  const { body } = response;
  if (!body || !hasReplacedOrigins(response)) return undefined;
  let text: string;
  try {
    text = 'text' in body ? body.text : readWithin(folder, body.file).toString('latin1');
  } catch {
    return undefined;
  }
  const found = origin.exec(text);
  return found ? `the body holds ${found[0]} at ${found.index}` : undefined;
}

async function checkEntries({ har, file }: LaneOnDisk, folder: string, about: Provenance): Promise<RecordingProblem[]> {
  const findings: RecordingProblem[] = [];
  const { matching } = about;
  const operationOf = operationFinder(about.basePath);
  const origin = serviceOriginOf(about);
  const orders = new Map<string, number[]>();
  const ids = new Map<string, string | undefined>();
  for (const entry of har.log.entries as HarEntry[]) {
    const exchange = fromHarEntry(entry);
    const { key, request } = exchange;
    const name = entryName(key);
    const report = (kind: RecordingProblem['kind'], says: string): void =>
      void findings.push(problem(kind, says, { file, entry: name }));
    orders.set(key, [...(orders.get(key) ?? []), entry._order]);
    const originLeft = origin && findOriginLeft(exchange, folder, origin);
    if (originLeft !== undefined) report('origin left', `${originLeft} in place of ${RECORDED_ORIGIN}`);
    if (!copyIsEqual(entry)) report('wrong copy', 'the indented copy in `readable` differs from content.text');
    if (!request.url.startsWith(RECORDED_ORIGIN)) continue;
    const target = targetOf(request);
    const expected = expectedKey(exchange, folder, matching);
    if (expected !== undefined) {
      report(
        'wrong key',
        `its key does not match its request, whose key is “${entryName(expected)}”; replay will not find it`,
      );
      continue;
    }
    const operation = operationOf(request.method, target);
    if (operation !== exchange.operation)
      report(
        'wrong operation',
        `it names ${exchange.operation ?? 'no operation'}, but its path is of ${operation ?? 'none'}`,
      );
    const id =
      ids.get(key) ?? (await recordWithPolly(har.log._recordingName, exchange, matching)).har.log.entries[0]?._id;
    ids.set(key, id);
    if (id !== entry._id)
      report('wrong id', `its _id is not the one that stock Polly computes (${id}), so Polly will not find it`);
  }
  for (const [key, sequence] of orders) {
    const sorted = sequence.toSorted((a, b) => a - b);
    if (sorted.every((order, at) => order === at)) continue;
    const says = `its responses have the order ${sorted.join(', ')}, not 0 to ${sorted.length - 1}`;
    findings.push(problem('wrong order', says, { file, entry: entryName(key) }));
  }
  return findings;
}

/** Checks all lanes. */
export async function checkLanes({
  folder,
  about,
  lanes,
  findings: readProblems,
}: FolderOnDisk): Promise<RecordingProblem[]> {
  if (!about) return [];
  const findings: RecordingProblem[] = [];
  const fileByLane = new Map<string, string>();
  for (const lane of lanes) {
    const { file, har } = lane;
    const name = har.log._recordingName;
    const duplicate = fileByLane.get(name);
    const expected = await laneFolder(name);
    if (duplicate !== undefined)
      findings.push(problem('wrong order', `holds the lane “${name}”, which ${duplicate} also holds`, { file }));
    else if (lane.folder !== expected)
      findings.push(
        problem(
          'wrong id',
          `holds the lane “${name}”, whose folder stock Polly expects at ${expected}`,
          { file },
          `rename the folder to ${expected}`,
        ),
      );
    if (!about.lanes.includes(name))
      findings.push(
        problem('lane not named', `holds the lane “${name}”, which the provenance does not name`, { file }),
      );
    fileByLane.set(name, file);
    findings.push(...(await checkEntries(lane, folder, about)));
  }
  const isRead = readProblems.every(
    ({ kind, file }) => kind !== 'damaged' || file === undefined || !file.endsWith('.har'),
  );
  for (const name of about.lanes.filter((each) => !fileByLane.has(each) && isRead))
    findings.push(problem('lane missing', `the lane “${name}”, which the provenance names, is missing`));
  return findings;
}
