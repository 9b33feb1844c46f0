import { expect, test } from 'vitest';
import { indentJson, withoutIndentedCopy } from './pretty-json.ts';

test('values keep their text, a long list has one item per line', () => {
  const long = 'x'.repeat(90);
  expect(indentJson(`{"a":[1.0,20e1],"e":{},"f":[],"b":{"l":"${long}","t":"q\\"{,"}}`)).toBe(
    [
      '{',
      '  "a": [1.0, 20e1],',
      '  "e": {},',
      '  "f": [],',
      '  "b": {',
      `    "l": "${long}",`,
      '    "t": "q\\"{,"',
      '  }',
      '}',
    ].join('\n'),
  );
});

test('scalars, invalid JSON and deeply nested values are not indented', () => {
  for (const text of ['"a"', '17', 'job 17', '{"a":', `${'['.repeat(5000)}${']'.repeat(5000)}`])
    expect(indentJson(text)).toBeUndefined();
});

test('a file is read without its indented copies, short or long, and nothing else is removed', () => {
  const file = (readable: string, rest = '') =>
    `{\n          "key": "a",\n${readable}          "reason": "\\n          \\"readable\\": 1",\n          "n": 1${rest}\n}`;
  const bare = JSON.parse(file(''));
  for (const value of [
    '{ "a": 1 }',
    '[]',
    '{\n            "a": [\n              1\n            ]\n          }',
    '[\n            {},\n            2\n          ]',
  ])
    expect(JSON.parse(withoutIndentedCopy(file(`          "readable": ${value},\n`)))).toEqual(bare);
  const last = file('', ',\n          "readable": {\n            "a": 1\n          }');
  expect(withoutIndentedCopy(last)).toBe(last);
});
