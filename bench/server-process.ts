/** Servers in processes of their own, their processor time and memory as Linux counts them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** The unit of times in `/proc/PID/stat`. */
const TICKS_PER_SECOND = 100;
/** Where user and system time are in `/proc/PID/stat`, counted after the name of the command. */
const [USER_TIME, SYSTEM_TIME] = [11, 12];

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** What the server prints after its address. */
  readonly words: readonly string[];
}

/** Starts a Node program that prints its address, and maybe more, in its first line. */
export async function startServer(...args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [url = '', ...words] = line.toString().trim().split(' ');
  return { child, url, words };
}

/** The processor time that all threads of a process took so far, in seconds. */
export function processorSeconds({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
}

/** The memory that a process has now, in MB. */
export const memoryMb = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number;
