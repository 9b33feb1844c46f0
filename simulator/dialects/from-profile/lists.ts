/** Writes lists other than the list of rows: names in nested lists, and characteristics. */
import type { Field } from '../../../src/contract/index.ts';
import { EVERY } from '../../../src/profile/path-steps.ts';
import type { FieldBinding, ProfileData, ResponseProfile } from '../../../src/profile/schema.ts';
import { compileSelector, type SelectorSource } from '../../../src/profile/selector.ts';
import type { Characteristic } from '../../model/types.ts';
import type { NeutralRow, ResponseMedia, Value, WrittenBinding } from './value.ts';
import { bodyStepsOf, existingNodeAt, isXmlLeaf, put, stepsIn, type WriteStep, writePathOf } from './write-path.ts';

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

/** Splits a text into `count` parts. The first part also has the separators that are one too many. */
function split(text: string, count: number, separator: string): string[] {
  const pieces = separator === '' ? [...text] : text.split(separator);
  const last = count === 1 ? [] : pieces.slice(1 - count);
  return [pieces.slice(0, pieces.length - last.length).join(separator), ...last];
}

/** The number of decimals of a figure if the response states that number in another member. */
const WRITTEN_DECIMALS = 2;

/** Shifts the decimal point of a number to the right; what is smaller than the last digit is rounded. */
const shiftPoint = (value: unknown, digits: number): unknown =>
  typeof value === 'number' ? Math.round(Number(`${value}e${digits}`)) : value;

/** Whether a value is not written at one place: it has several, or it is the name of a member. */
export const isComposed = ({ append, decimals, keys }: FieldBinding): boolean =>
  append !== undefined || decimals !== undefined || keys === true;

/** Puts a value, or its parts, where the selectors of its field find them; `steps` is the write path of the first part. */
export function putComposed(
  node: unknown,
  { append = [], separator = '', decimals }: FieldBinding,
  steps: readonly WriteStep[],
  value: unknown,
): unknown {
  if (value === undefined || value === null) return put(node, steps, value);
  if (typeof decimals === 'number') return put(node, steps, shiftPoint(value, decimals));
  if (decimals !== undefined)
    return put(put(node, steps, shiftPoint(value, WRITTEN_DECIMALS)), bodyStepsOf(decimals), WRITTEN_DECIMALS);
  if (append.length === 0) return put(node, steps, value);
  const [first, ...appended] = split(String(value), append.length + 1, separator);
  return append.reduce((result, at, nth) => put(result, bodyStepsOf(at), appended[nth]), put(node, steps, first));
}

export interface WritableField {
  readonly field: Field;
  readonly binding: WrittenBinding;
  readonly steps: readonly WriteStep[];
  readonly write: (value: Value) => unknown;
  /** The fields whose texts are joined at this place. */
  readonly joined?: readonly WritableField[];
  /** Further places of a list, each for one of its values. */
  readonly others?: readonly (readonly WriteStep[])[] | undefined;
}

export const clone = (value: unknown): unknown => (value === undefined ? undefined : structuredClone(value));

export interface WritableList {
  readonly writable: WritableField;
  readonly steps: readonly WriteStep[];
}

/** Writes nested lists: one element per distinct combination of its values, with the nested values of that combination. */
export function putLists(
  node: unknown,
  lists: readonly WritableList[],
  rows: readonly NeutralRow[],
  sample: unknown,
): unknown {
  let result = node;
  const pathTo = ({ steps }: WritableList) => steps.slice(0, steps.indexOf(EVERY));
  for (const group of Map.groupBy(lists, (each) => JSON.stringify(pathTo(each))).values()) {
    const path = pathTo(group[0] as WritableList);
    const relative = group.map(({ writable, steps }) => ({ writable, steps: steps.slice(path.length + 1) }));
    const direct = relative.filter(({ steps }) => !steps.includes(EVERY));
    const nested = relative.filter(({ steps }) => steps.includes(EVERY));
    const combinations = Map.groupBy(rows, (row) =>
      JSON.stringify(direct.map(({ writable }) => row[writable.field] ?? null)),
    );
    const elements = [...combinations.values()].map((combination) => {
      const sampleElement = existingNodeAt(sample, [...path, 0]);
      let element = clone(sampleElement);
      for (const { writable, steps } of direct)
        element = put(element, steps, writable.write((combination[0] as NeutralRow)[writable.field]));
      return nested.length === 0 ? element : putLists(element, nested, combination, sampleElement);
    });
    result = put(result, path, elements);
  }
  return result;
}

/**
 * Writes characteristics as a list or a map, in the form of the sample if it has one.
 * @param places how many values they have, if the profile reads single ones
 */
export function putCharacteristics(
  node: unknown,
  { steps, others, binding }: WritableField,
  media: ResponseMedia,
  all: readonly Characteristic[],
  places?: CharacteristicPlaces,
) {
  const characteristics = all.slice(0, places?.count);
  // A CSV row has every column.
  const noValue = media === 'csv' ? '' : undefined;
  if (others)
    return [steps, ...others].reduce(
      // Each place has a value: an empty one would be a value that the look-up lacks.
      (result, place, nth) => put(result, place, characteristics[nth]?.value ?? characteristics[0]?.value ?? noValue),
      node,
    );
  const isOnePlace = places && !steps.includes(EVERY);
  if (isOnePlace) {
    const values = characteristics.map(({ value }) => value);
    const isSingleValue = places.isSingle || isXmlLeaf(steps.at(-1)) || steps.some((step) => typeof step === 'object');
    return put(node, stepsIn(media, steps), isSingleValue ? values[0] : values);
  }
  const end = steps.lastIndexOf(EVERY);
  const path = end < 0 ? steps : steps.slice(0, end);
  const relative = end < 0 ? [] : steps.slice(end + 1);
  const existing = existingNodeAt(node, path);
  // A selector that ends with `.*` also finds the members of a map.
  const endsWithWildcard = typeof binding.at === 'string' && binding.at.endsWith('.*');
  const isMap = existing === undefined ? endsWithWildcard && media !== 'xml' : !Array.isArray(existing);
  if (isMap && relative.length === 0)
    return put(node, path, Object.fromEntries(characteristics.map(({ name, value }) => [name, value])));
  const first: unknown = Array.isArray(existing) ? existing[0] : undefined;
  const keys = typeof first === 'object' && first !== null ? Object.keys(first) : [];
  const [nameKey = media === 'xml' ? '@name' : 'name', valueKey = media === 'xml' ? '#text' : 'value'] = keys;
  const element = ({ name, value }: Characteristic): unknown => {
    if (relative.length > 0) return put(undefined, stepsIn(media, relative), value);
    return typeof first === 'string' ? `${name}: ${value}` : { [nameKey]: name, [valueKey]: value };
  };
  return put(node, path, characteristics.map(element));
}
