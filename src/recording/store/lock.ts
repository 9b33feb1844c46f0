/** One recorder per folder: a lock file with the process id, taken over if that process has ended. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PARTIAL_SUFFIX } from '../../atomic-write.ts';
import { RecordingError } from '../format/schema.ts';

/** The name of the lock file. */
export const LOCK = '.lock';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The start time of the process in kernel clock ticks: a process id may be reused. */
  readonly began?: string;
}

/** The start time: field 22 of `/proc/PID/stat`. The process name before it may hold parentheses. Linux only. */
function startTimeOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host, began }: Holder): boolean {
  // The state of a process on another machine is unknown.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return began === undefined || startTimeOf(pid) === began;
}

/** An unreadable lock may be incomplete. After this time its writer has ended. */
const WRITTEN_WITHIN_MS = 2000;
const PAUSE_MS = 50;

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function holderIn(text: string): Holder | undefined {
  try {
    const { pid, host, began } = JSON.parse(text);
    return Number.isSafeInteger(pid) && typeof host === 'string' ? { pid, host, began } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the holder of a lock has certainly ended. */
async function isStale(path: string, text: string): Promise<boolean> {
  const holder = holderIn(text);
  if (holder) return !isAlive(holder);
  const written = (await stat(path).catch(() => undefined))?.mtimeMs;
  return written === undefined || Math.abs(Date.now() - written) > WRITTEN_WITHIN_MS;
}

/** Creates the lock atomically, so that it is never read half-written; false if there is one. */
async function createLock(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${process.pid}.${++temporaryFiles}${PARTIAL_SUFFIX}`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    try {
      await link(temporary, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return false;
      // Some file systems do not support hard links.
      await writeFile(path, text, { flag: 'wx' });
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
let temporaryFiles = 0;

export interface Lock {
  /** Whether the former holder was killed: it may have left unfinished files. */
  readonly tookOver: boolean;
  /** Whether the lock file still exists and is still ours: the folder may have been removed. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a folder. Throws RecordingError while another recorder runs, or may run on another machine.
 * @param folder must exist and be writable
 */
export async function lockFolder(folder: string): Promise<Lock> {
  const path = join(folder, LOCK);
  const began = startTimeOf(process.pid);
  // The id distinguishes it from other locks of this process.
  const text = JSON.stringify({ pid: process.pid, host: hostname(), ...(began && { began }), id: randomUUID() });
  const isHeld = async (): Promise<boolean> => (await read(path).catch(() => undefined)) === text;
  let tookOver = false;
  const deadline = Date.now() + 2 * WRITTEN_WITHIN_MS;
  for (;;) {
    if (await createLock(path, text))
      return { tookOver, isHeld, release: async () => void ((await isHeld()) && (await rm(path, { force: true }))) };
    const found = await read(path);
    if (found === undefined) continue;
    const holder = holderIn(found);
    if (await isStale(path, found)) {
      // Rename first: of two processes that find it stale only one can rename it, and neither removes a new lock.
      const aside = `${path}.${process.pid}.${++temporaryFiles}${PARTIAL_SUFFIX}`;
      await rename(path, aside).catch(() => undefined);
      // If another process took it over in between, put its lock back.
      const moved = await read(aside);
      if (moved !== undefined && moved !== found) await link(aside, path).catch(() => undefined);
      await rm(aside, { force: true });
      tookOver = true;
    } else if (holder || Date.now() > deadline) {
      const by = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
      throw new RecordingError(
        `${folder} is being recorded by ${by}: end that one first, or choose another name (or remove ${path} if that process is gone)`,
      );
    } else await pause(PAUSE_MS);
  }
}
