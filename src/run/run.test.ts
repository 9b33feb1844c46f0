/** A run as one value, against small real servers: what is said of it, and when it stops asking. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createLiveSource } from '../client/live-source.ts';
import { GROUPS, OPERATIONS, type OperationKey, operationsOf } from '../contract/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { listen } from '../resources.test.support.ts';
import { failed, inconclusive, passed, type Reading, type Rule } from '../rule/index.ts';
import { perform, ruleOf } from './perform.test.support.ts';
import type { RunOptions } from './summarise-run.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const BRANDS = 'GET /RetailMeasurement/v1/BrandPerformance';
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  return { base: await listen(server), asked };
}

async function run(
  base: string,
  rules: readonly Rule[],
  { timeoutMs = 60_000, ...over }: Partial<RunOptions> & { readonly timeoutMs?: number } = {},
  yaml = '',
) {
  const profile = parseProfile(`name: t\n${yaml}`, 't.yaml', {});
  return perform({ rules, profile, base, source: createLiveSource({ timeoutMs }), ...over });
}

/** A rule that asks each subject and says what it is told to. */
const rule = (
  id: string,
  judge: (reading: Reading) => ReturnType<Rule['judge']>,
  over: Partial<Rule> = {},
  accepts: 'any' | 'response' = 'response',
): Rule =>
  ruleOf(id, {
    statement: 'operation.served',
    probe: (subject: OperationKey) => ({ it: { operation: subject, accepts, follow: false } }),
    judge: (seen: Record<string, readonly Reading[]>) => judge(seen.it?.[0] as Reading),
    ...over,
  });
const fine = () => passed({ exchanges: 1 });
const wrong = (reading: Reading) => failed([{ kind: 'k', expected: 'a', actual: 'b', exchange: reading.exchange }]);
const ok = () => serve((_request, response) => response.end('{"a":1}'));

describe('a service that falls silent', () => {
  const many = OPERATIONS.slice(0, 20).map((each) => each.key);
  const looks = rule('looks', fine, { subjects: many });

  test('is asked on while it answers now and then', async () => {
    let count = 0;
    const { base } = await serve((request, response) => {
      if (count++ % 3 === 0) response.end('{}');
      else request.socket.destroy();
    });
    const result = await run(base, [looks], { selection: { safety: 'all' } });
    expect(new Set(result.exchanges.map(({ operation }) => operation))).toEqual(new Set(many));
    expect(result.results.filter((each) => each.verdict === 'pass').length).toBeGreaterThan(5);
  });
});

test('a redirect is the answer where a rule looks at it, and followed where not', async () => {
  const { base, asked } = await serve((request, response) => {
    if (request.url?.endsWith('/elsewhere')) response.end('{}');
    else response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const looks = rule('looks', (seen) => passed({ exchanges: 1 }, `first ${seen.head?.status}`));
  const follows = rule('follows', (seen) => passed({ exchanges: 1 }, `last ${seen.head?.status}`), {
    probe: () => ({ it: { operation: BULK, accepts: 'response' } }),
  });
  const { results } = await run(base, [looks, follows]);
  expect(results.map((each) => each.note)).toEqual(['first 307', 'last 200']);
  expect(asked.at(-1)).toBe('GET /elsewhere');
});

describe('a result', () => {
  test('names its rule, operation, statement and section, and carries evidence', async () => {
    const { results } = await run((await ok()).base, [rule('r', () => passed({ exchanges: 1, rows: 2 }, 'n'))]);
    expect(results).toEqual([
      {
        rule: 'r',
        operation: BULK,
        statement: 'operation.served',
        section: '4',
        basis: 'stated',
        gating: true,
        verdict: 'pass',
        waived: false,
        evidence: { exchanges: 1, rows: 2, distinct: 0 },
        findings: [],
        note: 'n',
      },
    ]);
  });

  test.each<[Rule['basis'], boolean, boolean]>([
    ['stated', false, true],
    ['derived', false, true],
    ['profile', false, true],
    ['http', false, false],
    ['plausible', false, false],
    ['http', true, true],
    ['plausible', true, true],
  ])('of basis %s under strict %s gates: %s', async (basis, strict, gating) => {
    const result = await run((await ok()).base, [rule('g', fine), rule('r', wrong, { basis })], { strict });
    expect(result.results[1]).toMatchObject({ verdict: 'fail', gating });
    expect(result.exitCode).toBe(gating ? 1 : 0);
  });

  test('of a demand later than the pinned rule set is advice that says so', async () => {
    const { base } = await ok();
    const later = rule('later', wrong, { since: '0.2.0' });
    const more = { kind: 'more', expected: 'more', actual: 'less', since: '0.2.0' } as const;
    const added = rule('added', () => failed([more]));
    const both = rule('both', ({ exchange }) => failed([{ kind: 'k', expected: 'a', actual: 'b', exchange }, more]));
    const doubt = rule('doubt', () => ({ verdict: 'inconclusive', because: 'd', since: '0.2.0' }));
    const rules = [rule('fine', fine), later, added, doubt];
    const pinned = await run(base, rules, { ruleSet: '0.1.0' });
    expect(pinned).toMatchObject({ outcome: 'conformant', exitCode: 0, manifest: { ruleSet: '0.1.0' } });
    expect(pinned.results.slice(1)).toMatchObject(
      ['fail', 'fail', 'inconclusive'].map((verdict) => ({ verdict, gating: false, pinned: true, since: '0.2.0' })),
    );
    const unpinned = await run(base, rules);
    expect(unpinned).toMatchObject({ outcome: 'nonconformant', exitCode: 1 });
    expect(unpinned.results.every(({ gating, pinned: is }) => gating && is === undefined)).toBe(true);
    const { results } = await run(base, [both], { ruleSet: '0.1.0' });
    expect(results[0]).toMatchObject({
      gating: true,
      note: 'a later rule set demands more; actual: less',
      findings: [{ fingerprint: 'both/allProducts/k' }],
    });
  });

  test('has fingerprints of what is wrong', async () => {
    const [result] = (await run((await ok()).base, [rule('r', wrong)])).results;
    expect(result?.findings).toEqual([{ expected: 'a', actual: 'b', exchange: '#1', fingerprint: 'r/allProducts/k' }]);
  });

  test('of an advisory rule gates where the profile’s own statement was broken', async () => {
    const own = rule('r', () => failed([{ kind: 'k', expected: 'a', actual: 'b' }], 'profile'), { basis: 'plausible' });
    expect((await run((await ok()).base, [own])).results[0]).toMatchObject({ basis: 'profile', gating: true });
  });

  test('stands in the order of the suites, settled ones among the others', async () => {
    const rules = [
      rule('open', fine, { needs: () => ['allProducts.rows'] }),
      rule('asked', fine, { subjects: [DELTA, BULK] }),
    ];
    const { results } = await run((await ok()).base, rules);
    expect(results.map((each) => `${each.rule} ${each.operation} ${each.verdict}`)).toEqual([
      `open ${BULK} untested`,
      `asked ${DELTA} pass`,
      `asked ${BULK} pass`,
    ]);
  });
});

test('exchanges that findings stand in tell how to repeat them, the others do not', async () => {
  const { base } = await ok();
  const { exchanges } = await run(base, [rule('w', wrong), rule('f', fine, { subjects: [DELTA] })]);
  expect(exchanges).toMatchObject([
    { id: '#1', operation: BULK, method: 'GET', status: 200, bytes: 7, begins: '{"a":1}' },
    { id: '#2', operation: DELTA },
  ]);
  expect(exchanges[0]?.curl).toContain(`${base}/PLATFORMAPI/prodRef/v1/allProducts`);
  expect(exchanges[1]).not.toHaveProperty('curl');
});

test('openings are listed once, those that hold back most rules first', async () => {
  const needs = (id: string, list: ReturnType<Rule['needs']>) => rule(id, fine, { needs: () => list });
  const { openings } = await run((await ok()).base, [
    needs('a', ['allProducts.request']),
    needs('b', ['allProducts.rows', 'dataWeek']),
    needs('c', ['allProducts.rows']),
  ]);
  expect(openings.map((each) => [each.opening, each.rules])).toEqual([
    ['allProducts.rows', ['b', 'c']],
    ['allProducts.request', ['a']],
    ['dataWeek', ['b']],
  ]);
  expect(openings[0]).toMatchObject({ section: '4.3', fill: `operations["${BULK}"].response.rows` });
});

describe('the scope of an outcome', () => {
  const all = rule('all', fine, { subjects: OPERATIONS.map((each) => each.key) });
  test.each<[string, Partial<RunOptions>, string, string]>([
    ['all groups', {}, '', 'conformant (ABCD, all, standard)'],
    ['one group', { selection: { safety: 'all', groups: ['D'] } }, '', 'conformant (D, all, standard)'],
    ['groups that are claimed', {}, 'implements: [B, C]', 'conformant (BC, all, standard)'],
    [
      'some operations',
      { selection: { safety: 'all', operations: [BRANDS] } },
      '',
      'conformant (D, all, standard, filtered)',
    ],
    ['some rules', { selection: { safety: 'all', rules: ['all'] } }, '', 'conformant (ABCD, all, standard, filtered)'],
    ['what is safe', { selection: { safety: 'read' } }, '', 'partial (ABCD, read, standard)'],
  ])('names %s', async (_, over, yaml, says) => {
    const result = await run((await ok()).base, [all], { selection: { safety: 'all' }, ...over }, yaml);
    expect(result.outcomeInScope).toBe(says);
  });

  test('holds every group there is', () => {
    const keys = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
    expect(keys.flatMap((group): OperationKey[] => operationsOf(group)).length).toBe(OPERATIONS.length);
  });
});

test('a run tells under which conditions it was made', async () => {
  const { base } = await ok();
  const before = Date.now();
  const { manifest, schema, fractions } = await run(base, [rule('r', fine), rule('u', () => inconclusive('why'))], {
    strict: true,
  });
  expect(schema).toBe(1);
  expect(manifest).toMatchObject({
    suite: '9.9.9',
    target: base,
    profile: 't (t.yaml)',
    groups: ['C'],
    safety: 'read',
    strict: true,
    requests: 1,
    node: process.version,
  });
  expect(Date.parse(manifest.startedAt)).toBeGreaterThanOrEqual(before);
  expect(fractions).toEqual({ provable: [2, 2], proved: [1, 2], unproved: 1 });
});

test('progress counts the requests as they are sent', async () => {
  const told: [number, string][] = [];
  await run((await ok()).base, [rule('r', fine, { subjects: [BULK, DELTA] })], {
    onProgress: (count, what) => told.push([count, what]),
  });
  expect(told).toEqual([
    [1, BULK],
    [2, DELTA],
  ]);
});
