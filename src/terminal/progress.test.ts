import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { startProgress } from './progress.ts';

const CLEAR = '\r\x1b[2K';

/** What the first update of a terminal with these columns shows. */
function shown(what: string, columns: number): string {
  const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns });
  startProgress('requests', terminal as unknown as NodeJS.WriteStream).update(3, what);
  return terminal.read() as string;
}

test.each([
  ['fills the line', 'GET /products', 24, '3 requests · GET /produc'],
  ['counts letters of two columns', '品品品品品品', 19, '3 requests · 品品品'],
  ['counts combined letters once', 'e\u0301e\u0301e\u0301', 15, '3 requests · e\u0301e\u0301'],
  ['fits on 80 columns where the terminal has no size', 'x'.repeat(100), 0, `3 requests · ${'x'.repeat(67)}`],
])('%s', (_, what, columns, text) => {
  expect(shown(what, columns)).toBe(CLEAR + text.normalize());
});

test('a pipe gets nothing', () => {
  const pipe = new PassThrough({ encoding: 'utf8' });
  const progress = startProgress('requests', pipe as unknown as NodeJS.WriteStream);
  progress.update(1, 'x');
  progress.end();
  expect(pipe.read()).toBeNull();
});
