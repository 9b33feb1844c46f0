/** Signals that end a command early, sent to processes of their own. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MAIN } from '../main.test.support.ts';
import { startMain, startNode } from '../processes.test.support.ts';
import { driftSchema } from '../recording/drift/formats/schema.ts';
import { runSchema } from '../report/run-schema.ts';
import { listen, newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORDINGS = ['--recordings', join(ROOT, 'recordings')];

/** Makes a process send itself a signal as soon as it listens for it. */
const interruptingItself = (signal: NodeJS.Signals): string[] => [
  '--import',
  `data:text/javascript,let sent;process.on('newListener',(name)=>{if(name==='${signal}'&&!sent)sent=setImmediate(()=>process.kill(process.pid,'${signal}'))})`,
];

/** A service that answers 404, and never answers the request of a number: a command waits for it when the signal comes. */
async function holdingService(held: number) {
  const { promise: isHeld, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const server = createServer((_, response) => (++asked === held ? resolve() : void response.writeHead(404).end()));
  return { base: await listen(server), isHeld, asked: () => asked };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a run as interrupted, with partial reports, and %i', async (signal, expected) => {
  const { base, isHeld, asked } = await holdingService(10);
  const cwd = newFolder();
  const reports = ['json=run.json', 'junit=run.xml', 'markdown=run.md'].flatMap((each) => ['--report', each]);
  const { child, ended } = startMain(['run', '--base-url', base, '--profile', 'reference', ...reports], { cwd });
  await Promise.race([isHeld, ended]);
  child.kill(signal);
  const { out, err, code } = await ended;
  expect(code).toBe(expected);
  expect(asked()).toBe(10);
  expect(readdirSync(cwd).sort()).toEqual(['run.json', 'run.md', 'run.xml']);
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  const run = JSON.parse(read('run.json')) as Run;
  expect(runSchema.safeParse(run).error).toBeUndefined();
  expect(run).toMatchObject({ outcome: 'interrupted', exitCode: expected, manifest: { interrupted: signal } });
  expect(run.results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(run.reason).toMatch(new RegExp(`^interrupted by ${signal}.*this is partial, of \\d+ gating checks`));
  expect(read('run.md')).toMatch(/^# interrupted \(.*\*\*interrupted by .*this is partial/s);
  expect(read('run.xml')).toContain('name="the run came to its end"><error message="interrupted by');
  expect(out).toMatch(/outcome +interrupted \(.* – interrupted by /);
  expect(err).toBe(`mdwi run: ${run.reason}\n`);
});

test('a second signal ends even a busy process at once', async () => {
  const script = `
    import { listenForInterrupts } from ${JSON.stringify(join(import.meta.dirname, '../terminal/interrupts.ts'))};
    listenForInterrupts().signal.addEventListener('abort', () => {
      const look = setInterval(() => {
        if (process.listenerCount('SIGINT') > 0) return;
        clearInterval(look);
        process.stdout.write('busy\\n', () => { for (;;); });
      }, 20);
    });
    setInterval(() => {}, 1000);
    process.stdout.write('listening\\n');
  `;
  const { child, ended } = startNode(['--input-type=module', '--eval', script]);
  await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended]);
  child.kill('SIGINT');
  await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended]);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: null, signal: 'SIGINT' });
});

test('an interrupted judge judges no more, and says so', async () => {
  const args = [...interruptingItself('SIGINT'), MAIN, 'judge', 'reference', ...RECORDINGS, '--report', 'json=-'];
  const { code, out, err } = await startNode(args).ended;
  expect([code, err]).toEqual([130, expect.stringMatching(/^mdwi judge: interrupted by SIGINT \(Ctrl-C\): this is/)]);
  const run = JSON.parse(out) as Run;
  expect(runSchema.safeParse(run).error).toBeUndefined();
  expect(run).toMatchObject({ outcome: 'interrupted', manifest: { interrupted: 'SIGINT' } });
});

test('an interrupted drift says so, and counts as no drift', async () => {
  const { base, isHeld } = await holdingService(3);
  const { child, ended } = startMain(['drift', 'reference', ...RECORDINGS, '--base-url', base, '--report', 'json=-']);
  await Promise.race([isHeld, ended]);
  child.kill('SIGTERM');
  const { code, out, err } = await ended;
  expect([code, err]).toEqual([143, expect.stringMatching(/^mdwi drift: interrupted by SIGTERM: this is partial/)]);
  const report: unknown = JSON.parse(out);
  expect(driftSchema.safeParse(report).error).toBeUndefined();
  expect(report).toMatchObject({ exitCode: 143, interrupted: 'SIGTERM' });
});

test('a demo ends where it is interrupted', async () => {
  const { code, err, out } = await startNode([...interruptingItself('SIGINT'), MAIN, 'demo']).ended;
  expect([code, err]).toEqual([130, 'mdwi demo: interrupted by SIGINT (Ctrl-C)\n']);
  expect(out).not.toContain('came out');
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s is the normal end of a server', async (signal) => {
  const { child, ended } = startMain(['simulate']);
  await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended]);
  child.kill(signal);
  expect(await ended).toMatchObject({ code: 0, err: '' });
});

test('--exit-on-stdin-close ends a server with the program that started it', async () => {
  const { child, ended } = startMain(['simulate', '--exit-on-stdin-close'], { stdio: ['pipe', 'pipe', 'pipe'] });
  await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended]);
  child.stdin?.end();
  expect(await ended).toMatchObject({ code: 0, err: '' });
  const signalled = startMain(['simulate', '--exit-on-stdin-close'], { stdio: ['pipe', 'pipe', 'pipe'] });
  await Promise.race([once(signalled.child.stdout as NonNullable<typeof child.stdout>, 'data'), signalled.ended]);
  signalled.child.kill('SIGTERM');
  expect(await signalled.ended).toMatchObject({ code: 0, err: '' });
});

test('a server ends with the shell of npx mdwi, to which npm passes SIGTERM', async () => {
  const env = { ...process.env, npm_lifecycle_event: 'npx', npm_lifecycle_script: "'mdwi' simulate" };
  // Another command after it keeps the shell from replacing itself by the server.
  const shell = spawn('sh', ['-c', '"$0" "$1" simulate; exit', process.execPath, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const serverEnded = text(shell.stdout);
  const [url] = (await once(shell.stdout, 'data')) as [Buffer];
  shell.kill('SIGTERM');
  // The server has the pipe, too: it ends with the server.
  await serverEnded;
  await expect(fetch(`${url}`.trim())).rejects.toThrow('fetch failed');
});
