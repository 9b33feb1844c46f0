import type { Waiver } from '../run/waiver-types.ts';
import type { WaiverData } from './waiver-schema.ts';

/** The fingerprints of a waiver in one list. */
export const allFingerprints = ({ fingerprint, fingerprints = [] }: WaiverData): string[] => [
  ...(fingerprint === undefined ? [] : [fingerprint]),
  ...fingerprints,
];

/**
 * One list of fingerprints, and where the waiver is.
 * @param source `FILE:LINE`
 */
export function toWaiver(data: WaiverData, source: string): Waiver {
  const fingerprints = allFingerprints(data);
  const { rule, operation, reason, owner, expires, intermittent, inputs } = data;
  return {
    ...{ source, rule, reason, operation, owner, expires },
    ...(intermittent && { intermittent }),
    ...(fingerprints.length > 0 && { fingerprints }),
    inputs,
  };
}
