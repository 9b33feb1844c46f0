import { expect, test } from 'vitest';
import { type JsonNode, readJson, readJsonBeginning, readJsonLines } from './json-nodes.ts';
import fc from './seeded-fast-check.test.support.ts';

/** What `JSON.parse` makes of a text, from its nodes. */
function parsed(text: string, { letter, children, start, end }: JsonNode): unknown {
  if (letter === '[') return children.map((child) => parsed(text, child));
  if (letter === '{') return Object.fromEntries(children.map((child) => [child.name, parsed(text, child)]));
  return JSON.parse(text.slice(start, end));
}

test('every value is found in its place', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      for (const each of [text, `\ufeff ${text}\n`]) expect(parsed(each, readJson(each))).toEqual(JSON.parse(text));
      expect(readJsonLines(`${text}\n\n${text}\r\n\x1e${text}`)).toHaveLength(3);
    }),
  );
});

test('members of one name are all there', () => {
  const text = '{"a":1,"\\u0061":2}';
  expect(readJson(text).children).toMatchObject([
    { name: 'a', start: 5, end: 6 },
    { name: 'a', start: 16, end: 17 },
  ]);
});

test.each([
  '',
  '{',
  '[1,]',
  '[,1]',
  '{"a" 1}',
  '{"a":1,}',
  '[1] 2',
  '{a:1}',
  '"',
  '01',
  '-',
  '1.',
  '.5',
  'nul',
  '{"\\x":1}',
])('%s is refused', (text) => {
  expect(() => readJson(text)).toThrow(SyntaxError);
});

test('deep nesting is refused before the stack overflows', () => {
  expect(() => readJson('['.repeat(100_000))).toThrow(RangeError);
  expect(() => readJson(`${'['.repeat(500)}${']'.repeat(500)}`)).not.toThrow();
});

test('a beginning is read as far as it goes', () => {
  const ends = (node: JsonNode | undefined): unknown =>
    node && [node.name ?? node.letter, node.end, ...node.children.map(ends)];
  expect(ends(readJsonBeginning('{"a":[1],"b":[{"c":tr'))).toEqual([
    '{',
    -1,
    ['a', 8, ['1', 7]],
    ['b', -1, ['{', -1, ['c', -1]]],
  ]);
  expect(readJsonBeginning('')).toMatchObject({ end: -1 });
});
