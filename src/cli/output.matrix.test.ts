import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMain } from '../processes.test.support.ts';
import { newFolder } from '../resources.test.support.ts';

test('a reporter’s file that is no reporter loses neither the verdict nor the report', async () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, 'reporter.mjs'), 'export const nothing = 1;\n');
  const args = ['run', '--rule', 'every.version-only', '--vitest', './reporter.mjs'];
  const { code, out, err } = await startMain(args, { cwd }).ended;
  expect(code).toBe(2);
  expect(out).toMatch(/outcome +undetermined/);
  expect(err).toMatch(/^mdwi run: --vitest .*reporter\.mjs: \S/m);
  expect(err).not.toMatch(/\n\s+at /);
});
