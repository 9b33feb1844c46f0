/** What changed between two runs, on the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';
import { type Performed, perform } from './perform.test.support.ts';

const folder = newFolder(afterAll);
const fileIn = (name: string): string => join(folder, name);
const readJson = (name: string): Run => JSON.parse(readFileSync(fileIn(name), 'utf8')) as Run;
/** Runs the command line in this process. */
const mdwi = (...args: string[]) => perform(args);

/** Judges the simulator, with a fault if one is named. */
async function run(fault: string | undefined, ...flags: string[]): Promise<Performed> {
  const simulator = await startSimulator({ products: 20, ...(fault && { fault }) });
  const rules = ['--rule', 'C.delta-nested', '--rule', 'C.upc-12-digits'];
  const target = ['--base-url', simulator.url, '--profile', 'reference'];
  return mdwi('run', ...target, ...rules, ...flags).finally(() => simulator.close());
}

beforeAll(async () => {
  await run(undefined, '--report', `json=${fileIn('sound.json')}`);
  await run('delta-1-not-in-4', '--report', `json=${fileIn('faulty.json')}`);
});

test('a gate with a baseline is red for a new failure', async () => {
  const flags = ['--baseline', fileIn('sound.json'), '--fail-on-new'];
  const { code, stdout, stderr } = await run('delta-1-not-in-4', ...flags);
  expect(code).toBe(1);
  expect(stdout).toMatch(/new failures \(1\)\n +C\.delta-nested on .*: pass → fail/);
  expect(stderr).toContain('1 gating check failed that did not fail like this');
});

describe('mdwi compare', () => {
  const compare = (was: string, is: string, ...flags: string[]) => mdwi('compare', fileIn(was), fileIn(is), ...flags);

  test('shows a new failure and a fixed one', async () => {
    const worse = await compare('sound.json', 'faulty.json', '--fail-on-new');
    expect([worse.code, worse.stdout]).toEqual([1, expect.stringContaining('new failures (1)')]);
    const better = await compare('faulty.json', 'sound.json');
    expect([better.code, better.stdout]).toEqual([0, expect.stringContaining('fixed (1)')]);
  });

  test('has the exit code of the second run without --fail-on-new', async () => {
    expect((await compare('faulty.json', 'faulty.json')).code).toBe(1);
    expect((await compare('faulty.json', 'faulty.json', '--fail-on-new')).code).toBe(0);
  });

  test('writes reports of the second run with the comparison', async () => {
    await compare('sound.json', 'faulty.json', '--report', `json=${fileIn('compared.json')}`);
    expect(readJson('compared.json').comparison?.newFailures).toHaveLength(1);
  });

  test('needs two files', async () => {
    expect(await mdwi('compare', fileIn('sound.json'))).toMatchObject({ code: 2 });
  });

  test('ignores members that a later version adds', async () => {
    writeFileSync(fileIn('later.json'), JSON.stringify({ ...readJson('sound.json'), later: true }));
    expect(await compare('sound.json', 'later.json')).toMatchObject({ code: 0 });
  });
});
