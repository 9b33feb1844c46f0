/** Finds the recorded responses to a request. */

import { firstHeader } from '../../src/exchange/headers.ts';
import {
  type ClientRequest,
  type DescribedRequest,
  describeRequest,
  type RecordingContext,
  secretContextOf,
} from '../../src/recording/format/describe-request.ts';
import { EncodedPlaceholders } from '../../src/recording/format/encoded-placeholders.ts';
import type { RecordedExchange, StoredBody } from '../../src/recording/format/recorded-exchange.ts';
import { CANONICAL_BYTES } from '../../src/recording/format/request-key.ts';
import type { Recording } from '../../src/recording/store/open-recording.ts';
import { readWithin } from '../../src/recording/store/recording-files.ts';
import type { Protection } from '../../src/secrets/hide-in-exchange.ts';
import type { Lane, Sequence } from './lane-sequence.ts';

/** The keys of a recording, indexed without the credentials encoded in them. The index is built on first use. */
export class EncodedKeys {
  readonly #recording: Recording;
  readonly #placeholders: EncodedPlaceholders;
  /** Undefined where two recorded requests differ only in such credentials: the match is ambiguous. */
  #keys: Map<string, string | undefined> | undefined;

  /** @param protection hides the credentials that clients send to the replay */
  constructor(recording: Recording, protection: Protection) {
    this.#recording = recording;
    this.#placeholders = new EncodedPlaceholders([
      ...Object.keys(recording.about.redaction.placeholders),
      ...protection.registry.known().map(({ placeholder }) => placeholder),
    ]);
  }

  /** The recorded key that equals the request’s except for credentials; undefined: there is none, or more than one. */
  find({ key, request, body }: DescribedRequest): string | undefined {
    const contentType = firstHeader(request.headers, 'content-type');
    const wanted = this.#placeholders.keyOf({ key, body, contentType });
    if (wanted === undefined) return undefined;
    this.#keys ??= this.#read();
    return this.#keys.get(wanted);
  }

  #read(): Map<string, string | undefined> {
    const keys = new Map<string, string | undefined>();
    const recorded = new Map([...this.#recording.lanes.values()].flatMap((lane) => [...lane]));
    for (const [key, [exchange]] of recorded) {
      const { headers, body } = (exchange as RecordedExchange).request;
      const contentType = firstHeader(headers, 'content-type');
      const found = this.#placeholders.keyOf({ key, body: this.#bytesOf(body), contentType });
      if (found !== undefined) keys.set(found, keys.has(found) ? undefined : key);
    }
    return keys;
  }

  #bytesOf(body: StoredBody | undefined): Uint8Array | undefined {
    if (body === undefined || 'text' in body) return body && Buffer.from(body.text);
    if (body.bytes > CANONICAL_BYTES) return undefined;
    try {
      return readWithin(this.#recording.folder, body.file);
    } catch {
      return undefined;
    }
  }
}

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
