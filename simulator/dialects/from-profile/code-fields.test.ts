import { expect, test } from 'vitest';
import { parseProfile } from '../../../src/profile/parse-profile.ts';
import { judgeSimulation } from '../../../suites/judge-in-process.test.support.ts';
import { dialectOf } from './dialect.ts';

const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const PRODUCTS = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const LOOK_UP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';

const profileWith = (listed: object = {}) =>
  parseProfile(
    JSON.stringify({
      name: 'coded',
      implements: ['C'],
      auth: { scheme: 'none' },
      codes: {
        area: { '840': 'US' },
        category: { from: CATEGORIES, code: '@.key', meaning: '@.label', ...listed },
      },
      markets: { products: ['US'] },
      operations: {
        [CATEGORIES]: {
          request: {},
          response: {
            rows: '$.list[*]',
            fields: { category: '@.label', categoryId: '@.key', asOf: '$.week' },
          },
        },
        [PRODUCTS]: {
          request: {},
          response: {
            rows: '$.items[*]',
            fields: {
              upc: '@.upc',
              category: { at: '@.cat', code: 'category' },
              market: { at: '@.area', code: 'area' },
              asOf: '$.week',
            },
          },
        },
        [LOOK_UP]: { request: {}, response: { rows: '$.item', fields: { upc: '@.upc', category: '@.label' } } },
      },
    }),
    'coded.json',
  );

async function judge(fault?: string) {
  const profile = profileWith();
  const options = { products: 100, dialect: dialectOf(profile), ...(fault && { fault }) };
  const run = await judgeSimulation(options, { profile, selection: { safety: 'read', groups: ['C'] } });
  return Object.fromEntries(
    run.results
      .filter(({ rule }) => ['every.codes', 'C.us-market', 'C.category-agrees'].includes(rule))
      .filter(({ verdict }) => verdict !== 'not-applicable')
      .map(({ rule, operation, verdict }) => [`${rule} ${operation}`, verdict]),
  );
}

test('the simulator writes codes, and the rules compare their meanings', async () => {
  expect(await judge()).toMatchObject({
    [`every.codes ${PRODUCTS}`]: 'pass',
    [`C.us-market ${PRODUCTS}`]: 'pass',
    [`C.category-agrees ${LOOK_UP}`]: 'pass',
  });
});

test('a code that the operation does not list fails, and makes no other rule fail', async () => {
  expect(await judge('categories-miss-one')).toMatchObject({
    [`every.codes ${PRODUCTS}`]: 'fail',
    [`C.category-agrees ${LOOK_UP}`]: 'pass',
  });
});

test('a name that differs from the meaning of the code fails', async () => {
  expect(await judge('lookup-other-category')).toMatchObject({
    [`every.codes ${PRODUCTS}`]: 'pass',
    [`C.category-agrees ${LOOK_UP}`]: 'fail',
  });
});

test('codes that the simulator does not know are named with their key', () => {
  expect(dialectOf(profileWith({ rows: '$.other[*]' })).approximations?.()).toContainEqual(
    expect.stringMatching(/^GET \S+\/allProducts is .*response\.fields\.category\.code: the simulator does not know/),
  );
});
