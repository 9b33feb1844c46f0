/** The output of commands in processes of their own: to closed pipes, to files, to standard output. */

import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BUNDLES } from '../main.test.support.ts';
import { startMain } from '../processes.test.support.ts';
import { listen, newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';
import { gateway } from './gateway.ts';
import { perform } from './perform.test.support.ts';
import { replay } from './replay.ts';
import { run } from './run.ts';
import { simulate } from './simulate.ts';

test.each<[string, string[], number]>([
  ['a listing', ['rules'], 0],
  ['a run, with the exit code of its verdict', ['run', '--rule', 'every.version-only', '--verbose'], 3],
])('a closed pipe quietly ends %s', async (_, args, expected) => {
  const { child, ended } = startMain(args);
  // Closed before the process has begun: all it says is lost.
  child.stdout?.destroy();
  const { code, err } = await ended;
  expect(code).toBe(expected);
  expect(err).not.toMatch(/EPIPE|\n\s+at /);
});

test('a closed pipe for errors ends nothing either', async () => {
  const { child, ended } = startMain(['run', '--no-such-flag']);
  child.stderr?.destroy();
  expect(await ended).toMatchObject({ code: 2 });
});

test('an output that cannot be written ends with 2 and a sentence, never with the code of a verdict', async () => {
  const file = join(newFolder(), 'read-only');
  writeFileSync(file, '');
  const fd = openSync(file, 'r');
  onTestFinished(() => closeSync(fd));
  const { code, err } = await startMain(['rules'], { stdio: ['ignore', fd, 'pipe'] }).ended;
  expect([code, err]).toEqual([2, expect.stringMatching(/^mdwi: standard output cannot be written: .*\n$/)]);
});

test('a report to standard output is the only output there', async () => {
  const { stdout, code } = await perform(['run', '--group', 'D', '--rule', 'every.served', '--report', 'json=-']);
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as Run).outcome).toBe('conformant');
});

test('vitest shows a run folder by folder and its exit code once, and writes files below the working directory', async () => {
  const cwd = newFolder();
  const before = readdirSync(join(BUNDLES, 'suites'));
  const args = ['run', '--recordings', 'reference', '--group', 'D', '--vitest', 'json'];
  const { code } = await startMain(args, { cwd }).ended;
  expect(code).toBe(0);
  const { testResults } = JSON.parse(readFileSync(join(cwd, '.vitest/json/output.json'), 'utf8')) as {
    testResults: { name: string; status: string; assertionResults: { title: string }[] }[];
  };
  expect(readdirSync(join(BUNDLES, 'suites'))).toEqual(before);
  const shown = testResults.map(({ name, status }) => [name.slice(BUNDLES.length + 1), status]);
  expect(shown.sort()).toEqual([
    ['suites/every-operation/every-operation.conformance.js', 'passed'],
    ['suites/retail-measurement/retail-measurement.conformance.js', 'passed'],
  ]);
  const titles = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title }) => title));
  expect(titles.filter((title) => title === 'the run as a whole')).toHaveLength(1);
  expect(titles.filter((title) => title.startsWith('D.')).length).toBeGreaterThan(30);
});

test.each([
  ['an unknown reporter', 'nosuch', /there is no such reporter: allowed are default, .*junit/],
  ['a file that is not there', './nosuch.js', /there is no such reporter/],
  ['a folder', './src', /there is no such reporter/],
  ['no name', '', /there is no such reporter/],
  ['one whose package is missing', 'html', /needs the package @vitest\/ui/],
])('--vitest with %s is refused before anything is sent', async (_, name, says) => {
  await expect(run(['--base-url', 'http://127.0.0.1:9', '--vitest', name])).rejects.toThrow(says);
});

test('a reporter of vitest and a report do not share standard output', async () => {
  await expect(run(['--vitest', 'tap', '--report', 'json=-'])).rejects.toThrow('can hold only one of them');
});

test('every server reports a port in use in a sentence', async () => {
  const { port } = new URL(await listen(createServer()));
  const says = `--port ${port}: another process listens there already; choose another port`;
  const flag = `--port=${port}`;
  await expect(simulate([flag])).rejects.toThrow(says);
  await expect(simulate([`--control-port=${port}`])).rejects.toThrow(`--control-port ${port}: another process`);
  await expect(simulate([flag, `--control-port=${port}`])).rejects.toThrow('needs another port than --port');
  await expect(replay(['reference', flag])).rejects.toThrow(says);
  const named = ['--name', 'x', '--recordings', newFolder()];
  await expect(gateway(['--upstream', 'http://127.0.0.1:9', ...named, flag])).rejects.toThrow(says);
});
