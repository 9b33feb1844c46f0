import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
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

const start = ['curl', '-sS', '-i', '-g'];

describe('asCurl', () => {
  test('of a plain GET', () => {
    expect(toCurl(request({ headers: [['accept', '*/*']] }))).toBe("curl -sS -i -g --path-as-is 'http://h/p'");
  });

  test('keeps the URL, header lines and quotes as they are', () => {
    const url = "http://h/a/../b?x=[1]&y='$(z)`";
    const made = toCurl(
      request({
        method: 'POST',
        url,
        headers: [
          ['X-A', "it's"],
          ['X-A', '$HOME'],
          ['X-Empty', ''],
        ],
      }),
    );
    expect(words(made)).toEqual([
      ...start,
      '-X',
      'POST',
      '-H',
      "X-A: it's",
      '-H',
      'X-A: $HOME',
      '-H',
      'X-Empty;',
      '--path-as-is',
      url,
    ]);
  });

  test('carries a text body, even one that begins with @ or spans lines', () => {
    const made = toCurl(
      request({ method: 'POST', headers: [['Content-Type', 'a/b']], body: Buffer.from('@it\'s\n"é"') }),
    );
    expect(words(made)).toEqual([
      ...start,
      '-X',
      'POST',
      '-H',
      'Content-Type: a/b',
      '--data-raw',
      '@it\'s\n"é"',
      '--path-as-is',
      'http://h/p',
    ]);
  });

  test('is one line that no terminal interprets, whatever the request contains', () => {
    const text = "\u001b[2J\u009b\u202e\r\n::error::x ##[error]'\\x41";
    const made = toCurl(request({ method: 'POST', url: `http://h/${text}`, body: Buffer.from(text) }));
    expect(printable(made)).toBe(made);
    expect(words(made)).toEqual(expect.arrayContaining([text, `http://h/${text}`]));
  });

  test('prevents curl from adding a media type, and a GET stays a GET', () => {
    expect(words(toCurl(request({ body: Buffer.from('x') })))).toEqual([
      ...start,
      '-X',
      'GET',
      '-H',
      'Content-Type:',
      '--data-raw',
      'x',
      '--path-as-is',
      'http://h/p',
    ]);
  });

  test('names a body that is long or binary as a file', () => {
    for (const body of [Buffer.alloc(5000, 'a'), Buffer.from([0xff, 0xfe]), Buffer.from('a\0b')]) {
      const made = words(toCurl(request({ method: 'PUT', body })));
      expect(made.slice(-4, -2)).toEqual(['--data-binary', `@body-of-${body.length}-bytes`]);
    }
  });

  test('of HEAD and of odd methods', () => {
    expect(toCurl(request({ method: 'HEAD' }))).toBe("curl -sS -i -g --head --path-as-is 'http://h/p'");
    expect(words(toCurl(request({ method: "M'!" })))).toContain("M'!");
  });
});
