/** The engine against small real servers: what is sent, what is sent again, and what is said. */
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createLiveSource } from '../client/live-source.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { listen } from '../resources.test.support.ts';
import {
  collect,
  failed,
  type Judgement,
  passed,
  type Reading,
  type Rule,
  type Step,
  type Steps,
  step,
  untested,
  upcs,
} from '../rule/index.ts';
import { perform, ruleOf } from './perform.test.support.ts';
import type { performRun } from './run.ts';
import type { Run } from './types.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
/** A server that counts what it was asked. */
async function serve(
  answer: (url: string, count: number) => { status?: number; headers?: Record<string, string>; body?: unknown },
) {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(String(request.url));
    const { status = 200, headers = {}, body } = answer(String(request.url), asked.length);
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body === undefined ? '' : JSON.stringify(body));
  };
  return { base: await listen(createServer(listener)), asked };
}

async function run(
  base: string,
  rules: readonly Rule[],
  response: string,
  query = '{}',
  more: Partial<Parameters<typeof performRun>[0]> = {},
): Promise<Run> {
  const profile = parseProfile(
    `name: t\noperations:\n  ${BULK}:\n    request: { query: ${query} }\n    response: ${response}\n  ${LOOKUP}:\n    request: {}\n    response: { rows: $, fields: { upc: "@.u" } }\n`,
    't.yaml',
  );
  return perform({ rules, profile, base, ...more });
}

const ROWS = '{ rows: "$[*]", fields: { upc: "@.u" } }';
const sizeOf = (readings: readonly { folds: Record<string, unknown> }[] | undefined): number =>
  ((readings?.[0]?.folds.upcs ?? { size: -1 }) as { size: number }).size;

const row = (at: number) => ({ u: String(at).padStart(12, '0') });

const rule = (
  id: string,
  steps: Steps,
  judge: (seen: Record<string, readonly Reading[]>) => Judgement,
  repeat?: Rule['repeat'],
): Rule => ruleOf(id, { ...(repeat && { repeat }), probe: () => steps, judge });

const list = (accepts: Step['accepts'] = 'complete') => step({ operation: BULK, accepts, folds: { upcs } });
const countRows = (seen: Record<string, readonly { observation?: { rows: number } }[]>): Judgement =>
  passed({ exchanges: 1, rows: seen.list?.[0]?.observation?.rows ?? 0 });

test('equal requests of several rules are sent once', async () => {
  const { base, asked } = await serve(() => ({ body: [row(1), row(2)] }));
  const result = await run(
    base,
    [rule('a', { list: list() }, countRows), rule('b', { list: list('content') }, countRows)],
    ROWS,
  );
  expect(asked.length).toBe(1);
  expect(result.results.map((each) => [each.verdict, each.evidence.rows])).toEqual([
    ['pass', 2],
    ['pass', 2],
  ]);
});

test('what the budget does not allow is no request of the run, and leaves its check undecided', async () => {
  const { base, asked } = await serve(() => ({ body: [row(1)] }));
  const several = rule(
    'several',
    Object.fromEntries([0, 1, 2, 3, 4, 5].map((repetition) => [`at${repetition}`, { ...list(), repetition }])),
    countRows,
  );
  const source = createLiveSource({ maxRequests: 2 });
  const result = await run(base, [several], ROWS, '{}', { source });
  expect([asked.length, result.manifest.requests, result.exchanges.length]).toEqual([2, 2, 2]);
  expect(result.results[0]?.verdict).toBe('inconclusive');
  expect(result.results[0]?.note).toMatch(/the request budget is used up: raise limits\.maxRequests/);
});

test('the last steps follow the requests of all rules', async () => {
  const { base, asked } = await serve((url) => ({ body: url.includes('/products/') ? row(1) : [row(1)] }));
  const lookUp = (upc: string, more: Partial<Step>): Step =>
    step({ operation: LOOKUP, inputs: { upc: { value: upc } }, accepts: 'content', ...more });
  const pass = () => passed({ exchanges: 1 });
  const [one, two, three] = ['000000000001', '000000000002', '000000000003'];
  await run(
    base,
    [
      rule('a', { at: lookUp(two, { last: true }), next: lookUp(three, { after: ['at'] }) }, pass),
      rule('b', { list: list(), at: lookUp(one, { after: ['list'] }) }, pass),
    ],
    ROWS,
  );
  expect(asked.map((url) => url.split('/').at(-1))).toEqual(['allProducts', one, two, three]);
});

test('a step drawn from rows is sent per row, and a fold that comes late is fed from what was captured', async () => {
  const { base, asked } = await serve((url) => ({
    body: url.includes('/products/') ? { u: url.slice(-12) } : [row(1), row(2), row(3)],
  }));
  const late = rule(
    'late',
    {
      rows: step({ operation: BULK, accepts: 'content', folds: { some: collect(['upc']) } }),
      each: step({
        operation: LOOKUP,
        each: { from: 'rows', fold: 'some', as: { upc: 'upc' }, max: 2 },
        accepts: 'content',
        folds: { upcs },
      }),
      again: step({ operation: BULK, accepts: 'content', after: ['each'], folds: { upcs } }),
    },
    (seen) => {
      expect(seen.each?.length).toBe(2);
      expect(sizeOf(seen.again)).toBe(3);
      return passed({ exchanges: 3 });
    },
  );
  const result = await run(base, [late], ROWS);
  expect(result.results[0]?.verdict).toBe('pass');
  expect(asked.filter((url) => url.includes('allProducts')).length).toBe(1);
});

test.each([
  ['is read for another fold', {}],
  ['was a redirect that nobody followed', { location: '/moved' }],
])('a list that an earlier step got supplies rows once it is read for its own step: it %s', async (_, headers) => {
  const isRedirect = 'location' in headers;
  const { base, asked } = await serve((url) =>
    url.includes('/products/')
      ? { body: { u: url.slice(-12) } }
      : isRedirect && url.endsWith('allProducts')
        ? { status: 307, headers }
        : { body: [row(1), row(2)] },
  );
  const drawn = (source: Partial<Step>, first: Steps = {}): Steps => ({
    ...first,
    list: step({ operation: BULK, accepts: 'any', folds: { rows: collect(['upc'], 10) }, ...source }),
    each: step({ operation: LOOKUP, accepts: 'any', each: { from: 'list', fold: 'rows', as: { upc: 'upc' }, max: 5 } }),
  });
  // In the round in which `list` is ready, the response of the first step is known, but not read for its rows.
  const first = step({ operation: BULK, accepts: 'any', ...(isRedirect ? { follow: false } : { folds: { upcs } }) });
  const judge = (seen: Record<string, readonly Reading[]>): Judgement =>
    passed({ exchanges: 1, rows: seen.each?.length ?? 0 });
  const result = await run(base, [rule('late', drawn({ after: ['first'] }, { first }), judge)], ROWS);
  expect(result.results.map(({ evidence }) => evidence.rows)).toEqual([2]);
  expect(asked.filter((url) => url.includes('/products/'))).toHaveLength(2);
});

test('a repetition waits once for all that settle at the same time, as long as the answers before ask for', async () => {
  const pauses: number[] = [];
  const wait = async (ms: number) => void pauses.push(ms);
  const { base } = await serve(() => ({ headers: { 'retry-after': '7' }, body: [row(1)] }));
  const never = (): Judgement => failed([{ kind: 'k', expected: 'more', actual: 'this' }]);
  const steps = {
    list: step({ ...list(), repeatDelayMs: 2000 }),
    again: step({ ...list(), repetition: 5, after: ['list'], repeatDelayMs: 1000 }),
  };
  await run(base, [rule('one', steps, never, 'pass'), rule('two', steps, never, 'pass')], ROWS, '{}', { wait });
  expect(pauses.slice(1)).toEqual([2000, 7000]);
});

test('a selected rule also runs the precondition of its operation, which is not reported', async () => {
  const { base } = await serve(() => ({ body: [row(1)] }));
  const alike = (): Judgement => ({ verdict: 'inconclusive', because: 'all alike', provesNothing: true });
  const guard = { ...rule('guard', { list: list() }, alike), precondition: true } as const;
  const told = await run(base, [guard, rule('one', { list: list() }, () => passed({ exchanges: 1 }))], ROWS, '{}', {
    selection: { safety: 'read', rules: ['one'] },
  });
  expect(told.results.map(({ rule: id, verdict, note }) => [id, verdict, note])).toEqual([
    ['one', 'inconclusive', 'all alike'],
  ]);
});

test('a failed relation is asked again: it may hold now, or its answers may have changed', async () => {
  const expectTwo = (seen: Parameters<typeof countRows>[0]): Judgement =>
    seen.list?.[0]?.observation?.rows === 2
      ? passed({ exchanges: 1 })
      : failed([{ kind: 'k', expected: '2', actual: 'other' }]);
  const settled = await serve((_url, count) => ({ body: count === 1 ? [row(1)] : [row(1), row(2)] }));
  const [first] = (await run(settled.base, [rule('r', { list: list() }, expectTwo, 'pass')], ROWS)).results;
  expect(first).toMatchObject({ verdict: 'pass', note: expect.stringContaining('at first') });
  const [once] = (
    await run(
      (
        await serve((_url, count) => ({ body: count === 1 ? [] : [row(1), row(2)] }))
      ).base,
      [rule('r', { list: list() }, expectTwo, 'inconclusive')],
      ROWS,
    )
  ).results;
  expect(once?.verdict).toBe('inconclusive');
  const moving = await serve((_url, count) => ({ body: Array.from({ length: count + 2 }, (_, at) => row(at)) }));
  const [moved] = (await run(moving.base, [rule('r', { list: list() }, expectTwo, 'pass')], ROWS)).results;
  expect(moved).toMatchObject({ verdict: 'inconclusive', note: expect.stringContaining('changed') });
  const constant = await serve(() => ({ body: [row(1)] }));
  const [kept] = (await run(constant.base, [rule('r', { list: list() }, expectTwo, 'pass')], ROWS)).results;
  expect(kept?.verdict).toBe('fail');
  // The repetition sends its request four times in a row, and the confirmation once more.
  expect(constant.asked.length).toBe(6);
});

describe.each([
  [2, [1]],
  [3, [1]],
  [3, [1, 2]],
  [4, [2, 3]],
])('of %i replicas that respond in turn, %j are behind', (replicas, behind) => {
  test.each([0, 1, 2, 3])('and %i requests are before the lists: no relation fails', async (before) => {
    const { base } = await serve((_url, count) => ({
      body: behind.includes(count % replicas) ? [row(1)] : [row(1), row(2)],
    }));
    const first = Object.fromEntries(
      Array.from({ length: before }, (_, at) => [`before${at}`, { ...list('any'), repetition: 10 + at }]),
    );
    const bulk = Object.fromEntries(
      ['one', 'two'].map((name, at) => [name, { ...list(), repetition: at + 1, after: Object.keys(first) }]),
    );
    const equal = rule(
      'equal',
      { ...first, ...bulk },
      ({ one, two }) =>
        sizeOf(one) === sizeOf(two)
          ? passed({ exchanges: 2, rows: 1 })
          : failed([{ kind: 'other', expected: 'equal', actual: 'not' }]),
      'pass',
    );
    const { results } = await run(base, [equal], ROWS, '{}', { wait: async () => undefined });
    expect(results[0]?.verdict).not.toBe('fail');
  });
});

test('a relation of lists of different as-of dates is not decided', async () => {
  const { base } = await serve((url) => ({
    body: { d: url.includes('c=a') ? '2026-01-03' : '2026-01-10', r: [row(1)] },
  }));
  const filtered = (value: string) =>
    step({ operation: BULK, inputs: { category: { value } }, accepts: 'complete', folds: { upcs } });
  const relation = rule(
    'relation',
    { one: filtered('a'), two: filtered('b') },
    () => failed([{ kind: 'other', expected: 'equal', actual: 'not' }]),
    'pass',
  );
  const response = '{ rows: "$.r[*]", fields: { upc: "@.u", asOf: $.d } }';
  // A failure that would be advice, or that a later version demands, is no more than that where it is in doubt.
  const finding = { kind: 'other', expected: 'equal', actual: 'not' };
  const advice = { ...relation, id: 'advice', judge: () => failed([finding], 'plausible') };
  const later = { ...relation, id: 'later', judge: () => failed([{ ...finding, since: '0.2.0' }]) };
  const { results } = await run(
    base,
    [relation, { ...relation, id: 'weeks', comparesAsOf: true }, advice, later],
    response,
    '{ c: "{category}" }',
  );
  expect(results.map(({ rule, verdict, gating, since }) => [rule, verdict, gating, since])).toEqual([
    ['relation', 'inconclusive', true, undefined],
    ['weeks', 'fail', true, undefined],
    ['advice', 'inconclusive', false, undefined],
    ['later', 'inconclusive', true, '0.2.0'],
  ]);
  expect(results[0]?.note).toContain('different as-of dates');
});

test('the repetition requests the row that failed, also where the order of the list draws others', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => row(at + 1));
  const broken = row(40).u;
  const judge = async (seed: number) => {
    let lists = 0;
    const { base } = await serve((url) => {
      if (url.includes(broken)) return { status: 404, body: {} };
      if (!url.endsWith('allProducts')) return { body: [{ u: url.slice(-12) }] };
      const at = lists++ === 0 ? 0 : 7;
      return { body: [...rows.slice(at), ...rows.slice(0, at)] };
    });
    const steps = {
      list: step({ operation: BULK, accepts: 'complete', folds: { rows: collect(['upc'], 100) } }),
      each: step({
        operation: LOOKUP,
        each: { from: 'list', fold: 'rows', as: { upc: 'upc' }, max: 3 },
        accepts: 'response',
      }),
    };
    const isFound = (seen: Record<string, readonly Reading[]>): Judgement => {
      const missing = (seen.each ?? []).filter(({ head }) => head?.status === 404);
      return missing.length === 0
        ? passed({ exchanges: 3 })
        : failed(missing.map(({ exchange }) => ({ kind: 'k', expected: 'found', actual: '404', exchange })));
    };
    const sampling = { depth: 'standard', seed } as const;
    const more = { selection: { safety: 'read', sampling } } as const;
    return (await run(base, [rule('r', steps, isFound, 'pass')], ROWS, '{}', more)).results[0]?.verdict;
  };
  expect(await judge(1)).toBe('fail');
});

test('a relation is not decided if reloads between its lists give it the same two contents twice', async () => {
  const filtered = step({
    operation: BULK,
    inputs: { category: { value: 'Tea' } },
    accepts: 'complete',
    folds: { upcs },
  });
  const isComplete = rule(
    'complete',
    { list: list(), filtered },
    (seen) =>
      sizeOf(seen.list) === sizeOf(seen.filtered)
        ? passed({ exchanges: 2, rows: 1 })
        : failed([{ kind: 'k', expected: 'all', actual: 'one less', exchange: seen.filtered?.[0]?.exchange ?? '' }]),
    'pass',
  );
  const judge = async (isShort: (url: string, count: number) => boolean) => {
    const { base } = await serve((url, count) => ({ body: isShort(url, count) ? [row(1)] : [row(1), row(2)] }));
    const [result] = (await run(base, [isComplete], ROWS, '{ c: "{category}" }', { wait: async () => {} })).results;
    return result;
  };
  // The requests are list, filtered, then four of each: a reload precedes the filtered list both times.
  expect(await judge((_url, count) => count === 2 || count > 6)).toMatchObject({
    verdict: 'inconclusive',
    note: expect.stringContaining('changed'),
  });
  expect((await judge((url) => url.includes('c=Tea')))?.verdict).toBe('fail');
});

test('a server error is a failure only if the request gets it each time', async () => {
  const noErrors = (seen: Record<string, readonly Reading[]>): Judgement => {
    const broken = Object.values(seen).flatMap((readings) => readings.filter(({ head }) => head?.status === 500));
    if (broken.length === 0) return passed({ exchanges: 2 });
    return failed(
      broken.map(({ exchange }) => ({ kind: 'status-500', expected: 'an answer', actual: 'status 500', exchange })),
    );
  };
  const filtered = (value: string) => ({ ...list('response'), inputs: { category: { value } } });
  const steps = { a: list('response'), b: filtered('Tea'), c: filtered('Milk') };
  const judge = async (breaks: (url: string, count: number) => boolean) => {
    const { base } = await serve((url, count) => (breaks(url, count) ? { status: 500, body: {} } : { body: [row(1)] }));
    const more = { wait: async () => {} };
    return (await run(base, [rule('r', steps, noErrors, 'inconclusive')], ROWS, '{ c: "{category}" }', more))
      .results[0];
  };
  const intermittent = { verdict: 'inconclusive', note: expect.stringContaining('intermittent errors') };
  // Another request gets the error the second time; the same one gets it twice, or all but the last time.
  expect(await judge((_url, count) => count === 1 || count === 8)).toMatchObject(intermittent);
  expect(await judge((_url, count) => count === 2 || count === 8)).toMatchObject(intermittent);
  let ofTea = 0;
  expect(await judge((url) => url.includes('c=Tea') && ++ofTea < 6)).toMatchObject(intermittent);
  const steady = await judge((url, count) => url.includes('c=Tea') || count === 3 || count === 9);
  expect(steady?.verdict).toBe('fail');
  expect(steady?.findings).toHaveLength(1);

  const start = { a: step({ operation: 'POST /webservices/mapExport', accepts: 'any' }) };
  const judgeStart = async (breaks: (count: number) => boolean) => {
    const { base } = await serve((_url, count) => (breaks(count) ? { status: 500, body: {} } : { body: {} }));
    const more = { wait: async () => {}, selection: { safety: 'all' } } as const;
    return (await run(base, [rule('r', start, noErrors, 'inconclusive')], ROWS, '{}', more)).results[0];
  };
  expect(await judgeStart((count) => count < 4)).toMatchObject(intermittent);
  expect((await judgeStart(() => true))?.verdict).toBe('fail');
});

const pagings: Record<
  string,
  { paging: string; query?: string; answer: Parameters<typeof serve>[0]; rows: number; complete: boolean }
> = {
  'by number': {
    paging: '{ style: page, size: 2 }',
    query: '{ p: "{page}" }',
    answer: (url) => ({ body: { 1: [row(1), row(2)], 2: [row(3)] }[Number(url.split('p=')[1])] ?? [] }),
    rows: 3,
    complete: true,
  },
  'by offset, the end refused': {
    paging: '{ style: offset, size: 2 }',
    query: '{ o: "{offset}" }',
    answer: (url) => {
      const at = Number(url.split('o=')[1]);
      return at < 4 ? { body: [row(at), row(at + 1)] } : { status: 404 };
    },
    rows: 4,
    complete: true,
  },
  'a last page that never ends': {
    paging: '{ style: page, size: 2 }',
    query: '{ p: "{page}" }',
    answer: () => ({ body: [row(1), row(2)] }),
    rows: 2,
    complete: false,
  },
  'a last page that later numbers repeat': {
    paging: '{ style: page, size: 2 }',
    query: '{ p: "{page}" }',
    answer: (url) => ({ body: url.endsWith('p=1') ? [row(1), row(2)] : [row(3), row(4)] }),
    rows: 4,
    complete: true,
  },
  'a page that the list contains twice': {
    paging: '{ style: page, size: 2 }',
    query: '{ p: "{page}" }',
    answer: (url) => {
      const page = Number(url.split('p=')[1]);
      return { body: page > 4 ? [] : page === 4 ? [row(5), row(6)] : page === 1 ? [row(1), row(2)] : [row(3), row(4)] };
    },
    rows: 8,
    complete: true,
  },
  'by Link': {
    paging: '{ style: link }',
    answer: (url) =>
      url.includes('two') ? { body: [row(2)] } : { headers: { link: '<?page=two>; rel="next"' }, body: [row(1)] },
    rows: 2,
    complete: true,
  },
  'a promised page missing': {
    paging: '{ style: link }',
    answer: (url) =>
      url.includes('two') ? { status: 404 } : { headers: { link: '<?page=two>; rel="next"' }, body: [row(1)] },
    rows: 1,
    complete: false,
  },
  'by a link to another origin, which is not followed': {
    paging: '{ style: link }',
    answer: () => ({ headers: { link: '<http://127.0.0.1:9/elsewhere>; rel="next"' }, body: [row(1)] }),
    rows: 1,
    complete: false,
  },
  'undeclared, with a cursor to more': {
    paging: '',
    query: '{}',
    answer: () => ({ body: [row(1), { u: 'x', next_cursor: 'abc' }] }),
    rows: 2,
    complete: false,
  },
  'undeclared, with a total but no page size: a list cut short does not excuse itself': {
    paging: '',
    answer: () => ({ body: [row(1), { u: 'x', total: 9 }] }),
    rows: 2,
    complete: true,
  },
};
for (const [name, { paging, query, answer, rows, complete }] of Object.entries(pagings)) {
  test(`pages ${name}`, async () => {
    const { base } = await serve(answer);
    let seenRows = -1;
    let seenComplete: boolean | undefined;
    const looks = rule('p', { list: list('content') }, (seen) => {
      seenRows = seen.list?.[0]?.observation?.rows ?? -1;
      seenComplete = seen.list?.[0]?.observation?.complete;
      return untested('looked');
    });
    await run(base, [looks], `{ rows: "$[*]", fields: { upc: "@.u" }${paging && `, paging: ${paging}`} }`, query);
    expect([seenRows, seenComplete]).toEqual([rows, complete]);
  });
}
