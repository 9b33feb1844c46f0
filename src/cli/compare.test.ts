/** What changed between two runs, on the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { UPDATE_PRODUCTS } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import { newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';
import { mergePatch } from '../selftest/patched-profile.ts';
import { perform } from './perform.test.support.ts';

const folder = newFolder(afterAll);
const fileIn = (name: string): string => join(folder, name);
const readJson = (name: string): Run => JSON.parse(readFileSync(fileIn(name), 'utf8')) as Run;
let closeAll: (() => Promise<unknown>)[] = [];
let sound: string;
let faulty: string;

/** Runs the command line in this process. */
const mdwi = (...args: string[]) => perform(args);

const RULES = ['--rule', 'C.delta-nested', '--rule', 'C.upc-12-digits'];
const runAt = (base: string, profile: string, ...flags: string[]) =>
  mdwi('run', ...['--base-url', base, '--profile', fileIn(profile)], ...RULES, ...flags);

beforeAll(async () => {
  const { data } = await loadProfile('reference');
  const unbound = mergePatch(data, { operations: { [UPDATE_PRODUCTS]: { request: { query: null } } } });
  writeFileSync(fileIn('profile.yaml'), JSON.stringify(data));
  writeFileSync(fileIn('unbound.yaml'), JSON.stringify(unbound));
  const servers = [
    await startSimulator({ products: 20 }),
    await startSimulator({ products: 20, fault: 'delta-1-not-in-4' }),
  ];
  [sound, faulty] = servers.map(({ url }) => url) as [string, string];
  closeAll = servers.map(({ close }) => close);
  await runAt(sound, 'profile.yaml', '--report', `json=${fileIn('sound.json')}`);
  await runAt(faulty, 'profile.yaml', '--report', `json=${fileIn('faulty.json')}`);
});

afterAll(() => Promise.all(closeAll.map((close) => close())));

describe('a gate with a baseline', () => {
  test('is red for a new failure', async () => {
    const flags = ['--baseline', fileIn('sound.json'), '--fail-on-new'];
    const { code, stdout, stderr } = await runAt(faulty, 'profile.yaml', ...flags);
    expect(code).toBe(1);
    expect(stdout).toMatch(/new failures \(1\)\n +C\.delta-nested on .*: pass → fail/);
    expect(stderr).toContain('1 gating check failed that did not fail like this');
  });

  test('is green for a failure that the baseline has, and says so', async () => {
    const report = fileIn('again.json');
    const flags = ['--baseline', fileIn('faulty.json'), '--fail-on-new', '--report', `json=${report}`];
    const { code, stdout, stderr } = await runAt(faulty, 'profile.yaml', ...flags);
    expect(code).toBe(0);
    expect(stdout).toContain('outcome   nonconformant');
    expect(stderr).toContain('remains and does not set the exit code');
    expect(readJson('again.json')).toMatchObject({
      outcome: 'nonconformant',
      exitCode: 0,
      comparison: { newFailures: [] },
    });
  });

  test('is red for a proof that a deleted binding loses', async () => {
    const flags = ['--baseline', fileIn('sound.json'), '--fail-on-new'];
    const { code, stdout } = await runAt(sound, 'unbound.yaml', ...flags);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /no longer decided \(\d\)\n(?: +.*\n)*? +C\.delta-nested on .*: pass → untested \(.*the profile changed\)/,
    );
    expect((await runAt(sound, 'unbound.yaml')).code).toBe(0);
  });

  test.each([
    ['nothing.json', undefined, 'there is no such file'],
    ['cut.json', '{"schema": 1, "outc', 'is no JSON, or is cut off'],
    ['other.json', '{"schema": 1}', 'outcome: is missing and must be one of'],
  ])('needs a run.json: %s', async (name, text, sentence) => {
    if (text !== undefined) writeFileSync(fileIn(name), text);
    const { code, stderr } = await runAt(sound, 'profile.yaml', '--baseline', fileIn(name));
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(stderr).toContain(name);
  });

  test('--fail-on-new needs a baseline', async () => {
    expect(await runAt(sound, 'profile.yaml', '--fail-on-new')).toMatchObject({ code: 2 });
  });
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
