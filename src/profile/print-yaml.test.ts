import { expect, test } from 'vitest';
import { Document, parse, parseDocument } from 'yaml';
import fc from '../seeded-fast-check.test.support.ts';
import { printYaml } from './print-yaml.ts';
import { flowText, shareEqualParts } from './yaml-flow.ts';

const MERGE = { merge: true } as const;

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('#', ': ', '- a', '&a', '*a', '{', 'null', '1', '', 'a\nb', 'FLOW_0', 'x'.repeat(130)),
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('any'), { maxLength: 8 }),
    fc.dictionary(text, tie('any'), { maxKeys: 8 }),
  ),
})).any;

test('any value reads back as it is, also printed twice, with equal parts written once and with notes', () => {
  fc.assert(
    fc.property(fc.dictionary(text, value), (profile) => {
      const tree = JSON.parse(JSON.stringify({ ...profile, again: profile }));
      const notes = Object.keys(profile).map((key) => ({ path: ['again', key], text: '3 of 3' }));
      const printed = printYaml(shareEqualParts(new Document(tree)), { notes });
      expect(parse(printed, MERGE)).toEqual(tree);
      expect(parse(printYaml(parseDocument(printed, MERGE) as unknown as Document), MERGE)).toEqual(tree);
      expect(parse(flowText(tree))).toEqual(tree);
    }),
    { numRuns: 30 },
  );
});

test('the members of a map within another one are inherited', () => {
  const fields = { upc: '@.upc', category: '@.category', market: '@.market', asOf: '$.header.asOf' };
  const tree = { a: { fields }, b: { fields: { ...fields, brand: '@.brand' } } };
  const printed = printYaml(shareEqualParts(new Document(tree)));
  expect(printed).toMatch(/ &fields \{ .*\n(.*\n)*b: \{ fields: \{ <<: \*fields, brand: "@.brand" \} \}\n$/);
  expect(parse(printed, MERGE)).toEqual(tree);
});

test('short values are on one line, longer ones fill few lines', () => {
  const fields = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`field${at}`, `@.member${at}`]));
  const tree = { auth: { scheme: 'none' }, operations: { 'GET /a': { response: { rows: '$.x[*]', fields } } } };
  expect(printYaml(new Document(tree))).toBe(`auth: { scheme: none }
operations:
  GET /a: { response: { rows: "$.x[*]", fields: { field0: "@.member0", field1: "@.member1", field2: "@.member2",
    field3: "@.member3", field4: "@.member4", field5: "@.member5", field6: "@.member6", field7: "@.member7" } } }
`);
});

test('notes that do not fit behind a value are before it, and are shortened to the limit', () => {
  const notes = ['a', 'b', 'c'].map((key) => ({ path: ['list', key], text: `${key} was seen ${'often '.repeat(30)}` }));
  const document = new Document({ list: { a: 1, b: 2, c: 3 }, short: 'x' });
  const printed = printYaml(document, { notes: [...notes, { path: ['short'], text: '3 of 3' }], maxNoteLines: 2 });
  expect(printed).toMatch(/^# a: a was seen .*\n#.* …\nlist: \{ a: 1, b: 2, c: 3 \}\nshort: x # 3 of 3\n$/);
});
