/** Every code of zod and every keyword of ajv is one sentence of ours. */
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { SENTENCES } from './body-schema/breaches.ts';
import { createSchemaCompiler } from './body-schema/json-schema.ts';
import type { SchemaBreach } from './body-schema/types.ts';
import { profileSchema } from './schema.ts';
import { mostSpecific, sentenceOfIssue } from './zod-issue-sentences.ts';

/** Words of library messages that must not occur in our sentences. */
const RAW =
  /Invalid|expected|received|Unrecognized|Too (big|small)|must (NOT|match (format|pattern|a schema)|have required|be (string|integer|object|array|equal|number|>|<))|undefined|NaN|\[object/;
const isSentence = (text: string) => {
  expect(text).not.toMatch(RAW);
  expect(text).not.toContain('\n');
  expect(text.length).toBeGreaterThan(8);
};

const broken: Record<z.core.$ZodIssue['code'], readonly (readonly [z.ZodType, unknown, string])[]> = {
  invalid_type: [
    [z.string(), ['a'], 'must be a text, but is a list'],
    [z.strictObject({ a: z.int() }), {}, 'is missing and must be a number'],
    [z.int(), 1.5, 'must be a whole number, but is a number with decimals'],
    [z.record(z.string(), z.string()), null, 'must be a map of keys and values, but is null'],
    [z.date(), 'x', 'must be a date, but is a text'],
    [z.tuple([z.string()]), 1, 'must be a list of fixed length, but is a whole number'],
    [z.never(), true, 'must be absent, but is true'],
  ],
  too_small: [
    [z.string().min(1), '', 'must not be empty'],
    [z.array(z.string()).min(2), [], 'must have at least 2 elements'],
    [z.number().positive(), 0, 'must be greater than 0'],
    [z.date().min(new Date(0)), new Date(-1), 'must be at least 1970-01-01T00:00:00.000Z'],
  ],
  too_big: [
    [z.string().max(2), 'abc', 'must have at most 2 characters'],
    [z.number().lt(5), 5, 'must be less than 5'],
  ],
  invalid_format: [
    [z.string().regex(/^a$/), 'b', 'must match /^a$/'],
    [z.string().regex(/^a$/, 'must be an a'), 'b', 'must be an a'],
    [z.email(), 'b', 'must match the format email'],
  ],
  not_multiple_of: [[z.number().multipleOf(5), 3, 'must be a multiple of 5']],
  unrecognized_keys: [[z.strictObject({}), { a: 1 }, 'has the unknown key “a”, which must be removed']],
  invalid_union: [
    [z.union([z.string(), z.array(z.string())]), 1, 'must be a text or must be a list, but is a whole number'],
    [z.union([z.literal('on'), z.enum(['off'])]), 'offf', 'must be one of “on”, “off” (did you mean “off”?)'],
    [
      z.discriminatedUnion('k', [z.object({ k: z.literal('one') })]),
      { k: 'onee' },
      'must be “one” (did you mean “one”?)',
    ],
    [z.strictObject({ a: z.union([z.string(), z.null()]) }), {}, 'is missing and must be a text or must be null'],
  ],
  invalid_key: [
    [z.record(z.string().regex(/^a/), z.string()), { b: '' }, 'must not have this key: a key must match /^a/'],
  ],
  invalid_element: [
    [z.map(z.string(), z.string()), new Map([[{}, 1]]), 'must not have this key: a key must be a text'],
  ],
  invalid_value: [
    [z.enum(['one', 'two']), 'tow', 'must be one of “one”, “two” (did you mean “two”?)'],
    [z.literal(3), 4, 'must be 3, but is a whole number'],
  ],
  custom: [
    [z.string().refine(() => false), 'a', 'does not match its schema'],
    [z.string().refine(() => false, 'must rhyme'), 'a', 'must rhyme'],
  ],
};

const cases = Object.entries(broken).flatMap(([code, each]) => each.map((one) => [code, ...one] as const));
test.each(cases)('zod: %s', (code, schema, value, says) => {
  const [issue] = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  if (code !== 'invalid_element') expect(issue?.code).toBe(code);
  const message = sentenceOfIssue(issue as z.core.$ZodIssue);
  expect(message).toContain(says.slice(0, 60));
  isSentence(message);
});

test('zod: an element that does not fit', () => {
  const [issue] =
    z.map(z.object({}), z.string()).safeParse(new Map([[{}, 1]]), { reportInput: true }).error?.issues ?? [];
  expect(issue?.code).toBe('invalid_element');
  isSentence(sentenceOfIssue(issue as z.core.$ZodIssue));
});

test('zod: any value at any key of a profile results in a sentence', () => {
  const wrong = [null, 1, -1, 1.5, true, 'zzz', [], [{}], {}, { zzz: 1 }, { scheme: 'zzz' }];
  const keys = Object.keys(profileSchema.shape);
  const answered = keys.flatMap((key) =>
    wrong.flatMap((value) => {
      const issues = profileSchema.safeParse({ name: 'x', [key]: value }, { reportInput: true }).error?.issues ?? [];
      return issues.map((issue) => sentenceOfIssue(mostSpecific(issue).issue));
    }),
  );
  expect(answered.length).toBeGreaterThan(keys.length * 3);
  for (const each of answered) isSentence(each);
});

const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' };
const fitted: Record<string, readonly [schema: object, value: unknown, says: string]> = {
  type: [{ type: ['string', 'null'] }, 1, 'must be a text or null'],
  enum: [{ enum: ['a', 2] }, 3, 'must be one of "a", 2'],
  const: [{ const: { a: 1 } }, 3, 'must be {"a":1}'],
  minimum: [{ minimum: 2 }, 1, 'must be at least 2'],
  maximum: [{ maximum: 2 }, 3, 'must be at most 2'],
  exclusiveMinimum: [{ exclusiveMinimum: 2 }, 2, 'must be greater than 2'],
  exclusiveMaximum: [{ exclusiveMaximum: 2 }, 2, 'must be less than 2'],
  formatMinimum: [
    { ...draft7, format: 'date', formatMinimum: '2020-01-02' },
    '2020-01-01',
    'must be at least "2020-01-02"',
  ],
  formatMaximum: [
    { ...draft7, format: 'date', formatMaximum: '2020-01-02' },
    '2020-01-03',
    'must be at most "2020-01-02"',
  ],
  formatExclusiveMinimum: [
    { ...draft7, format: 'date', formatExclusiveMinimum: '2020-01-02' },
    '2020-01-02',
    'must be greater than',
  ],
  formatExclusiveMaximum: [
    { ...draft7, format: 'date', formatExclusiveMaximum: '2020-01-02' },
    '2020-01-02',
    'must be less than',
  ],
  multipleOf: [{ multipleOf: 2 }, 3, 'must be a multiple of 2'],
  minLength: [{ minLength: 1 }, '', 'must have at least 1 character'],
  maxLength: [{ maxLength: 1 }, 'ab', 'must have at most 1 character'],
  pattern: [{ pattern: '^a' }, 'b', 'must match the pattern “^a”'],
  format: [{ format: 'date' }, 'b', 'must have the format “date”'],
  minItems: [{ minItems: 2 }, [], 'must have at least 2 elements'],
  maxItems: [{ maxItems: 1 }, [1, 2], 'must have at most 1 element'],
  uniqueItems: [{ uniqueItems: true }, [1, 2, 1], 'must not have equal elements, such as those at 0 and 2'],
  contains: [{ contains: { type: 'string' } }, [1], 'must have at least 1 element that match the schema in contains'],
  items: [{ prefixItems: [true], items: false }, [1, 2], 'must not have more than 1 element'],
  prefixItems: [{ prefixItems: [{ type: 'string' }] }, [1], 'must be a text'],
  additionalItems: [{ ...draft7, items: [true], additionalItems: false }, [1, 2], 'must not have more than 1 element'],
  unevaluatedItems: [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], 'must not have more than 1 element'],
  minProperties: [{ minProperties: 1 }, {}, 'must have at least 1 member'],
  maxProperties: [{ maxProperties: 0 }, { a: 1 }, 'must have at most 0 members'],
  required: [{ required: ['code'] }, {}, 'must have the member “code”'],
  dependencies: [{ ...draft7, dependencies: { a: ['b'] } }, { a: 1 }, 'must have “b” if it has “a”'],
  dependentRequired: [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'must have “b” if it has “a”'],
  additionalProperties: [{ additionalProperties: false }, { a: 1 }, 'must not have the member “a”'],
  unevaluatedProperties: [{ unevaluatedProperties: false }, { a: 1 }, 'must not have the member “a”'],
  propertyNames: [
    { propertyNames: { pattern: '^a' } },
    { b: 1 },
    'must not have a member with the name “b”: a name must match the pattern “^a”',
  ],
  anyOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be a text, or must be null'],
  oneOf: [
    { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    1,
    'must match exactly one schema in oneOf, but matches those at 0 and 1',
  ],
  not: [{ not: { type: 'number' } }, 1, 'must not match the schema in not'],
  if: [JSON.parse('{"if":{"type":"number"},"then":{"minimum":5}}'), 1, 'must be at least 5'],
  'false schema': [{ properties: { a: false } }, { a: 1 }, 'must be absent, because its schema is false'],
};
test.each(Object.entries(fitted))('ajv: %s', (_, [schema, value, says]) => {
  const [breach] = createSchemaCompiler('/p.yaml').compileInline(schema, []).check(value) as readonly SchemaBreach[];
  expect(breach?.expected).toContain(says);
  isSentence(breach?.expected ?? '');
});

test('ajv: every keyword of its vocabularies that can be broken has a case', () => {
  const load = createRequire(import.meta.url);
  const vocabularies = ['draft7', 'draft2020', 'discriminator'].flatMap((name) => {
    if (name === 'discriminator') return [];
    const { default: keywords } = load(`ajv/dist/vocabularies/${name}.js`) as { default: unknown };
    return (keywords as unknown[]).flat(3);
  });
  const names = vocabularies.flatMap((each) =>
    typeof each === 'object' && each !== null && 'error' in each
      ? [(each as unknown as { keyword: string | string[] }).keyword].flat()
      : [],
  );
  expect(names.length).toBeGreaterThan(20);
  // These fail with the sentences of their subschemas.
  const delegating = ['$ref', '$dynamicRef', '$recursiveRef', 'discriminator', 'dependentSchemas'];
  for (const name of names.filter((each) => !delegating.includes(each))) {
    expect(Object.keys(SENTENCES), name).toContain(name);
    expect(Object.keys(fitted), name).toContain(name);
  }
});

test.each([
  [{ type: 'strin' }, /must be one of "array", "boolean"/],
  [{ minimum: 'x' }, /it must be a number/],
  [{ required: 'code' }, /it must be a list/],
  [{ enum: {} }, /it must be a list/],
  [{ $ref: '#/$defs/none' }, /has no target in its file/],
  [
    { $defs: { a: { $id: 'urn:x', type: 'string' }, b: { $id: 'urn:x', type: 'number' } } },
    /uses one \$id or \$anchor for several/,
  ],
])('a schema that cannot be used: %j', (schema, says) => {
  let message = '';
  try {
    createSchemaCompiler('/p.yaml').compileInline(schema, []);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toMatch(says);
  isSentence(message);
});
