/** Lists within bodies that are not lists of rows: names in lists of lists, and characteristics. */
import type { Field } from '../../../src/contract/index.ts';
import { EVERY } from '../../../src/profile/selector.ts';
import type { Characteristic } from '../../model/types.ts';
import type { NeutralRow, ResponseMedia, Value } from './value.ts';
import { at, type PlaceStep, put } from './write-path.ts';

export interface Bound {
  readonly field: Field;
  readonly steps: readonly PlaceStep[];
  readonly write: (value: Value) => unknown;
  /** `.*` finds the members of a map as well as the elements of a list. */
  readonly named: boolean;
}

/** In XML every value is the text of an element or attribute. */
export const inXml = (steps: readonly PlaceStep[]): readonly PlaceStep[] => {
  const last = steps.at(-1);
  return typeof last === 'string' && (last.startsWith('@') || last === '#text') ? steps : [...steps, '#text'];
};

export const clone = (value: unknown): unknown => (value === undefined ? undefined : structuredClone(value));

export interface Listed {
  readonly bound: Bound;
  readonly steps: readonly PlaceStep[];
}

/** Lists in lists: one element for each distinct combination of what stands in it, with what belongs to it below. */
export function putLists(
  node: unknown,
  listed: readonly Listed[],
  rows: readonly NeutralRow[],
  shown: unknown,
): unknown {
  let result = node;
  const pathTo = ({ steps }: Listed) => steps.slice(0, steps.indexOf(EVERY));
  for (const group of Map.groupBy(listed, (each) => JSON.stringify(pathTo(each))).values()) {
    const path = pathTo(group[0] as Listed);
    const within = group.map(({ bound, steps }) => ({ bound, steps: steps.slice(path.length + 1) }));
    const own = within.filter(({ steps }) => !steps.includes(EVERY));
    const below = within.filter(({ steps }) => steps.includes(EVERY));
    const combinations = Map.groupBy(rows, (row) => JSON.stringify(own.map(({ bound }) => row[bound.field] ?? null)));
    const elements = [...combinations.values()].map((some) => {
      const like = at(shown, [...path, 0]);
      let element = clone(like);
      for (const { bound, steps } of own)
        element = put(element, steps, bound.write((some[0] as NeutralRow)[bound.field]));
      return below.length === 0 ? element : putLists(element, below, some, like);
    });
    result = put(result, path, elements);
  }
  return result;
}

/** Characteristics as a list, as a map, or as whatever the sample shows of one. */
export function putCharacteristics(
  node: unknown,
  { steps, named }: Bound,
  media: ResponseMedia,
  traits: readonly Characteristic[],
) {
  const end = steps.lastIndexOf(EVERY);
  const path = end < 0 ? steps : steps.slice(0, end);
  const within = end < 0 ? [] : steps.slice(end + 1);
  const shown = at(node, path);
  const isMap = shown === undefined ? named && media !== 'xml' : !Array.isArray(shown);
  if (isMap && within.length === 0)
    return put(node, path, Object.fromEntries(traits.map(({ name, value }) => [name, value])));
  const first: unknown = Array.isArray(shown) ? shown[0] : undefined;
  const keys = typeof first === 'object' && first !== null ? Object.keys(first) : [];
  const [nameKey = media === 'xml' ? '@name' : 'name', valueKey = media === 'xml' ? '#text' : 'value'] = keys;
  const element = ({ name, value }: Characteristic): unknown => {
    if (within.length > 0) return put(undefined, media === 'xml' ? inXml(within) : within, value);
    return typeof first === 'string' ? `${name}: ${value}` : { [nameKey]: name, [valueKey]: value };
  };
  return put(node, path, traits.map(element));
}
