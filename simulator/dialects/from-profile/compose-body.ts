/** Bodies as selectors see them: neutral rows and values laid over a sample, or over what the selectors alone tell. */
import { FIELDS, type Field } from '../../../src/contract/index.ts';
import type { FieldBinding } from '../../../src/profile/schema.ts';
import { compileSelector, EVERY, type SelectorSource } from '../../../src/profile/selector.ts';
import type { Characteristic } from '../../model/types.ts';
import { type Bound, clone, inXml, type Listed, putCharacteristics, putLists } from './lists.ts';
import { type NeutralRow, type ResponseMedia, type Value, writerOf } from './value.ts';
import { at, type Place, type PlaceStep, put, writePathOf } from './write-path.ts';

/** A list that is written row by row. */
export class Rows {
  readonly each: Iterable<unknown>;
  constructor(each: Iterable<unknown>) {
    this.each = each;
  }
}

export interface BodyForm {
  readonly media: ResponseMedia;
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
  compose(rows: Iterable<NeutralRow>, values: NeutralRow, one: boolean, over?: unknown): unknown;
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

/** What of a place stands within the list of rows, e.g. `$.items[0].market` over `$.items[*]`; else undefined. */
function withinRows(steps: readonly PlaceStep[], rows: readonly PlaceStep[]): readonly PlaceStep[] | undefined {
  const end = rows.lastIndexOf(EVERY);
  if (end < 0 || typeof steps[end] !== 'number') return undefined;
  const same = rows.slice(0, end).every((step, index) => JSON.stringify(step) === JSON.stringify(steps[index]));
  const inner = rows.slice(end + 1);
  const rest = steps.slice(end + 1);
  return same && inner.every((step, index) => step === rest[index]) ? rest.slice(inner.length) : undefined;
}

function stepsTo(source: SelectorSource): Place | undefined {
  const place = writePathOf(source);
  return typeof place === 'string' || place.scope === 'header' ? undefined : place;
}

/** Prepares the bodies of one operation; every selector must be a place (the survey sees to it). */
export function composerOf({ media, rows: rowsAt, fields, sample }: BodyForm): Composer {
  const rowsPlace = rowsAt === undefined ? undefined : stepsTo(rowsAt);
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
    const place = writePathOf(binding.at);
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

  const lay = (node: unknown, bounds: readonly Bound[], told: NeutralRow): unknown => {
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
  const rowOf = (told: NeutralRow): unknown => {
    const row = lay(clone(sampleRow) ?? {}, perRow, told);
    return (inner.length === 0 ? row : put(clone(sampleElement), inner, row)) ?? null;
  };
  function* walk(all: Iterable<NeutralRow>) {
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
