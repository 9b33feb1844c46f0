import { describe, expect, it } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { JsonLines, NEWLINE, RECORD_SEPARATOR } from './json-lines.ts';
import { parseText } from './json-text.ts';
import { BodyError } from './problem.ts';

function read(
  body: string | Uint8Array,
  cuts: readonly number[] = [],
  separator: typeof NEWLINE | typeof RECORD_SEPARATOR = NEWLINE,
  maxLineBytes = 1000,
) {
  const bytes = Buffer.from(body);
  const values: unknown[] = [];
  const lines = new JsonLines({ separator, maxLineBytes, onValue: (value) => values.push(value) });
  const positions = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  try {
    for (const [at, from] of positions.entries()) {
      const chunk = Uint8Array.from(bytes.subarray(from, positions[at + 1] ?? from));
      lines.push(chunk);
      chunk.fill(0);
    }
    lines.end();
    return { values };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return { values, problem: { kind: error.kind, message: error.message } };
  }
}

describe('lines of JSON', () => {
  it.each<[string, string, unknown[]]>([
    ['with a newline at the end', '{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['without one', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['with blank lines', '\n{"a":1}\n\n  \n{"a":2}\n\n', [{ a: 1 }, { a: 2 }]],
    ['with CRLF', '1\r\n2\r\n', [1, 2]],
    ['of scalars and lists', 'null\n"x\\ny"\n[1,2]\n', [null, 'x\ny', [1, 2]]],
    ['none', '', []],
    ['blank ones only', '\n\n', []],
  ])('%s', (_, text, values) => {
    expect(read(text)).toEqual({ values });
  });

  it.each<[string, string, string]>([
    ['two values on a line', '1\n2 3\n', 'syntax'],
    ['two values with a comma', '1,2\n', 'syntax'],
    ['a value over two lines', '{"a":\n1}\n', 'syntax'],
    ['a last line that breaks off', '{"a":1}\n{"a":', 'truncated'],
    ['a last line that is wrong', '{"a":1}\n{"a" 2', 'syntax'],
    ['a long line', `"${'x'.repeat(2000)}"\n`, 'tooLarge'],
    ['a long line in two parts', `1\n"${'x'.repeat(2000)}"`, 'tooLarge'],
    ['a deep value', `1\n${'['.repeat(600)}${']'.repeat(600)}\n`, 'tooLarge'],
  ])('%s is a problem', (_, text, kind) => {
    const { values, problem } = read(text, [1000], NEWLINE, text.includes('[[') ? 10_000 : 1000);
    expect(problem?.kind).toBe(kind);
    expect(values.length).toBeLessThanOrEqual(1);
  });

  it('names the invalid value without quoting it', () => {
    const { problem } = read('1\n2\nsecret\n');
    expect(problem?.message).toMatch(/^value 2 of the body is not JSON/);
    expect(problem?.message).not.toContain('secret');
  });

  it('bytes that are not UTF-8 are a charset problem', () => {
    expect(read(Buffer.from([0x22, 0xff, 0x22, 0x0a])).problem?.kind).toBe('charset');
  });

  it('reads record sequences, whose texts may contain newlines', () => {
    expect(read('\u001e{"a":\n1}\n\u001e2\n', [], RECORD_SEPARATOR)).toEqual({ values: [{ a: 1 }, 2] });
  });

  it('reads the same values however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat(), { maxLength: 8 }), (values, cuts) => {
        const decoded = values.map((value) => parseText(JSON.stringify(value), 'the value'));
        const text = values.map((value) => JSON.stringify(value)).join('\n');
        expect(read(text, cuts, NEWLINE, 1_000_000)).toEqual({ values: decoded });
      }),
    );
  });
});
