import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

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
