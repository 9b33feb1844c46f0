import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyFrom } from '../exchange/body.ts';
import type { Exchange } from '../exchange/types.ts';
import { comparable, differences, type Signature, signatureOf } from './signature.ts';

interface Answer {
  readonly url?: string;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

function sign({ url = 'http://host/a/v1/drive', status = 404, headers = [], body = '' }: Answer) {
  const exchange: Exchange = {
    request: { method: 'GET', url, headers: [] },
    response: { status, reasonPhrase: '', headers },
    body: bodyFrom(Buffer.from(body)),
    redirects: [],
    timing: { startedAt: '', totalMs: 0 },
  };
  return signatureOf(exchange) as Promise<Signature>;
}

async function differ(a: Answer, b: Answer) {
  const [one, other] = comparable([await sign(a), await sign(b)]) as [Signature, Signature];
  return differences(one, other);
}

describe('two responses are the same', () => {
  const other = 'http://host/a/v1/zxqjk';
  it.each<[string, Answer, Answer]>([
    ['that echo their path', { body: 'no /a/v1/drive here' }, { url: other, body: 'no /a/v1/zxqjk here' }],
    ['that echo a part of it', { body: 'cannot GET v1/drive' }, { url: other, body: 'cannot GET v1/zxqjk' }],
    ['that echo it in JSON', { body: '{"p":"\\/a\\/v1\\/drive"}' }, { url: other, body: '{"p":"\\/a\\/v1\\/zxqjk"}' }],
    ['that echo it in HTML', { body: 'a&#x2F;v1&#x2F;drive' }, { url: other, body: 'a&#x2F;v1&#x2F;zxqjk' }],
    ['that echo it encoded', { body: '?from=%2Fa%2Fv1%2Fdrive' }, { url: other, body: '?from=%2Fa%2Fv1%2Fzxqjk' }],
    ['that echo it in capitals', { body: 'DRIVE' }, { url: other, body: 'ZXQJK' }],
    [
      'that name every path',
      { body: 'no /a/v1/drive: try drive or list' },
      { url: other, body: 'no /a/v1/zxqjk: try drive or list' },
    ],
    ['that echo their URL', { body: 'http://host/a/v1/drive' }, { url: other, body: other }],
    [
      'that redirect to a log-in that comes back',
      { status: 302, headers: [['Location', '/login?next=%2Fa%2Fv1%2Fdrive']] },
      { url: other, status: 302, headers: [['location', '/login?next=%2Fa%2Fv1%2Fzxqjk']] },
    ],
    ['with other times', { body: '{"at":"2026-11-21T08:00:00Z"}' }, { body: '{"at":"2026-11-21T09:17:44Z"}' }],
    [
      'with other ids',
      { body: '{"id":"1f0e6c1e-7c5b-4b4e-9d55-0c5d7c3a9e10","t":"req-8f3a2c"}' },
      { body: '{"id":"aa0e6c1e-7c5b-4b4e-9d55-0c5d7c3a9e11","t":"req-99x1cd"}' },
    ],
    ['with other layout', { body: '{ "a":\n 1 }' }, { body: '{ "a": 1 }' }],
    [
      'with other parameters of the type',
      { headers: [['Content-Type', 'Application/JSON; charset=utf-8']] },
      { headers: [['content-type', 'application/json']] },
    ],
    [
      'one of them compressed',
      { body: gzipSync('nothing at /a/v1/drive'), headers: [['Content-Encoding', 'gzip']] },
      { url: other, body: 'nothing at /a/v1/zxqjk' },
    ],
    ['that break off in one coding', ...broken()],
  ])('%s', async (_, a, b) => {
    expect(await differ(a, b)).toEqual([]);
  });
});

function broken(): [Answer, Answer] {
  const answer: Answer = { body: gzipSync('x').subarray(0, 12), headers: [['Content-Encoding', 'gzip']] };
  return [answer, answer];
}

describe('two responses differ', () => {
  it.each<[keyof Signature, Answer, Answer]>([
    ['status', { status: 404 }, { status: 405 }],
    ['type', { headers: [['Content-Type', 'text/html']] }, { headers: [['Content-Type', 'application/json']] }],
    ['location', { headers: [['Location', '/login']] }, { headers: [['Location', '/home']] }],
    ['body', { body: '{"error":"not found"}' }, { body: '{"error":"catalogue id missing"}' }],
    ['body', { body: '[]' }, { body: '{}' }],
    ['body', { body: '' }, { body: 'x' }],
  ])('in %s', async (feature, a, b) => {
    expect(await differ(a, b)).toEqual([feature]);
  });

  it('within the first 64 KiB of the decoded body only', async () => {
    const long = 'word '.repeat(13_200);
    expect(await differ({ body: `${long}one` }, { body: `${long}two` })).toEqual([]);
    const headers = [['Content-Encoding', 'gzip']] as const;
    expect(await differ({ body: gzipSync(`${long}one`), headers }, { body: gzipSync(`${long}two`), headers })).toEqual(
      [],
    );
    expect(await differ({ body: `one ${long}` }, { body: `two ${long}` })).toEqual(['body']);
  });
});

it('without a response there is no signature', async () => {
  const exchange: Exchange = {
    request: { method: 'GET', url: 'http://host/a', headers: [] },
    body: bodyFrom(new Uint8Array(0)),
    failure: { kind: 'refused', message: 'refused' },
    redirects: [],
    timing: { startedAt: '', totalMs: 0 },
  };
  expect(await signatureOf(exchange)).toBeUndefined();
});
