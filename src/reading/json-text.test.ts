import { describe, expect, it } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { checkDepth, decodeText, isCutOff, MAX_DEPTH, parseText } from './json-text.ts';
import { BodyError } from './problem.ts';

function problemOf(act: () => unknown) {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return { kind: error.kind, message: error.message };
  }
}

describe('text out of bytes', () => {
  it('is what was encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const text = raw.toWellFormed();
        expect(decodeText(new TextEncoder().encode(text))).toBe(text);
      }),
    );
  });

  it('reads only its own part of a buffer', () => {
    const whole = Buffer.from('aüb');
    expect(decodeText(whole.subarray(1, 3))).toBe('ü');
    expect(decodeText(whole.subarray(0, 1))).toBe('a');
  });

  it('is never made up', () => {
    for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      expect(problemOf(() => decodeText(Uint8Array.from(bad)))?.kind).toBe('charset');
    }
  });
});

describe('JSON that is none', () => {
  it.each(['{"a":secret}', '{"secret":}', '["secret",]', '"secret', '{"a":"secret"} x', '', '01', "{'secret':1}"])(
    '%s is refused in a sentence without the text itself',
    (text) => {
      const problem = problemOf(() => parseText(text, 'the body'));
      expect(problem?.kind).toBe('syntax');
      expect(problem?.message).toMatch(/^the body is not JSON: \S/);
      expect(problem?.message).not.toContain('secret');
      expect(problem?.message).not.toContain('position');
    },
  );

  it('is parsed where it is JSON', () => {
    expect(parseText(' {"a":[1,null]} ', 'the body')).toEqual({ a: [1, null] });
  });
});

describe('whole numbers', () => {
  it('that would be rounded are the text of their digits', () => {
    const text = '{"id":9007199254740993,"ids":[-12345678901234567890, 1],"__proto__":{"a":[12345678901234567]}}';
    const value = parseText(text, 'the body') as Record<string, unknown>;
    expect(value.id).toBe('9007199254740993');
    expect(value.ids).toEqual(['-12345678901234567890', 1]);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual({ a: ['12345678901234567'] });
    expect(parseText('12345678901234567890', 'the body')).toBe('12345678901234567890');
  });

  it.each([
    '[9007199254740991,-9007199254740991]',
    '[0.30000000000000004,12345678901234567.5,1e300,-1.2345678901234567e20]',
    '["12345678901234567890"," 12345678901234567890,"]',
    '[1000000000000]',
  ])('%s is what JSON.parse makes of it', (text) => {
    expect(parseText(text, 'the body')).toEqual(JSON.parse(text));
  });
});

describe('a text cut off', () => {
  const text = '{"a":[1.5,"x\\u00e9 ü",true,null,{"b":-2e5}],"c":false}';

  it('is distinguished from a wrong one at every length', () => {
    for (let length = 1; length < text.length; length++)
      expect([length, isCutOff(text.slice(0, length))]).toEqual([length, true]);
    expect(isCutOff(text)).toBe(false);
  });

  it.each(['{"a":1}}', '{"a" 1', '[1 2', '{"a":tru3', '[1,]'])('%s is wrong', (wrong) => {
    expect(isCutOff(wrong)).toBe(false);
  });
});

describe('nesting', () => {
  const nest = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

  it('is refused beyond the limit only', () => {
    expect(problemOf(() => checkDepth(nest(MAX_DEPTH, ' '.repeat(2000))))).toBeUndefined();
    expect(problemOf(() => checkDepth(nest(MAX_DEPTH + 1)))).toEqual({
      kind: 'tooLarge',
      message: 'the body is nested deeper than 512 levels',
    });
    expect(problemOf(() => checkDepth('{"a":'.repeat(1_000_000)))?.kind).toBe('tooLarge');
  });

  it('does not count brackets in strings, or adjacent ones', () => {
    expect(problemOf(() => checkDepth(JSON.stringify(['['.repeat(5000), `\\"${'{'.repeat(5000)}`])))).toBeUndefined();
    expect(problemOf(() => checkDepth(`[${'[],{},'.repeat(5000)}1]`))).toBeUndefined();
  });
});
