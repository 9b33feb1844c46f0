/** Processes of their own, which end with the test that needs them. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { MAIN } from './main.test.support.ts';

/** Starts Node. `ended` resolves with the exit code and what was written to the pipes that the test does not close. */
export function startNode(args: readonly string[], options: SpawnOptions = {}) {
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const read = (stream: Readable | null) => (stream ? text(stream).catch(() => '') : '');
  const ended = Promise.all([read(child.stdout), read(child.stderr), exited]).then(([out, err, [code, signal]]) => ({
    out,
    err,
    code,
    signal,
  }));
  return { child, ended };
}

/** Starts the command line. */
export const startMain = (args: readonly string[], options?: SpawnOptions) => startNode([MAIN, ...args], options);

/** The first output of a child process, trimmed. Rejects if the child ends without any, with what it wrote to stderr. */
export async function firstOutput(child: ChildProcess): Promise<string> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`the child ended with ${code} before any output: ${errors}`);
  });
  ended.catch(() => undefined);
  const [chunk] = await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended]);
  return `${chunk}`.trim();
}
