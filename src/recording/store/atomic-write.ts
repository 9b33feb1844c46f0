/** Files that are there whole or not at all, whatever happens meanwhile. */
import { existsSync } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PARTIAL_SUFFIX } from '../format/recorded-exchange.ts';

/** Writes beside the target, sees it through to the disk and moves it there. */
export async function replaceFile(path: string, text: string | Iterable<string>): Promise<void> {
  const beside = `${path}.${process.pid}${PARTIAL_SUFFIX}`;
  try {
    // What a killed recorder left there, or a link somebody put there, is never written through.
    await rm(beside, { force: true });
    const file = await open(beside, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Makes a folder and those above it. Node’s own way never ends where the system refuses with “no such file”, as in /proc. */
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

/** Makes a folder within a recording; a link that stands in its place is not followed. */
export async function makeFolderWithin(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is no folder`);
  }
}
