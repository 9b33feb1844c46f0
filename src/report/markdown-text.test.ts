import fc from 'fast-check';
import { expect, test } from 'vitest';
import { issuesOf } from './issues.ts';
import { reportToMarkdown } from './markdown.ts';
import { codeSpan, markdownTable, markdownText } from './markdown-text.ts';
import { sampleRun } from './sample-run.test.support.ts';

/** What a Markdown reader makes of a line: the text of its code spans, and the text outside of them (CommonMark 6.1). */
function read(line: string): { readonly code: string[]; readonly outside: string } {
  const code: string[] = [];
  let [outside, at] = ['', 0];
  while (at < line.length) {
    const [run = ''] = /^`+/.exec(line.slice(at)) ?? [];
    if (run === '') {
      outside += line[at++];
      continue;
    }
    const end = [...line.slice(at + run.length).matchAll(/`+/g)].find(([each]) => each.length === run.length);
    if (!end) {
      outside += run;
      at += run.length;
      continue;
    }
    const inner = line.slice(at + run.length, at + run.length + end.index);
    code.push(/^ .* $/.test(inner) && inner.trim() !== '' ? inner.slice(1, -1) : inner);
    at += run.length * 2 + end.index;
  }
  return { code, outside };
}

/** The cells of a row as GitHub splits it (a backslash escapes any punctuation), and as markdown-it does (one bar only). */
const SPLITTERS = [/(?<!(?<!\\)(?:\\\\)*\\)\|/, /(?<!\\)\|/];

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=y>',
  '![x](http://evil.example/a.png)',
  '[x](javascript:alert)',
  '<http://evil.example>',
  'http://evil.example www.evil.example me@evil.example',
  '@someone #12 GH-12 owner/repo#1 0123456789abcdef',
  '| a | b |\n|---|---|',
  '``` \n```js',
  '`a` ``b`` ```',
  '<!-- -->',
  '&lt;b&gt; &#60;',
  'a\\|b \\\\| c\\',
  '# h\n- l\n1. n\n> q\n---\n===',
  '**b** _i_ ~~s~~ $x$ :smile: [^1]',
  'x\n\n<b>',
  ' padded ',
  '   ',
];

const piece = fc.oneof(
  fc.constantFrom(...HOSTILE, '`', '|', '\\', '<', '>', '[', ']', '(', ')', '@', '#', ' ', '\n', ':', '//'),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

/** What stands outside of code spans: words and a little punctuation, no address and no reference. */
const HARMLESS = /^[^<>[\]!*_~`@#&$|\\]*$/u;

test.each(HOSTILE)('%j becomes no markup', (hostile) => {
  const { code, outside } = read(markdownText(hostile));
  expect(outside).toBe(code.length > 0 ? '' : hostile);
  expect(code).toHaveLength(1);
});

test('words stay words', () => {
  for (const words of ['all 12 rows (section 4.3)', 'answered 500: it is down', 'the list’s “Tea” → none, 3.5 %'])
    expect(markdownText(words)).toBe(words);
});

test('letters without width are escaped, joiners stay', () => {
  expect(markdownText('a\u3164\u115f')).toBe('`a\\u3164\\u115f`');
  expect(codeSpan('\u{1f469}\u200d\u{1f680} \u2764\ufe0f')).toBe('`\u{1f469}\u200d\u{1f680} \u2764\ufe0f`');
});

test('no text becomes markup, and a code span holds all of it', () => {
  fc.assert(
    fc.property(text, (any) => {
      const { code, outside } = read(markdownText(any));
      expect(outside).toMatch(HARMLESS);
      expect(outside).not.toMatch(/:\/|www\.|\bGH-\d|:\w+:/);
      const spanned = read(codeSpan(any));
      expect(spanned.outside).toBe('');
      if (any !== '' && !/[\p{C}\p{Z}\p{DI}]|::|##|---/u.test(any)) expect(spanned.code).toEqual([any]);
      expect(code.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 1000 },
  );
});

test('a row keeps its cells, whatever they hold', () => {
  fc.assert(
    fc.property(text, text, (one, two) => {
      const [, , row = ''] = markdownTable(['a', 'b'], [[markdownText(one), codeSpan(two)]]);
      expect(row).not.toContain('\n');
      for (const splitter of SPLITTERS) {
        const cells = row.split(splitter).slice(1, -1);
        expect(cells).toHaveLength(2);
        for (const cell of cells) expect(read(cell.trim()).outside).toMatch(HARMLESS);
      }
    }),
    { numRuns: 1000 },
  );
});

test('ids and sections of a stored run, which any program may have written, are no markup', () => {
  const [evil, mention] = ['![x](http://evil.example)', '@someone'];
  const results = sampleRun.results.map((each) => ({ ...each, rule: evil, section: mention }));
  const openings = sampleRun.openings.map((each) => ({ ...each, rules: [evil], section: mention }));
  const { comparison, ...rest } = sampleRun;
  const newFailures = comparison?.newFailures.map((each) => ({ ...each, rule: evil })) ?? [];
  const run = { ...rest, results, openings, ...(comparison && { comparison: { ...comparison, newFailures } }) };
  const texts = [reportToMarkdown(run), ...issuesOf(run).map(({ body }) => body)];
  expect(texts.length).toBeGreaterThan(1);
  for (const line of texts.join('\n').split('\n')) expect(read(line).outside).not.toMatch(/evil|@someone/);
});
