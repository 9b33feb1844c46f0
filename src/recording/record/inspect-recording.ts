/** The last look at a recording before it is given out of hand. */

import { tryCanary } from '../../secrets/canary.ts';
import type { Protection } from '../../secrets/protection.ts';
import { makeReceipt, type RedactionReceipt, type ScrubbedKind } from '../../secrets/receipt.ts';
import { type Leak, scanForLeaks } from '../../secrets/scan.ts';
import { contentDigest } from '../format/content-digest.ts';

/** A receipt, or what leaked. */
export type InspectionResult = { readonly receipt: RedactionReceipt } | { readonly leaks: readonly Leak[] };

export interface InspectOptions {
  /** What was replaced by invented data. */
  readonly scrubbed?: readonly ScrubbedKind[] | undefined;
  /** Placeholders of a former recording: what was not asked again still holds them. */
  readonly counted?: readonly string[] | undefined;
}

/**
 * Proves that hiding and scanning work, then scans everything in a folder for the secrets that are known by now.
 * Rejects where a file cannot be read or written, and where hiding is broken.
 * @example const { receipt } = await inspectRecording('recordings/acme', protection)
 */
export async function inspectRecording(
  folder: string,
  protection: Protection,
  { scrubbed = [], counted = [] }: InspectOptions = {},
): Promise<InspectionResult> {
  const canary = await tryCanary(folder, protection.options);
  const scan = await scanForLeaks(folder, protection.pseudonyms, counted);
  if (scan.leaks.length > 0) return { leaks: scan.leaks };
  const more = {
    canary,
    contents: await contentDigest(folder),
    ...(scrubbed.length > 0 && { scrubbed: [...scrubbed] }),
  };
  return { receipt: makeReceipt(protection.pseudonyms, scan, more) };
}
