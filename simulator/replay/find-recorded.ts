/** Finds the recorded responses to a request. */
import {
  type ClientRequest,
  describeRequest,
  type RecordingContext,
  secretContextOf,
} from '../../src/recording/format/describe-request.ts';
import type { Lane, Sequence } from './lane-sequence.ts';
import type { EncodedKeys } from './match-encoded-credentials.ts';

/** A protection that hides nothing. */
const UNPROTECTED: RecordingContext['protection'] = {
  headers: (lines) => lines,
  url: (url) => url,
  bytes: (bytes) => bytes,
};

/**
 * Looks a request up in three steps: as sent, with its credentials hidden as in the recording, and with any other
 * credentials in their place.
 * @returns the key under which the request is recorded, or would be; `sequence` is undefined where it is not recorded;
 *   `isAsSent`: it was found without regard to the credentials known so far
 */
export function findRecorded(
  lane: Lane,
  request: ClientRequest,
  context: RecordingContext,
  encoded: EncodedKeys,
): { key: string; sequence: Sequence | undefined; isAsSent: boolean } {
  // Credentials in the headers become known here, as during recording: later bodies may repeat them under other names.
  context.protection.headers(request.headers, secretContextOf(request, context));
  const plainKey =
    'sha256' in request.body ? undefined : describeRequest(request, { ...context, protection: UNPROTECTED }).key;
  const plainSequence = plainKey === undefined ? undefined : lane.sequence(plainKey);
  if (plainKey !== undefined && plainSequence) return { key: plainKey, sequence: plainSequence, isAsSent: true };
  const described = describeRequest(request, context);
  const { key } = described;
  const sequence = lane.sequence(key);
  const similar = sequence || plainKey === undefined ? undefined : (lane.fuzzyKey(plainKey) ?? encoded.find(described));
  const found = similar === undefined ? { key, sequence } : { key: similar, sequence: lane.sequence(similar) };
  return { ...found, isAsSent: false };
}
