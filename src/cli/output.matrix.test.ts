import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN } from '../main.test.support.ts';
import { newFolder } from '../resources.test.support.ts';

test('a reporter’s file that is no reporter loses neither the verdict nor the report', () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, 'reporter.mjs'), 'export const nothing = 1;\n');
  const args = ['run', '--rule', 'every.version-only', '--vitest', './reporter.mjs'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd,
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stdout).toMatch(/outcome +undetermined/);
  expect(stderr).toMatch(/^mdwi run: --vitest .*reporter\.mjs: \S/m);
  expect(stderr).not.toMatch(/\n\s+at /);
});
