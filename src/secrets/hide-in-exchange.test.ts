import { describe, expect, test } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { formsOf } from './forms.ts';
import { Protection } from './hide-in-exchange.ts';
import { replaceStream } from './replace-stream.ts';

const response = { side: 'response' } as const;
const request = { side: 'request' } as const;
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
const UUID = '7b0a3b5e-1111-4222-8333-abcdefabcdef';

/** A body through the stream, in chunks of a size. */
function streamed(protection: Protection, body: Buffer, size: number): Buffer {
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  );
  const replace = replaceStream(protection.registry, response);
  return Buffer.concat([...chunks.flatMap((each) => replace(each)), ...replace()]);
}

describe('a declared secret', () => {
  test('leaves JSON what it was: a number stays a number', () => {
    const protection = new Protection({ declared: [{ name: 'key', value: '98765432' }] });
    const { n, s, upc } = JSON.parse(
      protection.text('{"n": 98765432 ,"s":"98765432","upc":"098765432105"}', response),
    ) as Record<string, unknown>;
    expect(n).toBeTypeOf('number');
    expect(n).not.toBe(98765432);
    expect(s).toBe('mdwiKey');
    expect(upc).toBe('098765432105');
  });

  test('gives the same recording when it is rotated', () => {
    const record = (token: string, password: string) => {
      const protection = new Protection({
        declared: [
          { name: 'bearer token', value: token },
          { name: 'secret', value: password },
        ],
      });
      return [
        protection.header('Authorization', `Bearer ${token}`, request),
        protection.url(`/x?p=${encodeURIComponent(password)}`, request),
        protection.text(JSON.stringify({ echo: token, password }), response),
      ];
    };
    expect(record('abcdef123', 'pa"ss')).toEqual(record(HEX, UUID));
  });

  test('that is a word of the interface, or too short, is hidden in its own place only', () => {
    const protection = new Protection({
      declared: [
        { name: 'password', value: 'testService' },
        { name: 'secret', value: 'US' },
      ],
      headers: ['X-Tenant'],
    });
    expect(protection.url('/webservices/testService?market=US', request)).toBe('/webservices/testService?market=US');
    expect(protection.header('X-Tenant', 'US', request)).toBe('mdwiSecret');
    expect(protection.registry.searchExclusions()).toEqual({
      password: 'a word of the interface or of recordings',
      secret: 'shorter than 4 characters',
    });
  });
});

describe('a credential by somebody’s word', () => {
  const body = { side: 'response', isInterfaceData: true } as const;
  const hide = (value: string, isCredential: boolean, profileText = ''): string =>
    new Protection({ declared: [{ name: 'key', value, isCredential }], profileText }).text(`{"a":"${value}"}`, body);

  test.each(['hunter2', 'sekrit', 'Beverages', 'open sesame'])('%s is sought within data, too', (value) => {
    expect(hide(value, true)).toBe('{"a":"mdwiKey"}');
    expect(hide(value, false)).toContain(value);
  });
  test.each(['123456', '2026-10-03', 'ab12'])('%s is left in data all the same', (value) => {
    expect(hide(value, true)).toContain(value);
  });
  test('a word the profile speaks is left in data', () => {
    expect(hide('market', true, '{"market":"$.market"}')).toContain('market');
  });
});

test('nothing of random secrets remains in any form, in texts and in streams, and twice is once', async () => {
  const word = fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' }).filter((each) => {
    const known = new Protection({ declared: [{ name: 'secret', value: each }] }).registry;
    // Digits alone are sought between other letters only; a blank end is no credential.
    return Object.keys(known.searchExclusions()).length === 0 && !/^\d+$|x|mdwi/i.test(each) && each.isWellFormed();
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('', 'a', ' ', '"', '0', '\n', '://'))),
      fc.integer({ min: 1, max: 50 }),
      async (secrets, places, size) => {
        const options = { declared: secrets.map((value) => ({ name: 'secret', value })) };
        const parts = places.map(([which, form, between]) => {
          const secret = secrets[which % secrets.length] as string;
          const forms = formsOf(secret, 'x');
          return Buffer.concat([(forms[form % forms.length] as { bytes: Buffer }).bytes, Buffer.from(between)]);
        });
        const body = Buffer.concat(parts);
        const protection = new Protection(options);
        const once = streamed(protection, body, size);
        const { needles } = protection.registry;
        // What two placeholders form between them by chance is no secret.
        const left = needles.find(once, 0, once.length);
        expect(
          left && body.includes(once.subarray(left.start, left.end)) ? left.value.form : undefined,
        ).toBeUndefined();
        expect(streamed(new Protection(options), body, 1000)).toEqual(once);
        expect(streamed(protection, once, 3)).toEqual(once);
      },
    ),
    { numRuns: 100 },
  );
});

const SECRETS_IN_PLACE: readonly (readonly [what: string, text: string, secret: string])[] = [
  ['a member', `{"access_token": "${HEX}", "expires_in": 3600}`, HEX],
  ['a member of JSON in JSON', JSON.stringify({ body: JSON.stringify({ refresh_token: 'a1b2c3d4e5' }) }), 'a1b2c3d4e5'],
  ['a password in JSON', '{"password":"letmein","user":"me"}', 'letmein'],
  ['a pair', '{"headers":[{"name":"X-Api-Key","value":"k3y-0f-acme"}]}', 'k3y-0f-acme'],
  ['a credential with its scheme', '{"Authorization":"Bearer a1b2c3d4e5f6"}', 'a1b2c3d4e5f6'],
  ['a query', '{"next":"http://upstream.invalid/x?page=2&access_token=a1b2c3d4e5f6"}', 'a1b2c3d4e5f6'],
  ['a query in XML', '<a href="/x?p=1&amp;sessionId=a1b2c3d4e5f6"/>', 'a1b2c3d4e5f6'],
  ['a path', '{"href":"/session/a1b2c3d4e5f6a7b8c9/rows"}', 'a1b2c3d4e5f6a7b8c9'],
  ['a path parameter', 'Location: /x;jsessionid=A1B2C3D4E5F6', 'A1B2C3D4E5F6'],
  ['an element', `<r><s:SessionToken xmlns:s="y">${UUID}</s:SessionToken></r>`, UUID],
  ['an element of CDATA', '<r><apiKey><![CDATA[a1b2c3d4e5f6]]></apiKey></r>', 'a1b2c3d4e5f6'],
  ['an attribute', `<session id="1" token='${HEX}'/>`, HEX],
  ['a multipart field', '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nletmein\r\n--b--', 'letmein'],
  ['an address', 'see https://me:letmein@host/x', 'letmein'],
  ['a JSON Web Token', 'x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123 y', 'eyJzdWIiOiIxIn0'],
  ['a key of a cloud', 'x AKIAIOSFODNN7EXAMPLE y', 'AKIAIOSFODNN7EXAMPLE'],
];

describe('a secret nobody declared', () => {
  test.each(SECRETS_IN_PLACE)('is found in %s, in texts and in streams', async (_, text, secret) => {
    const hidden = new Protection().text(text, response);
    expect(hidden).not.toContain(secret);
    const filler = '{"upc":"012345678905","category":"Tea"}\n'.repeat(9000);
    const long = streamed(new Protection(), Buffer.from(`${filler}${text}\n${filler}`), 16_384);
    // A password in an address announces itself by no word, so it is found in short texts only.
    if (!text.includes('me:letmein@')) expect(long.toString() === `${filler}${hidden}\n${filler}`).toBe(true);
  });

  test('at any place of a long stream', () => {
    const text = `{"a":1,"access_token":"${HEX}","b":2}`;
    const hidden = new Protection().text(text, response);
    const edge = 256 * 1024 + 40 * 1024;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), fc.integer({ min: -120, max: 120 }), (which, nudge) => {
        const before = Math.max(0, [0, 256 * 1024, edge][which]! + nudge);
        const body = Buffer.from(' '.repeat(before) + text + ' '.repeat(edge));
        const hide = new Protection().stream(response);
        const out = Buffer.concat([...hide(body.subarray(0, edge + 7)), ...hide(body.subarray(edge + 7)), ...hide()]);
        expect(out.toString().trim()).toBe(hidden);
        expect(out.length).toBe(body.length);
      }),
      { numRuns: 30 },
    );
  });

  test('is replaced wherever it stands, the same in answers and later requests', () => {
    const protection = new Protection();
    const answer = protection.text(`{"echo":"${UUID}","jobToken":"${UUID}","hex":"${HEX}"}`, response);
    const { jobToken, echo, hex } = JSON.parse(answer) as Record<string, string>;
    expect([echo, hex]).toEqual([jobToken, HEX]);
    expect(jobToken).toMatch(/^5ec4e700-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-0{11}1$/);
    expect(protection.url(`/status?id=${UUID}`, request)).toBe(`/status?id=${jobToken}`);
    expect(protection.url(`/status?id=x${UUID}`, request)).toBe(`/status?id=x${UUID}`);
  });

  test('keeps its type, its length and its own number', () => {
    const protection = new Protection();
    const tokens = [HEX, 'Q2hhbmdlIG1lIHBsZWFzZQ', '1234567890123456', HEX.toUpperCase(), HEX.replace('0', '1')];
    const text = protection.text(JSON.stringify(tokens.map((token) => ({ token }))), response);
    const hidden = (JSON.parse(text) as { token: string }[]).map(({ token }) => token);
    expect(hidden.map((each) => each.length)).toEqual(tokens.map((each) => each.length));
    expect(new Set(hidden).size).toBe(tokens.length);
    expect(hidden[0]).toMatch(/^[0-9a-f]+$/);
    expect(hidden[2]).toMatch(/^\d+$/);
    expect(hidden[3]).toMatch(/^[0-9A-F]+$/);
    const [, payload = ''] = protection.text('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123', response).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ sub: 'mdwiJwt1' });
  });

  test('found late is replaced where it stood before, too', () => {
    const text = new Protection().text(`${HEX} {"token":"${HEX}"}`, response);
    expect(text).not.toContain(HEX);
  });
});

test('a signed address loses what its signature brings along, and no input', () => {
  const protection = new Protection();
  expect(protection.url('/x?date=2026-11-14&se=2026-11-21T10%3A00%3A00Z&sig=abc%2B', request)).toBe(
    '/x?date=2026-11-14&se=mdwiSe&sig=mdwiSig',
  );
  expect(protection.url('/x?se=2026-11-21T10%3A00%3A00Z&ts=1763722800', request)).toBe(
    '/x?se=2026-11-21T10%3A00%3A00Z&ts=1763722800',
  );
});

test('the handle of every row of a long list keeps them apart, also beyond those that are searched', () => {
  const rows = Array.from({ length: 5000 }, (_, at) => ({ rowToken: `t0k${at}z${'a'.repeat(12)}`, upc: at }));
  const protection = new Protection();
  const text = protection.text(JSON.stringify(rows), { ...response, issuedBy: 'main GET /x' });
  const hidden = JSON.parse(text) as typeof rows;
  expect(new Set(hidden.map((each) => each.rowToken)).size).toBe(rows.length);
  expect(hidden[0]?.rowToken).toMatch(/^mdwiRowToken\d+x*$/);
  expect(protection.registry.overflow).toBeGreaterThan(0);
});

test('the placeholder of an issued secret depends on the response that issued it, not on earlier ones', () => {
  const mint = (protection: Protection, issuedBy: string): string =>
    protection.text('{"jobToken":"a1b2c3d4e5f6"}', { ...response, issuedBy });
  const first = mint(new Protection(), 'main POST /jobs');
  const protection = new Protection();
  protection.text('{"jobToken":"f6e5d4c3b2a1"}', { ...response, issuedBy: 'main POST /other' });
  expect(mint(protection, 'main POST /jobs')).toBe(first);
  expect(mint(new Protection(), 'b POST /jobs')).not.toBe(first);
});

test('brands and foods are no reason to look at a long list closely, and nothing is lost of it', () => {
  const row = '{"brand":"Secret","food":"Asian","by":"Basic Foods","line":"Signature Select"},\n';
  const long = Buffer.from(`${row.repeat(3000)}{"access_token":"${HEX}"}${row.repeat(3000)}`);
  const text = new Protection().bytes(long, response).toString();
  expect(text).not.toContain(HEX);
  expect(text.split(row)).toHaveLength(6001);
});

test('headers keep schemes, names and attributes', () => {
  const protection = new Protection({ headers: ['X-Tenant'], query: ['key'] });
  const lines = [
    ['Authorization', 'Bearer a1b2'],
    ['authorization', 'opaque'],
    ['Proxy-Authorization', `Basic ${Buffer.from('me:hunter2-hunter2').toString('base64')}`],
    ['Cookie', 'a=1; b=2'],
    ['X-API-Key', 'k'],
    ['X-Auth-Token', 't'],
    ['x-tenant', 'US'],
    ['X-Echo', 'hunter2-hunter2'],
    ['Referer', 'http://upstream.invalid/?apikey=abc'],
    ['If-None-Match', '"abc123def456"'],
    ['Idempotency-Key', UUID],
    ['Accept', 'application/json'],
  ] as const;
  expect(protection.headers(lines, request)).toEqual([
    ['Authorization', 'Bearer mdwiAuthorization'],
    ['authorization', 'mdwiAuthorization'],
    ['Proxy-Authorization', 'Basic mdwiProxyAuthorization'],
    ['Cookie', 'a=mdwiCookieA; b=mdwiCookieB'],
    ['X-API-Key', 'mdwiXAPIKey'],
    ['X-Auth-Token', 'mdwiXAuthToken'],
    ['x-tenant', 'mdwiXTenant'],
    ['X-Echo', 'mdwiPassword'],
    ['Referer', 'http://upstream.invalid/?apikey=mdwiApikey'],
    ['If-None-Match', '"abc123def456"'],
    ['Idempotency-Key', UUID],
    ['Accept', 'application/json'],
  ]);
  expect(protection.header('Set-Cookie', 'sid=a1b2c3d4e5f6071z; Path=/; HttpOnly', response)).toBe(
    'sid=mdwiCookieSid1xx; Path=/; HttpOnly',
  );
  expect(protection.header('Cookie', 'sid=a1b2c3d4e5f6071z', request)).toBe('sid=mdwiCookieSid1xx');
  expect(protection.header('Set-Cookie', 'sid=; Max-Age=0', response)).toBe('sid=; Max-Age=0');
  expect(protection.url('/x?key=abc&a=%20&key', request)).toBe('/x?key=mdwiKey&a=%20&key');
});

test('a declared secret is hidden in the name of a header, and other names stay', () => {
  const protection = new Protection({ declared: [{ name: 'header', value: 'Acme-k3y-77', isCredential: true }] });
  const lines: [string, string][] = [
    ['X-Acme-k3y-77', '1'],
    ['X-Acme', 'Acme-k3y-77'],
  ];
  expect(protection.headers(lines, response)).toEqual([
    ['X-mdwiHeader', '1'],
    ['X-Acme', 'mdwiHeader'],
  ]);
});

test('looking a recording up, other credentials match and placeholders stay', () => {
  const recorded = new Protection();
  const asked = recorded.text('grant_type=password&password=old&client_secret=s1', {
    ...request,
    type: 'application/x-www-form-urlencoded',
  });
  recorded.text(`{"token":"${HEX}"}`, response);
  const second = recorded.text(`{"token":"${HEX.replace('0', '1')}"}`, response);
  const status = recorded.url(`/status?token=${HEX.replace('0', '1')}`, request);
  const lookup = new Protection({ keepPlaceholders: true });
  expect(
    lookup.text('grant_type=password&password=new-one&client_secret=s2', {
      ...request,
      type: 'application/x-www-form-urlencoded',
    }),
  ).toBe(asked);
  expect(lookup.url(`/status?token=${(JSON.parse(second) as { token: string }).token}`, request)).toBe(status);
});

describe('nothing else is taken for a secret', () => {
  test.each([
    ['UPCs', '{"upc":"012345678905","token":"012345678905","key":"00012345678905"}'],
    ['paging', '{"nextPageToken":"a1b2c3d4e5f6","continuation_token":"eyJvZmZzZXQiOjEwMH0","cursor":"a1b2c3d4e5f6"}'],
    ['words', '{"session":"open","token":"Total US","secret":"Victoria","token_type":"Bearer","signature":"none"}'],
    ['brands', '{"Secret":"Procter & Gamble","brand":"Secret","items":{"Password":null,"Token":true}}'],
    ['prices and dates', '{"token":"1,234.50","session":"2026-11-21T08:00:00Z","secret":12.5,"sid":"-3%"}'],
    ['job ids', '{"jobId":"JOB-00000001","ticket":"7f3e91ac0011","id":"7b0a3b5e-1111-4222-8333-abcdefabcdef"}'],
    ['addresses', '{"token":"http://upstream.invalid/a/b","self":"http://upstream.invalid:8080/x@y"}'],
    ['categories', '<c key="TEA01" name="Basic Bearer bonds and other stationery"><token>Tea</token></c>'],
    ['binary', '\u0000\u0001\u0002 "\\'],
  ])('%s', async (_, text) => {
    expect(new Protection().text(text, response)).toBe(text);
    const bytes = Buffer.from(text.repeat(5000));
    expect(streamed(new Protection(), bytes, 65_536).equals(bytes)).toBe(true);
  });

  test('whatever text it is, byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 20 }), (bytes, size) => {
        const hide = new Protection({ declared: [{ name: 'secret', value: 'n0t-in-th3re' }] }).stream(response);
        const out: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += size) out.push(...hide(bytes.subarray(at, at + size)));
        expect(Buffer.concat([...out, ...hide()]).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });

  test('examples of the profile', () => {
    const protection = new Protection({ publicValues: ['a1b2c3d4e5f6'] });
    expect(protection.url('/status?token=a1b2c3d4e5f6', request)).toBe('/status?token=a1b2c3d4e5f6');
  });
});
