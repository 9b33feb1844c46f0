/** Writes lists other than the list of rows: names in nested lists, and characteristics. */
import type { Field } from '../../../src/contract/index.ts';
import { EVERY } from '../../../src/profile/path-steps.ts';
import type { Characteristic } from '../../model/types.ts';
import type { CharacteristicPlaces } from './characteristic-places.ts';
import type { NeutralRow, ResponseMedia, Value, WrittenBinding } from './value.ts';
import { existingNodeAt, isXmlLeaf, put, stepsIn, type WriteStep } from './write-path.ts';

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
