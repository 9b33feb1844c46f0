/** Drafts of three unrelated descriptions, and of edge cases. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseProfile } from '../parse-profile.ts';
import type { Description } from './description.ts';
import { bindReferences, DescriptionError } from './description.ts';
import { type Draft, draftFromDescription } from './draft.ts';
import { loadDescription } from './load.ts';
import { writeDraft } from './write-yaml.ts';

const described = (file: string): Draft =>
  draftFromDescription(loadDescription(join(import.meta.dirname, '__fixtures__', file)));

/** What a profile writes for a value of the environment. */
const from = (name: string) => `\${${name}}`;

/** The draft as `mdwi profile check` reads it back. */
const checked = (draft: Draft) =>
  parseProfile(
    writeDraft(draft, 'api.yaml'),
    'draft.yaml',
    Object.fromEntries(draft.variables.map((name) => [name, 'secret'])),
  ).data;

const whyOpen = (draft: Draft, opening: string): string =>
  draft.undecided
    .filter((each) => each.opening.includes(opening))
    .map(({ why }) => why)
    .join('; ');

/** A description of one operation, in memory. */
function about(path: string, operation: object, rest: object = {}): Draft {
  const method = path.startsWith('/data-access') || path.includes('drive') ? 'post' : 'get';
  const root = { openapi: '3.1.0', info: {}, paths: { [path]: { [method]: operation } }, ...rest };
  bindReferences(root, 'main', () => undefined);
  const description: Description = {
    source: 'api.yaml',
    root,
    files: new Map([['main', root]]),
    unresolvedReferences: new Map(),
  };
  const draft = draftFromDescription(description);
  checked(draft);
  return draft;
}

const json = (schema: object) => ({ responses: { 200: { content: { 'application/json': { schema } } } } });
const only = (draft: Draft) => Object.values(draft.profile.operations as Record<string, Record<string, unknown>>)[0];
const PRODUCTS = '/PLATFORMAPI/prodRef/v1/allProducts';
const DELTA = '/PLATFORMAPI/prodRef/v1/updateProducts';
const SALES = '/RetailMeasurement/v1/BrandPerformance';

describe('a gateway with prefixes, pages, GTIN-14 and envelopes (JSON, 3.0)', () => {
  const draft = described('acme.json');
  const profile = checked(draft);

  test('what is implemented, where, and with what credentials', () => {
    expect(profile.implements).toEqual([
      'GET /webservices/testService',
      'C',
      'GET /RetailMeasurement/v1/BrandPerformance',
    ]);
    expect(profile.prefixes).toEqual({ C: '/reference', D: '/sales' });
    expect(profile.auth).toEqual({
      scheme: 'apiKey',
      in: 'header',
      name: 'Ocp-Apim-Subscription-Key',
      value: 'secret',
    });
    expect(profile.authExcept).toEqual(['GET /webservices/testService']);
    expect(draft.variables).toEqual(['SUBSCRIPTION_KEY']);
    expect(draft.remarks).toContain('the base URL of this description: --base-url https://staging.acme.example/gw/v9');
  });

  test('near misses are reported and not claimed', () => {
    const remarks = draft.remarks.join('\n');
    expect(remarks).toMatch(/CategoryPerformance is not .*: the version segment is missing/);
    expect(remarks).toMatch(/BrandPerformance\/metadata is not .*: different case/);
    expect(remarks).toMatch(/GET .*mapExport is not POST .*: a different method/);
  });

  test('the bulk list: filter by id, pages from 0, and what cannot be determined', () => {
    const { request, response, none } = profile.operations?.['GET /PLATFORMAPI/prodRef/v1/allProducts'] ?? {};
    expect(request).toEqual({
      query: { cat: '{categoryId}', page: '{page}', perPage: '{pageSize}' },
      headers: { 'X-Tenant': 'retail' },
    });
    expect(response?.rows).toBe('$.result.items[*]');
    expect(response?.fields).toEqual({
      upc: { at: '@.gtin', as: 'gtin14', required: true },
      categoryId: { at: '@.catKey', required: true },
      activeOn: { at: '@.lastSold', as: 'us' },
    });
    expect(response?.paging).toEqual({ style: 'page', first: 0, size: 500 });
    expect(none).toEqual(['inputs.category']);
    expect(whyOpen(draft, 'allProducts"].response.fields')).toMatch(
      /clearly category, subCategory, .*asOf; unread so far/,
    );
  });

  test('the delta: codes by their description, a date that may be read two ways', () => {
    const { request, response } = profile.operations?.['GET /PLATFORMAPI/prodRef/v1/updateProducts'] ?? {};
    expect(request?.spellings).toEqual({ window: { '1': 'LW', '4': 'L4W', '13': 'L13W' } });
    expect(response?.fields?.changedOn).toBeUndefined();
    expect(whyOpen(draft, 'changedOn')).toMatch(
      /as: us or as: european; if this is clear, write changedOn: {"at":"@.changed","nullable":true}/,
    );
  });

  test('the look-up: the product’s own GTIN, a map of characteristics', () => {
    const { response } = profile.operations?.['GET /PLATFORMAPI/prodRef/v1/products/{upc}'] ?? {};
    expect(response?.fields?.upc).toEqual({ at: '@.result.gtin', as: 'gtin14' });
    expect(response?.fields?.characteristics).toEqual({ at: '@.result.attributes' });
  });

  test('figures in pairs, with their converters', () => {
    const { response } = profile.operations?.['GET /RetailMeasurement/v1/BrandPerformance'] ?? {};
    expect(response?.fields?.sales4Weeks).toEqual({ at: "@.figures[?@.period=='4W'].dollars", as: 'usd' });
    expect(response?.fields?.salesLastYear).toEqual({ at: "@.figures[?@.period=='LY'].dollars", as: 'usd' });
    expect(response?.fields?.percentChange).toEqual({ at: '@.dollarPctChange', as: 'percentText' });
    expect(response?.fields?.asOf).toEqual({ at: '$.asOfDate', as: 'us' });
    expect(response?.fields?.market).toEqual({ at: '$.geography' });
    expect(whyOpen(draft, 'markets.performance')).toContain('TOTAL U.S. xAOC');
  });

  test('examples are suggested, never relied on', () => {
    expect(profile.examples).toBeUndefined();
    expect(draft.examples).toEqual({ upc: ['012345678905'] });
    expect(writeDraft(draft, 'api.json')).toContain('# examples:\n#   upc:\n#     - "012345678905"');
  });
});

describe('groups C and D with links, cursors, NDJSON and a second file (YAML, 3.1)', () => {
  const draft = described('globex.yaml');
  const profile = checked(draft);
  const operations = profile.operations ?? {};

  test('OAuth, and a delta of three lists in one response', () => {
    expect(profile.implements).toEqual(['C', 'D']);
    expect(profile.auth).toMatchObject({ scheme: 'oauth2', scope: 'prices.read products.read' });
    expect(draft.variables).toEqual(['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET']);
    expect(operations['GET /PLATFORMAPI/prodRef/v1/updateProducts']).toMatchObject({
      request: {},
      response: {
        rows: { '1': '$.last1Week[*]', '4': '$.last4Weeks[*]', '13': '$.last13Weeks[*]' },
        fields: {
          upc: { at: '@.upc', as: 'upc' },
          asOf: { at: '$.dataThrough', as: 'iso' },
        },
      },
    });
    expect(whyOpen(draft, 'updateProducts"].response.fields.changedOn')).toMatch(/unsure: .*record was written/);
  });

  test('lines, a bracketed filter, numbers for UPCs', () => {
    expect(operations['GET /PLATFORMAPI/prodRef/v1/allProducts']).toMatchObject({
      request: { query: { 'filter[category]': '{category}' } },
      response: { media: 'ndjson', rows: '$[*]', fields: { upc: { at: '@.upc', as: 'upcNumber', required: true } } },
      none: ['inputs.categoryId'],
    });
    expect(operations['GET /PLATFORMAPI/prodRef/v1/allCategories']?.response).toMatchObject({
      rows: '$[*]',
      fields: { category: { at: '@', required: true } },
    });
  });

  test('names in separate lists', () => {
    expect(operations['GET /RetailMeasurement/v1/BrandPerformance/Metadata']?.response?.fields).toEqual({
      category: { at: '$.categories[*].name' },
      subCategory: { at: '$.categories[*].subCategories[*]' },
      manufacturer: { at: '$.manufacturers[*].name' },
      brand: { at: '$.manufacturers[*].brands[*].name' },
    });
  });

  test('a cursor in one operation, Link in the other; cents, fractions and units are distinguished', () => {
    const category = operations['GET /RetailMeasurement/v1/CategoryPerformance'];
    expect(category?.request?.query).toEqual({
      'f[category]': '{category}',
      'f[subcategory]': '{subCategory}',
      'f[manufacturer]': '{manufacturer}',
      'f[brand]': '{brand}',
      after: '{cursor}',
      limit: 200,
    });
    expect(category?.request?.headers).toEqual({ Accept: 'application/vnd.globex+json' });
    expect(category?.response?.paging).toEqual({ style: 'cursor', next: '$.paging.nextCursor' });
    expect(category?.response?.fields?.sales12Weeks).toEqual({ at: '@.sales.l12w', as: 'cents', required: true });
    expect(category?.response?.fields?.percentChange).toEqual({ at: '@.growth', as: 'fraction', nullable: true });
    expect(operations['GET /RetailMeasurement/v1/BrandPerformance']?.response?.paging).toEqual({
      style: 'link',
      rel: 'next',
    });
    expect(profile.markets).toEqual({ performance: ['TOTAL US'] });
  });

  test('what cannot be determined is listed, in the file too', () => {
    const openings = draft.undecided.map(({ opening }) => opening);
    expect(openings).toContain('dataWeek');
    expect(openings).toContain('figures.percentChange');
    const text = writeDraft(draft, 'api.yaml');
    expect(text).toMatch(/# Not decided by the description:\n(# .*\n)+# - dataWeek → /);
  });
});

test('the 41 operations of the reference dialect are all described', () => {
  const draft = described('reference-dialect.yaml');
  const profile = checked(draft);
  expect(profile.implements).toEqual(['A', 'B', 'C', 'D']);
  expect(profile.auth).toEqual({ scheme: 'none' });
  // A link of the description shows which POST starts a drive job; of the others only names are similar.
  expect(Object.keys(profile.jobs ?? {})).toEqual(['drive']);
  expect(whyOpen(draft, 'jobs.report')).toMatch(/^unsure: .*write report: { start: POST/);
  expect(draft.notes.find(({ at }) => at.join('.') === 'jobs.drive')?.text).toMatch(/^stated: a link from/);
  expect(whyOpen(draft, 'dataWeek')).toContain('a data week ends on Saturday');
  expect(Object.values(profile.operations ?? {}).every((each) => each?.request && each.response?.rows)).toBe(true);
});

test('every binding of a field is explained', () => {
  for (const file of ['acme.json', 'globex.yaml', 'reference-dialect.yaml']) {
    const draft = described(file);
    const noted = new Set(draft.notes.map(({ at }) => at.join(' ')));
    for (const [key, operation] of Object.entries(draft.profile.operations as Record<string, Record<string, never>>)) {
      for (const field of Object.keys((operation.response as { fields?: object } | undefined)?.fields ?? {}))
        expect(noted).toContain(`operations ${key} response fields ${field}`);
    }
  }
});

describe('requests', () => {
  test('a required parameter without a value leaves the request open', () => {
    const draft = about(PRODUCTS, {
      parameters: [{ name: 'tenant', in: 'query', required: true, schema: { type: 'string' } }],
      ...json({ type: 'array', items: { properties: { upc: { type: 'string' } } } }),
    });
    expect(only(draft)?.request).toBeUndefined();
    expect(whyOpen(draft, 'request')).toContain('tenant');
  });

  test('an example of an id is not a value to send, other examples are', () => {
    const parameters = (name: string) => ({
      parameters: [{ name, in: 'query', required: true, example: 'x{1}' }],
      ...json({ type: 'array', items: {} }),
    });
    expect(only(about(PRODUCTS, parameters('accountId')))?.request).toBeUndefined();
    expect(only(about(PRODUCTS, parameters('locale')))?.request).toEqual({ query: { locale: 'x{{1}}' } });
  });

  test('a filter that is required leaves the request open, because no request can omit it', () => {
    const draft = about(SALES, {
      parameters: [{ name: 'brand', in: 'query', required: true, example: 'Sun' }],
      ...json({ type: 'array', items: {} }),
    });
    expect(only(draft)?.request).toBeUndefined();
  });

  test('a filter named category that may take an id is not guessed', () => {
    const row = { properties: { upc: {}, cat: { properties: { id: {}, name: {} } } } };
    const draft = about(PRODUCTS, {
      parameters: [{ name: 'cat', in: 'query' }],
      ...json({ type: 'array', items: row }),
    });
    expect(only(draft)?.request).toEqual({});
    expect(whyOpen(draft, 'request')).toContain('may take the name or the id');
  });

  test('pages with an unknown first number are left open', () => {
    const draft = about(PRODUCTS, {
      parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
      ...json({ type: 'array', items: { properties: { upc: {} } } }),
    });
    expect(only(draft)?.request).toEqual({});
    expect(whyOpen(draft, 'paging')).toContain('the number of the first page (0 or 1)');
  });

  test('an expression and a date window are named as what they are', () => {
    const list = json({ type: 'array', items: {} });
    expect(whyOpen(about(PRODUCTS, { parameters: [{ name: '$filter', in: 'query' }], ...list }), 'request')).toContain(
      'join, clauses',
    );
    const dated = { name: 'since', in: 'query', schema: { type: 'string', format: 'date' } };
    expect(whyOpen(about(DELTA, { parameters: [dated], ...list }), 'request')).toContain('takes a date');
  });

  test.each([
    [
      'oneOf constants',
      {
        oneOf: [
          { const: 'a', title: 'one week' },
          { const: 'b', title: '4 weeks' },
          { const: 'c', title: '13 weeks' },
        ],
      },
      { '1': 'a', '4': 'b', '13': 'c' },
    ],
    ['days', { type: 'integer', enum: [7, 28, 91] }, { '1': 7, '4': 28, '13': 91 }],
    [
      'described codes',
      { type: 'string', description: 'one of P1W, P4W, P13W' },
      { '1': 'P1W', '4': 'P4W', '13': 'P13W' },
    ],
    [
      'named codes',
      { enum: ['A', 'B', 'C'], description: 'A = 1 week, B = 4 weeks, C = 13 weeks' },
      { '1': 'A', '4': 'B', '13': 'C' },
    ],
    ['too few', { enum: ['LW', 'L4W'] }, undefined],
  ])('windows spelled by %s', (_, schema, spellings) => {
    const draft = about(DELTA, {
      parameters: [{ name: 'window', in: 'query', required: true, schema }],
      ...json({ type: 'array', items: {} }),
    });
    expect((only(draft)?.request as { spellings?: object } | undefined)?.spellings).toEqual(
      spellings && { window: spellings },
    );
    if (!spellings) expect(whyOpen(draft, 'spellings.window')).toContain('cannot be determined');
  });

  test('bodies: inputs are inserted at their members in the example, in JSON, forms and XML', () => {
    const path = '/data-access/v1/Catalogue/LogicalDimensions';
    const body = (type: string, media: object) =>
      about(path, {
        requestBody: { required: true, content: { [type]: media } },
        ...json({ type: 'array', items: {} }),
      });
    expect(
      only(body('application/json', { example: { query: { catalog: ['C1'], detail: 'full' } } }))?.request,
    ).toEqual({
      json: { query: { catalog: ['{catalogueId}'], detail: 'full' } },
    });
    expect(
      only(
        body('application/x-www-form-urlencoded', {
          schema: { required: ['catId'], properties: { catId: { type: 'string' }, v: { type: 'integer' } } },
        }),
      )?.request,
    ).toEqual({ form: { catId: '{catalogueId}' } });
    expect(
      only(body('application/x-www-form-urlencoded', { schema: { properties: { catalogue: { type: 'string' } } } }))
        ?.request,
    ).toEqual({ form: { catalogue: '{catalogueId}' } });
    expect(only(body('application/xml', { example: '<q v="{1}"><catalogueId>C1</catalogueId></q>' }))?.request).toEqual(
      { xml: '<q v="{{1}}"><catalogueId>{catalogueId}</catalogueId></q>' },
    );
    expect(
      only(
        body('application/xml', {
          schema: { xml: { name: 'ask' }, properties: { catalogueId: { type: 'string', xml: { attribute: true } } } },
        }),
      )?.request,
    ).toEqual({ xml: '<ask catalogueId="{catalogueId}"></ask>' });
  });
});

describe('responses', () => {
  test('XML: attributes, elements, wrapped lists', () => {
    const schema = {
      xml: { name: 'products' },
      type: 'object',
      properties: {
        asOf: { type: 'string', format: 'date' },
        list: {
          type: 'array',
          xml: { wrapped: true },
          items: {
            xml: { name: 'product' },
            properties: {
              upc: { type: 'string', xml: { attribute: true, name: 'code' } },
              category: { type: 'string' },
            },
          },
        },
      },
    };
    const draft = about(PRODUCTS, { responses: { 200: { content: { 'text/xml': { schema } } } } });
    expect(only(draft)?.response).toEqual({
      media: 'xml',
      rows: '$.products[0].list[0].product[*]',
      fields: { upc: "@['@code']", category: '@.category[0]', asOf: { at: '$.products[0].asOf[0]', as: 'iso' } },
    });
  });

  test('CSV: columns of the example’s header, and what parts them', () => {
    const example = 'UPC;Category Name;Last Sold\n012345678905;Tea;2026-11-20';
    const draft = about(PRODUCTS, { responses: { 200: { content: { 'text/csv': { example } } } } });
    expect(only(draft)?.response).toEqual({
      media: 'csv',
      csv: { delimiter: ';' },
      rows: '$[*]',
      fields: { upc: '@.UPC', category: "@['Category Name']", activeOn: { at: "@['Last Sold']", as: 'iso' } },
    });
  });

  test('CSV: comment lines above the header are no header', () => {
    const example = '# as of 2026-11-21\nUPC,Category Name\n012345678905,Tea\n012345678912,Soup';
    const draft = about(PRODUCTS, { responses: { 200: { content: { 'text/csv': { example } } } } });
    expect(only(draft)?.response).toEqual({
      media: 'csv',
      csv: { comment: ['#'] },
      rows: '$[*]',
      fields: { upc: '@.UPC', category: "@['Category Name']" },
    });
  });

  test('two lists that fit equally are left open, and so are two names', () => {
    const list = { type: 'array', items: { properties: { upc: {} } } };
    expect(whyOpen(about(PRODUCTS, json({ properties: { old: list, fresh: list } })), 'rows')).toContain(
      '$.old[*] or $.fresh[*]',
    );
    const row = { properties: { upc: {}, lastSold: {}, lastScan: {} } };
    expect(whyOpen(about(PRODUCTS, json({ type: 'array', items: row })), 'activeOn')).toContain(
      '@.lastSold or @.lastScan',
    );
  });

  test('none is declared for closed objects only', () => {
    const row = (more: object) =>
      json({ type: 'array', items: { additionalProperties: false, properties: { upc: {}, ...more } } });
    const open = about(PRODUCTS, row({ mystery: {} }));
    expect(only(open)?.none).toBeUndefined();
    const draft = about(
      PRODUCTS,
      json({
        type: 'object',
        additionalProperties: false,
        properties: { rows: { type: 'array', items: { additionalProperties: false, properties: { upc: {} } } } },
      }),
    );
    expect(only(draft)?.none).toEqual([
      'fields.category',
      'fields.categoryId',
      'fields.subCategory',
      'fields.manufacturer',
      'fields.brand',
      'fields.market',
      'fields.activeOn',
      'fields.changedOn',
      'fields.firstActiveOn',
      'fields.characteristics',
      'fields.asOf',
    ]);
  });

  test('a job id in a header', () => {
    const draft = about('/webservices/drive', { responses: { 202: { headers: { 'X-Job-Id': {} } } } });
    expect(only(draft)?.response).toEqual({ fields: { jobId: '$response.header.X-Job-Id' } });
  });

  test('schemas that contain themselves, and references to nowhere, end', () => {
    const node: Record<string, unknown> = {
      properties: { upc: {}, self: { $ref: '#/components/schemas/Node' } },
      allOf: [{ $ref: '#/components/schemas/Node' }],
    };
    const draft = about(PRODUCTS, json({ type: 'array', items: { $ref: '#/components/schemas/Node' } }), {
      components: { schemas: { Node: node, Loop: { $ref: '#/components/schemas/Loop' } } },
    });
    expect(only(draft)?.response).toMatchObject({ fields: { upc: '@.upc' } });
    const lost = about(PRODUCTS, json({ $ref: '#/components/schemas/Gone' }));
    expect(lost.remarks.join()).toContain('could not be resolved');
  });
});

describe('credentials', () => {
  const withScheme = (scheme: object, security: unknown = [{ s: [] }], servers: object = {}) =>
    about(PRODUCTS, json({ type: 'array', items: {} }), {
      components: { securitySchemes: { s: scheme } },
      security,
      ...servers,
    });

  test.each([
    [
      { type: 'http', scheme: 'Basic' },
      { scheme: 'basic', username: from('S_USERNAME'), password: from('S_PASSWORD') },
    ],
    [
      { type: 'http', scheme: 'bearer' },
      { scheme: 'bearer', token: from('S') },
    ],
    [
      { type: 'apiKey', in: 'query', name: 'key' },
      { scheme: 'apiKey', in: 'query', name: 'key', value: from('S') },
    ],
    [
      { type: 'apiKey', in: 'cookie', name: 'sid' },
      { scheme: 'headers', headers: { Cookie: `sid=${from('S')}` } },
    ],
    [{ type: 'mutualTLS' }, { scheme: 'mtls', cert: from('S_CERT'), key: from('S_KEY') }],
    [{ type: 'openIdConnect' }, { scheme: 'bearer', token: from('S_TOKEN') }],
  ])('%o', (scheme, auth) => {
    expect(withScheme(scheme).profile.auth).toEqual(auth);
  });

  test('what a profile cannot express is left open, and an undescribed field is not “none”', () => {
    expect(whyOpen(withScheme({ type: 'http', scheme: 'digest' }), 'auth')).toContain('digest');
    expect(withScheme({ type: 'http', scheme: 'basic' }, null).profile.auth).toBeUndefined();
    const relative = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/token' } } };
    expect(whyOpen(withScheme(relative), 'auth')).toContain('relative');
    expect(
      withScheme(relative, [{ s: ['a'] }], { servers: [{ url: 'https://x.example/api' }] }).profile.auth,
    ).toMatchObject({ tokenUrl: 'https://x.example/token', scope: 'a' });
  });
});

test('descriptions that are wrong somewhere still end in a valid draft, or in one sentence', () => {
  const junk: unknown[] = [
    null,
    5,
    'text',
    [],
    {},
    [null],
    { $ref: '#/nowhere' },
    true,
    '',
    ['a', 'b'],
    `${from('X')} {page}`,
  ];
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (const file of ['acme.json', 'globex.yaml']) {
    const loaded = loadDescription(join(import.meta.dirname, '__fixtures__', file));
    for (let round = 0; round < 60; round++) {
      const files = new Map([...loaded.files].map(([name, tree]) => [name, structuredClone(tree)]));
      const [main] = files.values();
      for (let edit = 0; edit < 3; edit++) {
        let node = main as Record<string, unknown>;
        for (let depth = random(12); depth > 0; depth--) {
          const child = Object.values(node)[random(Object.keys(node).length || 1)];
          if (typeof child !== 'object' || child === null || Object.keys(child).length === 0) break;
          node = child as Record<string, unknown>;
        }
        const name = Object.keys(node)[random(Object.keys(node).length || 1)];
        if (name !== undefined) node[name] = structuredClone(junk[random(junk.length)]);
      }
      const root = main as Description['root'];
      try {
        checked(draftFromDescription({ source: file, root, files, unresolvedReferences: new Map() }));
      } catch (error) {
        if (!(error instanceof DescriptionError)) throw new Error(`round ${round} of ${file}`, { cause: error });
      }
    }
  }
});

describe('schemas, statuses and bodies', () => {
  const LOOKUP = '/PLATFORMAPI/prodRef/v1/products/{upc}';
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const responses = (...more: [string, object][]) => ({
    responses: { 200: { description: 'ok', ...content({ type: 'object' }) }, ...Object.fromEntries(more) },
  });

  test('constraints of schemas are converted, except those that accuse correct responses', () => {
    const draft = about(
      PRODUCTS,
      json({
        type: 'array',
        uniqueItems: true,
        minItems: 1,
        items: {
          type: 'object',
          minProperties: 1,
          properties: { d: { type: 'string', format: 'date', const: 'x' } },
          not: {},
        },
      }),
    );
    const [schema] = Object.values(draft.schemas.defs);
    expect(schema).toMatchObject({
      uniqueItems: true,
      minItems: 1,
      items: { minProperties: 1, properties: { d: { const: 'x' } } },
    });
    expect(schema).not.toHaveProperty('items.properties.d.format');
    expect(schema).not.toHaveProperty('items.not');
  });

  test('error schemas of the service are converted, those of other layers are not', () => {
    const error = content({ type: 'object', required: ['code'] });
    const draft = about(
      LOOKUP,
      responses(['404', { description: 'x', ...error }], ['default', { description: 'x', ...error }], ['503', error]),
    );
    expect(Object.keys([...draft.schemas.stated.values()][0] ?? {})).toEqual(['200', '404']);
  });

  test('the 404 and 400 of the look-up are statuses if their descriptions explain them, else left open', () => {
    const explained = about(
      LOOKUP,
      responses(['404', { description: 'Product not found' }], ['400', { description: 'The UPC is malformed' }]),
    );
    expect(only(explained)?.statuses).toEqual({ unknown: [404], malformed: [400, 404] });
    const unsaid = about(LOOKUP, responses(['404', { description: 'Error' }], ['400', { description: 'Error' }]));
    expect(only(unsaid)?.statuses).toBeUndefined();
    expect(whyOpen(unsaid, 'statuses.unknown')).toMatch(
      /404 is described as “Error”; if this is the response to an unknown UPC/,
    );
    expect(whyOpen(unsaid, 'statuses.malformed')).toMatch(/write \[400\]/);
  });

  test('required lists of bodies are filled from shown values', () => {
    const draft = (tags: object) =>
      about('/webservices/drive', {
        requestBody: { required: true, ...content({ type: 'object', required: ['tags'], properties: { tags } }) },
        responses: {},
      });
    const items = { type: 'string', enum: ['a', 'b', 'c'] };
    expect(only(draft({ type: 'array', minItems: 2, items }))?.request).toEqual({ json: { tags: ['a', 'b'] } });
    const left = draft({ type: 'array', minItems: 2, items: { type: 'string' } });
    expect(only(left)?.request).toBeUndefined();
    expect(whyOpen(left, 'request')).toMatch(/tags, a list of at least 2 elements, which has no values to send/);
    expect(writeDraft(left, 'api.yaml')).not.toMatch(/^# likely/m);
    const form = about('/webservices/drive', {
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: { required: ['tags'], properties: { tags: { type: 'array', items } } },
          },
        },
      },
      responses: {},
    });
    expect(whyOpen(form, 'request')).toMatch(/tags, a list or an object, which a form/);
  });

  test('a value that is required and may be null is not drafted as both', () => {
    const draft = about(
      PRODUCTS,
      json({
        type: 'array',
        items: { type: 'object', required: ['category'], properties: { category: { type: ['string', 'null'] } } },
      }),
    );
    expect(only(draft)?.response).toMatchObject({ fields: { category: { at: '@.category', nullable: true } } });
  });
});

test('no credential of a server’s address is shown', () => {
  const path = '/PLATFORMAPI/prodRef/v1/allCategories';
  const { remarks } = about(path, {}, { servers: [{ url: 'https://me:hush-hush@api.example/v7' }] });
  expect(remarks).toContain('the base URL of this description: --base-url https://api.example/v7');
});
