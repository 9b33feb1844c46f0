import { expect, test } from 'vitest';
import { indentJson, withoutIndentedCopy } from './pretty-json.ts';

test('values stand as they were written, a long list an item a line', () => {
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

test('what is no object or list, no JSON or nested beyond reading is left alone', () => {
  for (const text of ['"a"', '17', 'job 17', '{"a":', `${'['.repeat(5000)}${']'.repeat(5000)}`])
    expect(indentJson(text)).toBeUndefined();
});

test('a file is read without what is laid out, short or long, and nothing else of it is lost', () => {
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
