import { describe, expect, test } from 'vitest';
import type { OperationKey } from '../../contract/index.ts';
import { buildRequest } from '../../exchange/request.ts';
import { parseProfile } from '../../profile/parse-profile.ts';
import type { RequestTemplate } from '../../profile/schema.ts';
import { requestReaderFor, type SentRequest } from './read-request.ts';

const BRAND: OperationKey = 'GET /RetailMeasurement/v1/BrandPerformance';
const LOOKUP: OperationKey = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const DIMENSION: OperationKey = 'POST /data-access/v1/Catalogue/Dimension/Groups';

const profileWith = (key: OperationKey, request: RequestTemplate | undefined, more: object = {}) =>
  parseProfile(
    JSON.stringify({ name: 't', operations: { [key]: { ...(request && { request }) } }, ...more }),
    't.json',
  );

/** Reads a request that was sent in place of, or beside, what a template says. */
function read(key: OperationKey, request: RequestTemplate | undefined, sent: Partial<SentRequest>, more: object = {}) {
  const [method = '', target = ''] = key.split(' ');
  return requestReaderFor(
    profileWith(key, request, more),
    key,
  )({ method, target, headers: [], body: new Uint8Array(0), ...sent });
}
const at = (query: string) => ({ target: `/RetailMeasurement/v1/BrandPerformance${query}` });
const json = (value: unknown, type = 'application/json') => ({
  headers: [['Content-Type', type]] as [string, string][],
  body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
});

describe('requests that the suites send are read:', () => {
  const inputs = { category: "Tea & 'Co' 漢", brand: 'a+b=c%26' };
  test.each<[string, RequestTemplate]>([
    ['parameters', { query: { market: 'US', c: '{category}', b: '{brand}' } }],
    ['parameters of one name', { query: { fq: ['cat:{category}', 'brand:{brand}'] } }],
    ['clauses', { query: { filter: { join: ' and ', clauses: ["category eq '{category}'", "brand eq '{brand}'"] } } }],
  ])('%s', (_, template) => {
    const { url, headers } = buildRequest('http://h', BRAND, profileWith(BRAND, template), inputs);
    expect(read(BRAND, template, { target: url.slice('http://h'.length), headers })).toEqual({ inputs });
  });

  test.each<[string, RequestTemplate]>([
    ['JSON', { json: { id: '{catalogueId}', of: ['{dimension}'], fixed: 1 } }],
    ['a form', { form: { id: '{catalogueId}', dim: '{dimension}' } }],
    ['XML', { xml: '<q><id>{catalogueId}</id>\n  <dim n="{dimension}"/></q>' }],
    ['any other text', { raw: { type: 'text/plain', text: 'id={catalogueId};dim={dimension}' } }],
    ['headers', { headers: { 'X-Catalogue': '{catalogueId}' }, json: { d: '{dimension}' } }],
  ])('a body of %s', (_, template) => {
    const asked = { catalogueId: 'A&<B>"', dimension: '7' };
    const { headers, body } = buildRequest('http://h', DIMENSION, profileWith(DIMENSION, template), asked);
    expect(read(DIMENSION, template, { headers, body: body ?? new Uint8Array(0) })).toEqual({ inputs: asked });
  });

  test('the UPC in the path, decoded once, and credentials in the query aside', () => {
    const auth = { scheme: 'apiKey', in: 'query', name: 'key', value: 'x' };
    const target = '/ref/PLATFORMAPI/prodRef/v1/products/%200421?key=secret';
    expect(read(LOOKUP, {}, { target }, { auth, prefixes: { C: '/ref' } })).toEqual({ inputs: { upc: ' 0421' } });
    expect(read(LOOKUP, {}, { target: target.slice(4) }, { authFor: { C: auth } })).toEqual({
      inputs: { upc: ' 0421' },
    });
  });
});

test('order, encoding and white space do not matter', () => {
  const template: RequestTemplate = { query: { a: '{category}', b: '{brand}' } };
  expect(read(BRAND, template, at('?b=x+y&a=%74ea'))).toEqual({ inputs: { category: 'tea', brand: 'x y' } });
  const body = json('{ "fixed": 1,\n "id": 12 }', 'application/vnd.x+json; charset=utf-8');
  expect(read(DIMENSION, { json: { id: '{catalogueId}', fixed: 1 } }, body)).toEqual({ inputs: { catalogueId: '12' } });
  const spelled: RequestTemplate = { query: { w: '{window}' }, spellings: { window: { '1': 'P1W' } } };
  expect(read(BRAND, spelled, at('?w=P1W'))).toEqual({ inputs: { window: '1' } });
});

describe('a request that the profile does not explain is not read:', () => {
  const query: RequestTemplate = { query: { market: 'US', c: '{category}' } };
  test.each<[string, RequestTemplate | undefined, Partial<SentRequest>, string]>([
    ['no template', undefined, {}, 'the profile does not declare the request'],
    [
      'an unknown parameter',
      query,
      at('?market=US&fields=upc'),
      'query parameter “fields”, which the profile does not declare',
    ],
    ['another constant', query, at('?market=CA'), 'the value of query parameter “market”'],
    ['a missing constant', query, at('?c=Tea'), 'query parameter “market”, which the profile sends, is missing'],
    ['a parameter twice', query, at('?market=US&c=Tea&c=Coffee'), 'the value of query parameter “c”'],
    ['an empty parameter', query, at('?market=US&c='), 'query parameter “c” without a value'],
    [
      'a parameter that is a member of every object',
      query,
      at('?market=US&constructor=1'),
      'query parameter “constructor”, which the profile does not declare',
    ],
    ['a body where there is none', {}, json({ a: 1 }), 'a body, where the profile sends none'],
    [
      'another method',
      {},
      { headers: [['X-HTTP-Method-Override', 'DELETE']] },
      'header “X-HTTP-Method-Override”: it selects another method',
    ],
    ['a part', {}, { headers: [['Range', 'bytes=0-1']] }, 'header “Range”: it requests a part of the response'],
    [
      'another form of answer',
      {},
      { headers: [['accept', 'text/csv']] },
      'header “Accept”: it requests another form of response',
    ],
  ])('%s', (_, template, sent, unread) => {
    expect(read(BRAND, template, sent)).toEqual({ unread });
  });

  const members: RequestTemplate = { json: { id: '{catalogueId}' } };
  test.each<[string, Partial<SentRequest>, string]>([
    ['a member more', json({ id: 'A', limit: 5 }), 'members of the body that the profile does not send'],
    ['null', json({ id: 'A', dim: null }), 'members of the body that the profile does not send'],
    ['no JSON', json('{id'), 'a value that does not fit the profile’s template'],
    ['another media type', json({ id: 'A' }, 'text/plain'), 'a body of type “text/plain” where the profile sends JSON'],
    [
      'a compressed body',
      { headers: [['content-encoding', 'gzip']] },
      'header “content-encoding”: its body is compressed',
    ],
  ])('a body with %s', (_, sent, unread) => {
    expect(read(DIMENSION, members, sent)).toEqual({ unread });
  });

  test('headers that the profile always sends with another value', () => {
    const more = { headers: { 'X-Version': '2', 'User-Agent': 'mine' } };
    expect(read(BRAND, {}, { headers: [['x-version', '1']] }, more)).toEqual({
      unread: 'header “X-Version”, which the profile sends with another value',
    });
    expect(read(BRAND, {}, { headers: [['x-version', '2']] }, more)).toEqual({ inputs: {} });
  });

  test('another path', () => {
    for (const target of ['/PLATFORMAPI/prodRef/v1/products/a/b', '/PLATFORMAPI/prodRef/v1/products/%zz'])
      expect(read(LOOKUP, {}, { target })).toEqual({ unread: 'the path' });
  });
});
