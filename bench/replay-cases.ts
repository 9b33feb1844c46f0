/** What is replayed in a bench: requests and responses of several sizes, and the recording of them. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toHarEntry } from '../src/recording/format/entry.ts';
import { RECORDED_ORIGIN } from '../src/recording/format/origin.ts';
import { BODIES, INLINE_BYTES, type StoredBody } from '../src/recording/format/recorded-exchange.ts';
import { canonicalBody, requestKey } from '../src/recording/format/request-key.ts';
import type { Provenance } from '../src/recording/format/schema.ts';
import type { LoadRequest } from './http-load.ts';

/** Requests of one kind. */
export interface Case {
  readonly name: string;
  readonly requests: readonly LoadRequest[];
  /** How many requests are sent for one of a short response. */
  readonly weight: number;
  bodyOf(target: string): Buffer;
  readonly type: string;
}

const JSON_TYPE = 'application/json';
const DATE = 'Sat, 14 Nov 2026 12:00:00 GMT';
const NAME = 'bench';

const jsonOf = (target: string, bytes: number): Buffer => {
  const [open, close] = [`{"path":"${target}","description":"`, '"}'];
  return Buffer.from(open + 'A product. '.repeat(bytes / 11).slice(0, bytes - open.length - close.length) + close);
};

/** Not UTF-8, and different at each target. */
const binaryOf = (target: string, bytes: number): Buffer =>
  Buffer.alloc(bytes, createHash('sha512').update(target).digest());

const caseOf = (name: string, method: string, bytes: number, entries: number, type = JSON_TYPE): Case => ({
  name,
  type,
  weight: bytes < 100_000 ? 1 : 0.1,
  requests: Array.from({ length: entries }, (_, at) => ({
    method,
    target: `/${name.toLowerCase().replaceAll(' ', '-')}/${at}`,
    ...(method === 'POST' && {
      body: JSON.stringify({
        market: 'US',
        weeks: 4,
        upcs: [at, at + 1, at + 2].map((each) => `${each}`.padStart(12, '0')),
      }),
    }),
  })),
  bodyOf: (target) => (type === JSON_TYPE ? jsonOf(target, bytes) : binaryOf(target, bytes)),
});

/** @param entries of 1 KB; there are fewer long ones */
export const casesOf = (entries: number): Case[] => [
  caseOf('GET 1 KB', 'GET', 1000, entries),
  caseOf('POST 1 KB', 'POST', 1000, entries),
  caseOf('GET 10 KB', 'GET', 10_000, Math.min(entries, 100)),
  caseOf('GET 66 KB', 'GET', 66_000, Math.min(entries, 100)),
  caseOf('POST 66 KB', 'POST', 66_000, Math.min(entries, 100)),
  caseOf('GET 10 KB binary', 'GET', 10_000, Math.min(entries, 100), 'application/octet-stream'),
  caseOf('GET 1 MB', 'GET', 1_000_000, Math.min(entries, 20)),
];

export const isJson = ({ type }: Case): boolean => type === JSON_TYPE;

/** The header lines of a response; names and values alternate. */
export const headOf = ({ type }: Case, body: Buffer): string[] => [
  ...['Date', DATE, 'Content-Type', type, 'X-Request-Id', 'b3'],
  ...['Content-Length', `${body.length}`],
];

/** Writes the recording `bench` of all cases into a folder of recordings. */
export function writeRecording(dir: string, cases: readonly Case[]): void {
  const matching = { headers: [], withoutQuery: [] };
  const about: Provenance = {
    ...{ schema: 1, name: NAME, suite: NAME, recordedAt: new Date(0).toISOString(), source: 'live' },
    ...{ upstream: 'http://service.example', basePath: '', profile: 'empty', lanes: ['main'], masks: [] },
    matching,
    redaction: { scan: 'clean', placeholders: {}, rules: [], scannedBytes: 0 },
  };
  const folder = join(dir, NAME);
  mkdirSync(join(folder, 'main_1'), { recursive: true });
  mkdirSync(join(folder, BODIES));
  const stored = (bytes: Buffer, type: string): StoredBody => {
    if (type === JSON_TYPE && bytes.length <= INLINE_BYTES) return { text: bytes.toString() };
    const file = `${BODIES}/sha256-${createHash('sha256').update(bytes).digest('hex')}`;
    writeFileSync(join(folder, file), bytes);
    return { file, bytes: bytes.length };
  };
  const entries = cases.flatMap((each) =>
    each.requests.map(({ method, target, body }) => {
      const bytes = each.bodyOf(target);
      const flat = headOf(each, bytes);
      const canonical = body === undefined ? '' : canonicalBody(Buffer.from(body), JSON_TYPE);
      return toHarEntry(
        {
          key: requestKey({ method, target, headers: [], body: canonical }, matching),
          order: 0,
          request: {
            ...{ method, url: `${RECORDED_ORIGIN}${target}`, headers: [['accept', '*/*']] },
            ...(body !== undefined && { body: { text: body } }),
          },
          response: {
            ...{ status: 200, reasonPhrase: 'OK', body: stored(bytes, each.type) },
            headers: flat.flatMap((name, at): [string, string][] => (at % 2 ? [] : [[name, flat[at + 1] as string]])),
          },
        },
        target,
      );
    }),
  );
  const log = { _recordingName: 'main', version: '1.2', creator: { name: NAME, version: '1' }, entries };
  writeFileSync(join(folder, 'provenance.json'), JSON.stringify(about));
  writeFileSync(join(folder, 'main_1', 'recording.har'), JSON.stringify({ log }, null, 2));
}
