/** What `mdwi run` judges when no base address is given. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { ALL_PRODUCTS } from '../contract/index.ts';
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
    expect(stdout).toMatch(/outcome +conformant \(C, all, standard\)/);
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

/** Judges the simulator with a fault by one rule, in a process of its own; returns what it shows. */
async function runFaulty(...flags: string[]) {
  const simulator = await startSimulator({ fault: 'bulk-upc-11-digits' });
  onTestFinished(() => simulator.close());
  const selection = ['--profile', 'reference', '--operation', ALL_PRODUCTS, '--rule', 'C.upc-12-digits'];
  const args = [MAIN, 'run', '--base-url', simulator.url, ...selection, ...flags];
  const env = { ...process.env, FORCE_COLOR: undefined };
  const { code, stdout, stderr } = (await promisify(execFile)(process.execPath, args, { env }).catch(
    (error) => error,
  )) as {
    code: number;
    stdout: string;
    stderr: string;
  };
  return { code, stdout, stderr };
}

test('--quiet shows the outcome in one line and nothing else', async () => {
  expect(await runFaulty('--quiet')).toEqual({
    code: 1,
    stdout: 'nonconformant (C, read, standard, filtered) – 1 gating check failed\n',
    stderr: '',
  });
});

test('a pipe gets the report without colours, and the reason on standard error', async () => {
  const { code, stdout, stderr } = await runFaulty();
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'mdwi run: 1 gating check failed\n' });
  expect(stdout).toContain('see       mdwi explain C.upc-12-digits\n');
  expect(stdout).not.toContain('\u001b');
});

test.each(['--summary', '--verbose'])('--quiet is refused with %s', async (flag) => {
  await expect(run.run(['--simulator', '--quiet', flag])).rejects.toThrow(`--quiet and ${flag}: only one of them`);
});

test('auto prints the seed before the run, and the run states it', async () => {
  const simulator = await startSimulator({ products: 20 });
  onTestFinished(() => simulator.close());
  const args = ['run', '--base-url', simulator.url, '--profile', 'reference', '--rule', 'C.upc-12-digits'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...args, '--sample-seed', 'auto']);
  const seed = /--sample-seed (\d+) repeats/.exec(stderr)?.[1];
  expect(seed).toBeDefined();
  expect(stdout).toContain(`sample seed ${seed}`);
});
