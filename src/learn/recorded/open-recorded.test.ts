/** What the learner reads from the requests of recorded exchanges, and which requests these answer. */
import { expect, test } from 'vitest';
import { ALL_CATEGORIES, ALL_PRODUCTS, CATALOGUES, LOGICAL_DIMENSIONS, UPDATE_PRODUCTS } from '../../contract/index.ts';
import { bodyFrom } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/types.ts';
import { loadOffline } from '../../profile/load.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import { learnProfile } from '../index.ts';
import { openRecorded } from './open-recorded.ts';

const BASE = 'https://acme.example/api';
const C = '/PLATFORMAPI/prodRef/v1';

/** An exchange: `GET /path?query`, or a POST with a JSON body. */
function recorded(target: string, response: unknown, body?: unknown, status = 200): Exchange {
  return {
    request: {
      method: body === undefined ? 'GET' : 'POST',
      url: `${BASE}${target}`,
      headers: body === undefined ? [] : [['Content-Type', 'application/json']],
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    },
    response: { status, reasonPhrase: '', headers: [['Content-Type', 'application/json']] },
    body: bodyFrom(Buffer.from(JSON.stringify(response))),
    redirects: [],
    timing: { startedAt: '2026-01-01T00:00:00.000Z', totalMs: 1 },
  };
}

const open = async (...exchanges: Exchange[]) =>
  openRecorded(BASE, exchanges, await loadOffline({ name: 'acme' } as never));

const categories = { items: [{ warengruppe: 'Tea' }, { warengruppe: 'Soap' }] };

test('names, listed values and the spellings of a window show inputs; what is always equal is a constant', async () => {
  const { operations } = await open(
    recorded(`${C}/allCategories`, categories),
    recorded(`${C}/allProducts?x=Tea&format=full&p=0`, {}),
    recorded(`${C}/allProducts?x=Soap&format=full&p=1`, {}),
    recorded(`${C}/updateProducts?since=P4W`, {}),
    recorded(`${C}/updateProducts?since=P13W&warengruppe=Tea`, {}),
  );
  expect(operations.get(ALL_CATEGORIES)).toMatchObject({ request: {}, inputs: [{}] });
  expect(operations.get(ALL_PRODUCTS)).toMatchObject({
    request: { query: { x: '{category}', format: 'full', p: '{page}' } },
    inputs: [
      { category: 'Tea', page: '0' },
      { category: 'Soap', page: '1' },
    ],
  });
  expect(operations.get(UPDATE_PRODUCTS)).toMatchObject({
    request: {
      query: { since: '{window}', warengruppe: '{category}' },
      spellings: { window: { '1': 'P1W', '4': 'P4W', '13': 'P13W' } },
    },
    inputs: [{ window: 4 }, { window: 13, category: 'Tea' }],
  });
});

test('members of bodies are inputs where another response lists their values', async () => {
  const { operations } = await open(
    recorded('/data-access/v1/Catalogues', { list: [{ k: 7001 }, { k: 7002 }] }, { trace: true }),
    recorded('/data-access/v1/Catalogue/LogicalDimensions', {}, { q: { of: 7001 }, trace: true }),
    recorded('/data-access/v1/Catalogue/LogicalDimensions', {}, { q: { of: 7002 }, trace: true }),
  );
  expect(operations.get(CATALOGUES)?.request).toEqual({ json: { trace: true } });
  expect(operations.get(LOGICAL_DIMENSIONS)).toMatchObject({
    request: { json: { q: { of: '{catalogueId}' }, trace: true } },
    inputs: [{ catalogueId: 7001 }, { catalogueId: 7002 }],
  });
});

test('credentials are no part of a request, and what varies without a meaning is optional', async () => {
  const { operations, source } = await open(
    recorded(`${C}/allCategories?api_key=s3cret&_=1`, categories),
    recorded(`${C}/allCategories?api_key=s3cret&_=2`, categories),
  );
  expect(JSON.stringify([...operations])).not.toContain('s3cret');
  expect(operations.get(ALL_CATEGORIES)?.request).toEqual({});
  const ask = (target: string) => source.send({ method: 'GET', url: `${BASE}${target}`, headers: [] });
  expect((await ask(`${C}/allCategories`)).response?.status).toBe(200);
  expect((await ask(`${C}/allCategories?x=1`)).failure?.kind).toBe('notRecorded');
});

test('a list of which clients request pages is no whole list, unless the paging is learned', async () => {
  const page = (upcs: readonly string[]): PlainObject => ({ items: upcs.map((upc) => ({ upc })) });
  const learned = await learnProfile({
    base: BASE,
    start: { name: 'acme' },
    recorded: [recorded(`${C}/allProducts?page=0&size=2`, page(['036000291452', '042100000177', '012345678905']))],
  });
  expect([learned.requests, learned.answered]).toEqual([0, [ALL_PRODUCTS]]);
  expect(learned.profile).not.toHaveProperty(['operations', ALL_PRODUCTS, 'response']);
  expect(learned.open).toContainEqual(expect.objectContaining({ why: 'clients send page: state response.paging' }));
});

test('numbers in order select pages; what changes the response without a meaning shows that a list goes on', async () => {
  const { operations } = await open(
    recorded(`${C}/allProducts?seite=1`, { items: [1] }),
    recorded(`${C}/allProducts?seite=2`, { items: [2] }),
    recorded(`${C}/allProducts?seite=3`, { items: [3] }),
    recorded(`${C}/allCategories?z=a7`, { items: [1] }),
    recorded(`${C}/allCategories?z=q1`, { items: [2] }),
    recorded(`${C}/updateProducts?t=1`, { items: [1] }),
    recorded(`${C}/updateProducts?t=77`, { items: [1] }),
  );
  expect(operations.get(ALL_PRODUCTS)).toMatchObject({ request: { query: { seite: '{page}' } }, pages: 'seite' });
  expect(operations.get(ALL_CATEGORIES)).toMatchObject({ request: {}, pages: 'z' });
  expect(operations.get(UPDATE_PRODUCTS)?.pages).toBeUndefined();
});

test('elements and attributes of XML bodies have names', async () => {
  const xml = (catalogue: number, level: string): Exchange => {
    const exchange = recorded('/data-access/v1/Catalogue/Group/Level/Values', {}, {});
    const body = Buffer.from(`<?xml version="1.0"?><q level="${level}"><catalogue>${catalogue}</catalogue></q>`);
    return { ...exchange, request: { ...exchange.request, headers: [['Content-Type', 'text/xml']], body } };
  };
  const { operations } = await open(xml(1, 'a'), xml(2, 'b'));
  expect(operations.get('POST /data-access/v1/Catalogue/Group/Level/Values')).toMatchObject({
    request: { xml: '<?xml version="1.0"?><q level="{level}"><catalogue>{catalogueId}</catalogue></q>' },
    inputs: [
      { level: 'a', catalogueId: '1' },
      { level: 'b', catalogueId: '2' },
    ],
  });
});

test('the credentials of all requests are stated by names of environment variables', async () => {
  const withKey = (target: string, headers: [string, string][]): Exchange => {
    const exchange = recorded(target, categories);
    return { ...exchange, request: { ...exchange.request, headers } };
  };
  const learn = (...exchanges: Exchange[]) =>
    learnProfile({ base: BASE, start: { name: 'acme' }, recorded: exchanges }).then(({ profile }) => profile.auth);
  const key: [string, string] = ['X-Api-Key', 'a1b2c3'];
  expect(await learn(withKey(`${C}/allCategories?access_token=q9`, [key]))).toEqual([
    { scheme: 'apiKey', in: 'header', name: 'X-Api-Key', value: `\${X_API_KEY}` },
    { scheme: 'apiKey', in: 'query', name: 'access_token', value: `\${ACCESS_TOKEN}` },
  ]);
  expect(await learn(withKey(`${C}/allCategories`, [['Authorization', 'Bearer a.b.c']]))).toEqual({
    scheme: 'bearer',
    token: `\${TOKEN}`,
  });
  expect(await learn(withKey(`${C}/allCategories`, [key]), withKey(`${C}/allCategories?page=2`, []))).toBeUndefined();
});

test('secrets in bodies are no constants, a token of pages is an input, and no name changes other objects', async () => {
  const body = JSON.parse('{"login":{"password":"p-41"},"clientSecret":"c-41","lang":"en","__proto__":{"polluted":1}}');
  const { operations } = await open(
    recorded('/data-access/v1/Catalogues', {}, body),
    recorded(`${C}/allProducts`, { items: [1], token: 't-2' }),
    recorded(`${C}/allProducts?token=t-2`, { items: [2] }),
  );
  expect(operations.get(CATALOGUES)?.request).toEqual({ json: { lang: 'en' } });
  expect(operations.get(ALL_PRODUCTS)?.request).toEqual({ query: { token: '{cursor}' } });
  expect({}).not.toHaveProperty('polluted');
});

test('a text that may contain a secret is left out', async () => {
  const sent = (text: string): Exchange => {
    const exchange = recorded('/webservices/drive', {}, {});
    const headers: [string, string][] = [['Content-Type', 'text/plain']];
    return { ...exchange, request: { ...exchange.request, headers, body: Buffer.from(text) } };
  };
  const requestOf = async (text: string) => (await open(sent(text))).operations.get('POST /webservices/drive')?.request;
  expect(await requestOf('sites=Oslo')).toEqual({ raw: { type: 'text/plain', text: 'sites=Oslo' } });
  expect(await requestOf('password=p-41')).toEqual({});
});
