/** Drafts of descriptions whose names fit a field, but which mean something else: nothing of it is active in the draft. */
import { describe, expect, test } from 'vitest';
import { parseProfile } from '../parse-profile.ts';
import { objectAt } from '../plain-object.ts';
import { bindReferences } from './description.ts';
import { type Draft, draftFromDescription } from './draft.ts';
import { writeDraft } from './write-yaml.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const SALES = 'GET /RetailMeasurement/v1/BrandPerformance';
const LEVELS = 'POST /data-access/v1/Catalogue/Group/Levels';
const REFRESH = 'POST /data-access/v1/Catalogue/RefreshDates';
const STATUS = 'GET /webservices/getDriveJobStatus';

const text = { type: 'string' };
const number = { type: 'number' };
const date = { type: 'string', format: 'date' };
const instant = { type: 'string', format: 'date-time' };

function draftOf(operation: string, schema: object, parameters: readonly object[] = []): Draft {
  const [method = '', path = ''] = operation.split(' ');
  const described = {
    parameters,
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  };
  const root = { openapi: '3.1.0', info: {}, paths: { [path]: { [method.toLowerCase()]: described } } };
  bindReferences(root, 'main', () => undefined);
  const draft = draftFromDescription({
    source: 'api.yaml',
    root,
    files: new Map([['main', root]]),
    unresolvedReferences: new Map(),
  });
  parseProfile(writeDraft(draft, 'api.yaml'), 'draft.yaml');
  return draft;
}

/** The fields of a list whose rows have these members. */
function fieldsOf(operation: string, properties: object, envelope: object = {}) {
  const items = { type: 'array', items: { type: 'object', properties } };
  const draft = draftOf(operation, { type: 'object', properties: { ...envelope, items } });
  const profile = parseProfile(writeDraft(draft, 'api.yaml'), 'draft.yaml').data;
  const operations: Record<string, { response?: { fields?: object } }> = profile.operations ?? {};
  return { fields: operations[operation]?.response?.fields ?? {}, draft };
}

const upc = { ...text, pattern: '^\\d{12}$' };

describe('from-openapi does not bind', () => {
  test.each([
    ['a constant', BULK, { upc, category: { const: 'product' } }, 'category'],
    ['an enum of one value', BULK, { upc, categoryId: { type: 'string', enum: ['cat'] } }, 'categoryId'],
    ['the date of activation', BULK, { upc, activeDate: { ...date, description: 'activated on' } }, 'activeOn'],
    ['the time at which a record was updated', BULK, { upc, updatedAt: instant }, 'changedOn'],
    ['the time of publication', DELTA, { upc, changedAt: { ...instant, description: 'published at' } }, 'changedOn'],
    [
      'the sales of units',
      SALES,
      { brand: text, sales4Weeks: { ...number, description: 'Unit sales' } },
      'sales4Weeks',
    ],
    [
      'sales in another currency',
      SALES,
      { brand: text, sales4Weeks: { ...number, description: 'in EUR' } },
      'sales4Weeks',
    ],
    [
      'a percentage with examples below 1',
      SALES,
      { brand: text, pctChange: { ...number, examples: [0.05] } },
      'percentChange',
    ],
    [
      'a ratio by its bounds',
      SALES,
      { brand: text, pctChange: { ...number, minimum: -1, maximum: 1 } },
      'percentChange',
    ],
    [
      'points for a percentage',
      SALES,
      { brand: text, pctChange: { ...number, description: 'in basis points' } },
      'percentChange',
    ],
    [
      'whole amounts, which may be dollars or cents',
      SALES,
      { brand: text, sales4Weeks: { ...number, examples: [120_850] } },
      'sales4Weeks',
    ],
    ['the id of a brand', SALES, { brand: { type: 'integer' } }, 'brand'],
    ['the id of another resource', LEVELS, { catalogueId: text, level: text }, 'id'],
    ['a code of another property', LEVELS, { languageCode: text, position: number }, 'id'],
    ['the name of another resource', LEVELS, { levelId: text, groupName: text }, 'name'],
    ['the next refresh', REFRESH, { id: text, nextRefresh: instant }, 'date'],
    ['the author of an update', REFRESH, { id: text, updatedBy: text }, 'date'],
    ['a UPC by its description only', BULK, { parcel: { ...text, description: 'the UPC of the case' } }, 'upc'],
    ['a date of unknown format', BULK, { upc, lastSold: text }, 'activeOn'],
    ['a GTIN of unknown length', BULK, { gtin: text }, 'upc'],
  ] as const)('%s', (_, operation, properties, field) => {
    expect(fieldsOf(operation, properties).fields).not.toHaveProperty(field);
  });

  test('the time of the response, or of the reload, as the as-of date', () => {
    for (const envelope of [
      { asOf: { ...instant, description: 'Time of the response' } },
      { refreshDate: date },
      { reloadDate: date },
    ])
      expect(fieldsOf(BULK, { upc }, envelope).fields).not.toHaveProperty('asOf');
    expect(fieldsOf(BULK, { upc }, { asOf: date }).fields).toHaveProperty('asOf');
  });

  test('the result of a call as the state of a job', () => {
    const bound = (status: object) =>
      JSON.stringify(draftOf(STATUS, { type: 'object', properties: { jobId: text, status } }).profile);
    expect(bound({ type: 'string', enum: ['OK', 'ERROR'] })).not.toContain('@.status');
    expect(bound({ ...text, description: 'Status of the request' })).not.toContain('@.status');
    expect(bound({ type: 'string', enum: ['queued', 'done'] })).toContain('@.status');
  });
});

test('the title of a link is a guess (HAL), and so is a resource that must be joined (JSON:API)', () => {
  const link = { type: 'object', properties: { href: text, title: text } };
  const hal = fieldsOf(BULK, { upc, _links: { type: 'object', properties: { self: link, category: link } } });
  expect(hal.fields).toEqual({ upc: expect.anything() });
  expect(hal.draft.undecided.map(({ why }) => why).join('\n')).toContain('"@._links.category.title"');

  const resource = (members: object) => ({
    type: 'array',
    items: { type: 'object', properties: { type: text, id: text, ...members } },
  });
  const attributes = (properties: object) => ({ attributes: { type: 'object', properties } });
  const related = { type: 'object', properties: { data: { type: 'object', properties: { type: text, id: text } } } };
  const jsonApi = draftOf(BULK, {
    type: 'object',
    properties: {
      data: resource({
        ...attributes({ upc }),
        relationships: { type: 'object', properties: { category: related } },
      }),
      included: resource(attributes({ name: text })),
    },
  });
  expect(jsonApi.undecided).toContainEqual({
    opening: `operations["${BULK}"].response.shape`,
    why: expect.stringContaining('equals: "@.relationships.category.data.id"'),
  });
  const categories = draftOf('GET /PLATFORMAPI/prodRef/v1/allCategories', {
    type: 'object',
    properties: { data: resource(attributes({ name: text })) },
  });
  expect(JSON.stringify(categories.profile)).toContain('"@.attributes.name"');
});

test('a guess is listed with its reason and the key to write', () => {
  const { draft } = fieldsOf(BULK, { upc, updatedAt: instant });
  expect(draft.undecided).toContainEqual({
    opening: `operations["${BULK}"].response.fields.changedOn`,
    why: expect.stringMatching(
      /^unsure: the name updatedAt; .*; if it is this, write changedOn: {"at":"@.updatedAt","as":"iso"}$/,
    ),
  });
});

test('a right name wins over a doubtful one', () => {
  expect(fieldsOf(DELTA, { upc, updatedAt: instant, changedOn: date }).fields).toMatchObject({
    changedOn: { at: '@.changedOn' },
  });
  expect(fieldsOf(LEVELS, { catalogueId: text, levelId: text }).fields).toMatchObject({ id: { at: '@.levelId' } });
});

test('thousands and millions are read with decimals', () => {
  const { fields } = fieldsOf(SALES, {
    brand: text,
    sales4Weeks: { ...number, description: 'in thousands of dollars' },
    sales12Weeks: { ...number, description: 'USD, millions' },
    sales52Weeks: { ...number, description: 'in cents' },
  });
  expect(fields).toMatchObject({
    sales4Weeks: { decimals: -3 },
    sales12Weeks: { decimals: -6 },
    sales52Weeks: { as: 'cents' },
  });
});

test('a part of a divided id, cells of a table, and one page of a list are left open, with what to write', () => {
  const ticket = { type: 'object', properties: { series: text, number: text } };
  const divided = draftOf(STATUS, {
    type: 'object',
    properties: { ticket, state: { ...text, enum: ['new', 'done'] } },
  });
  expect(JSON.stringify(divided.profile)).not.toContain('@.ticket.number');
  expect(JSON.stringify(divided.undecided)).toContain('it may be one part of an id, beside series');
  const columns = { type: 'array', items: { type: 'object', properties: { id: text } } };
  const rows = { type: 'array', items: { type: 'array', items: text } };
  const table = draftOf(LEVELS, { type: 'object', properties: { columns, rows } });
  expect(JSON.stringify(table.profile)).not.toContain('"@.id"');
  expect(JSON.stringify(table.undecided)).toContain('write rows: $.rows[*] and shape: { columns: ');
  const items = { type: 'array', items: { type: 'object', properties: { upc } } };
  const page = { name: 'page', in: 'query', schema: { type: 'integer', example: 3 } };
  const paged = draftOf(BULK, { type: 'object', properties: { items } }, [page]);
  expect(JSON.stringify(paged.profile)).not.toContain('items');
  expect(JSON.stringify(paged.undecided)).toContain('the response is one page of a list: with response.paging, add');
});

test('the example of a response shows how its values are written, and contradicts what its names suggest', () => {
  const properties = { upc: text, cat: text, brand: text, pctChange: text };
  const shown = (operation: string, row: object) => {
    const schema = { type: 'array', items: { type: 'object', properties }, example: [row] };
    const draft = draftOf(operation, { type: 'object', properties: { items: schema }, example: { items: [row] } });
    return JSON.stringify(objectAt(objectAt(draft.profile, 'operations'), operation));
  };
  expect(shown(BULK, { upc: '0-42100-00017-7', cat: 'cat-06' })).toContain('"categoryId":"@.cat"');
  expect(shown(BULK, { upc: '0-42100-00017-7', cat: 'Tea' })).toContain('"category":"@.cat"');
  expect(shown(BULK, { upc: '0-42100-00017-7' })).toContain('"as":"upcSeparated"');
  expect(shown(BULK, { upc: 'U0421', cat: 'Tea' })).not.toContain('@.upc');
  expect(shown(SALES, { brand: '\n Sun ', pctChange: '(0.4 %)' })).toContain('"as":"percentText"');
  expect(shown(SALES, { brand: '\n Sun ', pctChange: '4 bp' })).not.toContain('@.pctChange');
  expect(shown(SALES, { brand: '\n Sun ' })).toContain('"as":"trimmed"');
});
