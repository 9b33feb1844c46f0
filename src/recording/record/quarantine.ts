/** Quarantines a recording that contains a secret, so that it is not committed or published. */
import { access, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Leak } from '../../secrets/scan.ts';
import { RecordingError } from '../format/schema.ts';

/** A recording that contains a secret; the message is one sentence without the secret. */
export class LeakError extends RecordingError {
  readonly leaks: readonly Leak[];

  /** @param to where the recording is now; undefined: it was temporary, and is deleted */
  constructor(leaks: readonly Leak[], to?: string) {
    super(describeLeaks(leaks, to));
    this.leaks = leaks;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Renames the folder of a recording to `NAME.quarantined-TIME` and makes git ignore all of it. Nothing is deleted: the user
 * can inspect what leaked, and delete it.
 * @returns the new path
 * @example await quarantine('recordings/acme') // 'recordings/acme.quarantined-20261121T084955Z'
 */
export async function quarantine(folder: string, now = new Date()): Promise<string> {
  const from = folder.replace(/[\\/]+$/, '');
  const stamp = now.toISOString().replace(/\.\d+|[-:]/g, '');
  let to = `${from}.quarantined-${stamp}`;
  for (let number = 2; await exists(to); number++) to = `${from}.quarantined-${stamp}-${number}`;
  // Before the rename, so that it can never be committed under its new name.
  await writeFile(join(from, '.gitignore'), '*\n').catch(() => undefined);
  await rename(from, to);
  return to;
}

/**
 * Describes what leaked, in one sentence without the secret.
 * @param to as in LeakError
 */
export function describeLeaks(leaks: readonly Leak[], to?: string): string {
  const [first] = leaks;
  if (!first) return 'no secret was found in what was written';
  const advice = first.declared
    ? 'a declared value cannot be hidden there: declare it no longer if it is not secret (--secret, a variable of the profile), or leave out the operation that contains it'
    : 'name the value with --secret, or its header or parameter in the profile’s auth';
  const secret = `a secret (${first.name}, form ${first.form})`;
  if (to === undefined)
    return `${secret} would be stored with the responses of the service, which are deleted now: ${advice}, and compare again`;
  const place = first.offset < 0 ? `the name of ${first.file}` : `${first.file} at byte ${first.offset}`;
  const more = leaks.length > 1 ? ` and in ${leaks.length - 1} more places` : '';
  return `${secret} is in ${place}${more}: the recording was set aside as ${to}; ${advice}, delete that folder and record again`;
}
