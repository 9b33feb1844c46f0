import type { HeaderLines } from '../../exchange/headers.ts';
import type { RecordedResponse, StoredBody } from './recorded-exchange.ts';

export interface LoadedResponse {
  readonly status: number;
  readonly reasonPhrase: string;
  readonly headers: HeaderLines;
  readonly coding?: string;
  /** The name of the side file, which is a hash, or the inline body itself. Equal ids mean equal bodies; undefined without a body. */
  readonly bodyId: string | undefined;
  /** The body as Latin-1 (one character per byte), '' for none; undefined if it is not text, or too long to parse. */
  readonly text: string | undefined;
}

/** Reads a stored body as Latin-1; undefined if it is not text, or too long. */
export type ReadBodyText = (body: StoredBody) => string | undefined;

/** The recorded response; its body is read lazily. */
export function loadResponse({ body, ...head }: RecordedResponse, readBodyText: ReadBodyText): LoadedResponse {
  let cached: { readonly text: string | undefined } | undefined;
  return {
    ...head,
    bodyId: body && ('file' in body ? body.file : body.text),
    get text() {
      cached ??= { text: body ? readBodyText(body) : '' };
      return cached.text;
    },
  };
}

/** The response with another body. */
export const withText = ({ status, reasonPhrase, headers, coding }: LoadedResponse, text: string): LoadedResponse => ({
  status,
  reasonPhrase,
  headers,
  ...(coding !== undefined && { coding }),
  bodyId: text === '' ? undefined : text,
  text,
});
