/** Which way of taking a body apart its media type asks for. */
import type { ResponseProfile } from '../../../profile/schema.ts';
import type { AnswerHead } from '../../../profile/selector.ts';
import { mediaTypeOf } from '../../headers.ts';
import { csvPlaces, jsonPlaces, ndjsonPlaces, type Places, PlacesError } from './places.ts';
import { xmlPlaces } from './xml-places.ts';

/**
 * The tree that the profile’s selectors see, with places.
 * @throws PlacesError
 */
export function takeApart(text: string, { headers }: AnswerHead, { media, csv }: ResponseProfile): Places {
  const { type } = mediaTypeOf(headers);
  if (media === 'ndjson' || (!media && /ndjson|jsonl|json-?lines|json-seq/.test(type))) return ndjsonPlaces(text);
  if (media === 'json' || (!media && /json/.test(type))) return jsonPlaces(text);
  if (media === 'xml' || (!media && /[/+]xml$/.test(type))) return xmlPlaces(text);
  if (media === 'csv' || (!media && /csv|tab-separated/.test(type)))
    return csvPlaces(text, csv?.delimiter ?? (type.includes('tab-') ? '\t' : ','));
  throw new PlacesError(`its media type ${type || '(none)'} is none of JSON, NDJSON, CSV and XML`);
}
