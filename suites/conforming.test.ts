/** What conforms is never accused: other worlds, other base addresses, profiles that say nothing. Faults: the selftest. */
import { expect, test } from 'vitest';
import { loadProfile } from '../src/profile/load.ts';
import { expectConformant } from './conforming.test.support.ts';
import { judgeSimulation } from './judge-in-process.test.support.ts';

test('a faultless simulator below a path prefix is conformant, also under --strict', async () => {
  await expectConformant({ basePath: '/api/v9', products: 40 });
});

test('with an empty profile nothing fails, nothing that needs an opening passes, and the openings are named', async () => {
  const run = await judgeSimulation({ products: 40 }, { profile: await loadProfile('empty') });
  expect(run.results.filter((each) => each.verdict === 'fail')).toEqual([]);
  const passed = new Set(run.results.filter((each) => each.verdict === 'pass').map((each) => each.rule));
  expect([...passed].every((rule) => rule.startsWith('every.'))).toBe(true);
  expect(passed.has('every.served')).toBe(true);
  expect(run.outcome).toBe('partial');
  expect(run.exitCode).toBe(0);
  const filled = run.openings.map((each) => each.opening);
  expect(filled).toContain('allProducts.rows');
  expect(run.openings.every((each) => each.rules.length > 0)).toBe(true);
});

test('what is safe to read is all that is sent by default', async () => {
  const run = await judgeSimulation({ products: 40 }, { selection: { safety: 'read' } });
  expect(run.exchanges.filter((each) => each.method === 'POST' && each.operation.includes('/webservices/'))).toEqual(
    [],
  );
  expect(run.outcome).toBe('partial');
});
