/** The final scan of a recording for secrets. */

import { tryCanary } from '../../secrets/canary.ts';
import type { Protection } from '../../secrets/hide-in-exchange.ts';
import { makeReceipt, type RedactionReceipt, type ScrubbedKind } from '../../secrets/redaction-receipt.ts';
import { type Leak, scanForLeaks } from '../../secrets/scan.ts';
import { contentDigest } from '../format/content-digest.ts';

/** A receipt, or what leaked. */
export type InspectionResult = { readonly receipt: RedactionReceipt } | { readonly leaks: readonly Leak[] };

export interface InspectOptions {
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
