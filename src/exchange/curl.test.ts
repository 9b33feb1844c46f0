import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toCurl } from './curl.ts';
import { printable } from './printable.ts';
import type { WireRequest } from './types.ts';

const request = (more: Partial<WireRequest>): WireRequest => ({
  method: 'GET',
  url: 'http://h/p',
  headers: [],
  ...more,
});
/** The words a shell makes of the command. */
const words = (command: string): string[] =>
  execFileSync('bash', ['-c', `set -- ${command}; for w in "$@"; do printf '%s\\0' "$w"; done`])
    .toString()
    .split('\0')
    .slice(0, -1);

const ODD_URL = "http://h/a/../b?x=[1]&y='$(z)`";
const ODD_HEADERS = ["X-A: it's", 'X-A: $HOME', 'X-Empty: '].map((each) => each.split(': ') as [string, string]);
const fileOf = (length: number): string[] => ['--data-binary', `@body-of-${length}-bytes`];

test.each<[what: string, sent: Partial<WireRequest>, words: readonly string[], url?: string]>([
  ['a plain GET', { headers: [['accept', '*/*']] }, []],
  ['HEAD', { method: 'HEAD' }, ['--head']],
  ['an odd method', { method: "M'!" }, ['-X', "M'!"]],
  [
    'URL, header lines and quotes as they are',
    { method: 'POST', url: ODD_URL, headers: ODD_HEADERS },
    ['-X', 'POST', '-H', "X-A: it's", '-H', 'X-A: $HOME', '-H', 'X-Empty;'],
    ODD_URL,
  ],
  [
    'a text body that begins with @ and spans lines',
    { method: 'POST', headers: [['Content-Type', 'a/b']], body: Buffer.from('@it\'s\n"é"') },
    ['-X', 'POST', '-H', 'Content-Type: a/b', '--data-raw', '@it\'s\n"é"'],
  ],
  [
    'a body without a media type, which curl must not add, and of a GET, which stays one',
    { body: Buffer.from('x') },
    ['-X', 'GET', '-H', 'Content-Type:', '--data-raw', 'x'],
  ],
  ...[Buffer.alloc(5000, 'a'), Buffer.from([0xff, 0xfe]), Buffer.from('a\0b')].map(
    (body): [string, Partial<WireRequest>, string[]] => [
      `a long or binary body of ${body.length} bytes`,
      { method: 'PUT', body },
      ['-X', 'PUT', '-H', 'Content-Type:', ...fileOf(body.length)],
    ],
  ),
])('the command carries %s', (_, sent, expected, url = 'http://h/p') => {
  expect(words(toCurl(request(sent)))).toEqual(['curl', '-sS', '-i', '-g', ...expected, '--path-as-is', url]);
});

test('is one line that no terminal interprets, whatever the request contains', () => {
  const text = "\u001b[2J\u009b\u202e\r\n::error::x ##[error]'\\x41";
  const made = toCurl(request({ method: 'POST', url: `http://h/${text}`, body: Buffer.from(text) }));
  expect(printable(made)).toBe(made);
  expect(words(made)).toEqual(expect.arrayContaining([text, `http://h/${text}`]));
});
