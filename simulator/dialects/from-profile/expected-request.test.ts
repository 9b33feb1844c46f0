import { expect, onTestFinished, test } from 'vitest';
import { parseProfile } from '../../../src/profile/parse-profile.ts';
import { startSimulator } from '../../server.ts';
import { dialectOf } from './dialect.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const B = '/data-access/v1/Catalogue';
const PROFILE = `
name: names
auth: { scheme: apiKey, in: query, name: apikey, value: k-1 }
authFor: { B: { scheme: bearer, token: b-1 } }
examples: { catalogueId: [K1] }
operations:
  GET ${C}/allProducts:
    request: { query: { cat: "{category}", seite: "{page}", format: json } }
    response: { rows: "$[*]", fields: { upc: "@.upc" }, paging: { style: page, size: 20 } }
  GET ${C}/updateProducts:
    request: { query: { fenster: "{window}" } }
    response: { rows: "$[*]", fields: { upc: "@.upc" } }
  POST ${B}/LogicalDimensions:
    request: { json: { ask: { katalog: "{catalogueId}" } } }
    response: { rows: "$[*]", fields: { id: "@.id" } }
`;

async function start() {
  const simulator = await startSimulator({ products: 60, dialect: dialectOf(parseProfile(PROFILE, 'names.yaml')) });
  onTestFinished(() => simulator.close());
  const get = (target: string) => fetch(simulator.url + target);
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${simulator.url}${B}/LogicalDimensions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer b-1', ...headers },
      body,
    });
  return { simulator, get, post };
}

test('the names of the profile are parameters, and its constants and credentials, too', async () => {
  const { simulator, get, post } = await start();
  await get(`${C}/allProducts?apikey=k-1&cat=Tea&seite=1&format=csv`);
  await get(`${C}/updateProducts?apikey=k-1&fenster=4`);
  await get(`/webservices/testService?apikey=k-1&anything=1`);
  await post('{"ask":{"katalog":"K1"}}');
  expect(simulator.client()).toEqual({ conforms: true, requests: 4, findings: [], notes: [] });
});

test.each([
  ['/allProducts?apikey=k-1&category=Tea', { code: 'unknown-parameter', detail: /“cat”\?/ }],
  ['/allProducts?apikey=k-1&seit=1', { code: 'unknown-parameter', detail: /“seite”\?/ }],
  ['/allProducts?apikey=k-1&seite=two', { code: 'malformed', detail: /page/ }],
  ['/updateProducts?apikey=k-1', { code: 'missing', detail: /^fenster is needed in the query, for 1, 4 or 13 weeks$/ }],
  ['/updateProducts?apikey=k-1&fnester=4', { code: 'missing', detail: /needed in the query.*“fenster”\?/ }],
  ['/updateProducts?fenster=4', { code: 'unauthorized', detail: /parameter apikey.* is missing/ }],
  ['/updateProducts?fenster=4&apikey=k-2', { code: 'unauthorized', detail: /parameter apikey does not contain/ }],
] as const)('%s', async (target, { code, detail }) => {
  const { simulator, get } = await start();
  await get(C + target);
  expect(simulator.client().findings).toMatchObject([{ problem: { code, detail: expect.stringMatching(detail) } }]);
  expect(JSON.stringify(simulator.client())).not.toContain('k-2');
});

test('pages beyond the end, misspelled members and other media types are found, too', async () => {
  const { simulator, get, post } = await start();
  await get(`${C}/allProducts?apikey=k-1&seite=4`);
  expect(simulator.client().notes).toEqual([]);
  await get(`${C}/allProducts?apikey=k-1&seite=5`);
  expect(simulator.client()).toMatchObject({ conforms: true, notes: [{ problem: { code: 'beyond-end' } }] });
  await post('{"ask":{"catalog":"K1"}}');
  await post('{"ask":{"katalog":"K1"}}', { 'content-type': 'text/xml' });
  expect(simulator.client().findings.map(({ problem }) => problem.detail)).toEqual([
    'katalog is needed in the JSON body; "catalog" in the body is no parameter and is ignored (did you mean “katalog”?)',
    'the Content-Type of the body is application/json, not "text/xml"',
  ]);
});
