/** What `mdwi run` judges when no base address is given. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { plan } from './plan.ts';
import { record } from './record.ts';
import { run } from './run.ts';
import { simulate } from './simulate.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

test.each(['reference', 'hypermedia'])(
  'the simulator speaks the dialect %s that a bundled profile describes',
  async (name) => {
    const args = [MAIN, 'run', '--profile', name, '--group', 'C', '--require', 'conformant'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toMatch(new RegExp(`profile +${name} `));
    expect(stdout).toMatch(/outcome +conformant \(C, all\)/);
  },
);

test.each([
  ['run', run],
  ['plan', plan],
  ['record', record],
])('%s refuses a profile file, a safety class or an empty address without a target', async (_, command) => {
  for (const args of [['--profile', 'acme.yaml'], ['--safety', 'read'], ['--base-url', ''], ['--base-url=']])
    await expect(command.run([...args, ...(command === record ? ['--name', 'x'] : [])])).rejects.toThrow(
      /--base-url URL.*--simulator/,
    );
});

test('run names a recording among the targets, and takes no two', async () => {
  await expect(run.run(['--safety', 'read'])).rejects.toThrow('--recordings NAME');
  await expect(run.run(['--simulator', '--recordings', 'reference'])).rejects.toThrow('only one of them');
});

test.each([
  ['simulate', simulate, ['--fault', 'bulk-upc-letter', '--fault', 'bulk-upc-11-digits'], '--fault'],
  ['record', record, ['--name', 'a', '--name=b'], '--name'],
  ['run', run, ['--base-url', 'http://127.0.0.1:1', '--base-url', 'http://127.0.0.1:2'], '--base-url'],
] as const)('%s refuses a flag of one value that is given twice', async (_, command, args, flag) => {
  await expect(command.run([...args])).rejects.toThrow(`${flag} is given 2 times, but only one value can count`);
});
