import type { HeaderLines } from '../../exchange/header-lines.ts';
import type { RecordedResponse, StoredBody } from './recorded-exchange.ts';

export interface LoadedResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: HeaderLines;
  readonly coding?: string;
  /** Bodies with the same id are the same; undefined: there is none. */
  readonly bodyId: string | undefined;
  /** The body as Latin-1, a letter a byte, '' for none; undefined: it is no text, or too long to be taken apart. */
  readonly text: string | undefined;
}

/** Reads a stored body as Latin-1; undefined: it is no text, or too long. */
export type TextOf = (body: StoredBody) => string | undefined;

/** The recorded answer, its body read when it is asked for. */
export function loadResponse({ body, ...head }: RecordedResponse, textOf: TextOf): LoadedResponse {
  let read: { readonly text: string | undefined } | undefined;
  return {
    ...head,
    bodyId: body && ('file' in body ? body.file : body.text),
    get text() {
      read ??= { text: body ? textOf(body) : '' };
      return read.text;
    },
  };
}

/** An answer with another text. */
export const withText = ({ status, reason, headers, coding }: LoadedResponse, text: string): LoadedResponse => ({
  status,
  reason,
  headers,
  ...(coding !== undefined && { coding }),
  bodyId: text === '' ? undefined : text,
  text,
});
