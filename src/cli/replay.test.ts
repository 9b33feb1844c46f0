import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../simulator/gateway/gateway.ts';
import { startSimulator } from '../../simulator/server.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import { openReplay } from '../commands/open-replay.ts';
import { firstOutput, startMain } from '../processes.test.support.ts';
import { loadProfile } from '../profile/load.ts';
import { matchingOf } from '../recording/format/profile-matching.ts';
import { newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';
import { replay } from './replay.ts';
import { run } from './run.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORDINGS = join(ROOT, 'recordings');

test('the reference recording is judged offline as it was live', async () => {
  const report = join(newFolder(), 'run.json');
  const args = ['--recordings', 'reference', '--recordings-dir', RECORDINGS, '--report', `json=${report}`];
  expect(await startMain(['run', ...args]).ended).toMatchObject({ code: 0 });
  const judged = JSON.parse(readFileSync(report, 'utf8')) as Run;
  expect(judged.outcome).toBe('conformant');
  expect(judged.manifest).toMatchObject({
    profile: 'reference (bundled:reference)',
    safety: 'all',
    target: expect.stringMatching(/^recording reference \(the built-in simulator with 40 products, \d{4}-\d\d-\d\d\)$/),
  });
  const [proved, provable] = judged.fractions.proved;
  expect(proved).toBe(provable);
  expect(proved).toBeGreaterThanOrEqual(367);
  expect(judged.results.filter(({ note }) => note?.includes('not recorded'))).toEqual([]);
});

test('what a recording does not hold is untested, never failed', async () => {
  const dir = newFolder();
  const profile = await loadProfile('reference');
  const simulator = await startSimulator({ products: 40 });
  onTestFinished(() => simulator.close());
  const about = { suite: 'test', source: 'simulator', profile: 'reference', safety: 'all' } as const;
  const gateway = await startGateway({
    upstream: simulator.url,
    dir,
    name: 'part',
    about,
    matching: matchingOf(profile),
  });
  const operation = 'GET /PLATFORMAPI/prodRef/v1/allProducts' as const;
  await judgeTarget({ base: gateway.url, profile, selection: { safety: 'all', operations: [operation] } });
  await gateway.close();
  const opened = await openReplay('part', { 'recordings-dir': dir });
  onTestFinished(() => opened.close());
  const judged = await judgeTarget(opened);
  const verdicts = Map.groupBy(judged.results, ({ verdict }) => verdict);
  expect([...verdicts.keys()].sort()).toEqual(['not-applicable', 'pass', 'untested']);
  expect(verdicts.get('pass')?.some((each) => each.operation === operation)).toBe(true);
  const notes = verdicts.get('untested')?.map(({ note }) => note ?? '') ?? [];
  expect(
    notes.filter((note) => /the request is not recorded: record it \(not recorded: /.test(note)).length,
  ).toBeGreaterThan(100);
  expect(judged.exitCode).toBe(0);

  const none = await judgeTarget({ ...opened, selection: { safety: 'all', groups: ['A'] } });
  expect(none.outcome).toBe('undetermined');
  expect(none.reason).not.toContain('does not answer');
});

test('what cannot be replayed is refused in one sentence', async () => {
  const missing = ['--recordings', 'nothing', '--recordings-dir', RECORDINGS];
  await expect(run(missing)).rejects.toThrow(/holds no recording .*: there are reference/);
  await expect(run([...missing, '--base-url', 'http://127.0.0.1:1'])).rejects.toThrow('only one of them can be judged');
  await expect(run(['--recordings-dir', RECORDINGS])).rejects.toThrow('goes with --recordings NAME');
  await expect(replay([])).rejects.toThrow('the name of the recording is missing');
});

test('replay serves a recording until it is ended, and reports each miss once', async () => {
  const { child, ended } = startMain(['replay', 'reference', '--recordings', RECORDINGS]);
  const url = await firstOutput(child);
  expect((await fetch(`${url}/PLATFORMAPI/prodRef/v1/allProducts`)).status).toBe(200);
  for (let n = 0; n < 2; n++)
    expect((await fetch(`${url}/PLATFORMAPI/prodRef/v1/allProducts?page=99`)).status).toBe(502);
  child.kill('SIGINT');
  const { code, err } = await ended;
  expect(code).toBe(0);
  expect(err.split('\n')).toEqual([
    expect.stringMatching(
      /^mdwi replay: not recorded: GET .*page=99; the nearest recorded request is .*; to record it: mdwi gateway --upstream URL --name reference --profile reference$/,
    ),
    'mdwi replay: 2 requests were not recorded',
    '',
  ]);
});
