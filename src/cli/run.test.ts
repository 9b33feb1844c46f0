/** What `mdwi run` judges when no base address is given. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { ALL_PRODUCTS } from '../contract/index.ts';
import { perform } from './perform.test.support.ts';
import { plan } from './plan.ts';
import { record } from './record.ts';
import { run } from './run.ts';

test('the simulator speaks the dialect that a bundled profile describes', async () => {
  const { stdout } = await perform(['run', '--profile', 'hypermedia', '--group', 'C', '--require', 'conformant']);
  expect(stdout).toMatch(/profile +hypermedia /);
  expect(stdout).toMatch(/outcome +conformant \(C, all, standard\)/);
});

test.each([
  ['run', run],
  ['plan', plan],
  ['record', record],
])('%s refuses a profile file, a safety class or an empty address without a target', async (_, command) => {
  for (const args of [['--profile', 'acme.yaml'], ['--safety', 'read'], ['--base-url', ''], ['--base-url=']])
    await expect(command([...args, ...(command === record ? ['--name', 'x'] : [])])).rejects.toThrow(
      /--base-url URL.*--simulator/,
    );
});

test('run names a recording among the targets, and takes no two', async () => {
  await expect(run(['--safety', 'read'])).rejects.toThrow('--recordings NAME');
  await expect(run(['--simulator', '--recordings', 'reference'])).rejects.toThrow('only one of them');
});

/** Judges the simulator with a fault by one rule, and returns what it shows. */
async function runFaulty(...flags: string[]) {
  const simulator = await startSimulator({ fault: 'bulk-upc-11-digits' });
  onTestFinished(() => simulator.close());
  const selection = ['--profile', 'reference', '--operation', ALL_PRODUCTS, '--rule', 'C.upc-12-digits'];
  vi.stubEnv('FORCE_COLOR', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  return perform(['run', '--base-url', simulator.url, ...selection, ...flags]);
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
  await expect(run(['--simulator', '--quiet', flag])).rejects.toThrow(`--quiet and ${flag}: only one of them`);
});

test('auto prints the seed before the run, and the run states it', async () => {
  const simulator = await startSimulator({ products: 20 });
  onTestFinished(() => simulator.close());
  const args = ['run', '--base-url', simulator.url, '--profile', 'reference', '--rule', 'C.upc-12-digits'];
  const { stdout, stderr } = await perform([...args, '--sample-seed', 'auto']);
  const seed = /--sample-seed (\d+) repeats/.exec(stderr)?.[1];
  expect(seed).toBeDefined();
  expect(stdout).toContain(`sample seed ${seed}`);
});
