/** The command as a process of its own: its threads are Node’s, not the test runner’s. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN } from '../main.test.support.ts';
import { startNode } from '../processes.test.support.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';

/** Loaded before the command: sends a message once the process listens to SIGINT. */
const TELL_LISTENING = `data:text/javascript,${encodeURIComponent(
  "process.on('newListener', (name) => name === 'SIGINT' && setImmediate(() => process.send?.(name)))",
)}`;

const start = (...args: string[]) =>
  startNode(['--import', TELL_LISTENING, MAIN, 'selftest', ...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
const selftest = (...args: string[]) => start(...args).ended;

test('some trials only, as a matrix and as a page', async () => {
  const file = join(newFolder(), 'some.html');
  const { code, out } = await selftest(
    '--only',
    'bulk-upc-letter',
    '--only',
    'object',
    '--matrix',
    '--depth',
    'quick',
    '--report',
    `html=${file}`,
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^C\.upc-12-digits +1 {2}bulk-upc-letter$/m);
  const page = await readFile(file, 'utf8');
  expect(page).toContain('<td class="own" title="C.upc-12-digits caught bulk-upc-letter">');
  expect(page).not.toMatch(/(src|href)=/);
});

test('an unknown name, shard or format is refused before anything is tried', async () => {
  for (const flags of [
    ['--only', 'none-such'],
    ['--shard', '3/2'],
    ['--report', 'pdf=x'],
  ])
    expect(await perform(['selftest', ...flags])).toMatchObject({ code: 2, stdout: '' });
});

test('Ctrl-C ends it at once, with what was tried by then', async () => {
  const { child, ended } = start('--report', 'json=-');
  await once(child, 'message');
  child.kill('SIGINT');
  const { code, out, err } = await ended;
  expect([code, err]).toEqual([130, 'mdwi selftest: interrupted by SIGINT (Ctrl-C)\n']);
  const says: unknown = expect.stringMatching(/^interrupted by SIGINT .*this is partial/);
  expect(JSON.parse(out)).toMatchObject({ ok: false, interrupted: 'SIGINT', says });
});
