/** The whole selftest: every gate, over all trials. */
import { expect, test } from 'vitest';
import { FAULTS } from '../../simulator/faults/index.ts';
import { RULES } from '../../suites/index.ts';
import { startMain } from '../processes.test.support.ts';

test('every rule is seen failing, every fault is caught, and there is no false alarm and no undue pass', async () => {
  const { code, out, err } = await startMain(['selftest']).ended;
  expect(out).toMatch(
    new RegExp(
      `^rules ${RULES.length}/${RULES.length} seen failing · faults ${FAULTS.length}/${FAULTS.length} caught · ` +
        'false alarms 0 on \\d+ dialects × \\d+ oddities · degenerate servers 0 undue passes\n$',
    ),
  );
  expect([code, err]).toEqual([0, '']);
});
