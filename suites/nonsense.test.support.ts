/** Nonsense proves nothing: whatever bytes a server answers with, no rule breaks, and none that looks at content passes. */

import { expect, it } from 'vitest';
import { OPERATIONS } from '../src/contract/index.ts';
import { bodyFrom } from '../src/exchange/body.ts';
import type { Source, WireRequest } from '../src/exchange/types.ts';
import { loadProfile } from '../src/profile/load.ts';
import { performRun } from '../src/run/run.ts';
import type { Result } from '../src/run/types.ts';
import fc from '../src/seeded-fast-check.test.support.ts';
import { RULES } from './index.ts';

const reference = await loadProfile('reference');

interface FakeResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
}

/** Rules that are content with an answer, whatever it holds: that something else is answered there than beside it. */
const ASK_NO_CONTENT = /^(every\..*|A\.test-service|C\.delta-windows-answered)$/;

/** A source that answers out of memory, its bodies cut into pieces of so many bytes. */
function sourceOf(answerTo: (request: WireRequest) => FakeResponse, piece: number): Source {
  return {
    async send(request, consume) {
      const { status, type, body } = answerTo(request);
      const response = { status, reasonPhrase: '', headers: [['Content-Type', type]] } as const;
      const chunks = async function* () {
        for (let at = 0; at < body.length; at += piece) yield body.slice(at, at + piece);
      };
      await consume?.(response, chunks());
      const timing = { startedAt: '2026-11-21T00:00:00.000Z', totalMs: 0 };
      return { request, response, body: { ...bodyFrom(body), chunks }, redirects: [], timing };
    },
    close: async () => undefined,
  };
}

async function judge(source: Source): Promise<readonly Result[]> {
  const { results } = await performRun({
    rules: RULES,
    selection: { safety: 'all' },
    profile: reference,
    base: 'http://nonsense.test',
    source,
    strict: true,
    allowInconclusive: false,
    requireConformant: false,
    suiteVersion: 'test',
  });
  return results;
}

const told = (results: readonly Result[]) =>
  results.map((each) => `${each.rule} ${each.operation}: ${each.note ?? ''}`);

/** Judges a server and holds that nothing broke and nothing was made out of its content. */
async function provesNothing(source: Source): Promise<readonly Result[]> {
  const results = await judge(source);
  expect(told(results.filter(({ verdict }) => verdict === 'error'))).toEqual([]);
  const passed = results.filter(({ verdict }) => verdict === 'pass');
  expect(told(passed.filter(({ rule }) => !ASK_NO_CONTENT.test(rule)))).toEqual([]);
  return passed;
}

const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

/** What is never a value: nothing at all, blanks, and structure where a text or figure should stand. */
const noValue = fc.constantFrom<unknown>(null, '', ' ', {}, [], [null], { x: {} }, [[1], [2]]);
const NAMES = [
  'upc',
  'category',
  'categoryId',
  'subCategory',
  'manufacturer',
  'brand',
  'market',
  'activeOn',
  'changedOn',
];
const MORE_NAMES = [
  'sales4Weeks',
  'sales12Weeks',
  'sales52Weeks',
  'salesLastYear',
  'percentChange',
  'id',
  'name',
  'date',
];
const row = fc.dictionary(fc.constantFrom(...NAMES, ...MORE_NAMES, 'jobId', 'state', 'characteristics'), noValue);
const rows = fc.oneof(noValue, fc.array(fc.oneof(row, noValue), { maxLength: 5 }));
/** The envelopes of the reference profile, all in one, with nothing in them. */
const hollow = fc.record(
  { asOf: noValue, products: rows, rows, items: rows, categories: rows, jobId: noValue, state: noValue, id: noValue },
  { requiredKeys: [] },
);
/** No name of it stands in the profile. */
const foreign = fc
  .jsonValue()
  .map((value) => JSON.parse(JSON.stringify(value).replace(/"(\w*)":/g, '"?$1":')) as unknown);

const answer: fc.Arbitrary<FakeResponse> = fc.record({
  status: fc.oneof({ weight: 4, arbitrary: fc.constant(200) }, fc.constantFrom(201, 204, 400, 404, 418, 500)),
  type: fc.oneof(
    { weight: 3, arbitrary: fc.constant('application/json') },
    fc.constantFrom('application/x-ndjson', 'text/csv', 'application/xml', 'text/html', 'image/png', 'nonsense'),
  ),
  body: fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ maxLength: 100 }).map(bytes),
    fc.string({ maxLength: 20 }).map((text) => bytes(`<a><b c="${text}">${text}</b><b/></a>`)),
    foreign.map(bytes),
    hollow.map(bytes),
  ),
});
const piece = fc.integer({ min: 1, max: 50 });
/** Which of so many answers a path gets: always the same one. */
function pick(url: string, count: number): number {
  let hash = 7;
  for (const char of new URL(url).pathname) hash = (hash * 31 + char.charCodeAt(0)) % 1_000_003;
  return hash % count;
}

/** Tests that nonsense proves nothing, in so many runs of each kind. */
export function testNonsense(numRuns: number): void {
  // Failing runs end the search: shrinking takes longer than reading one of them.
  const runs = { seed: 20261121, numRuns, endOnFailure: true };

  it.concurrent('everything with the same nonsense', async () => {
    await fc.assert(
      fc.asyncProperty(answer, piece, async (only, size) => {
        expect(told(await provesNothing(sourceOf(() => only, size)))).toEqual([]);
      }),
      runs,
    );
  });

  it.concurrent('each path with nonsense of its own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 2, maxLength: 60 }), piece, async (answers, size) => {
        await provesNothing(sourceOf(({ url }) => answers[pick(url, answers.length)] as FakeResponse, size));
      }),
      runs,
    );
  });

  it.concurrent('each time with other nonsense', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 2, maxLength: 60 }), piece, async (answers, size) => {
        let sent = 0;
        await provesNothing(sourceOf(() => answers[sent++ % answers.length] as FakeResponse, size));
      }),
      runs,
    );
  });

  it.concurrent('each documented path with an envelope of the profile that holds nothing', async () => {
    const paths = new Set(OPERATIONS.map(({ path }) => path.replace('{upc}', '')));
    const isDocumented = (url: string) => paths.has(new URL(url).pathname.replace(/\d{12}$/, ''));
    const missing: FakeResponse = { status: 404, type: 'text/plain', body: bytes('no such path') };
    const served = (value: unknown): FakeResponse => ({ status: 200, type: 'application/json', body: bytes(value) });
    await fc.assert(
      fc.asyncProperty(fc.array(hollow, { minLength: 41, maxLength: 60 }), piece, async (values, size) => {
        const answers = values.map(served);
        const answerTo = ({ url }: WireRequest) => (isDocumented(url) ? answers[pick(url, answers.length)] : missing);
        const passed = await provesNothing(sourceOf((request) => answerTo(request) as FakeResponse, size));
        expect(passed.filter(({ rule }) => rule === 'every.served')).toHaveLength(OPERATIONS.length);
      }),
      runs,
    );
  });
}
