import { expect, test } from 'vitest';
import fc from '../../../src/seeded-fast-check.test.support.ts';
import { LazyRows, SERIALIZERS } from './serialize.ts';

const CSV = { delimiter: ',', columns: [] } as const;
const written = (body: unknown): string[] => [...(SERIALIZERS.json(body, CSV) as Iterable<string>)];

test('JSON is the text of the body, wherever it contains rows and long lists', () => {
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      tie('list'),
      tie('long'),
      tie('object'),
    ),
    list: fc.array(tie('body'), { maxLength: 4 }),
    long: fc.array(fc.integer(), { minLength: 99, maxLength: 102 }),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'é"'), tie('body')),
  }));
  fc.assert(
    fc.property(body, fc.array(body, { maxLength: 3 }), (value, rows) => {
      expect(written(value).join('')).toBe(JSON.stringify(value));
      const withRows = { value, lists: [{ rows: new LazyRows(rows) }] };
      expect(written(withRows).join('')).toBe(JSON.stringify({ value, lists: [{ rows }] }));
    }),
    { numRuns: 300 },
  );
});

test('a short body is one chunk, and each row of a list is computed when it is read', () => {
  expect(written({ upc: '1', characteristics: [{ name: 'Brand' }] })).toHaveLength(1);
  let computed = 0;
  function* rows() {
    for (;;) yield { row: ++computed };
  }
  const chunks = SERIALIZERS.json({ rows: new LazyRows({ [Symbol.iterator]: rows }) }, CSV)[Symbol.iterator]();
  for (let read = 0; read < 4; read += 1) chunks.next();
  expect(computed).toBeLessThanOrEqual(4);
  expect(computed).toBeGreaterThan(0);
});
