import { describe, expect, test } from 'vitest';
import type { BodySchema } from '../profile/body-schema/types.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import fc from '../seeded-fast-check.test.support.ts';
import { type CheckLimits, checkBody } from './check-body.ts';
import { chunksOf } from './read-shape.test.support.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

function schemaOf(stated: object, rows = '$.items[*]'): BodySchema {
  const profile = { name: 't', operations: { [BULK]: { response: { rows, schemas: { '200': stated } } } } };
  return parseProfile(JSON.stringify(profile), 't.json', {}).bodySchemas?.get(BULK)?.get('200') as BodySchema;
}

const check = (
  schema: BodySchema,
  body: string | Uint8Array,
  { type = 'application/json', chunk = 7, ...limits }: CheckLimits & { type?: string; chunk?: number } = {},
) =>
  checkBody(
    schema,
    undefined,
    { status: 200, reasonPhrase: '', headers: [['content-type', type]] },
    chunksOf(Buffer.from(body), chunk),
    limits,
  );

const LIST = {
  type: 'object',
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 4,
      items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    },
  },
};

describe('a list', () => {
  const schema = schemaOf(LIST);
  test('that fits', async () => {
    expect(await check(schema, '{"asOf": 1, "items": [{"id": 1}, {"id": 2}]}')).toEqual({ checked: 3, breaches: [] });
  });

  test('with rows that do not, at their place in the body, values cut short', async () => {
    const body = { items: [{ id: 1 }, { id: 'licensed-value' }, { name: 'another value' }] };
    expect((await check(schema, JSON.stringify(body))).breaches).toEqual([
      {
        at: '/items/1/id',
        keyword: 'type',
        demand: 'items/*/id/type',
        expected: 'must be a whole number',
        actual: '"lice…"',
      },
      {
        at: '/items/2',
        keyword: 'required',
        demand: 'items/*/required/id',
        expected: 'must have the member “id”',
        actual: '{ name: "anot…" }',
      },
    ]);
  });

  test('many breaches of one demand do not hide another', async () => {
    const body = { items: [...Array.from({ length: 30 }, () => ({ id: 'x' })), { name: 'no id' }] };
    const { breaches } = await check(schema, JSON.stringify(body));
    expect(new Set(breaches.map(({ demand }) => demand))).toEqual(
      new Set(['items/*/id/type', 'items/*/required/id', 'items/maxItems']),
    );
    expect(breaches.length).toBeLessThan(10);
  });

  test.each([
    ['the first row, which stays in the rest', '{"items": [{"id": "a"}]}', '/items/0/id', 'type'],
    ['too few', '{"items": []}', '/items', 'minItems'],
    ['too many', '{"items": [{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]}', '/items', 'maxItems'],
    ['no list', '{"rows": []}', '', 'required'],
    ['something else in its place', '{"items": {"id": 1}}', '/items', 'type'],
    ['something else altogether', '[1]', '', 'type'],
  ])('%s', async (_, body, at, keyword) => {
    expect((await check(schema, body)).breaches).toMatchObject([{ at, keyword }]);
  });

  test('with ids that exceed a double, which are still integers', async () => {
    expect(
      (await check(schema, '{"items": [{"id": 12345678901234567890}, {"id": 98765432109876543210}]}')).breaches,
    ).toEqual([]);
    const lines = schemaOf({ type: 'object', properties: { id: { type: 'integer' } } });
    expect((await check(lines, '{"id": 12345678901234567890}\n', { type: 'application/x-ndjson' })).breaches).toEqual(
      [],
    );
  });

  test('longer than the memory limit', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id }));
    const free = schemaOf({ type: 'object', properties: { items: { type: 'array', items: { type: 'object' } } } });
    const body = JSON.stringify({ items: [...rows, 1] });
    const found = await check(free, body, { maxWholeBytes: 1000, chunk: 4096 });
    expect(found).toMatchObject({ checked: 5002, breaches: [{ at: '/items/5000', keyword: 'type' }] });
    const whole = schemaOf({ type: 'object', properties: { items: { type: 'array', uniqueItems: true } } });
    const longIntegers = await check(whole, body, { maxWholeBytes: 1000, chunk: 4096 });
    expect(longIntegers.breaches).toEqual([]);
    expect(longIntegers.unchecked).toMatch(/^the body is longer than 1000 bytes/);
  });

  test('has the same result as the whole body, for any content', async () => {
    const value = fc.oneof(
      fc.integer(),
      fc.string(),
      fc.constant(null),
      fc.record({ id: fc.oneof(fc.integer(), fc.string()) }),
    );
    const body = fc.oneof(
      fc.record({ items: fc.oneof(fc.array(value, { maxLength: 6 }), value), more: value }, { requiredKeys: [] }),
      fc.array(value, { maxLength: 3 }),
    );
    const { check: ofWhole, name } = schema;
    await fc.assert(
      fc.asyncProperty(body, fc.integer({ min: 1, max: 40 }), async (given, chunk) => {
        const text = JSON.stringify(given);
        const split = await check(schema, text, { chunk });
        const whole = await check({ name, check: ofWhole }, text, { chunk });
        expect(split.breaches.length > 0).toBe(whole.breaches.length > 0);
        expect([split.unchecked, whole.unchecked]).toEqual([undefined, undefined]);
      }),
      { numRuns: 300 },
    );
  });
});

test('each line of NDJSON is checked against the schema', async () => {
  const schema = schemaOf({ type: 'object', required: ['id'] }, '$[*]');
  const found = await check(schema, '{"id":1}\n{}\n\n{"id":2}\n', { type: 'application/x-ndjson' });
  expect(found).toEqual({
    checked: 3,
    breaches: [
      { at: '/1', keyword: 'required', demand: '*/required/id', expected: 'must have the member “id”', actual: '{}' },
    ],
  });
});

test.each([
  ['no JSON', '<html>'],
  ['cut off', '{"items": ['],
  ['empty', ''],
])('a body that is %s is a breach', async (_, body) => {
  expect((await check(schemaOf(LIST), body)).breaches).toMatchObject([
    { at: '', keyword: 'json', expected: 'must be JSON' },
  ]);
});

test.each([
  ['in no known charset', Uint8Array.of(0x22, 0xff, 0x22), /not valid UTF-8/],
  ['nested beyond measure', '['.repeat(600) + ']'.repeat(600), /nested/],
])('a body %s is left unchecked', async (_, body, says) => {
  const found = await check(schemaOf({ type: 'number' }), body, { chunk: 1000 });
  expect(found.breaches).toEqual([]);
  expect(found.unchecked).toMatch(says);
});

describe('a schema that is code', () => {
  const code = (act: BodySchema['check']): BodySchema => ({ name: 'the ours schema', check: act });
  test('may take its time', async () => {
    const late = code(async (value) =>
      value === 1 ? [] : [{ path: [], keyword: 'mine', demand: 'mine', expected: 'must be one' }],
    );
    expect(await check(late, '1\n2\n', { type: 'application/x-ndjson' })).toEqual({
      checked: 2,
      breaches: [{ at: '/1', keyword: 'mine', demand: '*/mine', expected: 'must be one', actual: '2' }],
    });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])('and accuses nobody when it %s', async (_, act) => {
    expect(await check(code(act), '1')).toEqual({ checked: 1, breaches: [], unchecked: 'the ours schema broke: boom' });
  });
});
