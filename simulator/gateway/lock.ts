/** One recorder a folder: a lock file with the recorder’s process, taken over when that process is gone. */
import { readFileSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RecordingError } from '../../src/exchange/har/schema.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the kernel’s own clock: a process id alone may have been given to another by now. */
  readonly began?: string;
}

/** Field 22 of a process’ status line; the name before it may hold anything, brackets too. Linux only. */
function beganOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host, began }: Holder): boolean {
  // Of a process on another machine nothing can be known.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return began === undefined || beganOf(pid) === began;
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    // Gone meanwhile, or its writer was killed within the write: it holds nothing.
    return undefined;
  }
}

/**
 * Takes the lock of a folder; the function given back releases it. Throws RecordingError while another recorder lives.
 * @param folder must exist and be writable
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, '.lock');
  for (let tries = 0; ; tries++) {
    try {
      const file = await open(path, 'wx');
      const began = beganOf(process.pid);
      await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname(), ...(began && { began }) }));
      await file.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = await holderOf(path);
    if ((holder && isAlive(holder)) || tries > 9)
      throw new RecordingError(
        `${folder} is being recorded by process ${holder?.pid} on ${holder?.host}: end that one first, or choose another name (or remove ${path} if that process is gone)`,
      );
    // Moved away first: of two that find it stale only one can move it, and neither removes the other’s fresh lock.
    await rename(path, `${path}.${process.pid}.stale`).catch(() => undefined);
    await rm(`${path}.${process.pid}.stale`, { force: true });
  }
}
