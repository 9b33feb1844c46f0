/** Where a profile reads characteristics: as a list, or at places of one value each. */

import type { Field } from '../../../src/contract/index.ts';
import { EVERY } from '../../../src/profile/path-steps.ts';
import type { ProfileData, ResponseProfile } from '../../../src/profile/schema.ts';
import { compileSelector, type SelectorSource } from '../../../src/profile/selector.ts';
import { bodyStepsOf, writePathOf } from './write-path.ts';

type Fields = NonNullable<ResponseProfile['fields']>;

/** How many values of one form a response shows, so that look-up and delta agree. */
export interface CharacteristicPlaces {
  /** The number of values; undefined: all. */
  readonly count?: number;
}

/** The number of places of one value each; undefined for a list. */
function placesAt(at: SelectorSource): number | undefined {
  const place = writePathOf(at);
  if (typeof place !== 'object' || !('steps' in place) || place.steps.includes(EVERY)) return undefined;
  if (place.others) return 1 + place.others.length;
  return compileSelector(at).singular ? undefined : 1;
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
  if (!bound.some((at) => at !== undefined && placesAt(at) !== undefined)) return undefined;
  const lookUp = operations['GET /PLATFORMAPI/prodRef/v1/products/{upc}']?.response?.fields?.characteristics;
  const count = lookUp && placesAt(lookUp.at);
  return count === undefined ? {} : { count };
}
