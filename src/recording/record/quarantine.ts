/** The final scan of a recording; one that contains a secret is set aside, so that it is not committed or published. */
import { access, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryCanary } from '../../secrets/canary.ts';
import type { Protection } from '../../secrets/hide-in-exchange.ts';
import { makeReceipt, type RedactionReceipt, type ScrubbedKind } from '../../secrets/redaction-receipt.ts';
import { type Leak, scanForLeaks } from '../../secrets/scan.ts';
import { RecordingError } from '../format/schema.ts';
import { contentDigest } from '../store/recording-files.ts';

/** A receipt, or what leaked. */
type InspectionResult = { readonly receipt: RedactionReceipt } | { readonly leaks: readonly Leak[] };

interface InspectOptions {
  /** The kinds of data that were replaced by generated data. */
  readonly scrubbed?: readonly ScrubbedKind[] | undefined;
  /** Placeholders of the former recording: entries that were not recorded again still hold them. */
  readonly formerPlaceholders?: readonly string[] | undefined;
}

/**
 * Checks with a canary that hiding and scanning work, then scans all files of a folder for the known secrets. Rejects if a
 * file cannot be read or written, or if hiding does not work.
 * @example const { receipt } = await inspectRecording('recordings/acme', protection)
 */
export async function inspectRecording(
  folder: string,
  protection: Protection,
  { scrubbed = [], formerPlaceholders = [] }: InspectOptions = {},
): Promise<InspectionResult> {
  const canary = await tryCanary(folder, protection.options);
  const scan = await scanForLeaks(folder, protection.registry, formerPlaceholders);
  if (scan.leaks.length > 0) return { leaks: scan.leaks };
  const more = {
    canary,
    contents: await contentDigest(folder),
    ...(scrubbed.length > 0 && { scrubbed: [...scrubbed] }),
  };
  return { receipt: makeReceipt(protection.registry, scan, more) };
}

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
