/** Opening a folder for recording. */
import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseHar, parseProvenance, RecordingError } from '../../src/exchange/har/schema.ts';
import { UNFINISHED } from './atomic.ts';
import { LaneFile } from './lane-file.ts';
import { lockFolder } from './lock.ts';
import { HAR, PROVENANCE, Recorder, type RecorderOptions, reasonOf } from './recorder.ts';

async function lanesOf(folder: string): Promise<Map<string, LaneFile>> {
  const lanes = new Map<string, LaneFile>();
  for (const each of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, each.name, HAR);
    const text = each.isDirectory() ? await readFile(path, 'utf8').catch(() => undefined) : undefined;
    if (text !== undefined) lanes.set(each.name, new LaneFile(path, parseHar(text, path)));
  }
  return lanes;
}

/** Removes what a killed recorder left unfinished; the lock is held, so nobody else is at it. */
async function sweep(folder: string): Promise<void> {
  for (const each of await readdir(folder, { recursive: true }))
    if (each.endsWith(UNFINISHED)) await rm(join(folder, each), { force: true });
}

/**
 * Opens a folder for recording, an empty one or a former recording that is to be refreshed. Throws RecordingError with
 * one sentence where that cannot be: not writable, locked by another recorder, damaged.
 */
export async function openRecorder({ dir, name, provenance }: RecorderOptions) {
  const folder = join(dir, name);
  let unlock: () => Promise<void>;
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    unlock = await lockFolder(folder);
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(
      `${folder} cannot be written (${reasonOf(error)}): make it writable, or choose another folder with --recordings`,
    );
  }
  try {
    await sweep(folder);
    const about = join(folder, PROVENANCE);
    const text = await readFile(about, 'utf8').catch(() => undefined);
    const former = text === undefined ? undefined : parseProvenance(text, about);
    return new Recorder(folder, name, { ...provenance }, former?.lanes ?? [], await lanesOf(folder), unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}
