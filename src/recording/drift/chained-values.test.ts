import { expect, test } from 'vitest';
import { bodyFrom } from '../../exchange/body.ts';
import type { Exchange, WireRequest } from '../../exchange/types.ts';
import { loadProfile } from '../../profile/load.ts';
import { compareTraffic } from './compare-traffic.ts';
import { classOfRequest } from './recorded-requests.ts';
import { describeDifferences, type ExampleRequest, recording } from './recording.test.support.ts';
import { resend } from './resend.ts';

const LIST = '/PLATFORMAPI/prodRef/v1/allProducts';
const DRIVE = '/webservices/drive';
const STATUS = '/webservices/getDriveJobStatus';
const rows = (from: number) => Array.from({ length: 3 }, (_, at) => ({ upc: String(from + at) }));

/** Two pages by cursor, a job by its id in a Location. */
const traffic = (job: string, cursor: string): ExampleRequest[] => [
  {
    target: `${STATUS}?job=${job}`,
    responses: ['queued', 'done'].map((state) => ({ body: { job: { id: job }, state } })),
  },
  { target: `${LIST}?after=${cursor}&size=3`, responses: [{ body: { rows: rows(4), paging: { next: null } } }] },
  { target: `${LIST}?size=3`, responses: [{ body: { rows: rows(1), paging: { next: cursor } } }] },
  {
    method: 'POST',
    target: DRIVE,
    body: { to: 'x' },
    responses: [{ status: 202, headers: { location: `http://upstream.invalid/webservices/jobs/${job}` } }],
  },
];

test('jobs and pages are paired, whatever their ids and cursors', async () => {
  const [was, is] = [recording(traffic('j-771', 'abc=')), recording(traffic('j-998', 'xyz='))];
  const compared = await compareTraffic(was, is, { name: 'empty' });
  expect([compared.paired.pairs.length, compared.paired.onlyBefore, compared.paired.onlyNow]).toEqual([4, [], []]);
  expect(compared.differences.filter((each) => each.class !== 'volatile')).toEqual([]);
});

test('pages linked by URL are paired, and base paths do not count', async () => {
  const pages = (base: string, token: string): ExampleRequest[] => [
    {
      target: LIST,
      responses: [
        { headers: { link: `<http://upstream.invalid${base}${LIST}?t=${token}>; rel="next"` }, body: rows(1) },
      ],
    },
    { target: `${LIST}?t=${token}`, responses: [{ body: rows(4) }] },
  ];
  const was = recording(pages('/api', 'one'), { basePath: '/api' });
  const is = recording(pages('/v2', 'two'), { basePath: '/v2' });
  const compared = await compareTraffic(was, is, { name: 'empty' });
  expect(compared.paired.pairs).toHaveLength(2);
  expect(describeDifferences(compared).filter((each) => !each.startsWith('volatile'))).toEqual([]);
});

test('requests of only one side are not breaking, and responses to requests of the same form are compared', async () => {
  const lookups = (name: string, ...upcs: string[]): ExampleRequest[] =>
    upcs.map((upc) => ({
      target: `/PLATFORMAPI/prodRef/v1/products/${upc}`,
      responses: [{ body: { upc, [name]: 'x' } }],
    }));
  const was = recording(lookups('brand', '000000000017', '000000000024', '000000000031'));
  const same = await compareTraffic(was, recording(lookups('brand', '000000000048')), { name: 'empty' });
  expect(describeDifferences(same)).toEqual(['data: GET /PLATFORMAPI/prodRef/v1/products/{upc} $.upc (value)']);
  expect(same.paired.onlyBefore).toHaveLength(3);
  const other = await compareTraffic(was, recording(lookups('make', '000000000048')), { name: 'empty' });
  expect(describeDifferences(other)[0]).toBe(
    'breaking shape: GET /PLATFORMAPI/prodRef/v1/products/{upc} $.brand (gone)',
  );
});

/** A service that stores its requests and issues its own ids. */
function service(answer: (request: WireRequest) => { status: number; headers?: [string, string][]; body?: unknown }) {
  const asked: string[] = [];
  const send = async (request: WireRequest): Promise<Exchange> => {
    asked.push(
      `${request.method} ${request.url.replace('http://here/base', '')} ${request.headers.map(([name]) => name)}`,
    );
    const { status, headers = [], body } = answer(request);
    return {
      request,
      response: { status, reasonPhrase: '', headers: [['content-type', 'application/json'], ...headers] },
      body: bodyFrom(Buffer.from(body === undefined ? '' : JSON.stringify(body))),
      redirects: [],
      timing: { startedAt: '', totalMs: 1 },
    };
  };
  return { asked, source: { send, close: async () => undefined } };
}

test('requests are sent with current ids and cursors, each after the request that returns them', async () => {
  const { asked, source } = service(({ url }) => {
    if (url.includes('after=')) return { status: 200, body: { rows: rows(4), paging: { next: null } } };
    if (url.includes(LIST)) return { status: 200, body: { rows: rows(1), paging: { next: 'n w&' } } };
    if (url.includes(DRIVE)) return { status: 202, headers: [['Location', 'http://here/base/webservices/jobs/j-5']] };
    return { status: 200, body: {} };
  });
  const options = {
    profile: await loadProfile('empty'),
    source,
    baseOf: () => 'http://here/base',
    basePath: '/base',
    reveal: (text: string) => text,
    wait: async () => undefined,
  };
  const was = recording(traffic('j-771', 'abc='));
  const all = await resend(was, { ...options, allowed: ['read', 'job'] });
  expect(asked).toEqual([
    `POST ${DRIVE} content-type`,
    `GET ${STATUS}?job=j-5 `,
    `GET ${STATUS}?job=j-5 `,
    `GET ${LIST}?size=3 `,
    `GET ${LIST}?after=n%20w%26&size=3 `,
  ]);
  expect([all.sent, all.unsent.size]).toEqual([5, 0]);
  asked.length = 0;
  const reading = await resend(was, { ...options, allowed: ['read'] });
  expect(asked).toHaveLength(2);
  expect([...reading.unsent].map(([{ target }, why]) => [target, why])).toEqual([
    [DRIVE, 'its safety class is off'],
    [`${STATUS}?job=j-771`, 'its job was not started'],
  ]);
});

test('recorded credentials are not sent, and a request that needs an unknown secret is not sent at all', async () => {
  const { asked, source } = service(() => ({ status: 200, body: {} }));
  const was = recording([
    {
      target: '/webservices/testService',
      headers: { authorization: 'Bearer mdwiAuthorization', 'x-market': 'us' },
      responses: [{}],
    },
    { target: '/webservices/getSaveMap?token=mdwiToken', responses: [{}] },
    { target: '/webservices/getAllProspectFilters', headers: { 'x-key': 'mdwiXKey', cookie: 'a=b' }, responses: [{}] },
  ]);
  const resent = await resend(was, {
    profile: await loadProfile('empty'),
    source,
    baseOf: () => 'http://here/base',
    basePath: '/base',
    allowed: ['read', 'unclear'],
    reveal: (text) => text.replaceAll('mdwiXKey', 'known'),
    wait: async () => undefined,
  });
  expect(asked).toEqual(['GET /webservices/testService x-market', 'GET /webservices/getAllProspectFilters x-key']);
  expect([...resent.unsent.values()]).toEqual(['a secret it carries is not known']);
});

test('a request for no operation has the safety class of the operation with a similar path', () => {
  const of = (method: string, target: string) => classOfRequest({ method, target });
  expect(of('GET', '/webservices/GETSAVEMAP?x=1')).toBe('unclear');
  expect(of('POST', '/webservices/v1/drive')).toBe('job');
  expect(of('GET', '/webservices/createlist')).toBe('write');
  expect(of('GET', '/health')).toBe('read');
  expect(of('POST', '/data-access/v2/Catalogues')).toBe('read');
  expect(of('DELETE', '/PLATFORMAPI/prodRef/v1/allProducts')).toBe('unclear');
  expect(of('POST', '/oauth/token')).toBe('unclear');
});
