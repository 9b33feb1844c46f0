/** Atomic writes: a file is either complete or not there, also after a crash. */
import { existsSync } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PARTIAL_SUFFIX } from '../format/recorded-exchange.ts';

/** Writes a temporary file next to the target, syncs it to disk and renames it to the target. */
export async function replaceFile(path: string, text: string | Iterable<string>): Promise<void> {
  const temporary = `${path}.${process.pid}${PARTIAL_SUFFIX}`;
  try {
    // Never write through a leftover of a killed recorder or through a symbolic link.
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Creates a folder and its parents. Node’s recursive mkdir never returns where the system responds ENOENT, as in /proc. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

/** Creates a folder in a recording; does not follow a symbolic link. */
export async function makeFolderWithin(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder`);
  }
}
