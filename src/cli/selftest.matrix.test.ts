/** The whole selftest: every gate, over all trials. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FAULTS } from '../../simulator/faults/index.ts';
import { RULES } from '../../suites/index.ts';
import { MAIN } from '../main.test.support.ts';

test('every rule is seen failing, every fault is caught, and there is no false alarm and no undue pass', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, 'selftest']);
  expect(stdout).toMatch(
    new RegExp(
      `^rules ${RULES.length}/${RULES.length} seen failing · faults ${FAULTS.length}/${FAULTS.length} caught · ` +
        'false alarms 0 on \\d+ dialects × \\d+ oddities · degenerate servers 0 undue passes\n$',
    ),
  );
  expect(stderr).toBe('');
});
