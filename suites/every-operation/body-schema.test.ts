/** Schemas a profile states, held against the reference dialect as it is and broken. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { SimulationOptions } from '../../simulator/simulation.ts';
import { loadProfile } from '../../src/profile/load.ts';
import type { Profile } from '../../src/profile/schema.ts';
import type { Result, Run, Selection } from '../../src/run/types.ts';
import { type Answer, judgeService, judgeSimulation } from '../judge-in-process.test.support.ts';
import { patchedReference, STATED_SCHEMAS } from '../patched-reference.test.support.ts';

const RULE = 'every.body-schema';
const CATEGORY = 'GET /RetailMeasurement/v1/CategoryPerformance';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';

const judge = (profile: Profile, options: SimulationOptions = {}, selection: Selection = { safety: 'all' }) =>
  judgeSimulation({ products: 50, ...options }, { profile, selection, strict: true });

const ofSchemas = ({ results }: Run): Result[] =>
  results.filter(({ rule, verdict }) => rule === RULE && verdict !== 'not-applicable');

test('each schema of a service that matches its profile validated a response', async () => {
  const rules = [RULE, 'D.filter-category-sound', 'D.filter-sub-category-sound'];
  const run = await judge(await patchedReference(STATED_SCHEMAS), {}, { safety: 'all', rules });
  const judged = ofSchemas(run);
  expect(judged.map(({ operation, verdict }) => [operation, verdict]).sort()).toEqual(
    Object.keys(STATED_SCHEMAS.operations)
      .sort()
      .map((operation) => [operation, 'pass']),
  );
  const [category] = judged.filter(({ operation }) => operation === CATEGORY);
  // The answers to filters, which other rules asked for, are among them.
  expect(category?.evidence.exchanges).toBeGreaterThan(3);
  expect(category?.evidence.rows).toBeGreaterThan(20);
});

test('a service whose profile states no schema and no status is judged without them', async () => {
  const rules = [RULE, 'C.unknown-status', 'C.malformed-status'];
  const run = await judge(await loadProfile('reference'), {}, { safety: 'read', rules });
  expect(ofSchemas(run)).toEqual([]);
  const optional = run.results.filter(({ rule }) => ['C.unknown-status', 'C.malformed-status'].includes(rule));
  expect(optional.map(({ verdict }) => verdict)).toEqual(['not-applicable', 'not-applicable']);
});

test.each([
  ['figure-missing-in-one-row', 'required', /\/rows\/\d+ must have the member “sales/],
  ['figure-text-in-one-row', 'type', /\/rows\/\d+\/sales\w+ must be a number/],
])('%s breaks the schema', async (fault, keyword, says) => {
  const [category] = ofSchemas(
    await judge(await patchedReference(STATED_SCHEMAS), { fault }, { safety: 'read', operations: [CATEGORY] }),
  );
  expect(category).toMatchObject({ verdict: 'fail', basis: 'profile', gating: true });
  expect(category?.findings[0]?.expected).toMatch(says);
  expect(category?.findings[0]?.expected).toContain(`(${keyword})`);
});

test('an error body is held against the schema of its status', async () => {
  const profile = await patchedReference({
    operations: { [LOOKUP]: { response: { schemas: { '404': { type: 'object', required: ['code'] } } } } },
  });
  const [lookup] = ofSchemas(await judge(profile, {}, { safety: 'read', operations: [LOOKUP] }));
  expect(lookup?.verdict).toBe('fail');
  expect(lookup?.findings[0]?.expected).toBe(
    'the body at its root must have the member “code”, as the schema in the profile states for status 404 (required)',
  );
});

test('a response whose status has no schema is not judged', async () => {
  const profile = await patchedReference({
    operations: { [CATEGORY]: { response: { schemas: { '418': { type: 'string' }, '4XX': false } } } },
  }).catch((error: Error) => error.message);
  expect(profile).toMatch(/schemas\.4XX/);
  const run = await judge(
    await patchedReference({ operations: { [CATEGORY]: { response: { schemas: { '418': { type: 'string' } } } } } }),
    {},
    { safety: 'read', rules: [RULE], operations: [CATEGORY] },
  );
  expect(run.results[0]).toMatchObject({
    verdict: 'not-applicable',
    note: 'the profile states no schema for status 200',
  });
});

test('a schema of zod is held against whole bodies', async () => {
  const stated = (row: z.ZodType) => z.object({ rows: z.array(row) });
  const profileWith = async (schema: z.ZodType): Promise<Profile> => {
    const profile = await loadProfile('reference');
    const { compileStandard } = await import('../../src/profile/body-schema/standard.ts');
    return { ...profile, bodySchemas: new Map([[CATEGORY, new Map([['200', compileStandard(schema)]])]]) };
  };
  const only: Selection = { safety: 'read', rules: [RULE], operations: [CATEGORY] };
  const good = await judge(await profileWith(stated(z.object({ category: z.string() }))), {}, only);
  expect(good.results[0]?.verdict).toBe('pass');
  const bad = await judge(await profileWith(stated(z.object({ category: z.number() }))), {}, only);
  expect(bad.results[0]?.verdict).toBe('fail');
  expect(bad.results[0]?.findings[0]?.expected).toMatch(
    /^the body at \/rows\/0\/category must be a number, as the zod schema states for status 200 \(invalid_type\)$/,
  );
});

test('missing credentials, overload and bodies that are not JSON are distinguished', async () => {
  const profile = `name: t\noperations: { "${CATEGORY}": { request: {}, response: { schemas: { default: { type: object } } } } }`;
  const ask = async (status: number, body: string) => {
    const service: Answer = () => [status, body, 'text/html'];
    return (await judgeService(profile, service, { rules: [RULE], operations: [CATEGORY] })).results[0];
  };
  expect(await ask(200, '<html>')).toMatchObject({
    verdict: 'fail',
    findings: expect.arrayContaining([expect.objectContaining({ expected: expect.stringContaining('must be JSON') })]),
  });
  expect(await ask(401, '<html>')).toMatchObject({
    verdict: 'inconclusive',
    note: 'status 401 prevents a judgement',
  });
  expect((await ask(204, ''))?.verdict).toBe('not-applicable');
});
