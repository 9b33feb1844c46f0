/** Selects the parser of a body by its media type. */

import { mediaTypeOf } from '../../exchange/headers.ts';
import type { ResponseProfile } from '../../profile/schema.ts';
import type { StatusAndHeaders } from '../../profile/selector.ts';
import { csvValueSpans, jsonValueSpans, ndjsonValueSpans, type ValueSpans, ValueSpansError } from './value-spans.ts';
import { xmlValueSpans } from './xml-value-spans.ts';

/**
 * Parses a body into the tree that the profile’s selectors read, with the positions of its values.
 * @throws ValueSpansError
 */
export function splitText(text: string, { headers }: StatusAndHeaders, { media, csv }: ResponseProfile): ValueSpans {
  const { type } = mediaTypeOf(headers);
  if (media === 'ndjson' || (!media && /ndjson|jsonl|json-?lines|json-seq/.test(type))) return ndjsonValueSpans(text);
  if (media === 'json' || (!media && /json/.test(type))) return jsonValueSpans(text);
  if (media === 'xml' || (!media && /[/+]xml$/.test(type))) return xmlValueSpans(text);
  if (media === 'csv' || (!media && /csv|tab-separated/.test(type)))
    return csvValueSpans(text, csv?.delimiter ?? (type.includes('tab-') ? '\t' : ','));
  throw new ValueSpansError(`its media type ${type || '(none)'} is not JSON, NDJSON, CSV or XML`);
}
