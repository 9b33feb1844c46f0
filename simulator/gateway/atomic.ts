/** Files that are there whole or not at all, whatever happens meanwhile. */
import { open, rename, rm } from 'node:fs/promises';

/** The ending of files that are not finished; leftovers of a killed recorder are known by it. */
export const UNFINISHED = '.part';

/** Writes beside the target, sees it through to the disk and moves it there. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}${UNFINISHED}`;
  try {
    const file = await open(beside, 'w');
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
