/** A profile that accuses any conforming service is refused; unused keys are reported. */
import { expect, test } from 'vitest';
import { parseProfile } from './parse-profile.ts';
import { ProfileError } from './profile-error.ts';
import { findUnusedKeys } from './unused-keys.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const BULK = `GET ${C}/allProducts`;
const CATEGORIES = `GET ${C}/allCategories`;
const DELTA = `GET ${C}/updateProducts`;
const FILTERS = 'GET /webservices/getAllProspectFilters';
const of = (key: string, declared: string, more = ''): string =>
  `name: x\n${more}\noperations:\n  ${key}:\n    ${declared}\n`;
const rowsWith = (fields: string): string => `response: { rows: "$.items[*]", fields: { ${fields} } }`;

const failureOf = (yaml: string): ProfileError | undefined => {
  try {
    parseProfile(yaml, 'x.yaml', {});
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ProfileError);
    return error as ProfileError;
  }
};

test.each([
  [
    'a field of rows that is read once',
    of(BULK, rowsWith('upc: "$.items[*].gtin"')),
    /^x\.yaml:5: .*fields\.upc: “\$\.items\[\*\]\.gtin” is read once .*"@\.upc"/,
    'allProducts.fields.upc',
  ],
  [
    'a name of a filter',
    of(FILTERS, rowsWith('name: { at: "$..name" }')),
    /every row has its own name/,
    'getAllProspectFilters.fields.name',
  ],
  [
    'a figure in a header',
    of('GET /RetailMeasurement/v1/BrandPerformance', rowsWith('sales4Weeks: $response.header.X-S')),
    /sales4Weeks/,
    'brandPerformance.fields.sales4Weeks',
  ],
  [
    'required and nullable',
    of(BULK, rowsWith('category: { at: "@.c", required: true, nullable: true }')),
    /both required and nullable/,
    'allProducts.fields.category',
  ],
  [
    'a count of rows that another operation does not return for the row',
    of(BULK, `response: { counts: [{ at: "@.n", of: ${FILTERS} }] }`),
    /counts\[0\]\.of: GET \/webservices\/getAllProspectFilters returns no rows for a row of this list; allowed here: page, list, pages/,
    undefined,
  ],
  [
    'a count of another operation that is read once',
    of(CATEGORIES, `response: { counts: [{ at: $.n, of: ${BULK} }] }`),
    /is read once per response, but each row has its own count of GET .*allProducts: write @/,
    undefined,
  ],
  [
    'pages that the request cannot select',
    of(BULK, 'request: {}\n    response: { rows: "$.i[*]", paging: { style: page } }'),
    /does not contain \{page\}/,
    'allProducts.rows',
  ],
  [
    'a cursor that is never sent',
    of(BULK, 'request: {}\n    response: { rows: "$.i[*]", paging: { style: cursor, next: $.n } }'),
    /does not contain \{cursor\}/,
    'allProducts.rows',
  ],
  [
    'rows per window of another list',
    of(BULK, 'response: { rows: { "1": $.a, "4": $.b, "13": $.c } }'),
    /which only the delta/,
    undefined,
  ],
  [
    'two windows with one value',
    of(DELTA, 'request: { query: { w: "{window}" }, spellings: { window: { "1": W, "4": W } } }'),
    /same value for two windows/,
    'updateProducts.inputs.window',
  ],
  [
    'an example that lost its zeros',
    'name: x\nexamples: { upc: [12345678905] }',
    /^x\.yaml:2: examples\.upc\[0\]: must be a UPC of 12 digits .*in quotes/,
    'upcExamples',
  ],
  ['an unknown UPC that is malformed', 'name: x\nunknownUpc: "99"', /unknownUpc: must be a UPC/, undefined],
])('%s is refused', (_, yaml, says, opening) => {
  const failure = failureOf(yaml);
  expect(failure?.message).toMatch(says);
  expect(failure?.opening).toBe(opening);
});

test.each([
  ['facts that are denied', 'name: x\ndelta: { dates: false, kinds: false, newBy: false, latestValues: false }'],
  ['states that are denied', 'name: x\njobs: { drive: { states: false, final: false } }'],
  ['a market of the answer', of(BULK, rowsWith('market: $.market, asOf: $.asOf'))],
  ['a job id in a header', of('POST /webservices/drive', 'response: { fields: { jobId: $response.header.Location } }')],
  [
    'lists of the metadata',
    of('GET /RetailMeasurement/v1/BrandPerformance/Metadata', rowsWith('brand: "$.brands[*]"')),
  ],
  ['a product beside its rows', of(`GET ${C}/products/{upc}`, rowsWith('upc: $.gtin, characteristics: "@"'))],
  [
    'one page',
    of(BULK, 'request: { query: { p: "{page}" } }\n    response: { rows: "$.i[*]", paging: { style: page } }'),
  ],
])('%s is let through', (_, yaml) => {
  expect(failureOf(yaml)).toBeUndefined();
});

const unread = (yaml: string): string[] =>
  findUnusedKeys(parseProfile(yaml, 'x.yaml', {})).map(({ path, why }) => `${path.join('/')}: ${why}`);

test.each([
  [
    'a field no rule reads',
    of(BULK, rowsWith('upc: "@.u", sales4Weeks: "@.b"')),
    /fields\/sales4Weeks: no rule reads sales4Weeks at this operation/,
  ],
  ['a row without rows', of(BULK, 'response: { fields: { upc: "@.u" } }'), /response\.rows is not declared/],
  ['an as-of in rows', of(BULK, rowsWith('asOf: "@.d"')), /read once per response: write \$/],
  [
    'a mistyped input',
    of(BULK, 'request: { query: { c: "{categroy}" } }'),
    /request\/query\/c: \{categroy\} is not an input .*did you mean \{category\}/,
  ],
  ['an input never filled', of(BULK, 'request: { query: { b: "{brand}" } }'), /\{brand\} is never filled/],
  ['a page without paging', of(BULK, 'request: { query: { b: "{page}" } }'), /declare response\.paging/],
  [
    'a spelling of nothing',
    of(DELTA, 'request: { spellings: { window: { "1": W } } }'),
    /spellings\/window: the request does not mention/,
  ],
  [
    'an example never used',
    'name: x\nexamples: { brand: [Sun] }',
    /examples\/brand: no request of a claimed operation mentions/,
  ],
  [
    'a UPC that may be missing',
    of(BULK, rowsWith('upc: { at: "@.u", nullable: true }')),
    /upc\/nullable: the document demands upc/,
  ],
  ['an operation not claimed', of(BULK, 'request: {}', 'implements: [D]'), /implements does not claim this operation/],
  [
    'a job without an id',
    'name: x\njobs: { drive: { start: POST /webservices/drive } }',
    /jobs\/drive\/start: the location of the job id is missing/,
  ],
  [
    'a table of codes that nothing names',
    'name: x\ncodes: { area: { "840": US } }',
    /codes\/area: no field, echo or input/,
  ],
  [
    'a code of no input',
    of(BULK, 'request: { codes: { brand: brands } }', 'codes: { brands: { "1": Sun } }'),
    /request\/codes\/brand: the request does not mention/,
  ],
  ['an exception of nothing', `name: x\nimplements: [D]\nauthExcept: [${BULK}]`, /authExcept\/0: .* is not claimed/],
])('%s is told', (_, yaml, says) => {
  expect(unread(yaml)).toEqual([expect.stringMatching(says)]);
});
