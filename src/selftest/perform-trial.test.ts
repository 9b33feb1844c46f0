import { expect, test } from 'vitest';
import { RULES } from '../../suites/index.ts';
import { performTrial } from './perform-trial.ts';

const dialect = 'reference';

test('one valid-looking answer to everything proves nothing, whatever rules it fits', async () => {
  const { passed, outcome, errors } = await performTrial({ kind: 'degenerate', name: 'same-product', dialect }, RULES);
  expect(passed).toEqual([]);
  expect(errors).toEqual([]);
  expect(outcome).toBe('nonconformant');
});

test('what the depth quick cannot decide is untested', async () => {
  const trial = { kind: 'oddity', name: 'catalogue-shares-dimensions', dialect: 'xml', groups: ['B'] } as const;
  expect(await performTrial(trial, RULES, { depth: 'quick' })).toMatchObject({ outcome: 'partial', failed: [] });
});

test('a server that hangs is left after a few short time-outs', async () => {
  const { outcome, passed } = await performTrial({ kind: 'degenerate', name: 'hangs', dialect, empty: true }, RULES);
  expect([outcome, passed]).toEqual(['undetermined', []]);
});
