/** Servers in processes of their own, their processor time and memory as Linux counts them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** What the server prints after its address. */
  readonly words: readonly string[];
}

/**
 * Starts a Node program that prints its address, and maybe more, in its first line.
 * @throws Error if it ends without a line
 */
export async function startServer(...args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close').then(([code]) => Promise.reject(new Error(`${args[0]} ended with ${code}`)));
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  const [url = '', ...words] = line.toString().trim().split(' ');
  return { child, url, words };
}

/** The processor time that the threads of a process took so far, in seconds: `/proc/PID/stat` counts in hundredths. */
export const processorSeconds = ({ pid }: ChildProcess): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1e9)
    .reduce((sum, each) => sum + each, 0);

/** The memory that a process has now, in MB. */
export const memoryMb = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number;
