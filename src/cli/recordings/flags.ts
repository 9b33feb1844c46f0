/** The flags of `mdwi recordings`. */
import type { parse } from '../parse-flags.ts';

export const RECORDINGS_FLAGS = {
  recordings: { type: 'string' },
  profile: { type: 'string' },
  secret: { type: 'string', multiple: true },
  'max-age': { type: 'string' },
  'max-size': { type: 'string' },
  strict: { type: 'boolean' },
  report: { type: 'string', multiple: true },
  unused: { type: 'boolean' },
  orphans: { type: 'boolean' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

export type RecordingsValues = ReturnType<typeof parse<typeof RECORDINGS_FLAGS>>['values'];

/** Flags of one action only. */
export const ACTION_FLAGS = {
  verify: ['max-age', 'max-size', 'strict', 'report'],
  prune: ['unused', 'orphans', 'yes', 'dry-run'],
} as const;
