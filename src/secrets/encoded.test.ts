import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { checkHiding, encodedCase, protectionOf } from './encoded.test.support.ts';
import { redactor } from './redact.ts';
import { scanForLeaks } from './scan.ts';
import { secondSearch } from './second-search.ts';

const response = { side: 'response' } as const;
const SECRET = `k3y/p&s'w"d=ü+<x>`;

/** Lines of so many characters. */
const lines = (text: string, columns: number, between: string): string =>
  (text.match(new RegExp(`.{1,${columns}}`, 'g')) ?? []).join(between);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a secret is hidden as libraries spell it', () => {
  test.each([
    ['Gson', String.raw`k3y/p\u0026s\u0027w\"d\u003dü+\u003cx\u003e`],
    ['PHP with JSON_HEX_*', String.raw`k3y\/p\u0026s\u0027w\u0022d=\u00fc+\u003Cx\u003E`],
    ['JSON with some letters escaped', String.raw`\u006b3y/p&s'w\"d=\u00FC+<x>`],
    ['quote() of Python', 'k3y/p%26s%27w%22d%3D%C3%BC%2B%3Cx%3E'],
    ['a path segment', "k3y%2Fp&s'w%22d=%C3%BC+%3Cx%3E"],
    ['a query of a browser', 'k3y/p%26s%27w%22d=%c3%bc+%3Cx%3E'],
    ['HTML', 'k3y&#x2F;p&amp;s&#x27;w&quot;d&#x3D;ü+&lt;x&gt;'],
    ['decimal references', 'k3y&#47;p&#38;s&#039;w&#0034;d&#61;&#252;+&#60;x&#62;'],
    ['named references', 'k3y&sol;p&amp;s&apos;w&QUOT;d&equals;&uuml;&plus;&lt;x&gt;'],
    ['JavaScript', String.raw`k3y\x2fp\x26s\x27w\x22d\x3d\xfc+\x3Cx\x3E`],
    ['bytes of Python', String.raw`k3y/p&s\'w"d=\xc3\xbc+<x>`],
    ['quoted-printable', `k3y/p&s'w"d=3D=C3=\r\n=BC+<=\r\nx>`],
    ['JSON in JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ['JSON in a query', encodeURIComponent(JSON.stringify(SECRET).slice(1, -1))],
    ['octal escapes of C', String.raw`k3y\057p\46s\047w"d=\303\274+<x>`],
    ['octal escapes in JSON', String.raw`k3y\\057p&s'w\"d=\\303\\274+<x>`],
    ['eight digits of Python', String.raw`k3y/p\U00000026s'w"d=\U000000fc+<x>`],
    ['code points of JavaScript and C++', String.raw`k3y/p\u{26}s\x{27}w"d=\u{fc}+<x>`],
    ['HTML in JSON', String.raw`k3y\u0026#x2F;p\u0026amp;s\u0026#39;w&quot;d=ü+\u0026lt;x&gt;`],
  ])('%s', (_, spelled) => {
    const hidden = protectionOf(SECRET).text(`before ${spelled} after`, response);
    expect(hidden.replaceAll(/=\r\n/g, '')).toBe('before mdwiSecret after');
    expect(redactor([SECRET])(`before ${spelled} after`)).toBe('before *** after');
  });

  test.each(['\r\n--b--', '\nabc', ' --b', '\r\nx-y: 1'])(
    'padded base64 before %j, which is not part of it',
    (after) => {
      const hidden = protectionOf(SECRET).text(`${base64(`ab${SECRET}`)}${after}`, response);
      expect(hidden).toMatch(/^[\w+/]+=*[^=]*$/);
      expect(hidden.endsWith(after)).toBe(true);
      const [digits = ''] = hidden.split('=');
      expect(Buffer.from(digits, 'base64').toString()).toMatch(/^abmdwiSecretx*$/);
    },
  );

  const utf32 = Buffer.from(Uint32Array.from(SECRET, (each) => each.charCodeAt(0)).buffer);
  const hexOf = (bytes: Buffer, between: string): string => (bytes.toString('hex').match(/../g) ?? []).join(between);
  test.each([
    ['hex with colons', hexOf(Buffer.from(SECRET), ':'), hexOf(Buffer.from('mdwiSecret'), ':')],
    ['hex with blanks', hexOf(Buffer.from(SECRET), ' '), hexOf(Buffer.from('mdwiSecret'), ' ')],
    ['hex as in C', `0x${hexOf(Buffer.from(SECRET), ', 0x')}`, `0x${hexOf(Buffer.from('mdwiSecret'), ', 0x')}`],
    ['hex of UTF-16', hexOf(Buffer.from(SECRET, 'utf16le'), ''), hexOf(Buffer.from('mdwiSecret', 'utf16le'), '')],
    ['UTF-32', utf32.toString('latin1'), [...'mdwiSecret'].join('\0\0\0').concat('\0\0\0')],
    ['hex of base64', hexOf(Buffer.from(base64(SECRET)), ''), undefined],
    ['hex of UTF-32', utf32.toString('hex'), undefined],
  ])('%s', (_, spelled, expected) => {
    const hidden = protectionOf(SECRET).bytes(Buffer.from(`(${spelled};${spelled})`, 'latin1'), response);
    const [first = '', second] = hidden.toString('latin1').slice(1, -1).split(';');
    expect(second).toBe(first);
    expect(first).not.toContain(spelled.slice(4, -4));
    if (expected !== undefined) expect(first).toBe(expected);
    if (spelled.includes('\0')) return;
    expect(redactor([SECRET])(`(${spelled};${spelled})`)).toMatch(/^\((?:0x)?\*{3};(?:0x)?\*{3}\)$/);
  });

  test.each([
    ['PEM', 64, '\n'],
    ['mail', 76, '\r\n'],
    ['any column', 7, '\n'],
    ['indented XML', 20, '\n    '],
  ])('base64 in lines as in %s, and the lines stay', (_, columns, between) => {
    const long = 'of some length, so that its placeholder can be as long';
    const around = (secret: string): string => lines(base64(`user:${secret} and more behind it`), columns, between);
    const hidden = protectionOf(long).text(`"${around(long)}"`, response);
    expect(hidden.split(between).map((each) => each.length)).toEqual(
      `"${around(long)}"`.split(between).map((each) => each.length),
    );
    const read = Buffer.from(hidden, 'base64').toString();
    expect(read).toMatch(/^user:.*wiSecretx+.* and more behind it$/);
    expect(read).not.toContain('some length');
    expect(redactor([long])(around(long))).not.toContain(base64('of some length').slice(2, 16));
  });

  test('base64 in lines within JSON leaves JSON', () => {
    const text = JSON.stringify({ file: lines(base64(`a line\n${SECRET}\nanother line`), 16, '\r\n') });
    const { file } = JSON.parse(protectionOf(SECRET).text(text, response)) as { file: string };
    expect(Buffer.from(file, 'base64').toString()).toMatch(/^a line\n.*wiSecre.*\nanother line$/);
  });

  test('JSON in base64 leaves JSON in base64', () => {
    const text = base64(JSON.stringify({ a: 1, secret: SECRET, b: 2 }));
    const read = Buffer.from(protectionOf(SECRET).text(text, response), 'base64').toString();
    expect(JSON.parse(read)).toEqual({ a: 1, secret: expect.stringMatching(/^mdwiSecretx*$/) as string, b: 2 });
  });
});

test.each(['utf16le', 'utf8'] as const)(
  'a secret as base64 of %s is hidden behind other base64, and each time',
  (charset) => {
    const secret = 'k3y-of-acme-77';
    const encoded = Buffer.from(secret, charset).toString('base64').replace(/=+$/, '');
    const body = JSON.stringify({ a: base64('some readable text'), b: encoded, c: encoded, d: base64('more') });
    expect(protectionOf(secret).text(body, response)).not.toContain(encoded.slice(2, -2));
    expect(redactor([secret])(body)).not.toContain(encoded.slice(2, -2));
    const { a, b, c, d } = JSON.parse(protectionOf(secret).text(body, response)) as Record<string, string>;
    expect([a, d]).toEqual([base64('some readable text'), base64('more')]);
    for (const each of [b, c]) expect(Buffer.from(each ?? '', 'base64').toString(charset)).toMatch(/^mdwiSecretx*$/);
  },
);

test('a secret that is all of a text is hidden, if its placeholder is as long, too', () => {
  expect(protectionOf('hunter2-12').text('hunter2-12', response)).toBe('mdwiSecret');
});

test('a secret is hidden whole, where its beginning looks like one, too', () => {
  expect(protectionOf('a1b2c3d4e5f6/a1b2c3d4€!').text('Basic a1b2c3d4e5f6/a1b2c3d4€!', response)).toBe(
    'Basic mdwiSecret',
  );
});

test('a token that was found is hidden behind an escape that ends in a letter', () => {
  const protection = protectionOf('another-one');
  const token = 'a1b2c3d4e5f6';
  expect(protection.text(`{"access_token":"${token}"}`, response)).not.toContain(token);
  for (const text of [`{"log":"first\\n${token}"}`, `next%3D${token}`, `q%22${token}%22`])
    expect(protection.text(text, response)).not.toContain(token);
});

// `node scripts/encoded-secrets.ts 10000` tries more.
test('a secret is hidden in whatever one or two encodings make of it, and all else is as it was', () => {
  expect(() => fc.assert(fc.property(encodedCase, checkHiding), { numRuns: 200, seed: 1 })).not.toThrow();
});

test('a stream says what the text does, wherever it is cut', () => {
  const row = '{"upc":"012345678905","d":"1\\/2 of M&amp;M \\"x\\""},\n';
  const filler = row.repeat(Math.ceil((270 * 1024) / row.length));
  fc.assert(
    fc.property(
      encodedCase,
      fc.integer({ min: -60, max: 20 }),
      fc.constantFrom(1000, 64 * 1024, 1024 * 1024),
      ({ secret, text }, nudge, size) => {
        const whole = Buffer.from(`${filler.slice(0, 256 * 1024 + nudge)} ${text} ${filler}`);
        const hide = protectionOf(secret).stream(response);
        const out: Uint8Array[] = [];
        for (let at = 0; at < whole.length; at += size) out.push(...hide(whole.subarray(at, at + size)));
        out.push(...hide());
        expect(Buffer.concat(out).equals(protectionOf(secret).bytes(whole, response))).toBe(true);
      },
    ),
    { numRuns: 10, seed: 1 },
  );
});

test('the second search finds what encoders make of a secret by itself, and nothing where it is hidden', () => {
  expect(readFileSync(join(import.meta.dirname, 'second-search.ts'), 'utf8')).not.toContain('import ');
  // It knows the five named references of XML only.
  const plain = encodedCase.filter(({ names }) => !names.includes('HTML') && !names.includes('JavaScript'));
  fc.assert(
    fc.property(plain, ({ secret, text }) => {
      const search = secondSearch([{ value: secret }]);
      expect(search(Buffer.from(text), { isJson: false })).toHaveLength(1);
      expect(search(Buffer.from(JSON.stringify({ text })), { isJson: true })).toHaveLength(1);
      const hidden = protectionOf(secret).text(text, response);
      expect(search(Buffer.from(hidden), { isJson: false })).toEqual([]);
    }),
    { numRuns: 150, seed: 1 },
  );
});

test('the scan finds in files what is hidden in texts, in bodies that JSON holds, too', async () => {
  const folder = newFolder();
  await fc.assert(
    fc.asyncProperty(encodedCase, async ({ secret, text }) => {
      await writeFile(join(folder, 'recording.har'), JSON.stringify({ text }));
      await writeFile(join(folder, 'body'), text);
      const { leaks } = await scanForLeaks(folder, protectionOf(secret).registry);
      expect(new Set(leaks.map(({ file }) => file))).toEqual(new Set(['recording.har', 'body']));
    }),
    { numRuns: 25, seed: 1 },
  );
});
