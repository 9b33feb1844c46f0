/** Composes decoded bodies: puts neutral rows and values where the selectors read, into a sample if there is one. */
import { FIELDS, type Field } from '../../../src/contract/index.ts';
import { EVERY } from '../../../src/profile/path-steps.ts';
import type { FieldBinding } from '../../../src/profile/schema.ts';
import { compileSelector, type SelectorSource } from '../../../src/profile/selector.ts';
import type { Characteristic } from '../../model/types.ts';
import { clone, inXml, putCharacteristics, putLists, type WritableField, type WritableList } from './lists.ts';
import { type NeutralRow, type ResponseMedia, type Value, writerOf } from './value.ts';
import { at, put, type WritePath, type WriteStep, writePathOf } from './write-path.ts';

/** A list that is serialised row by row. */
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
  /** A decoded example body from the profile. */
  readonly sample?: unknown;
}

export interface Composer {
  /**
   * Composes the whole body. `one`: the answer is a single object, not a list. `over`: a body that already contains
   * another list.
   */
  compose(rows: Iterable<NeutralRow>, values: NeutralRow, one: boolean, over?: unknown): unknown;
  readonly headers: readonly {
    readonly name: string;
    readonly field: Field;
    readonly write: (value: Value) => unknown;
  }[];
  /** The fields within rows, and the fields that are separate lists (`$.brands[*]`). */
  readonly perRow: readonly Field[];
  readonly lists: readonly Field[];
  /** The wire form of a value of a field. */
  wireOf(field: Field, value: Value): unknown;
  /** The column names of a CSV body. */
  readonly columns: readonly string[];
}

/** The steps of a path within a row, e.g. `$.items[0].market` with rows at `$.items[*]`; undefined outside the rows. */
function withinRows(steps: readonly WriteStep[], rows: readonly WriteStep[]): readonly WriteStep[] | undefined {
  const end = rows.lastIndexOf(EVERY);
  if (end < 0 || typeof steps[end] !== 'number') return undefined;
  const same = rows.slice(0, end).every((step, index) => JSON.stringify(step) === JSON.stringify(steps[index]));
  const inner = rows.slice(end + 1);
  const rest = steps.slice(end + 1);
  return same && inner.every((step, index) => step === rest[index]) ? rest.slice(inner.length) : undefined;
}

function stepsTo(source: SelectorSource): WritePath | undefined {
  const place = writePathOf(source);
  return typeof place === 'string' || place.scope === 'header' ? undefined : place;
}

/** Prepares the bodies of one operation. Every selector must be writable, which `findUnwritable` checks. */
export function composerOf({ media, rows: rowsAt, fields, sample }: BodyForm): Composer {
  const rowsPlace = rowsAt === undefined ? undefined : stepsTo(rowsAt);
  const rowsEnd = rowsPlace?.steps.lastIndexOf(EVERY) ?? -1;
  // If the path to the rows contains other lists, all rows are in their first elements.
  const path = (rowsEnd < 0 ? (rowsPlace?.steps ?? []) : rowsPlace!.steps.slice(0, rowsEnd)).map((step) =>
    step === EVERY ? 0 : step,
  );
  const inner = rowsEnd < 0 ? [] : rowsPlace!.steps.slice(rowsEnd + 1);
  const sampleRows =
    rowsAt === undefined || sample === undefined ? [] : compileSelector(rowsAt).select(sample, NO_HEAD);
  const sampleRow = rowsEnd < 0 && Array.isArray(sampleRows[0]) ? (sampleRows[0] as unknown[])[0] : sampleRows[0];
  const sampleElement = at(sample, [...path, 0]);

  const perRow: WritableField[] = [];
  const once: WritableField[] = [];
  const lists: WritableList[] = [];
  const headers: { name: string; field: Field; write: WritableField['write'] }[] = [];
  for (const [field, binding] of Object.entries(fields) as [Field, FieldBinding][]) {
    // The world has no rows of a finer granularity.
    if (field === 'grain') continue;
    const place = writePathOf(binding.at);
    if (typeof place === 'string') continue;
    if (place.scope === 'header') {
      headers.push({ name: place.name, field, write: writerOf(field, binding, 'text', undefined) });
      continue;
    }
    const named = typeof binding.at === 'string' && binding.at.endsWith('.*');
    const bind = (steps: readonly WriteStep[], over: unknown): WritableField => {
      const write = writerOf(field, binding, media, at(over, steps));
      const isText = media === 'xml' && FIELDS[field].kind !== 'list';
      return { field, named, write, steps: isText ? inXml(steps) : steps };
    };
    const inRow = place.scope === 'response' && rowsPlace ? withinRows(place.steps, rowsPlace.steps) : undefined;
    if (place.scope === 'row') perRow.push(bind(place.steps, sampleRow));
    else if (inRow) perRow.push(bind(inRow, sampleRow));
    else if (FIELDS[field].kind !== 'list' && place.steps.includes(EVERY)) {
      const bound = bind(place.steps, sample);
      lists.push({ bound, steps: bound.steps });
    } else once.push(bind(place.steps, sample));
  }

  // With a list inside the rows, all row fields become lists: `$.categories[*].subCategories[*]` and rows at `$.categories[*]`.
  const rowsPath: readonly WriteStep[] = [...path, EVERY, ...inner];
  const isWithin = ({ steps }: WritableList) => rowsPath.every((step, index) => step === steps[index]);
  const nests = rowsEnd >= 0 && lists.some(isWithin);
  const listed: readonly WritableList[] = nests
    ? [...perRow.map((bound) => ({ bound, steps: [...rowsPath, ...bound.steps] })), ...lists]
    : lists;

  const putAll = (node: unknown, bounds: readonly WritableField[], values: NeutralRow): unknown => {
    let result = node;
    for (const bound of bounds) {
      const value = values[bound.field];
      result =
        FIELDS[bound.field].kind === 'list'
          ? putCharacteristics(result, bound, media, (value ?? []) as readonly Characteristic[])
          : put(result, bound.steps, bound.write(value));
    }
    return result;
  };
  const rowOf = (values: NeutralRow): unknown => {
    const row = putAll(clone(sampleRow) ?? {}, perRow, values);
    return (inner.length === 0 ? row : put(clone(sampleElement), inner, row)) ?? null;
  };
  function* rowsOf(all: Iterable<NeutralRow>) {
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
        else body = put(body, path, new Rows({ [Symbol.iterator]: () => rowsOf(one && first ? [first] : all) }));
      }
      body = putAll(body, once, values);
      return listed.length === 0 ? body : putLists(body, listed, [...all], sample);
    },
  };
}
const NO_HEAD = { status: 200, headers: [] };
