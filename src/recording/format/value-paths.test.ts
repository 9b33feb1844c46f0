import { expect, test } from 'vitest';
import { sameExcept } from './masks.ts';
import { valuePathsOf } from './value-paths.ts';

/** Paths and values; markers in brackets. */
const told = (text: string, type: string): string[] | undefined =>
  valuePathsOf(text, type)
    ?.filter(({ start }) => start >= 0)
    .map(
      ({ path: where, value, start, end }) =>
        `${where} = ${value}${text.slice(start, end) === value ? '' : ` (${text.slice(start, end)})`}`,
    );

test('every value has its path and its offsets in the text', () => {
  const json = '{ "rows": [{"id":1,"a b":"x\\u0041"},{"id":2}], "e": {}, "on": true }';
  expect(told(json, 'application/json')).toEqual([
    '$.on = true',
    '$.rows[*]["a b"] = "xA" ("x\\u0041")',
    '$.rows[*].id = 1',
    '$.rows[*].id = 2',
  ]);
  expect(told('{"a":1}\n{"a":2}\n', 'application/x-ndjson')).toEqual(['$[*].a = 1', '$[*].a = 2']);
  const xml = `<?xml version="1.0"?>\n<!-- <no/> --><L b='2' a="1"><I id="3"> te xt </I><I/><![CDATA[<z>]]></L>`;
  expect(told(xml, 'text/xml')).toEqual(['/./@a = 1', '/./@b = 2', '/./I/@id = 3', '/./I = te xt', '/. = <z>']);
  expect(told('a;b\n1;"x;y"\n', 'text/csv')).toEqual(['$[*].a = a', '$[*].b = b', '$[*].a = 1', '$[*].b = "x;y"']);
  expect(told('pong  17', 'text/plain')).toEqual(['word 1 = pong', 'word 2 = 17']);
});

test('a text that does not match its media type has no paths', () => {
  for (const text of ['{"a":', '{"a" 1}', '[1,]', '{"a":1} x', '['.repeat(100_000)])
    expect(valuePathsOf(text, 'application/json')).toBeUndefined();
  for (const text of ['<a><b></a>', '<a>', 'x < y', '<a b=">'])
    expect(valuePathsOf(text, 'application/xml')).toBeUndefined();
});

test.each([
  [
    'application/json',
    '{"r":[{"a":1,"s":[1,2]},{"a":2,"s":[3]}],"z":1}',
    '{"z":1,"r":[{"a":2,"s":[3]},{"s":[2,1],"a":1}]}',
    true,
  ],
  ['application/json', '{"r":[{"a":1,"s":[1,2]},{"a":2,"s":[3]}]}', '{"r":[{"a":1,"s":[1,3]},{"a":2,"s":[2]}]}', false],
  ['application/json', '[[1,2],[3,4]]', '[[4,3],[1,2]]', true],
  ['application/json', '[[1,2],[3,4]]', '[[1,3],[2,4]]', false],
  ['application/json', '{"a":[]}', '{"a":{}}', false],
  ['application/json', '{"a":1}', '{"a":"1"}', false],
  ['text/xml', '<L><A x="1">p</A><A x="2">q</A></L>', '<L><A x="2">q</A>\n<A x="1">p</A></L>', true],
  ['text/xml', '<L><A x="1">p</A><A x="2">q</A></L>', '<L><A x="2">p</A><A x="1">q</A></L>', false],
  ['text/xml', '<L><A/></L>', '<M><A/></M>', false],
  ['text/csv', 'a,b\n1,2\n3,4', 'a,b\n3,4\n1,2', true],
  ['text/csv', 'a,b\n1,2\n3,4', 'a,b\n1,4\n3,2', false],
])('%s: rows in another order say the same, other rows do not', (type, a, b, same) => {
  const [x, y] = [valuePathsOf(a, type), valuePathsOf(b, type)];
  expect(x && y && sameExcept(x, y, new Set())).toBe(same);
});
