/** Writing a file whole or not at all. */
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Writes text beside its target and moves it there, so that a reader never sees half a file. */
export async function writeReportFile(path: string, text: string): Promise<void> {
  const target = resolve(path);
  const there = await stat(target).catch(() => undefined);
  // A pipe or a device cannot be replaced.
  if (there && !there.isFile() && !there.isDirectory()) return writeFile(target, text);
  const beside = `${target}.${process.pid}.part`;
  await mkdir(dirname(target), { recursive: true });
  try {
    await writeFile(beside, text);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
