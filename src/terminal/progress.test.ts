import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ProgressOptions, startProgress } from './progress.ts';

/** A terminal of this size that shows what is written to it. */
function startTerminal(columns: number, rows = 24) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns, rows });
  const screen: string[] = [''];
  let [row, column] = [0, 0];
  const put = (char: string): void => {
    if (char === '\r') column = 0;
    else if (char === '\n' || column === columns) {
      row += 1;
      column = 0;
      screen[row] ??= '';
    }
    if (char === '\r' || char === '\n') return;
    screen[row] = (screen[row] as string).slice(0, column).padEnd(column) + char;
    column += 1;
  };
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    /** The rows that are shown now. */
    screen(): string[] {
      for (const [, up, erase, char = ''] of String(stream.read() ?? '').matchAll(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: The terminal reads escape sequences.
        /\u001b\[(?:(\d+)A|(J))|([\s\S])/gu,
      )) {
        if (up !== undefined) row = Math.max(0, row - Number(up));
        else if (erase) screen.splice(row, screen.length, (screen[row] as string).slice(0, column));
        else put(char);
      }
      return [...screen];
    },
  };
}

const GROUPS = [
  { name: 'A  Services', bound: 10, has: (what: string) => what.includes('services') },
  { name: 'C  Products', bound: 200, has: (what: string) => what.includes('products') },
];

/** A run on a terminal with a clock of its own. */
function startRun(columns: number, options: ProgressOptions = {}, rows = 24) {
  let time = 0;
  const terminal = startTerminal(columns, rows);
  const progress = startProgress({ stream: terminal.stream, now: () => time, ...options });
  return {
    ...terminal,
    progress,
    /** Sends a request after this time. */
    after(ms: number, count: number, what: string): string[] {
      time += ms;
      progress.update(count, what);
      return terminal.screen();
    },
  };
}

test.each([
  ['fills the line', 'GET /products', 24, '3 requests · GET /produc'],
  ['counts letters of two columns', '品品品品品品', 19, '3 requests · 品品品'],
  ['counts combined letters once', 'e\u0301e\u0301e\u0301', 15, '3 requests · e\u0301e\u0301'],
  ['fits on 80 columns where the terminal has no size', 'x'.repeat(100), 0, `3 requests · ${'x'.repeat(67)}`],
])('one line %s', (_, what, columns, text) => {
  const { stream } = startTerminal(columns);
  startProgress({ stream }).update(3, what);
  expect(stream.read()).toBe(`\r\u001b[J${text.normalize()}`);
});

test('a group has a line with sent requests, their maximum and the time left', () => {
  const run = startRun(80, { groups: GROUPS });
  expect(run.after(0, 1, 'GET /services/x')).toEqual([
    'A  Services    1/10',
    'C  Products    0/200',
    '1 request · GET /services/x',
  ]);
  for (const count of [2, 3, 4]) run.after(10, count, 'GET /products');
  expect(run.after(1970, 5, 'GET /products')).toEqual([
    'A  Services    1/10 · at most 4 s left',
    'C  Products    4/200 · at most 1 min 19 s left',
    '5 requests · GET /products',
  ]);
});

test('a group whose lists are missing shows what is known so far', () => {
  const open = GROUPS.map((group) => ({ ...group, mayGrow: group.bound === 200 }));
  const run = startRun(80, { groups: open });
  for (const count of [1, 2, 3, 4]) run.after(10, count, 'GET /products');
  expect(run.after(1960, 5, 'GET /products').slice(0, 2)).toEqual([
    'A  Services    0/10 · at most 4 s left',
    'C  Products    5/200+ · at least 1 min 18 s left',
  ]);
});

test('requests that the plan cannot know raise the maximum, and another operation has no line', () => {
  const run = startRun(80, { groups: GROUPS.slice(0, 1) });
  for (let count = 1; count <= 11; count += 1) run.after(0, count, 'GET /services/x');
  expect(run.after(5000, 12, 'GET /token')).toEqual(['A  Services  11/11', '12 requests · GET /token']);
});

test('lines wrap to a narrow terminal, and the next ones replace all of them', () => {
  const run = startRun(16, { groups: GROUPS });
  const wrapped = ['A  Services', '1/10', 'C  Products', '0/200', '1 request · GET '];
  expect(run.after(0, 1, 'GET /services/x')).toEqual(wrapped);
  expect(run.after(200, 2, 'GET /services/x')).toEqual([...wrapped.with(1, '2/10').slice(0, 4), '2 requests · GET']);
});

test('a low terminal shows as many lines as it can replace', () => {
  const run = startRun(16, { groups: GROUPS }, 4);
  expect(run.after(0, 1, 'GET /services/x')).toEqual(['A  Services', '1/10', '1 request · GET ']);
});

test('a terminal that became narrower is cleared completely', () => {
  const run = startRun(40, { groups: GROUPS });
  run.after(0, 1, 'GET /services/x');
  expect(run.stream).toMatchObject({ columns: 40 });
  const before = run.screen();
  run.stream.columns = 10;
  run.progress.update(2, 'x');
  run.progress.end();
  // The rows of this terminal are wider than it is now, so that the cursor moves up by more rows than it shows here.
  expect(before.length).toBe(3);
  expect(run.screen()).toEqual(['']);
});

test('more than ten updates a second are not shown, but counted', () => {
  const run = startRun(80, { groups: GROUPS });
  run.after(0, 1, 'GET /services/x');
  expect(run.after(99, 2, 'GET /services/y')[0]).toBe('A  Services    1/10');
  expect(run.after(1, 3, 'GET /services/z')[0]).toBe('A  Services    3/10');
});

test('the text of a service is escaped', () => {
  const run = startRun(80);
  expect(run.after(0, 1, 'GET /\u001b[2J')).toEqual(['1 request · GET /\\u001b[2J']);
});

test('a pipe gets a line every 30 s while nothing happens, and no other', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stream = new PassThrough({ encoding: 'utf8' });
  const progress = startProgress({ stream: stream as unknown as NodeJS.WriteStream, groups: GROUPS });
  vi.advanceTimersByTime(29_000);
  progress.update(1, 'x');
  vi.advanceTimersByTime(29_000);
  expect(stream.read()).toBeNull();
  vi.advanceTimersByTime(31_000);
  expect(stream.read()).toBe(
    'mdwi: waiting for 30 s, after 1 request, the last: x\nmdwi: waiting for 1 min 0 s, after 1 request, the last: x\n',
  );
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(stream.read()).toBeNull();
});
