/** What a recording says about how it was kept free of secrets; never a secret, nor its hash. */
import { z } from 'zod';
import { CANARY_FOUND } from './canary.ts';
import { PATTERN_RULES } from './patterns.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import type { Scan } from './scan.ts';

export const redactionReceipt = z.strictObject({
  /** `pending` while it is recorded, and for good where the recorder was killed: then nobody has looked for secrets. */
  scan: z.enum(['pending', 'clean']),
  /** How often each placeholder stands in what was written. */
  placeholders: z.record(z.string(), z.int().min(1)),
  rules: z.array(z.string()),
  /** By the scan after the last word was written. */
  scannedBytes: z.int().min(0),
  scannedFiles: z.int().min(0).optional(),
  /** Of what was scanned: `contentDigest`. What was changed afterwards nobody has looked at. */
  contents: z.string().optional(),
  canary: z.literal(CANARY_FOUND).optional(),
  /** Secrets by name that were hidden in their own place only, and why. */
  unsought: z.record(z.string(), z.string()).optional(),
  /** How many secrets were found beyond those that were sought everywhere. */
  overflow: z.int().min(1).optional(),
  /** What was replaced by invented data on demand: `figures`, `uploads`. */
  scrubbed: z.array(z.enum(['figures', 'uploads'])).optional(),
});

export type RedactionReceipt = z.infer<typeof redactionReceipt>;

const sorted = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The rules in force, in words. */
export const REDACTION_RULES: readonly string[] = [
  'declared values in every form',
  'headers of credentials',
  'cookies',
  ...PATTERN_RULES,
];

export type ScrubbedKind = NonNullable<RedactionReceipt['scrubbed']>[number];

/** The receipt of a recording that is being made. */
export const pendingReceipt = (scrubbed: readonly ScrubbedKind[] = []): RedactionReceipt => ({
  scan: 'pending',
  placeholders: {},
  rules: [...REDACTION_RULES],
  scannedBytes: 0,
  ...(scrubbed.length > 0 && { scrubbed: [...scrubbed] }),
});

/**
 * The receipt of a recording that was scanned and found clean.
 * @example makeReceipt(protection.pseudonyms, await scanForLeaks(folder, protection.pseudonyms), { canary: CANARY_SANG })
 */
export function makeReceipt(
  pseudonyms: Pseudonyms,
  { placeholders, bytes, files }: Scan,
  more: Pick<RedactionReceipt, 'canary' | 'contents' | 'scrubbed'> = {},
): RedactionReceipt {
  const unsought = pseudonyms.unsought();
  return {
    scan: 'clean',
    placeholders: sorted(placeholders),
    rules: [...REDACTION_RULES],
    scannedBytes: bytes,
    scannedFiles: files,
    ...more,
    ...(Object.keys(unsought).length > 0 && { unsought: sorted(unsought) }),
    ...(pseudonyms.overflow > 0 && { overflow: pseudonyms.overflow }),
  };
}
