import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProtector } from './protect.ts';

const protector = createProtector({ values: ['s3cret-token', 'påss/word'], headers: ['x-api-key'], query: ['key'] });

test('credentials leave the headers, their shape stays', () => {
  const { headers, url } = protector.request({
    method: 'GET',
    url: 'http://upstream.invalid/x?key=abc&a=s3cret-token',
    headers: [
      ['Authorization', 'Bearer abc.def'],
      ['authorization', 'abc'],
      ['Cookie', 'a=1; b=2'],
      ['X-API-Key', 'k'],
      ['X-Other', 'is s3cret-token'],
    ],
  });
  expect(headers).toEqual([
    ['Authorization', 'Bearer ***'],
    ['authorization', '***'],
    ['Cookie', 'a=***; b=***'],
    ['X-API-Key', '***'],
    ['X-Other', 'is ***'],
  ]);
  expect(url).toBe('http://upstream.invalid/x?key=***&a=***');
  const response = protector.response({
    status: 200,
    reason: 'OK',
    headers: [['Set-Cookie', 'sid=abc; Path=/; HttpOnly']],
    body: { text: '{"token":"s3cret-token"}' },
  });
  expect(response.headers).toEqual([['Set-Cookie', 'sid=***; Path=/; HttpOnly']]);
  expect(response.body).toEqual({ text: '{"token":"***"}' });
});

test('declared values leave a streamed body too, however it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('s3cret-token', 'påss/word', 's3cret', 'x', 'p%C3%A5ss%2Fword', 's3c')),
      fc.array(fc.nat(20)),
      (words, cuts) => {
        const text = words.join('');
        const bytes = Buffer.from(text, 'utf8');
        const push = protector.stream();
        const out: Uint8Array[] = [];
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          out.push(...push(bytes.subarray(at, at + cut)));
          at += cut;
        }
        out.push(...push());
        expect(Buffer.concat(out).toString('utf8')).toBe(protector.text(text));
      },
    ),
  );
});
