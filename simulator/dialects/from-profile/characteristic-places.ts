/** Where a profile reads characteristics: as a list, or at places of one value each. */

import type { Field } from '../../../src/contract/index.ts';
import { EVERY } from '../../../src/profile/path-steps.ts';
import type { ProfileData, ResponseProfile } from '../../../src/profile/schema.ts';
import { compileSelector, type SelectorSource } from '../../../src/profile/selector.ts';
import { bodyStepsOf, isXmlLeaf, writePathOf } from './write-path.ts';

type Fields = NonNullable<ResponseProfile['fields']>;

/** How many values of one form a response shows, so that look-up and delta agree. */
export interface CharacteristicPlaces {
  /** The number of values; undefined: all. */
  readonly count?: number;
  /** Whether a place that may contain a list contains one value. */
  readonly isSingle: boolean;
}

type Form = 'list' | 'values' | 'either';

/** A list; places of one value each; or a place that may contain a list or one value. */
function formOf(at: SelectorSource): Form | undefined {
  const place = writePathOf(at);
  if (typeof place !== 'object' || !('steps' in place)) return undefined;
  if (place.steps.includes(EVERY)) return 'list';
  return place.others || isXmlLeaf(place.steps.at(-1)) || !compileSelector(at).singular ? 'values' : 'either';
}

function countAt(at: SelectorSource): number {
  const place = writePathOf(at);
  return typeof place === 'object' && 'others' in place ? 1 + (place.others?.length ?? 0) : 1;
}

/** The fields of a list that are written at a place where the list has characteristics, too: each is one of them. */
export function fieldsAmongCharacteristics({ characteristics, ...others }: Fields): Field[] {
  const place = characteristics && writePathOf(characteristics.at);
  if (typeof place !== 'object' || !('others' in place)) return [];
  const places = [place.steps, ...(place.others ?? [])].map((steps) => JSON.stringify(steps));
  return Object.entries(others).flatMap(([field, { at }]) =>
    places.includes(JSON.stringify(bodyStepsOf(at))) ? [field as Field] : [],
  );
}

/**
 * The places of a profile; undefined if all its lists of characteristics are lists of objects. A delta shows no more values
 * than the look-up, which has to show each of them.
 */
export function characteristicPlaces({ operations = {} }: ProfileData): CharacteristicPlaces | undefined {
  const bound = Object.values(operations).map((each) => each?.response?.fields?.characteristics?.at);
  const forms = new Set(bound.flatMap((at) => (at === undefined ? [] : (formOf(at) ?? []))));
  const isMixed = forms.has('list') && forms.has('either');
  if (!isMixed && !forms.has('values')) return undefined;
  const lookUp = operations['GET /PLATFORMAPI/prodRef/v1/products/{upc}']?.response?.fields?.characteristics;
  const form = lookUp && formOf(lookUp.at);
  const isLimited = lookUp && (form === 'values' || (isMixed && form === 'either'));
  const count = isLimited ? countAt(lookUp.at) : undefined;
  return { ...(count !== undefined && { count }), isSingle: isMixed || count === 1 };
}
