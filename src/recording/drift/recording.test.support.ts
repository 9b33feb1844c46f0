/** Hand-written recordings for tests: requests and responses. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operationFinder } from '../../exchange/operation-finder.ts';
import { newFolder } from '../../resources.test.support.ts';
import { toHarEntry } from '../format/entry.ts';
import { RECORDED_ORIGIN } from '../format/origin.ts';
import { BODIES, INLINE_BYTES, type StoredBody } from '../format/recorded-exchange.ts';
import { canonicalBody, requestKey } from '../format/request-key.ts';
import type { Provenance } from '../format/schema.ts';
import { openRecording } from '../store/open-recording.ts';
import { compareTraffic, type TrafficComparison } from './compare-traffic.ts';
import { type RecordedTraffic, recordedTraffic } from './recorded-requests.ts';

export interface ExampleResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is stored unchanged, bytes as a side file, any other value as JSON. */
  readonly body?: unknown;
}

export interface ExampleRequest {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly responses: readonly ExampleResponse[];
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Writes a recording to a new folder and reads it. */
export function recording(
  requests: readonly ExampleRequest[],
  { basePath = '', name = 'acme', masks = [] as Provenance['masks'] } = {},
): RecordedTraffic {
  const folder = join(newFolder(), name);
  mkdirSync(join(folder, 'main_1'), { recursive: true });
  const about: Provenance = {
    schema: 1,
    name,
    suite: '0.0.0',
    recordedAt: '2026-11-14T12:00:00.000Z',
    source: 'live',
    upstream: 'https://api.example',
    basePath,
    profile: 'empty',
    lanes: ['main'],
    matching: { headers: [], withoutQuery: [] },
    masks,
    redaction: { scan: 'clean', placeholders: {}, rules: [], scannedBytes: 0 },
  };
  const stored = (value: unknown): StoredBody | undefined => {
    if (value === undefined) return undefined;
    const bytes =
      value instanceof Uint8Array ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    if (!(value instanceof Uint8Array) && bytes.length <= INLINE_BYTES)
      return { text: Buffer.from(bytes).toString('utf8') };
    const file = `${BODIES}/sha256-${createHash('sha256').update(bytes).digest('hex')}`;
    mkdirSync(join(folder, BODIES), { recursive: true });
    writeFileSync(join(folder, file), bytes);
    return { file, bytes: bytes.length };
  };
  const operationOf = operationFinder(basePath);
  const entries = requests.flatMap(({ method = 'GET', target, headers = {}, body, responses }, at) =>
    responses.map((response, order) => {
      const requestBody = stored(body);
      const lines = Object.entries({ ...(body !== undefined && JSON_TYPE), ...headers });
      const canonical =
        requestBody && 'text' in requestBody ? canonicalBody(Buffer.from(requestBody.text), lines[0]?.[1]) : '';
      const operation = operationOf(method, `${basePath}${target}`);
      const responseBody = stored(response.body);
      return toHarEntry(
        {
          key: requestKey({ method, target: `${basePath}${target}`, headers: lines, body: canonical }, about.matching),
          order,
          request: {
            method,
            url: `${RECORDED_ORIGIN}${basePath}${target}`,
            headers: lines,
            ...(requestBody && { body: requestBody }),
          },
          response: {
            status: response.status ?? 200,
            reasonPhrase: 'OK',
            headers: Object.entries({ ...(response.body !== undefined && JSON_TYPE), ...response.headers }),
            ...(responseBody && { body: responseBody }),
          },
          ...(operation && { operation }),
        },
        `id-${at}`,
      );
    }),
  );
  const har = { log: { version: '1.2', _recordingName: 'main', creator: { name: 'test', version: '1' }, entries } };
  writeFileSync(join(folder, 'main_1', 'recording.har'), JSON.stringify(har));
  writeFileSync(join(folder, 'provenance.json'), JSON.stringify(about));
  return recordedTraffic(openRecording(dirname(folder), name));
}

/** The differences between two recordings of these responses. */
export const compareExamples = (
  before: readonly ExampleRequest[],
  after: readonly ExampleRequest[],
): Promise<TrafficComparison> =>
  compareTraffic(recording(before), recording(after, { name: 'now' }), { name: 'empty' });

/** One line per difference, without counts and examples. */
export const describeDifferences = ({ differences }: TrafficComparison): string[] =>
  differences.map((each) => `${each.class}: ${each.operation} ${each.path} (${each.kind})`);
