/** Atomic writes: a file is either complete or not there, also after a crash. */
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** How the names of unfinished files end. */
export const PARTIAL_SUFFIX = '.part';

/** Writes a temporary file next to the target, syncs it to disk and renames it to the target. */
export async function replaceFile(path: string, text: string | Iterable<string>): Promise<void> {
  const temporary = `${path}.${process.pid}${PARTIAL_SUFFIX}`;
  try {
    // Never write through a leftover of a killed process or through a symbolic link.
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

/** Writes a file that a user named: creates its folders, and writes to a pipe or device without replacing it. */
export async function writeNamedFile(path: string, text: string): Promise<void> {
  const target = resolve(path);
  const existing = await stat(target).catch(() => undefined);
  if (existing && !existing.isFile() && !existing.isDirectory()) return writeFile(target, text);
  await mkdir(dirname(target), { recursive: true });
  await replaceFile(target, text);
}
