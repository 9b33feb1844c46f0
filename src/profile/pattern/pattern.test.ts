/** Patterns mean what they mean in ECMAScript, whichever engine runs them, and none can hang the process. */

import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import fc from '../../seeded-fast-check.test.support.ts';
import { analyse } from './analyse.ts';
import { compilePattern, PatternLimitError } from './index.ts';
import { findWithin } from './time-limit.ts';

const ATOMS = [
  ...['a', 'b', '0', '-', ' ', '.', 'é', '\\.', '\\/', '\\u00e9', '\\x61', '\\u2028', 'K', 's', 'ſ', '\u{1f600}'],
  ...[
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '[ab]',
    '[^a]',
    '[a-c0]',
    '[^\\s]',
    '[\\w-]',
    '[.]',
    '[^]',
    '[]',
    '[\\b]',
  ],
  ...['[^\\d\\S]', '[\u{1f600}-\u{1f602}]', '\\p{L}', '(?=a)', '\\1'],
];
const atom = fc.oneof(
  fc.constantFrom('^', '$', '\\b', '\\B'),
  fc
    .tuple(
      fc.constantFrom(...ATOMS),
      fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?', '??'),
    )
    .map((parts) => parts.join('')),
);
const { pattern } = fc.letrec<Record<'pattern' | 'sequence' | 'term', string>>((tie) => ({
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
  sequence: fc.array(tie('term'), { maxLength: 4 }).map((parts) => parts.join('')),
  term: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc
      .tuple(
        fc.constantFrom('(', '(?:', '(?<n>'),
        tie('pattern'),
        fc.constantFrom(')', ')*', ')+', ')?', ')+?', '){1,2}'),
      )
      .map((parts) => parts.join('')),
  ),
}));
const CHARACTERS = [...'abc0- ABéÉ\n\r\u2028\u00a0._KsſS/\ufeff\v\b', '\u212a', '\u{1f600}', '\ud83d'];
const texts = fc.array(fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 8 }), {
  minLength: 1,
  maxLength: 6,
});

const native = (source: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(source, `${flags}d`);
  } catch {
    return undefined;
  }
};

describe('the equal of RE2', () => {
  test('matches the same texts in the same places', () => {
    let compared = 0;
    fc.assert(
      fc.property(pattern, fc.constantFrom('u', '', 'i', 'iu'), texts, (source, flags, several) => {
        const expected = native(source, flags);
        const { linear, samePosition } = (expected && analyse(source, flags)) ?? {};
        if (!expected || linear === undefined) return;
        const engine = RE2JS.compile(linear);
        for (const text of several) {
          if (/[\ud800-\udfff]/.test(text)) continue;
          const matcher = engine.matcher(text);
          const found = expected.exec(text);
          expect(matcher.find(), `${source} ${flags} ${JSON.stringify(text)}`).toBe(found !== null);
          compared++;
          if (!found || !samePosition) continue;
          const groups = Array.from(
            { length: matcher.groupCount() + 1 },
            (_, group) => matcher.group(group) ?? undefined,
          );
          expect(groups, `${source} ${flags} ${JSON.stringify(text)}`).toEqual([...found]);
        }
      }),
      { numRuns: 2000 },
    );
    expect(compared).toBeGreaterThan(500);
  });

  test.each([
    ['a lookahead', '(?=a)a'],
    ['a back reference', '(a)\\1'],
    ['a Unicode property', '\\p{L}'],
    ['a modifier', '(?i:a)'],
  ])('is not claimed for %s', (_, source) => {
    expect(analyse(source, 'u')?.linear).toBeUndefined();
  });
});

test('a pattern finds what the native engine finds, in texts of any length', () => {
  let compared = 0;
  fc.assert(
    fc.property(pattern, fc.constantFrom('u', ''), texts, fc.nat(40), (source, flags, several, times) => {
      if (!native(source, flags)) return;
      const pattern = compilePattern(source, { flags, key: 'k', limitMs: 200 });
      for (const part of several) {
        const text = part.repeat(times);
        const spans = findWithin(200, source, flags, text);
        const found = within(() => pattern.find(text));
        if (spans === undefined || found === 'late') continue;
        compared++;
        expect(found && [...found], `${source} ${flags} ${JSON.stringify(text)}`).toEqual(spans ?? undefined);
        expect(pattern.extract(text)).toBe(spans ? text.slice(...(spans[1] ?? spans[0])) : undefined);
        expect(pattern.test(text)).toBe(spans !== null);
      }
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(100);
});

const within = <T>(act: () => T): T | 'late' => {
  try {
    return act();
  } catch (error) {
    if (error instanceof PatternLimitError) return 'late';
    throw error;
  }
};

describe('a bound of steps', () => {
  test.each([
    ['^job (\\S+) is', 1],
    ['(\\S+) is', 2],
    ['^(?!0{12})\\d{12}$', 0],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$', 3],
    ['^\\d{4}-\\d\\d(?:T\\d\\d(?::\\d\\d)?)?$', 0],
    ['^(a*)\\1$', 2],
  ])('%s grows with the length to the power %i', (source, degree) => {
    expect(analyse(source, 'u')).toMatchObject({ degree, factor: expect.any(Number) });
    expect(analyse(source, 'u')?.factor).toBeLessThan(1000);
  });

  test.each(['^(a+)+$', '^(a|a)*$', '^(a|ab)*c$', '(?:x*y?)*z', '^(?=(a+)+b)', '^((a?){30})$'])(
    '%s has none of use',
    (source) => {
      expect(analyse(source, 'u')?.factor).toBeGreaterThan(1e9);
    },
  );
});

describe('a pattern that repeats repetitions', () => {
  test.each(['^(a+)+$', '^(a|a)*$', '^(?:a*)*$', '(a|aa)+$'])('%s is decided on a long text', (source) => {
    const pattern = compilePattern(source, { key: 'k' });
    expect(pattern.test(`${'a'.repeat(50_000)}b`)).toBe(false);
    expect(pattern.test('a'.repeat(50_000))).toBe(true);
  });

  test.each(['^(?=a)(a+)+$', '^(a+)+\\1$', '^(\\p{L}+)+$'])(
    '%s, which has no equal in RE2, is given up after its time, and stays given up',
    (source) => {
      const pattern = compilePattern(source, { key: 'response.fields.jobId.match', limitMs: 50 });
      const text = `${'a'.repeat(60)}!`;
      const sentence = `the pattern ${source} of response.fields.jobId.match takes longer than 0.05 s`;
      expect(() => pattern.test(text)).toThrow(sentence);
      expect(() => pattern.extract(text)).toThrow(PatternLimitError);
    },
  );

  test('and timed out does not affect others', () => {
    const evil = compilePattern('^(?=a)(a+)+$', { key: 'k', limitMs: 50 });
    expect(() => evil.test(`${'a'.repeat(60)}!`)).toThrow(PatternLimitError);
    const other = compilePattern('^(?=a)((?:a+)+)b$', { key: 'k' });
    expect(other.extract(`${'a'.repeat(30)}b`)).toBe('a'.repeat(30));
    expect(other.extract('b')).toBeUndefined();
  });
});

test('an invalid regular expression is refused', () => {
  expect(() => compilePattern('(', { key: 'k' })).toThrow(SyntaxError);
});
