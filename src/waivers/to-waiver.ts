/** A waiver as its author states it becomes one that a run applies. */
import type { Waiver } from '../run/types.ts';
import type { WaiverData } from './waiver-schema.ts';

/**
 * One list of fingerprints, and where the waiver is.
 * @param source `FILE:LINE`
 */
export function toWaiver({ fingerprint, fingerprints = [], ...data }: WaiverData, source: string): Waiver {
  const all = [...(fingerprint === undefined ? [] : [fingerprint]), ...fingerprints];
  const { rule, operation, reason, owner, expires, intermittent, inputs } = data;
  return {
    source,
    rule,
    reason,
    ...(operation !== undefined && { operation }),
    ...(owner !== undefined && { owner }),
    ...(expires !== undefined && { expires }),
    ...(intermittent && { intermittent }),
    ...(all.length > 0 && { fingerprints: all }),
    ...(inputs && { inputs }),
  };
}
