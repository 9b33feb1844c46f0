/** Writes a file completely or not at all. */
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Writes a temporary file and renames it, so that a reader never gets a partial file. */
export async function writeReportFile(path: string, text: string): Promise<void> {
  const target = resolve(path);
  const existing = await stat(target).catch(() => undefined);
  // A pipe or a device cannot be replaced.
  if (existing && !existing.isFile() && !existing.isDirectory()) return writeFile(target, text);
  const temporary = `${target}.${process.pid}.part`;
  await mkdir(dirname(target), { recursive: true });
  try {
    await writeFile(temporary, text);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
