import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ResponseHead } from '../exchange/types.ts';
import { createSchemaCompiler } from '../profile/body-schema/json-schema.ts';
import { newFolder } from '../resources.test.support.ts';
import { checkBody } from './check-body.ts';
import { type BodyPlan, readBody } from './read-body.ts';

const folder = newFolder(afterAll);

/** A pattern without a linear engine, and its worst-case text. */
const EVIL = '^(?=a)(a+)+$';
/** The same with an equal in RE2. */
const REGULAR = '^(a+)+$';
const UNLUCKY = `${'a'.repeat(60)}!`;

const head: ResponseHead = {
  status: 200,
  reasonPhrase: 'OK',
  headers: [
    ['Content-Type', 'application/json'],
    ['Location', UNLUCKY],
  ],
};
async function* bytesOf(value: unknown) {
  yield new TextEncoder().encode(JSON.stringify(value));
}
const read = (plan: BodyPlan, value: unknown) => readBody(plan, head, bytesOf(value), () => undefined);
const check = (schema: object, value: unknown) =>
  checkBody(createSchemaCompiler(join(folder, 'p.yaml')).compileInline(schema, []), undefined, head, bytesOf(value));

describe('match', () => {
  test('that takes too long leaves the response unread, and names the pattern and its key', async () => {
    const fields = { upc: { at: '@.u', match: EVIL } };
    const { problem } = await read({ rows: '$[*]', fields }, [{ u: UNLUCKY }]);
    expect(problem?.kind).toBe('timeLimit');
    expect(problem?.message).toContain(`the pattern ${EVIL} of response.fields.upc.match takes longer than 1 s`);
    const inHeader = { upc: { at: '$response.header.Location', match: EVIL } };
    expect((await read({ fields: inHeader }, {})).problem?.kind).toBe('timeLimit');
  });

  test('that is regular is decided', async () => {
    const fields = { upc: { at: '$.u', match: REGULAR } };
    const { problem, values } = await read({ fields }, { u: UNLUCKY });
    expect(problem).toBeUndefined();
    expect(values.upc).toMatchObject([{ why: `no part of it matches ${REGULAR}` }]);
  });
});

describe('a selector', () => {
  test.each(['search', 'match'])('with %s() that is regular is decided', async (name) => {
    const rows = `$[?${name}(@.u, '(a+)+b')]`;
    const { problem, rows: found } = await read({ rows, fields: {} }, [{ u: UNLUCKY }, { u: 'aab' }]);
    expect([problem, found]).toEqual([undefined, 1]);
  });

  test('that takes too long leaves the response unread', async () => {
    const rows = "$[?search(@.u, '(\\\\p{L}+)+b')]";
    const { problem } = await read({ rows, fields: {} }, [{ u: UNLUCKY }]);
    expect(problem).toMatchObject({ kind: 'timeLimit', message: expect.stringContaining('of search() takes longer') });
  });

  test.each<[string, string, boolean]>([
    ['match', 'a.c', true],
    ['match', 'b', false],
    ['search', 'b', true],
    ['match', 'a\\\\.c', false],
    ['match', 'a[.b]c', true],
    ['match', 'ab|c', false],
    ['search', '(', false],
    ['search', '\\\\d', false],
  ])('with %s(@, "%s") finds what RFC 9535 says', async (name, pattern, finds) => {
    const { rows } = await read({ rows: `$[?${name}(@, '${pattern}')]`, fields: {} }, ['abc']);
    expect(rows).toBe(finds ? 1 : 0);
  });
});

describe('a schema', () => {
  test('whose pattern takes too long leaves the response unchecked', async () => {
    const { unchecked, breaches } = await check({ type: 'string', pattern: EVIL }, UNLUCKY);
    expect(unchecked).toContain(`the pattern ${EVIL} of the keyword pattern takes longer than 1 s`);
    expect(breaches).toEqual([]);
  });

  test.each([{ pattern: REGULAR }, { format: 'email' }, { format: 'uri-template' }, { format: 'url' }])(
    '%o is decided on a text that is long and unlucky',
    async (schema) => {
      const { unchecked, breaches } = await check({ type: 'string', ...schema }, `${'a'.repeat(20_000)}!"`);
      expect([unchecked, breaches.length]).toEqual([undefined, 1]);
    },
  );

  test('whose patternProperties are regular is decided', async () => {
    const schema = { patternProperties: { [REGULAR]: false }, additionalProperties: true };
    expect((await check(schema, { [UNLUCKY]: 1 })).breaches).toEqual([]);
    expect((await check(schema, { aaa: 1 })).breaches.length).toBe(1);
  });
});
