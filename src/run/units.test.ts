import { describe, expect, test } from 'vitest';
import { type Depth, type OperationKey, SAFETY_LADDER, type Safety } from '../contract/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { declarationsOf } from '../rule/declarations.ts';
import type { Rule, Steps } from '../rule/index.ts';
import { ruleOf } from './perform.test.support.ts';
import type { Selection, Unit } from './types.ts';
import { openNeeds, prepare, prepareRun, selectUnits } from './units.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const LOOK_UP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const DRIVE = 'POST /webservices/drive';
const SAVE = 'POST /webservices/createlist';
const MAP = 'GET /webservices/getSaveMap';
const REFRESH = 'POST /data-access/v1/Catalogue/RefreshDates';
const BRANDS = 'GET /RetailMeasurement/v1/BrandPerformance';

const rule = (id: string, subjects: readonly OperationKey[], over: Partial<Rule> = {}): Rule =>
  ruleOf(id, { subjects, probe: (subject: OperationKey) => ({ it: { operation: subject, accepts: 'any' } }), ...over });

describe('a selection', () => {
  const rules = [rule('one', [BULK, DRIVE]), rule('two', [BRANDS, BULK])];
  const select = (selection: Partial<Selection>) =>
    selectUnits(rules, { safety: 'all', ...selection }).map((unit) => `${unit.rule.id} ${unit.subject.name}`);
  test.each<[string, Partial<Selection>, string[]]>([
    [
      'of everything keeps the order of the suites',
      {},
      ['one allProducts', 'one drive', 'two brandPerformance', 'two allProducts'],
    ],
    ['of groups', { groups: ['A', 'D'] }, ['one drive', 'two brandPerformance']],
    ['of operations', { operations: [BULK] }, ['one allProducts', 'two allProducts']],
    ['of rules', { rules: ['two'] }, ['two brandPerformance', 'two allProducts']],
    [
      'of all three takes what is in each',
      { groups: ['C'], operations: [BULK, DRIVE], rules: ['one'] },
      ['one allProducts'],
    ],
    ['that nothing meets is empty', { groups: ['B'] }, []],
    ['of no groups at all is empty', { groups: [] }, []],
  ])('%s', (_, selection, units) => {
    expect(select(selection)).toEqual(units);
  });
});

describe('a unit', () => {
  function settle(yaml: string, over: Partial<Rule> = {}, subject: OperationKey = BULK, safety: Safety = 'read') {
    const profile = parseProfile(`name: t\n${yaml}`, 't.yaml', {});
    const [unit] = selectUnits([rule('r', [subject], over)], { safety });
    return prepare(unit as Unit, profile, declarationsOf(profile), SAFETY_LADDER[safety]);
  }
  const needs = (...list: ReturnType<Rule['needs']>) => ({ needs: () => list });

  test('with nothing against it gives its steps', () => {
    expect(settle('')).toEqual({ steps: { it: { operation: BULK, accepts: 'any' } } });
  });

  test('outside what is claimed does not apply, whatever else holds', () => {
    expect(settle('implements: [D]', needs('allProducts.rows'))).toEqual({
      verdict: 'not-applicable',
      because: 'the profile does not claim this operation',
    });
  });

  test('whose needs are open is untested and names them', () => {
    const open = settle('', needs('allProducts.request', 'allProducts.rows'));
    expect(open).toEqual({
      verdict: 'untested',
      because: 'the profile leaves open allProducts.request, allProducts.rows',
      openings: ['allProducts.request', 'allProducts.rows'],
    });
    const half = settle(`operations: { "${BULK}": { request: {} } }`, needs('allProducts.request', 'allProducts.rows'));
    expect(half).toMatchObject({ openings: ['allProducts.rows'] });
  });

  test('that needs any of several is served by one; of none, the first is named', () => {
    const any = needs(['allProducts.fields.category', 'allProducts.fields.categoryId']);
    const filled = `operations: { "${BULK}": { response: { fields: { categoryId: "@.c" } } } }`;
    expect(settle(filled, any)).toHaveProperty('steps');
    expect(settle('', any)).toMatchObject({ openings: ['allProducts.fields.category'] });
  });

  test('that needs what the profile denies does not apply, unless another will do', () => {
    const none = (parts: string) => `operations: { "${BULK}": { none: [${parts}] } }`;
    const any = needs(['allProducts.fields.category', 'allProducts.fields.categoryId']);
    expect(settle(none('fields.market'), needs('allProducts.fields.market'))).toEqual({
      verdict: 'not-applicable',
      because: 'the profile states that there is no allProducts.fields.market',
    });
    expect(settle(none('fields.category'), any)).toMatchObject({ verdict: 'untested' });
    expect(settle(none('fields.category, fields.categoryId'), any)).toEqual({
      verdict: 'not-applicable',
      because: 'the profile states that there is no allProducts.fields.category or allProducts.fields.categoryId',
    });
  });

  test('is not probed while it is settled without', () => {
    const probe = () => {
      throw new Error('probed');
    };
    expect(settle('', { ...needs('allProducts.rows'), probe })).toMatchObject({ verdict: 'untested' });
    expect(settle('implements: [D]', { probe })).toMatchObject({ verdict: 'not-applicable' });
  });

  test('that would send an operation the profile does not claim does not apply', () => {
    const probe = () => ({
      a: { operation: BULK, accepts: 'any' } as const,
      b: { operation: DELTA, accepts: 'any' } as const,
    });
    expect(settle(`implements: ["${BULK}"]`, { probe })).toEqual({
      verdict: 'not-applicable',
      because: `it needs ${DELTA}, which the profile does not claim`,
    });
  });

  test.each<[OperationKey, Safety, string | undefined]>([
    [DRIVE, 'read', 'job'],
    [DRIVE, 'job', undefined],
    [SAVE, 'job', 'write'],
    [SAVE, 'write', undefined],
    [MAP, 'write', 'all'],
    [MAP, 'all', undefined],
    [BULK, 'read', undefined],
  ])('of %s under --safety %s', (subject, safety, advised) => {
    const prepared = settle('', {}, subject, safety);
    if (advised === undefined) expect(prepared).toHaveProperty('steps');
    else {
      expect(prepared).toMatchObject({ verdict: 'untested', because: expect.stringMatching(`--safety ${advised}$`) });
      // No opening would help: filling the profile must not be advised.
      expect(prepared).not.toHaveProperty('openings');
    }
  });

  test('of a safe subject is barred by an unsafe step', () => {
    const probe = () => ({ start: { operation: DRIVE, accepts: 'any' } as const });
    expect(settle('', { probe })).toMatchObject({ verdict: 'untested', because: expect.stringContaining(DRIVE) });
  });

  test('without steps has nothing to judge', () => {
    expect(settle('', { probe: () => ({}) })).toMatchObject({ verdict: 'not-applicable' });
  });
});

test('open needs keep their order and forget alternatives that are met', () => {
  const profile = parseProfile('name: t\nauth: { scheme: none }\n', 't.yaml', {});
  expect(
    openNeeds(['dataWeek', ['auth', 'upcExamples'], 'auth', ['upcExamples', 'dataWeek']], declarationsOf(profile)),
  ).toEqual(['dataWeek', 'upcExamples']);
});

test('a unit whose request needs a value the profile gives no example of is untested, unless any answer will do', () => {
  const settle = (accepts: 'content' | 'any', examples: string, more: Steps = {}, optional?: true) => {
    const profile = parseProfile(
      `name: t\n${examples}\noperations: { "${REFRESH}": { request: { json: { c: "{catalogueId}" } } } }`,
      't.yaml',
      {},
    );
    const probe: Rule['probe'] = (subject) => ({
      it: {
        operation: subject,
        inputs: { catalogueId: { example: 'catalogueId' } },
        accepts,
        ...(optional && { optional }),
      },
      ...more,
    });
    const [unit] = selectUnits([rule('r', [REFRESH], { probe })], { safety: 'read' });
    return prepare(unit as Unit, profile, declarationsOf(profile), SAFETY_LADDER.read);
  };
  expect(settle('content', '')).toEqual({
    verdict: 'untested',
    because: `${REFRESH} needs {catalogueId}: set a value that the service knows under examples.catalogueId`,
  });
  expect(settle('content', 'examples: { catalogueId: [A] }')).toHaveProperty('steps');
  expect(settle('any', '')).toHaveProperty('steps');
  const other: Steps = { other: { operation: REFRESH, inputs: { catalogueId: { value: 'A' } }, accepts: 'content' } };
  // An optional request is left out, unless the rule has no other.
  expect(settle('content', '', other, true)).toEqual({ steps: other });
  expect(settle('content', '', other)).toMatchObject({ verdict: 'untested' });
  expect(settle('content', '', {}, true)).toMatchObject({
    verdict: 'untested',
    because: expect.stringContaining('needs {catalogueId}'),
  });
});

test('a second example that is missing is not said to be the first', () => {
  const profile = parseProfile(
    `name: t\nexamples: { catalogueId: [A, B] }\noperations: { "${REFRESH}": { examples: { catalogueId: ["*"] }, request: { json: { c: "{catalogueId}" } } } }`,
    't.yaml',
    {},
  );
  const probe: Rule['probe'] = (subject) => ({
    it: { operation: subject, inputs: { catalogueId: { example: 'catalogueId', nth: 1 } }, accepts: 'content' },
  });
  const [unit] = selectUnits([rule('r', [REFRESH], { probe })], { safety: 'read' });
  expect(prepare(unit as Unit, profile, declarationsOf(profile), SAFETY_LADDER.read)).toEqual({
    verdict: 'untested',
    because: `${REFRESH} needs another value of {catalogueId}: the examples.catalogueId that apply to it have 1 of 2`,
  });
});

function besidesOf(rules: readonly Rule[], selection: Partial<Selection>) {
  const profile = parseProfile('name: t', 't.yaml', {});
  return prepareRun(rules, { safety: 'read', ...selection }, profile, declarationsOf(profile)).besides;
}

test('a precondition runs with the selected rules, for their operations', () => {
  const rules = [rule('guard', [BULK, DELTA], { precondition: true }), rule('one', [BULK]), rule('two', [DELTA])];
  const guarded = (selection: Partial<Selection>) =>
    besidesOf(rules, selection).map(({ unit }) => `${unit.rule.id} ${unit.subject.name}`);
  expect(guarded({ rules: ['one'] })).toEqual(['guard allProducts']);
  expect(guarded({ rules: ['guard', 'one'] })).toEqual([]);
  expect(guarded({ rules: ['two'], operations: [BULK] })).toEqual([]);
  expect(guarded({ operations: [BULK] })).toEqual([]);
});

test('a filtered run sends the requests that its rules read of others, with the steps before them', () => {
  const reads = { all: { operation: BULK, accepts: 'any', fromAllRules: true } } as const;
  const list = { operation: BULK, accepts: 'content' } as const;
  const drawn = { operation: LOOK_UP, accepts: 'any', after: ['list'] } as const;
  const rules = [
    rule('reader', [BULK], { probe: () => reads }),
    rule('lister', [BULK], { probe: () => ({ list, delta: { operation: DELTA, accepts: 'any' }, drawn }) }),
    rule('other', [DELTA], { probe: () => ({ delta: { operation: DELTA, accepts: 'any' } }) }),
  ];
  const sent = (selection: Partial<Selection>) =>
    besidesOf(rules, selection).map(({ unit, steps }) => [unit.rule.id, Object.keys(steps)]);
  expect(sent({ rules: ['reader'] })).toEqual([['lister', ['list']]]);
  expect(sent({ checks: [{ rule: 'reader', operation: BULK }] })).toEqual([['lister', ['list']]]);
  expect(sent({ rules: ['reader'], skipRules: ['lister'] })).toEqual([]);
  expect(sent({ rules: ['other'] })).toEqual([]);
  expect(sent({})).toEqual([]);
});

test('the depth quick leaves a rule out, and says so', () => {
  const profile = parseProfile('name: t', 't.yaml', {});
  const [unit] = selectUnits([rule('r', [BULK], { notQuick: true })], { safety: 'read' });
  const at = (depth: Depth) =>
    prepare(unit as Unit, profile, declarationsOf(profile, { depth, seed: 1 }), SAFETY_LADDER.read);
  expect(at('quick')).toEqual({
    verdict: 'untested',
    because: 'the depth quick leaves this rule out: run with --depth standard',
  });
  expect(at('standard')).toHaveProperty('steps');
});
