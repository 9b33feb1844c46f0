import { describe, expect, test } from 'vitest';
import type { SimulationOptions } from '../../../simulator/simulation.ts';
import type { Group } from '../../contract/index.ts';
import { bodyFrom } from '../../exchange/body.ts';
import { loadProfile } from '../../profile/load.ts';
import { mergePatch } from '../../selftest/patched-profile.ts';
import {
  Capturing,
  expectNoFailures,
  expectSameVerdicts,
  failuresIn,
  judgeSeen,
  runAndCapture,
  type Service,
  serve,
  withoutTimes,
} from './clients.test.support.ts';
import type { ObservedExchange } from './map-traffic.ts';

test('the suites’ own traffic is judged as the suites judge it', () => expectSameVerdicts('reference'));

const implementing = (service: Service, group: Group): Service => ({
  ...service,
  profile: { ...service.profile, data: { ...service.profile.data, implements: [group] } },
});

test('requests with other credentials are not confused with ordinary ones, nor ordinary ones with them', async () => {
  const service = await serve('soap', { products: 20 });
  const { base, profile } = service;
  const { capturing } = await runAndCapture(implementing(service, 'A'));
  await capturing.close();
  const { run } = await judgeSeen(base, profile, capturing.exchanges);
  expect(failuresIn(run)).toEqual([]);
  const passed = run.results.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule);
  expect(passed).toContain('every.credentials');
});

test('a catalogue that answers for another than it is asked for is legal, and a client may ask it', async () => {
  const service = await serve('reference', { oddity: 'catalogue-answers-its-own' });
  const { base, profile } = service;
  const { capturing } = await runAndCapture(implementing(service, 'B'));
  await capturing.close();
  expect(failuresIn((await judgeSeen(base, profile, capturing.exchanges)).run)).toEqual([]);
});

test('a first page that may be clamped is not taken for the whole list', async () => {
  // The profile states pages of 50 rows; the service returns 20.
  const base = 'http://clamped.test';
  const profile = await loadProfile('reference');
  const [FIRST, SECOND] = [0, 20];
  const paged = mergePatch(profile.data, {
    upc: null,
    operations: {
      'GET /PLATFORMAPI/prodRef/v1/allProducts': {
        request: { query: { category: '{category}', offset: '{offset}', limit: '{pageSize}' } },
        response: { counts: null, paging: { style: 'offset', size: 50 } },
      },
    },
  });
  const upcs = Array.from({ length: 40 }, (_, at) => String(at).padStart(12, '0'));
  const exchangeOf = (path: string, body: object, at: number): ObservedExchange => {
    return {
      id: `#${at}`,
      startedAt: at,
      endedAt: at,
      exchange: {
        request: { method: 'GET', url: `${base}${path}`, headers: [] },
        response: { status: 200, reasonPhrase: 'OK', headers: [['content-type', 'application/json']] },
        body: bodyFrom(new TextEncoder().encode(JSON.stringify({ asOf: '2026-11-14', ...body }))),
        redirects: [],
        timing: { startedAt: '', totalMs: 0 },
      },
    };
  };
  const page = (path: string, rows: readonly string[], at: number) => {
    const products = rows.map((upc) => ({
      upc,
      category: 'Tea',
      categoryId: '1',
      market: 'US',
      activeOn: '2026-11-10',
      firstActiveOn: '2020-01-01',
    }));
    return exchangeOf(path, { products }, at);
  };
  const categories = exchangeOf(
    `${C}/allCategories`,
    { categories: [{ category: 'Tea', categoryId: '1', subCategory: 'Green' }] },
    0,
  );
  const bulk = (offset: number) =>
    page(`${C}/allProducts?offset=${offset}&limit=50`, upcs.slice(offset, offset + 20), offset + 1);
  const tea = page(`${C}/allProducts?category=Tea&offset=0&limit=50`, upcs.slice(15, 25), 50);
  const failed = async (...all: ObservedExchange[]) =>
    failuresIn((await judgeSeen(base, { ...profile, data: paged }, [categories, ...all])).run);
  expect(await failed(bulk(FIRST), tea)).toEqual([]);
  expect(await failed(bulk(FIRST), bulk(SECOND), tea)).toEqual([]);
  // With a longer page, the short one is the whole list.
  const longer = page(`${C}/allProducts?category=Coffee&offset=0&limit=50`, upcs.slice(0, 30), 60);
  expect(await failed(bulk(FIRST), tea, longer)).not.toEqual([]);
});

test('a conforming service has nothing to fear of odd clients', () => expectNoFailures('hypermedia'));

/** What a client sees of a service that has a fault. */
async function seen(fault: string | undefined, paths: readonly string[], options: SimulationOptions = {}) {
  const service = await serve('reference', { ...options, ...(fault && { fault }) });
  const capturing = new Capturing(service);
  for (const path of paths)
    await capturing.send({ method: 'GET', url: `${service.base}${path}`, headers: [], follow: false });
  await capturing.close();
  const { base, profile } = service;
  return { base, profile, exchanges: capturing.exchanges };
}
const C = '/PLATFORMAPI/prodRef/v1';

describe('what a few requests show is seen:', () => {
  test.each([
    ['a UPC of 11 digits in one row of a filtered list', 'bulk-upc-11-digits', [`${C}/allProducts`], 'C.upc-12-digits'],
    ['a market that is not the US', 'bulk-foreign-market', [`${C}/allProducts`], 'C.us-market'],
    [
      'the 1-week delta outside the 4-week delta, though nobody asked for 13 weeks',
      'delta-1-not-in-4',
      [`${C}/updateProducts?weeks=1`, `${C}/updateProducts?weeks=4`],
      'C.delta-nested',
    ],
    [
      'rows of other categories in a filtered list',
      'filter-ignored',
      [`${C}/allCategories`, `${C}/allProducts?category=Tea`],
      'C.filter-sound',
    ],
  ])('%s', async (_, fault, paths, rule) => {
    const { base, profile, exchanges } = await seen(fault, paths);
    expect(failuresIn((await judgeSeen(base, profile, exchanges)).run).map((each) => each.split(' ')[0])).toContain(
      rule,
    );
  });
});

describe('is no evidence:', () => {
  const judgedBy = async (
    paths: readonly string[],
    change: (all: ObservedExchange[]) => ObservedExchange[],
    fault = 'bulk-upc-11-digits',
  ) => {
    const { base, profile, exchanges } = await seen(fault, paths);
    const { run, summary } = await judgeSeen(base, profile, change(exchanges));
    return { failures: failuresIn(run), ...summary };
  };

  test('a request with a parameter nobody knows', async () => {
    const { failures, mapped, read, unread } = await judgedBy([`${C}/allProducts?fields=upc`], (all) => all);
    expect({ failures, mapped, read }).toEqual({ failures: [], mapped: 1, read: 0 });
    expect(unread).toEqual([['query parameter “fields”, which the profile does not declare', 1]]);
  });

  test.each([
    ['x-http-method-override', 'it selects another method'],
    ['range', 'it requests a part of the response'],
  ])('a request with the header %s', async (name, why) => {
    const marked = (each: ObservedExchange): ObservedExchange => ({
      ...each,
      exchange: { ...each.exchange, request: { ...each.exchange.request, headers: [[name, 'x']] } },
    });
    const { failures, unread } = await judgedBy([`${C}/allProducts`], (all) => all.map(marked));
    expect({ failures, unread }).toEqual({ failures: [], unread: [[`header “${name}”: ${why}`, 1]] });
  });

  test.each(['upc-unknown-200-error', 'upc-malformed-200-nothing'])(
    'a 2xx that tells of no product: %s',
    async (oddity) => {
      const paths = ['042100000177', '999999999993', '12345', 'abc'].map((upc) => `${C}/products/${upc}`);
      const { base, profile, exchanges } = await seen(undefined, paths, { oddity });
      expect(failuresIn((await judgeSeen(base, profile, exchanges)).run)).toEqual([]);
    },
  );

  test('an answer that broke off', async () => {
    const cut = (each: ObservedExchange): ObservedExchange => ({
      ...each,
      exchange: { ...each.exchange, failure: { kind: 'truncated', message: 'cut' } },
    });
    expect((await judgedBy([`${C}/allProducts`], (all) => all.map(cut))).failures).toEqual([]);
  });

  test('what another client was answered, who may see less', async () => {
    const paths = [`${C}/updateProducts?weeks=1`, `${C}/updateProducts?weeks=4`];
    const as = (each: ObservedExchange, at: number): ObservedExchange => ({
      ...each,
      exchange: {
        ...each.exchange,
        request: { ...each.exchange.request, headers: [['authorization', `Bearer ${at}`]] },
      },
    });
    expect((await judgedBy(paths, (all) => all.map(as), 'delta-1-not-in-4')).failures).toEqual([]);
    expect((await judgedBy(paths, (all) => all.map((each) => as(each, 1)), 'delta-1-not-in-4')).failures).toHaveLength(
      1,
    );
  });
});

describe('answers of different data weeks are not compared', () => {
  const CATEGORIES = `${C}/allCategories`;
  const BULK = `${C}/allProducts`;
  // Under this profile, the list of categories has no as-of date.
  test.each([
    ['once each: a reload may have come between them', [CATEGORIES, BULK], []],
    [
      'each asked again, unchanged, in between',
      [CATEGORIES, BULK, CATEGORIES, BULK],
      ['C.categories-known', 'C.sub-categories-listed'],
    ],
    ['asked again, but not in between', [CATEGORIES, CATEGORIES, BULK, BULK], []],
  ])('%s', async (_, paths, rules) => {
    const { base, profile: stated, exchanges } = await seen('categories-miss-one', paths);
    const undated = mergePatch(stated.data, {
      operations: { 'GET /PLATFORMAPI/prodRef/v1/allCategories': { response: { fields: { asOf: null } } } },
    });
    const profile = { ...stated, data: undated };
    const failed = async (all: ObservedExchange[]) =>
      failuresIn((await judgeSeen(base, profile, all)).run).map((each) => each.split(' ')[0]);
    expect(await failed(exchanges)).toEqual(rules);
    expect(await failed(withoutTimes(exchanges))).toEqual([]);
  });
});
