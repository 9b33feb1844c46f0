/** Determines the format of a body. The document names none, so the profile or Content-Type declares it. */
import { mediaTypeOf } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';
import type { ResponseProfile } from '../profile/schema.ts';

export type Media = NonNullable<ResponseProfile['media']>;

const TYPES: readonly (readonly [RegExp, Media])[] = [
  [/^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines)$|^application\/(json-seq|stream\+json)$/, 'ndjson'],
  [/^(application|text)\/(x-)?json$|\+json$/, 'json'],
  [/^(application|text)\/(x-)?csv$|^text\/tab-separated-values$/, 'csv'],
  [/^application\/xhtml\+xml$/, 'text'],
  [/^(application|text)\/xml$|\+xml$/, 'xml'],
  [/^text\//, 'text'],
];

/**
 * Returns the format of a body; `undefined` if neither the profile nor Content-Type declares a known one. The format is never
 * guessed from the bytes. The profile's media type applies to successful responses only: errors often come from another
 * layer in its own format.
 */
export function mediaOf(declared: Media | undefined, head: ResponseHead): Media | undefined {
  if (declared && isSuccessHead(head)) return declared;
  const { type } = mediaTypeOf(head.headers);
  return TYPES.find(([pattern]) => pattern.test(type))?.[1];
}

export const isSuccessHead = ({ status }: ResponseHead): boolean => status >= 200 && status < 300;
