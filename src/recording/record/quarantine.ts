/** Setting aside what holds a secret, so that nobody commits or publishes it. */
import { access, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Leak } from '../../secrets/scan.ts';
import { RecordingError } from '../format/schema.ts';

/** A recording in which a secret stands; the message is one sentence and does not say it. */
export class LeakError extends RecordingError {}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Renames the folder of a recording to `NAME.quarantined-TIME` beside itself and has git ignore all of it. Nothing is
 * lost: whoever recorded it can look what leaked, and delete it.
 * @returns the new path
 * @example await quarantine('recordings/acme') // 'recordings/acme.quarantined-20261121T084955Z'
 */
export async function quarantine(folder: string, now = new Date()): Promise<string> {
  const from = folder.replace(/[\\/]+$/, '');
  const stamp = now.toISOString().replace(/\.\d+|[-:]/g, '');
  let to = `${from}.quarantined-${stamp}`;
  for (let more = 2; await exists(to); more++) to = `${from}.quarantined-${stamp}-${more}`;
  // First, so that there is no moment in which it could be committed under its new name.
  await writeFile(join(from, '.gitignore'), '*\n').catch(() => undefined);
  await rename(from, to);
  return to;
}

/**
 * What leaked, as one sentence that gives nothing away.
 * @param to where the recording is now
 */
export function describeLeaks(leaks: readonly Leak[], to: string): string {
  const [first] = leaks;
  if (!first) return 'no secret was found in what was written';
  const place = first.offset < 0 ? `the name of ${first.file}` : `${first.file} at byte ${first.offset}`;
  const more = leaks.length > 1 ? ` and in ${leaks.length - 1} more places` : '';
  return `a secret (${first.name}, form ${first.form}) stands in ${place}${more}: the recording was set aside as ${to}; name the value with --secret, or its header or parameter in the profile’s auth, delete that folder and record anew`;
}
