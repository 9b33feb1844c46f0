import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { addressOf, type ConvertedEntry, convertEntry } from './convert-entry.ts';

type Json = Record<string, unknown>;

/** An entry as an exporter writes it, with overrides for a test. */
function entry(over: { request?: Json; response?: Json; entry?: Json } = {}): Json {
  return {
    startedDateTime: '2026-11-20T09:00:00.250Z',
    time: 12.5,
    request: {
      method: 'GET',
      url: 'https://api.example/v/PLATFORMAPI/prodRef/v1/allProducts?category=Tea%20%26%20Co&page=2',
      headers: [
        { name: ':authority', value: 'api.example' },
        { name: 'accept', value: '*/*' },
      ],
      ...over.request,
    },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: 2, mimeType: 'application/json', text: '{}' },
      ...over.response,
    },
    ...over.entry,
  };
}

const taken = (value: unknown): ConvertedEntry => {
  const found = convertEntry(value);
  if (typeof found === 'string') throw new Error(`left out: ${found}`);
  return found;
};
const bodyOf = (value: unknown): string => Buffer.from(taken(value).body).toString('utf8');
const header = (value: unknown, name: string): string[] =>
  taken(value).responseHeaders.flatMap(([each, said]) => (each.toLowerCase() === name ? [said] : []));

test('method, origin and target are kept byte for byte, without HTTP/2 pseudo-headers', () => {
  const { method, origin, target, requestHeaders, startedAt, endedAt } = taken(entry());
  expect({ method, origin, target }).toEqual({
    method: 'GET',
    origin: 'https://api.example',
    target: '/v/PLATFORMAPI/prodRef/v1/allProducts?category=Tea%20%26%20Co&page=2',
  });
  expect(requestHeaders).toEqual([['accept', '*/*']]);
  expect([startedAt, (endedAt ?? 0) - (startedAt ?? 0)]).toEqual([Date.parse('2026-11-20T09:00:00.250Z'), 12.5]);
});

test('a default port, a fragment, and a query that is only in queryString', () => {
  const url = 'HTTPS://Api.Example:443/webservices/testService#top';
  const queryString = [
    { name: 'a b', value: 'ü' },
    { name: 'c', value: '%20' },
  ];
  expect(taken(entry({ request: { url, queryString } }))).toMatchObject({
    origin: 'https://api.example',
    target: '/webservices/testService?a%20b=%C3%BC&c=%20',
  });
});

describe('an entry that was not an exchange with a server is skipped:', () => {
  test.each([
    ['data URLs', entry({ request: { url: 'data:text/plain,x' } }), 'scheme'],
    ['blob URLs', entry({ request: { url: 'blob:https://a/1' } }), 'scheme'],
    ['extensions', entry({ request: { url: 'chrome-extension://abc/x.js' } }), 'scheme'],
    ['web sockets', entry({ request: { url: 'wss://a/x' } }), 'socket'],
    ['web sockets by their type', entry({ entry: { _resourceType: 'websocket' } }), 'socket'],
    ['upgrades', entry({ response: { status: 101 } }), 'socket'],
    ['tunnels', entry({ request: { method: 'CONNECT', url: 'https://api.example:443' } }), 'socket'],
    [
      'preflights',
      entry({ request: { method: 'OPTIONS', headers: [{ name: 'Access-Control-Request-Method', value: 'GET' }] } }),
      'preflight',
    ],
    ['service workers', entry({ response: { _fetchedViaServiceWorker: true } }), 'serviceWorker'],
    ['the disk cache of Chrome', entry({ entry: { _fromCache: 'disk' } }), 'cached'],
    ['the memory cache of Safari', entry({ response: { _fetchType: 'Memory Cache' } }), 'cached'],
    ['304', entry({ response: { status: 304, content: {} } }), 'notModified'],
    ['aborted ones', entry({ response: { status: 0, _error: 'net::ERR_ABORTED' } }), 'unanswered'],
    ['blocked ones', entry({ response: { status: -1 } }), 'unanswered'],
    ['requests that were never sent', { request: { method: 'GET', url: 'https://a/x' } }, 'unanswered'],
    ['no request', { response: { status: 200 } }, 'malformed'],
    ['a relative URL', entry({ request: { url: '/x' } }), 'malformed'],
    ['a method with a blank', entry({ request: { method: 'GE T' } }), 'malformed'],
    ['a status of four digits', entry({ response: { status: 2000 } }), 'malformed'],
    ['a fraction as status', entry({ response: { status: 200.5 } }), 'malformed'],
    ['an interim response', entry({ response: { status: 103 } }), 'unanswered'],
    ['a number', 7, 'malformed'],
    ['null', null, 'malformed'],
  ])('%s', (_, value, reason) => {
    expect(convertEntry(value)).toBe(reason);
  });
});

describe('an incomplete entry is skipped:', () => {
  test.each([
    ['a body of which only the size is told', { content: { size: 10, mimeType: 'application/json' } }, 'noBody'],
    ['an empty text with a size', { content: { size: 10, text: '' } }, 'noBody'],
    ['a body announced by its header', { headers: [{ name: 'Content-Length', value: '9' }], content: {} }, 'noBody'],
    ['a text shorter than the body', { content: { size: 50, text: '{"items":[' } }, 'cutBody'],
    ['letters that were lost', { content: { size: 3, text: '\ufffd' } }, 'damagedBody'],
    ['base64 that is none', { content: { size: 3, text: '***', encoding: 'base64' } }, 'damagedBody'],
  ])('%s', (_, response, reason) => {
    expect(convertEntry(entry({ response }))).toBe(reason);
  });

  test('a request whose body is only announced', () => {
    expect(convertEntry(entry({ request: { method: 'POST', bodySize: 12 } }))).toBe('noRequestBody');
  });

  test('a form with a file', () => {
    const params = [{ name: 'f', fileName: 'a.csv', contentType: 'text/csv' }];
    const postData = { mimeType: 'multipart/form-data; boundary=x', params };
    expect(convertEntry(entry({ request: { method: 'POST', postData } }))).toBe('noRequestBody');
  });
});

describe('response bodies', () => {
  test('in base64 are bytes', () => {
    const text = Buffer.from([0, 255, 1]).toString('base64');
    const value = entry({ response: { content: { size: 3, text, encoding: 'base64' } } });
    expect([...taken(value).body]).toEqual([0, 255, 1]);
  });

  test('are decoded, and their headers do not name the coding', () => {
    const headers = [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Content-Encoding', value: 'br' },
      { name: 'Content-Length', value: '17' },
      { name: 'Transfer-Encoding', value: 'chunked' },
    ];
    const value = entry({
      response: { headers, content: { size: 40, compression: 23, text: `{"a":"${'é'.repeat(16)}"}` } },
    });
    expect(taken(value).responseHeaders).toEqual([['Content-Type', 'application/json']]);
    expect(taken(value).coding).toBe('br');
  });

  test('that are still compressed keep their coding', () => {
    const packed = gzipSync('{"a":1}');
    const headers = [{ name: 'content-encoding', value: 'gzip' }];
    const content = { size: packed.length, text: packed.toString('base64'), encoding: 'base64' };
    const value = entry({ response: { headers, content } });
    expect(Buffer.from(taken(value).body)).toEqual(packed);
    expect(header(value, 'content-encoding')).toEqual(['gzip']);
  });

  test('are encoded in their charset, or declared as UTF-8', () => {
    const latin = [{ name: 'content-type', value: 'text/csv; charset=ISO-8859-1; header=present' }];
    const plain = entry({ response: { headers: latin, content: { size: 4, text: 'Café' } } });
    expect(Buffer.from(taken(plain).body)).toEqual(Buffer.from('Café', 'latin1'));
    const wider = entry({ response: { headers: latin, content: { size: 3, text: '漢' } } });
    expect(bodyOf(wider)).toBe('漢');
    expect(header(wider, 'content-type')).toEqual(['text/csv; charset=utf-8; header=present']);
    const xml = entry({
      response: {
        headers: [],
        content: { size: 60, text: `<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>${' '.repeat(12)}` },
      },
    });
    expect(Buffer.from(taken(xml).body).includes(0xe9)).toBe(true);
  });

  test('sizes in characters, or no sizes, do not mean a truncated body', () => {
    expect(bodyOf(entry({ response: { content: { size: 4, text: 'Café' } } }))).toBe('Café');
    expect(bodyOf(entry({ response: { content: { text: 'Café' } } }))).toBe('Café');
    expect(bodyOf(entry({ response: { content: { size: -1, text: 'Café' } } }))).toBe('Café');
  });

  test('may be absent if there is none', () => {
    expect(bodyOf(entry({ response: { status: 204, content: { size: 0 } } }))).toBe('');
    expect(
      bodyOf(
        entry({
          request: { method: 'HEAD' },
          response: { content: { size: 0 }, headers: [{ name: 'content-length', value: '99' }] },
        }),
      ),
    ).toBe('');
    expect(bodyOf(entry({ response: { status: 302, redirectURL: '/x', content: { size: 120 } } }))).toBe('');
    expect(bodyOf(entry({ response: { content: { size: 0, mimeType: 'x-unknown' } } }))).toBe('');
  });

  test('have the type of the exporter if no header has one', () => {
    expect(header(entry({ response: { headers: [] } }), 'content-type')).toEqual(['application/json']);
  });

  test('joined header lines are split again', () => {
    const headers = [
      { name: 'Set-Cookie', value: 'a=1\nb=2' },
      { name: 'set-cookie', value: 'c=3' },
    ];
    expect(header(entry({ response: { headers } }), 'set-cookie')).toEqual(['a=1', 'b=2', 'c=3']);
  });
});

describe('request bodies', () => {
  const post = (postData: Json, more: Json = {}) => taken(entry({ request: { method: 'POST', postData, ...more } }));

  test('are text, base64 or the pairs of a form', () => {
    expect(Buffer.from(post({ mimeType: 'application/json', text: '{"ü":1}' }).requestBody ?? []).toString()).toBe(
      '{"ü":1}',
    );
    expect([...(post({ text: 'AAE=', encoding: 'base64' }).requestBody ?? [])]).toEqual([0, 1]);
    const form = post({
      mimeType: 'application/x-www-form-urlencoded',
      params: [
        { name: 'a', value: 'x y' },
        { name: 'b', value: '%26' },
      ],
    });
    expect(Buffer.from(form.requestBody ?? []).toString()).toBe('a=x%20y&b=%26');
    expect(form.requestHeaders).toContainEqual(['content-type', 'application/x-www-form-urlencoded']);
  });

  test('may be absent', () => {
    expect(post({ mimeType: '', text: '' }, { bodySize: 0 }).requestBody).toBeUndefined();
  });
});

test('an address is read without bodies', () => {
  expect(addressOf(entry({ response: { content: { size: 9 } } }))).toMatchObject({ origin: 'https://api.example' });
});
