/** Bodies as selectors see them: neutral rows and values laid over a sample, or over what the selectors alone tell. */
import { FIELDS, type Field } from '../../../src/contract/index.ts';
import type { FieldBinding, ResponseProfile } from '../../../src/profile/schema.ts';
import { compileSelector, EVERY, type SelectorSource } from '../../../src/profile/selector.ts';
import type { Characteristic } from '../../model/types.ts';
import { at, type Place, type PlaceStep, placeOf, put } from './place.ts';
import { PLAINEST, SPELL } from './spell.ts';

export type Media = NonNullable<ResponseProfile['media']>;
export type Value = string | number | null | undefined | readonly Characteristic[];
/** A row, or what stands once, in neutral words. */
export type Told = { readonly [F in Field]?: Value };

/** A list that is written row by row. */
export class Rows {
  readonly each: Iterable<unknown>;
  constructor(each: Iterable<unknown>) {
    this.each = each;
  }
}

interface Bound {
  readonly field: Field;
  readonly steps: readonly PlaceStep[];
  readonly write: (value: Value) => unknown;
  /** `.*` finds the members of a map as well as the elements of a list. */
  readonly named: boolean;
}

export interface Shape {
  readonly media: Media;
  readonly rows?: SelectorSource | undefined;
  readonly fields: { readonly [F in Field]?: FieldBinding };
  /** A decoded body the owner supplied. */
  readonly sample?: unknown;
}

export interface Composer {
  /**
   * The whole body. `one`: the answer is a single thing and not a list. `over`: a body another list was already laid
   * into.
   */
  compose(rows: Iterable<Told>, values: Told, one: boolean, over?: unknown): unknown;
  readonly headers: readonly {
    readonly name: string;
    readonly field: Field;
    readonly write: (value: Value) => unknown;
  }[];
  /** The fields that stand in rows, and those that stand as lists of their own (`$.brands[*]`). */
  readonly perRow: readonly Field[];
  readonly lists: readonly Field[];
  /** A value as it is written for a field. */
  wireOf(field: Field, value: Value): unknown;
  /** The names a CSV body begins with. */
  readonly columns: readonly string[];
}

/** In XML every value is the text of an element or attribute. */
const inXml = (steps: readonly PlaceStep[]): readonly PlaceStep[] => {
  const last = steps.at(-1);
  return typeof last === 'string' && (last.startsWith('@') || last === '#text') ? steps : [...steps, '#text'];
};

/** How a field’s values are written; the sample’s own type decides where a reader takes several. */
function writerOf(field: Field, { as }: FieldBinding, media: Media, sample: unknown): (value: Value) => unknown {
  const { kind } = FIELDS[field];
  if (kind === 'list') return (value) => value;
  const name = as === undefined || as === 'list' ? PLAINEST[kind] : as;
  const isText = media !== 'json' && media !== 'ndjson';
  const numeric = typeof sample === 'number' && (name === 'upcOrNumber' || as === undefined) && kind === 'upc';
  const spell = SPELL[numeric ? 'upcNumber' : name];
  return (value) => {
    // In CSV a column stays, whatever a row lacks.
    if (value === undefined || value === null) return media === 'csv' ? '' : isText ? undefined : value;
    const wire = spell(value as string | number);
    return isText || typeof sample === 'string' ? String(wire) : wire;
  };
}

const clone = (value: unknown): unknown => (value === undefined ? undefined : structuredClone(value));

interface Listed {
  readonly bound: Bound;
  readonly steps: readonly PlaceStep[];
}

/** Lists in lists: one element for each distinct combination of what stands in it, with what belongs to it below. */
function putLists(node: unknown, listed: readonly Listed[], rows: readonly Told[], shown: unknown): unknown {
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
      for (const { bound, steps } of own) element = put(element, steps, bound.write((some[0] as Told)[bound.field]));
      return below.length === 0 ? element : putLists(element, below, some, like);
    });
    result = put(result, path, elements);
  }
  return result;
}

/** Characteristics as a list, as a map, or as whatever the sample shows of one. */
function putCharacteristics(node: unknown, { steps, named }: Bound, media: Media, traits: readonly Characteristic[]) {
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

/** What of a place stands within the list of rows, e.g. `$.items[0].market` over `$.items[*]`; else undefined. */
function withinRows(steps: readonly PlaceStep[], rows: readonly PlaceStep[]): readonly PlaceStep[] | undefined {
  const end = rows.lastIndexOf(EVERY);
  if (end < 0 || typeof steps[end] !== 'number') return undefined;
  const same = rows.slice(0, end).every((step, index) => JSON.stringify(step) === JSON.stringify(steps[index]));
  const inner = rows.slice(end + 1);
  const rest = steps.slice(end + 1);
  return same && inner.every((step, index) => step === rest[index]) ? rest.slice(inner.length) : undefined;
}

/** Prepares the bodies of one operation; every selector must be a place (the survey sees to it). */
export function composerOf({ media, rows: rowsAt, fields, sample }: Shape): Composer {
  const rowsPlace = rowsAt === undefined ? undefined : (placeOf(rowsAt) as Place);
  const rowsEnd = rowsPlace?.steps.lastIndexOf(EVERY) ?? -1;
  // Where several lists lead to the rows, all rows stand in the first of each.
  const path = (rowsEnd < 0 ? (rowsPlace?.steps ?? []) : rowsPlace!.steps.slice(0, rowsEnd)).map((step) =>
    step === EVERY ? 0 : step,
  );
  const inner = rowsEnd < 0 ? [] : rowsPlace!.steps.slice(rowsEnd + 1);
  const sampleRows =
    rowsAt === undefined || sample === undefined ? [] : compileSelector(rowsAt).select(sample, NO_HEAD);
  const sampleRow = rowsEnd < 0 && Array.isArray(sampleRows[0]) ? (sampleRows[0] as unknown[])[0] : sampleRows[0];
  const sampleElement = at(sample, [...path, 0]);

  const perRow: Bound[] = [];
  const once: Bound[] = [];
  const lists: Listed[] = [];
  const headers: { name: string; field: Field; write: Bound['write'] }[] = [];
  for (const [field, binding] of Object.entries(fields) as [Field, FieldBinding][]) {
    // The world knows nothing that is finer than its names.
    if (field === 'grain') continue;
    const place = placeOf(binding.at);
    if (typeof place === 'string') continue;
    if (place.scope === 'header') {
      headers.push({ name: place.name, field, write: writerOf(field, binding, 'text', undefined) });
      continue;
    }
    const named = typeof binding.at === 'string' && binding.at.endsWith('.*');
    const bind = (steps: readonly PlaceStep[], over: unknown): Bound => {
      const write = writerOf(field, binding, media, at(over, steps));
      const isText = media === 'xml' && FIELDS[field].kind !== 'list';
      return { field, named, write, steps: isText ? inXml(steps) : steps };
    };
    const moved = place.scope === 'answer' && rowsPlace ? withinRows(place.steps, rowsPlace.steps) : undefined;
    if (place.scope === 'row') perRow.push(bind(place.steps, sampleRow));
    else if (moved) perRow.push(bind(moved, sampleRow));
    else if (FIELDS[field].kind !== 'list' && place.steps.includes(EVERY)) {
      const bound = bind(place.steps, sample);
      lists.push({ bound, steps: bound.steps });
    } else once.push(bind(place.steps, sample));
  }

  // A list within the rows makes lists of them all: `$.categories[*].subCategories[*]` beside rows at `$.categories[*]`.
  const rowsPath: readonly PlaceStep[] = [...path, EVERY, ...inner];
  const isWithin = ({ steps }: Listed) => rowsPath.every((step, index) => step === steps[index]);
  const nests = rowsEnd >= 0 && lists.some(isWithin);
  const listed: readonly Listed[] = nests
    ? [...perRow.map((bound) => ({ bound, steps: [...rowsPath, ...bound.steps] })), ...lists]
    : lists;

  const lay = (node: unknown, bounds: readonly Bound[], told: Told): unknown => {
    let result = node;
    for (const bound of bounds) {
      const value = told[bound.field];
      result =
        FIELDS[bound.field].kind === 'list'
          ? putCharacteristics(result, bound, media, (value ?? []) as readonly Characteristic[])
          : put(result, bound.steps, bound.write(value));
    }
    return result;
  };
  const rowOf = (told: Told): unknown => {
    const row = lay(clone(sampleRow) ?? {}, perRow, told);
    return (inner.length === 0 ? row : put(clone(sampleElement), inner, row)) ?? null;
  };
  function* walk(all: Iterable<Told>) {
    for (const each of all) yield rowOf(each);
  }
  return {
    headers,
    perRow: perRow.map(({ field }) => field),
    lists: lists.map(({ bound }) => bound.field),
    wireOf: (field, value) =>
      [...perRow, ...once, ...lists.map(({ bound }) => bound)].find((each) => each.field === field)?.write(value),
    columns: Object.keys(rowOf({}) ?? {}),
    compose(all, values, one, over) {
      let body: unknown = over ?? clone(sample) ?? {};
      if (rowsPlace && !nests) {
        const [first] = one ? all : [];
        const inList = rowsEnd >= 0 || (media === 'xml' && typeof path.at(-1) === 'string');
        if (one && !inList) body = put(body, path, first ? rowOf(first) : undefined) ?? {};
        else if (perRow.length === 0 && !inList) body = put(body, path, clone(sampleRow) ?? {});
        else body = put(body, path, new Rows({ [Symbol.iterator]: () => walk(one && first ? [first] : all) }));
      }
      body = lay(body, once, values);
      return listed.length === 0 ? body : putLists(body, listed, [...all], sample);
    },
  };
}
const NO_HEAD = { status: 200, headers: [] };
