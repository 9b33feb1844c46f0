/** Finding a recorded request that differs from the one asked only in credentials that base64 encodes. */

import { firstHeader } from '../../src/exchange/headers.ts';
import type { DescribedRequest } from '../../src/recording/format/describe-request.ts';
import { EncodedPlaceholders } from '../../src/recording/format/encoded-placeholders.ts';
import type { StoredBody } from '../../src/recording/format/recorded-exchange.ts';
import { CANONICAL_BYTES } from '../../src/recording/format/request-key.ts';
import type { Recording } from '../../src/recording/store/open-recording.ts';
import { readWithin } from '../../src/recording/store/recording-files.ts';
import type { Protection } from '../../src/secrets/protection.ts';

/** The keys of a recording by what they are whatever the credentials encoded in them are; read when first needed. */
export class EncodedKeys {
  readonly #recording: Recording;
  readonly #placeholders: EncodedPlaceholders;
  /** Two recorded requests that differ in such credentials alone have none: nothing says which is meant. */
  #keys: Map<string, string | undefined> | undefined;

  /** @param protection what hides the credentials that clients send now */
  constructor(recording: Recording, protection: Protection) {
    this.#recording = recording;
    this.#placeholders = new EncodedPlaceholders([
      ...Object.keys(recording.about.redaction.placeholders),
      ...protection.pseudonyms.known().map(({ placeholder }) => placeholder),
    ]);
  }

  /** The recorded key that this request has but for credentials; undefined: there is none, or more than one. */
  find({ key, request, body }: DescribedRequest): string | undefined {
    const contentType = firstHeader(request.headers, 'content-type');
    const wanted = this.#placeholders.keyOf({ key, body, contentType });
    if (wanted === undefined) return undefined;
    this.#keys ??= this.#read();
    return this.#keys.get(wanted);
  }

  #read(): Map<string, string | undefined> {
    const keys = new Map<string, string | undefined>();
    for (const [key, { headers, body }] of this.#recording.requests) {
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
