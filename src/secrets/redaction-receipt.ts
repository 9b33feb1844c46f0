/** The receipt of a recording: how its secrets were removed. It contains neither a secret nor its hash. */
import { z } from 'zod';
import { CANARY_FOUND } from './canary.ts';
import { PATTERN_RULES } from './patterns.ts';
import type { PlaceholderRegistry } from './placeholder-registry.ts';
import type { Scan } from './scan.ts';

export const redactionReceipt = z.strictObject({
  /** `pending` during the recording, and after the recorder was killed: then the files were not scanned. */
  scan: z.enum(['pending', 'clean']),
  /** How often each placeholder occurs in the files. */
  placeholders: z.record(z.string(), z.int().min(1)),
  rules: z.array(z.string()),
  /** The bytes read by the scan after the last write. */
  scannedBytes: z.int().min(0),
  scannedFiles: z.int().min(0).optional(),
  /** The `contentDigest` of the scanned files: later changes were not scanned. */
  contents: z.string().optional(),
  canary: z.literal(CANARY_FOUND).optional(),
  /** By name, why a secret was hidden in its own place only. */
  unsought: z.record(z.string(), z.string()).optional(),
  /** How many secrets were found beyond those that were searched everywhere. */
  overflow: z.int().min(1).optional(),
  /** What was replaced by invented data: `figures`, `uploads`. */
  scrubbed: z.array(z.enum(['figures', 'uploads'])).optional(),
});

export type RedactionReceipt = z.infer<typeof redactionReceipt>;

const sorted = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The names of the redaction rules. */
export const REDACTION_RULES: readonly string[] = [
  'declared values in every form',
  'headers of credentials',
  'cookies',
  ...PATTERN_RULES,
];

export type ScrubbedKind = NonNullable<RedactionReceipt['scrubbed']>[number];

/** The receipt of a running recording. */
export const pendingReceipt = (scrubbed: readonly ScrubbedKind[] = []): RedactionReceipt => ({
  scan: 'pending',
  placeholders: {},
  rules: [...REDACTION_RULES],
  scannedBytes: 0,
  ...(scrubbed.length > 0 && { scrubbed: [...scrubbed] }),
});

/**
 * The receipt of a recording after a scan without leaks.
 * @example makeReceipt(protection.registry, await scanForLeaks(folder, protection.registry), { canary: CANARY_FOUND })
 */
export function makeReceipt(
  registry: PlaceholderRegistry,
  { placeholders, bytes, files }: Scan,
  additions: Pick<RedactionReceipt, 'canary' | 'contents' | 'scrubbed'> = {},
): RedactionReceipt {
  const unsought = registry.searchExclusions();
  return {
    scan: 'clean',
    placeholders: sorted(placeholders),
    rules: [...REDACTION_RULES],
    scannedBytes: bytes,
    scannedFiles: files,
    ...additions,
    ...(Object.keys(unsought).length > 0 && { unsought: sorted(unsought) }),
    ...(registry.overflow > 0 && { overflow: registry.overflow }),
  };
}
