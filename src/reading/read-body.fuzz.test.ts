/** Whatever bytes come, under whatever plan: an observation, never an exception, and the same one however they are cut. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ResponseHead } from '../exchange/types.ts';
import { checkSelector } from '../profile/selector.ts';
import fc from '../seeded-fast-check.test.support.ts';
import { type BodyPlan, readBody } from './read-body.ts';
import { READERS } from './readers.ts';
import { type Observation, READING_PROBLEMS, type Row } from './types.ts';

async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.slice(at, at + size);
    at += size;
  }
}

async function read(plan: BodyPlan, head: ResponseHead, bytes: Uint8Array, sizes: readonly number[]) {
  const found: Row[] = [];
  const observation = await readBody(plan, head, pieces(bytes, sizes), (row) => found.push(row));
  return { found, observation };
}

/** The invariants of every observation. */
function expectSound({ rows, complete, problem, digest }: Observation, delivered: number): void {
  expect(rows).toBe(delivered);
  expect(complete).toBe(problem === undefined);
  expect(digest).toMatch(/^[0-9a-f]{16}-[0-9a-f]{16}$/);
  if (!problem) return;
  expect(READING_PROBLEMS).toContain(problem.kind);
  // One sentence that fits a report; JSON.parse quotes what it refuses, and that stays out.
  expect(problem.message).toMatch(/^[^\n\r]{10,900}$/);
}

const name = fc.constantFrom('a', 'b', 'item', 'größe', '@id', '#text', '__proto__', 'constructor', 'a b');
const segment = fc.oneof(
  name.map((each) => `['${each}']`),
  fc.integer({ min: -2, max: 3 }).map((index) => `[${index}]`),
  fc.constantFrom(
    '[*]',
    '.*',
    '..*',
    '..a',
    '[0:2]',
    '[::-1]',
    '[?@.a]',
    "[?@.a == 'x']",
    '[?length(@) > 1]',
    "['a','b']",
  ),
);
const path = fc.array(segment, { maxLength: 4 }).map((segments) => segments.join(''));
const inAnswer = fc.oneof(
  path.map((each) => `$${each}`),
  fc.constantFrom('$response.body#/a/0', '$response.header.X-A', '$response.status', '$response.body'),
);
const inRow = path.map((each) => `@${each}`);
const select = fc.oneof({ weight: 3, arbitrary: inRow }, inAnswer);

const media = fc.constantFrom(...(Object.keys(READERS) as (keyof typeof READERS)[]));
const plan: fc.Arbitrary<BodyPlan> = fc.record(
  {
    media,
    rows: inAnswer,
    next: inAnswer,
    csv: fc.record({ delimiter: fc.constantFrom(',' as const, ';' as const, '|' as const, '\t' as const) }),
    maxRowBytes: fc.constantFrom(20, 4_000_000),
    maxWholeBytes: fc.constantFrom(30, 4_000_000),
    maxBytes: fc.constantFrom(50, 4_000_000),
    fields: fc.record(
      {
        upc: fc.record({ at: select }),
        category: fc.record({ at: select }),
        sales4Weeks: fc.record({ at: select, as: fc.constantFrom('usd' as const, 'cents' as const) }),
        activeOn: fc.record({ at: select, as: fc.constantFrom('iso' as const, 'isoWeek' as const) }),
        characteristics: fc.record({ at: select }),
        grain: fc.record({ at: select }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['fields'] },
);

const types = [
  'application/json',
  'application/problem+json; charset=utf-16',
  'application/x-ndjson',
  'application/json-seq',
  'text/csv; charset=windows-1252',
  'text/tab-separated-values',
  'application/xml',
  'text/html; charset=shift_jis',
  'image/png',
  'nonsense',
];
const CODED: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  identity: (bytes) => bytes,
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, 0, -1.5, 1e300, '', 'x', '012345678905', '2026-11-21', 'größe 😀'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const text = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  fc.array(json, { maxLength: 4 }).map((values) => values.map((value) => JSON.stringify(value)).join('\n')),
  fc.array(fc.array(fc.string({ maxLength: 4 }), { maxLength: 3 })).map((lines) => lines.join('\r\n')),
  fc
    .array(fc.constantFrom('<a>', '</a>', '<item id="1">', '</item>', '<b/>', 'x', '&amp;', '<!--', '-->'))
    .map((tags) => `<a>${tags.join('')}</a>`),
  fc.string({ unit: 'binary', maxLength: 60 }).map((each) => each.toWellFormed()),
);
const plain = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  text.map((each) => Buffer.from(each)),
);
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

describe('any bytes under any plan', () => {
  it('are an observation, and the same one however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.constantFrom(...types),
        fc.constantFrom(200, 200, 200, 204, 404),
        fc.constantFrom(...Object.keys(CODED), 'nonsense'),
        fc.boolean(),
        plain,
        sizes,
        async (asked, type, status, coding, isCoded, bytes, cuts) => {
          const headers = [
            ['Content-Type', type],
            ['X-A', 'x'],
            ...(isCoded ? [['Content-Encoding', coding] as const] : []),
          ] as const;
          const body = isCoded ? (CODED[coding]?.(bytes) ?? bytes) : bytes;
          const head = { status, reasonPhrase: '', headers };
          const cut = await read(asked, head, body, cuts);
          expectSound(cut.observation, cut.found.length);
          const whole = await read(asked, head, body, [1_000_000]);
          expectSound(whole.observation, whole.found.length);
          const problems = [cut, whole].map(({ observation }) => observation.problem?.kind);
          // Rows before a problem may have been delivered or not, and limits are exact up to one chunk.
          if (problems.includes(undefined) && !problems.includes('tooLarge')) expect(cut).toEqual(whole);
        },
      ),
      { seed: 20261121, numRuns: 1000 },
    );
  });

  it('are read under selectors that are well formed', () => {
    fc.assert(
      fc.property(select, (selector) => {
        expect(checkSelector(selector)).toBeUndefined();
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });
});

describe('damaged codings', () => {
  it('are a problem, or what was meant', async () => {
    const list: BodyPlan = { rows: '$[*]', fields: { category: { at: '@.a' } } };
    const rows = Array.from({ length: 50 }, (_, at) => ({ a: `row ${at}` }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('gzip', 'deflate', 'br', 'zstd'),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        sizes,
        async (coding, at, flip, cuts) => {
          const body = Uint8Array.from(CODED[coding]?.(Buffer.from(JSON.stringify(rows))) ?? []);
          body[at % body.length] = (body[at % body.length] as number) ^ flip;
          const headers = [
            ['Content-Type', 'application/json'],
            ['Content-Encoding', coding],
          ] as const;
          const { observation, found } = await read(list, { status: 200, reasonPhrase: '', headers }, body, cuts);
          expectSound(observation, found.length);
        },
      ),
      { seed: 20261121, numRuns: 200 },
    );
  });
});
