import { describe, expect, test } from 'vitest';
import { RULES } from '../../suites/index.ts';
import { SAFETY_LADDER } from '../contract/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { collect, type Rule, type Steps, upcs } from '../rule/index.ts';
import { ruleOf } from './perform.test.support.ts';
import { expectRunToKeepToPlan } from './plan.test.support.ts';
import { boundOf, planRequests } from './plan.ts';
import type { Selection } from './types.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const CATALOGUES = 'POST /data-access/v1/Catalogues';
const BASE = 'http://host/base';

const rule = (id: string, steps: Steps, over: Partial<Rule> = {}): Rule => ruleOf(id, { probe: () => steps, ...over });
const plan = (rules: readonly Rule[], yaml = '', selection: Selection = { safety: 'read' }) =>
  planRequests(rules, selection, parseProfile(`name: t\n${yaml}`, 't.yaml', {}), BASE);
const list = { operation: BULK, accepts: 'content' } as const;

describe('a planned request', () => {
  test('contains the code of an input, or its name where an operation lists the codes', () => {
    const of = (codes: string) =>
      plan(
        [rule('T', { filtered: { ...list, inputs: { category: { value: 'Tea' } } } })],
        `codes: { cat: ${codes} }\noperations: { ${BULK}: { request: { query: { c: "{category}" }, codes: { category: cat } } }, GET /PLATFORMAPI/prodRef/v1/allCategories: { request: {}, response: { rows: "$[*]" } } }`,
      ).map(({ url, exact }) => ({ url, exact }));
    expect(of('{ "07": Tea }')).toEqual([{ url: `${BASE}/PLATFORMAPI/prodRef/v1/allProducts?c=07`, exact: true }]);
    expect(of('{ from: GET /PLATFORMAPI/prodRef/v1/allCategories, code: "@.c", meaning: "@.n" }')).toEqual([
      { url: `${BASE}/PLATFORMAPI/prodRef/v1/allProducts?c={category}`, exact: false },
    ]);
  });
  test('is exact where nothing is drawn from an answer', () => {
    expect(plan([rule('a', { list })])).toEqual([
      {
        operation: BULK,
        safety: 'read',
        method: 'GET',
        url: `${BASE}/PLATFORMAPI/prodRef/v1/allProducts`,
        exact: true,
        maxRequests: 1,
        paged: false,
        maxPages: 1,
        rules: ['a'],
      },
    ]);
  });

  test('carries constants and the profile’s examples, the one asked for', () => {
    const yaml = `examples: { category: [Snacks, "Dairy & Eggs"] }\noperations: { "${BULK}": { request: { query: { c: "{category}" } } } }`;
    const urls = (inputs: Steps[string]['inputs']) =>
      plan([rule('a', { list: { ...list, ...(inputs && { inputs }) } })], yaml).map((each) => each.url.split('?')[1]);
    expect(urls({ category: { value: 'Own' } })).toEqual(['c=Own']);
    expect(urls({ category: { example: 'category' } })).toEqual(['c=Snacks']);
    expect(urls({ category: { example: 'category', nth: 1 } })).toEqual(['c=Dairy%20%26%20Eggs']);
    expect(urls({ category: { example: 'category', nth: 2 } }), 'without a value nothing can be asked').toEqual([]);
    expect(urls(undefined)).toEqual([undefined]);
  });

  test('is a template with a bound where values come from an answer', () => {
    const each = { from: 'list', fold: 'rows', as: { upc: 'upc' }, max: 7 } as const;
    const steps: Steps = {
      list: { ...list, folds: { rows: collect(['upc']) } },
      each: { operation: LOOKUP, accepts: 'content', each },
    };
    const [, lookup] = plan([rule('a', steps)]);
    expect(lookup).toMatchObject({
      exact: false,
      maxRequests: 7,
      url: `${BASE}/PLATFORMAPI/prodRef/v1/products/{upc}`,
    });
  });

  test('takes the method and path of a departure from the document', () => {
    const steps: Steps = {
      it: { operation: CATALOGUES, accepts: 'any', variant: { method: 'GET', path: '/data-access/x' } },
    };
    expect(plan([rule('a', steps)])).toMatchObject([{ method: 'GET', url: `${BASE}/data-access/x`, safety: 'read' }]);
  });

  test.each<[string, string, number]>([
    ['none', '', 1],
    ['by page', 'paging: { style: page, size: 10, maxPages: 3 }', 3],
    ['by page without a bound', 'paging: { style: page }', 1000],
    ['by link', 'paging: { style: link, maxPages: 2 }', 2],
  ])('counts the pages its list may have: %s', (_, paging, pages) => {
    const yaml = `operations: { "${BULK}": { request: { query: { p: "{page}" } }, response: { rows: "$[*]", ${paging} } } }`;
    expect(plan([rule('a', { list })], yaml)[0]?.maxPages).toBe(pages);
  });
});

describe('equal requests', () => {
  test('of several rules are planned once, and name them all once each', () => {
    const twice = rule('b', { one: list, two: { ...list, accepts: 'complete', folds: { upcs } } });
    expect(plan([rule('a', { list }), twice]).map((each) => each.rules)).toEqual([['a', 'b']]);
  });

  test('are planned apart where they are sent apart: with another repetition number, for another window, with another body', () => {
    expect(plan([rule('a', { one: list, two: { ...list, repetition: 1 } })]).length).toBe(2);
    const window = (weeks: number) =>
      ({ operation: DELTA, accepts: 'content', inputs: { window: { value: weeks } } }) as const;
    expect(plan([rule('a', { one: window(1), four: window(4), again: window(1) })]).length).toBe(2);
    const atOnce = `operations: { "${DELTA}": { response: { rows: { "1": $.w, "4": $.m, "13": $.q } } } }`;
    expect(plan([rule('a', { one: window(1), four: window(4), again: window(1) })], atOnce).length).toBe(1);
    const yaml = `operations: { "${CATALOGUES}": { request: { json: { id: "{catalogueId}" } } } }`;
    const catalogue = (id: string) =>
      ({ operation: CATALOGUES, accepts: 'content', inputs: { catalogueId: { value: id } } }) as const;
    expect(plan([rule('a', { x: catalogue('x'), y: catalogue('y') })], yaml).length).toBe(2);
  });
});

test('what is settled beforehand plans nothing: open, denied, unclaimed, unsafe', () => {
  const open = rule('open', { list }, { needs: () => ['allProducts.rows'] });
  expect(plan([open])).toEqual([]);
  expect(plan([rule('a', { list })], 'implements: [D]')).toEqual([]);
  expect(plan([rule('a', { it: { operation: 'POST /webservices/drive', accepts: 'any' } })])).toEqual([]);
  expect(
    plan([rule('a', { it: { operation: 'POST /webservices/drive', accepts: 'any' } })], '', { safety: 'job' }).length,
  ).toBe(1);
  expect(plan([rule('a', { list })], '', { safety: 'read', groups: ['D'] })).toEqual([]);
});

test('nothing is planned beyond the safety class', () => {
  for (const safety of ['read', 'job', 'write', 'all'] as const) {
    const classes = new Set(plan(RULES, '', { safety }).map((each) => each.safety));
    expect([...classes].sort()).toEqual([...SAFETY_LADDER[safety]].sort());
  }
});

test.each(['read', 'all'] as const)(
  'a run at safety %s keeps to its plan, whose bound is of use',
  async (safety) => await expectRunToKeepToPlan('reference', safety),
);

test('the bound adds up what rules draw in ways of their own, and counts once what they draw alike', () => {
  const drawing = (id: string, each: Partial<NonNullable<Steps[string]['each']>>) =>
    rule(id, {
      list: { ...list, folds: { rows: collect(['upc']) } },
      each: {
        operation: LOOKUP,
        accepts: 'content',
        each: { from: 'list', fold: 'rows', as: { upc: 'upc' }, max: 7, ...each },
      },
    });
  const boundFor = (...rules: Rule[]) => boundOf(plan(rules)).requests;
  expect(boundFor(drawing('a', {}), drawing('b', { max: 9 }))).toBe(1 + 9);
  expect(boundFor(drawing('a', {}), drawing('b', { choose: (rows) => rows.toReversed() }))).toBe(1 + 7 + 7);
});
