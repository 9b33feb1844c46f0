/** Invented values of many forms: whether a service accepts their format, and whether it may know them. */
import { describe, expect, test } from 'vitest';
import type { InputValue } from '../profile/template.ts';
import fc from '../seeded-fast-check.test.support.ts';
import { type Invention, unlistedLike } from './unlisted-value.ts';
import { VALUE_FORMS, type ValueForm } from './value-forms.test.support.ts';

const invent = (values: readonly InputValue[], seed = 1): readonly Invention[] =>
  unlistedLike(values[0] as InputValue, values, () => false, seed);

/** Forms that so few values cannot show, and that the service does not write in a standard. */
const HIDDEN_IN_ONE = [
  'sparse numbers of a range',
  'base32 code',
  'base62 code',
  'dotted classification',
  'code of a fixed length',
];

/** What a service knows, and the half that it lists: the first values, or each second one. */
const listsOf = (form: ValueForm, count: number, isDense: boolean) => {
  const known = [...new Set(Array.from({ length: 2 * count }, (_, nth) => form.value(nth)))];
  const listed = known.filter((_, at) => (isDense || count === 1 ? at < count : at % 2 === 0));
  return { known: new Set(known.map(String)), listed };
};

const count = fc.constantFrom(2, 3, 12, 42);

describe.each(Object.entries(VALUE_FORMS))('%s', (name, drawn) => {
  test('is learned from a few values and from many', () => {
    fc.assert(
      fc.property(drawn, count, fc.boolean(), fc.integer({ min: 1, max: 1000 }), (form, count, isDense, seed) => {
        const { known, listed } = listsOf(form, count, isDense);
        const [first, ...others] = invent(listed, seed);
        expect(first?.isLearned).toBe(true);
        expect(first?.why).toMatch(/ the form .+ of \d+ listed values, none of which it equals$/);
        for (const value of first?.values ?? []) {
          expect(typeof value).toBe(typeof listed[0]);
          expect(listed).not.toContain(value);
          expect(form.accepts(String(value)), `${value}, like ${listed.slice(0, 3)}`).toBe(true);
        }
        for (const { isRare, values } of [...(first ? [first] : []), ...others])
          if (isRare) expect(values.filter((value) => known.has(String(value)))).toEqual([]);
        expect(invent(listed.toSpliced(1, 0, ...listed.slice(1).reverse()), seed)).toEqual(invent(listed, seed));
      }),
      { numRuns: 10 },
    );
  });

  test('is accepted, or not learned, if one value is listed', () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 1000 }), (form, seed) => {
        const [first] = invent([form.value(0)], seed);
        if (!first) return;
        if (first.isLearned || (first.why.startsWith('of') && !HIDDEN_IN_ONE.includes(name)))
          for (const value of first.values) expect(form.accepts(String(value)), `${value}`).toBe(true);
      }),
      { numRuns: 10 },
    );
  });
});

test.each([
  [
    ['DIM-00017', 'DIM-00018'],
    [/^DIM-[5-9]\d{4}$/, /^DIM-9\d{4}$/],
    'of the form DIM-00000 of 2 listed values, none of which it equals',
  ],
  [
    ['level-1', 'level-2'],
    [/^level-9\d{3}$/],
    'longer than the form level-0 of 2 listed values, none of which it equals',
  ],
  [
    ['CAT-RETAIL', 'CAT-PANEL'],
    [/^CAT-[A-Z]{6}$/, /^CAT-[A-Z]{12}$/],
    'of the form CAT-AAAAAA of 2 listed values, none of which it equals',
  ],
  [[1001], [/^[5-9]\d{3}$/, /^9\d{6}$/], 'of the form 0000 of the only listed value, none of which it equals'],
  [
    ['Baby Food', 'Tea', 'Coffee'],
    [/^[A-Z][a-z]{3} [A-Z][a-z]{3}$/, /^[A-Za-z]+ [A-Za-z]+$/],
    'of the form Aaaa Aaaa of 3 listed values, none of which it equals',
  ],
] as const)('values like %j', (values, forms, why) => {
  const found = invent(values);
  expect(found.map((each) => String(each.values[0]))).toEqual(forms.map((each) => expect.stringMatching(each)));
  expect(found[0]?.why).toBe(why);
  expect(invent(values, 2)).not.toEqual(found);
});

test.each(['US', 'alpha', 'Baby Food', 'a7f', ''])('%j alone shows no form', (value) => {
  expect(invent([value])).toEqual([]);
});

test('a value that another list contains is not invented', () => {
  const values = ['A100', 'A200', 'B300'];
  const taken = new Set<string>();
  for (let at = 0; at < 20; at++) {
    const [first] = unlistedLike('A100', values, (text) => taken.has(text), 1);
    for (const value of first?.values ?? []) {
      expect(taken).not.toContain(value);
      taken.add(String(value));
    }
  }
  expect(taken.size).toBeGreaterThan(30);
});
