/** Composes bodies as JavaScript values: puts neutral rows and values where the selectors read, into a sample if there is one. */
import { FIELDS, type Field, isOperationKey, type OperationKey } from '../../../src/contract/index.ts';
import { EVERY } from '../../../src/profile/path-steps.ts';
import type { CountBinding, ResponseProfile } from '../../../src/profile/schema.ts';
import { compileSelector, type SelectorSource } from '../../../src/profile/selector.ts';
import type { Characteristic } from '../../model/types.ts';
import {
  type CharacteristicPlaces,
  clone,
  putCharacteristics,
  putComposed,
  putLists,
  type WritableField,
  type WritableList,
} from './lists.ts';
import { type ComposedResponse, LazyRows } from './serialize.ts';
import { type NeutralRow, type ResponseMedia, type Value, type WrittenBinding, writerOf } from './value.ts';
import {
  bodyStepsOf,
  existingNodeAt,
  put,
  stepsIn,
  type WritePath,
  type WriteStep,
  writePathOf,
} from './write-path.ts';
import { putShaped, unpivot } from './write-shape.ts';

interface BodyFormat {
  readonly media: ResponseMedia;
  readonly response: ResponseProfile;
  /** The fields, and the codes that are written beside those with their meanings. */
  readonly fields: readonly (readonly [Field, WrittenBinding])[];
  readonly places: CharacteristicPlaces | undefined;
}

/** The selectors of a count: one, or one for each window. */
export const windowSelectors = (at: CountBinding['at']): readonly SelectorSource[] =>
  typeof at === 'object' ? Object.values(at) : [at];

export interface Composer {
  /** Adds rows and values to a response. `isSingle`: the answer is a single object, not a list. */
  compose(rows: Iterable<NeutralRow>, values: NeutralRow, isSingle: boolean, draft: ComposedResponse): void;
  /** The fields within rows, and the fields that are separate lists (`$.brands[*]`). */
  readonly rowFields: readonly Field[];
  readonly lists: readonly Field[];
  /** Whether the body contains one row at most, whatever the answer is. */
  readonly isOneRow: boolean;
  /** The value of a field as it is written in the body. */
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
  const writePath = writePathOf(source);
  return typeof writePath === 'object' && 'steps' in writePath ? writePath : undefined;
}

/** One text for all fields whose patterns read the same place, each in a line of its own. */
function joinTexts(writables: readonly WritableField[]): WritableField[] {
  const groups = Map.groupBy(writables, ({ steps, binding }) =>
    binding.match === undefined ? Symbol('own') : JSON.stringify(steps),
  );
  return [...groups.values()].map((group) =>
    group.length === 1 ? (group[0] as WritableField) : { ...(group[0] as WritableField), joined: group },
  );
}

/** Prepares the bodies of one operation. Every selector must be writable, which `findUnwritable` checks. */
export function composerOf(
  rowsAt: SelectorSource | undefined,
  { media, response: { shape, sample, counts = [], echoes = {} }, fields, places }: BodyFormat,
): Composer {
  const metadata = [...Object.values(echoes), ...counts].flatMap(({ at }) => windowSelectors(at));
  const isBesideRows = metadata.some(
    (at) => typeof at === 'string' && at.startsWith('$') && bodyStepsOf(at).length > 0,
  );
  const rowsWritePath = rowsAt === undefined ? undefined : stepsTo(rowsAt);
  const rowsEnd = rowsWritePath?.steps.lastIndexOf(EVERY) ?? -1;
  // If the path to the rows contains other lists, all rows are in their first elements.
  const path = (rowsEnd < 0 ? (rowsWritePath?.steps ?? []) : rowsWritePath!.steps.slice(0, rowsEnd)).map((step) =>
    step === EVERY ? 0 : step,
  );
  const inner = rowsEnd < 0 ? [] : rowsWritePath!.steps.slice(rowsEnd + 1);
  const sampleRows =
    rowsAt === undefined || sample === undefined ? [] : compileSelector(rowsAt).select(sample, NO_HEAD);
  const sampleRow = rowsEnd < 0 && Array.isArray(sampleRows[0]) ? (sampleRows[0] as unknown[])[0] : sampleRows[0];
  const sampleElement = existingNodeAt(sample, [...path, 0]);

  const perRow: WritableField[] = [];
  const singleFields: WritableField[] = [];
  const lists: WritableList[] = [];
  const nameFields: WritableField[] = [];
  /** Values in headers and in CSV lines that are no rows. */
  const outside: (Pick<WritableField, 'field' | 'write'> & Pick<WrittenBinding, 'at'>)[] = [];
  for (const [field, binding] of fields) {
    // The world has no rows of a finer granularity.
    if (field === 'grain') continue;
    const writePath = writePathOf(binding.at);
    if (typeof writePath === 'string') continue;
    if (!('steps' in writePath)) {
      outside.push({ at: binding.at, field, write: writerOf(field, binding, 'text', undefined) });
      continue;
    }
    const writableFieldAt = (steps: readonly WriteStep[], existing: unknown, within = media): WritableField => ({
      field,
      binding,
      write: writerOf(field, binding, within, existingNodeAt(existing, steps)),
      steps: FIELDS[field].kind === 'list' ? steps : stepsIn(within, steps),
      others: writePath.others,
    });
    const inRow =
      writePath.scope === 'response' && rowsWritePath ? withinRows(writePath.steps, rowsWritePath.steps) : undefined;
    if (binding.keys) nameFields.push(writableFieldAt(writePath.steps, sample));
    else if (writePath.scope === 'row') perRow.push(writableFieldAt(writePath.steps, sampleRow, shape?.text?.media));
    else if (inRow) perRow.push(writableFieldAt(inRow, sampleRow));
    else if (FIELDS[field].kind !== 'list' && writePath.steps.includes(EVERY)) {
      const writable = writableFieldAt(writePath.steps, sample);
      lists.push({ writable, steps: writable.steps });
    } else singleFields.push(writableFieldAt(writePath.steps, sample));
  }

  // With a list inside the rows, all row fields become lists: `$.categories[*].subCategories[*]` and rows at `$.categories[*]`.
  const rowsPath: readonly WriteStep[] = [...path, EVERY, ...inner];
  const isWithin = ({ steps }: WritableList) => rowsPath.every((step, index) => step === steps[index]);
  const rowsContainLists = rowsEnd >= 0 && lists.some(isWithin);
  const listFields: readonly WritableList[] = rowsContainLists
    ? [...perRow.map((writable) => ({ writable, steps: [...rowsPath, ...writable.steps] })), ...lists]
    : lists;

  // Text contains one row, and values beside a row that is the whole body leave no place for a list.
  const isOneRow =
    rowsWritePath !== undefined &&
    !shape &&
    path.length === 0 &&
    rowsEnd < 0 &&
    (media === 'text' || isBesideRows || singleFields.some(({ steps }) => steps.length > 0));

  const isList = ({ field }: WritableField) => FIELDS[field].kind === 'list';
  // A map of characteristics may contain other fields, too, so that lists are written first.
  const inOrder = (writables: readonly WritableField[]) =>
    joinTexts(writables).toSorted((one, other) => Number(isList(other)) - Number(isList(one)));
  const putAll = (node: unknown, writables: readonly WritableField[], values: NeutralRow): unknown => {
    let result = node;
    for (const writable of writables) {
      const { binding, steps } = writable;
      const value = values[binding.from ?? writable.field];
      if (writable.joined) {
        const texts = writable.joined.map((each) => each.write(values[each.binding.from ?? each.field]));
        result = put(result, steps, texts.filter((text) => text !== undefined && text !== null).join('\n'));
        continue;
      }
      result = isList(writable)
        ? putCharacteristics(result, writable, media, (value ?? []) as readonly Characteristic[], places)
        : putComposed(result, binding, steps, writable.write(value));
    }
    return result;
  };
  const rowFields = inOrder(perRow);
  const bodyFields = inOrder(singleFields);
  const rowCounts = counts.flatMap(({ at, of }) => {
    const place = typeof at === 'object' || !isOperationKey(of) ? 'per response' : writePathOf(at);
    return typeof place === 'string' || place.scope !== 'row' ? [] : [{ steps: place.steps, of: of as OperationKey }];
  });
  const putCounts = (node: unknown, { counts: countAll }: NeutralRow): unknown => {
    const stated = rowCounts.length > 0 && countAll ? countAll() : {};
    return rowCounts.reduce((result, { steps, of }) => {
      const count = stated[of];
      if (count === undefined) return result;
      return put(result, stepsIn(media, steps), count);
    }, node);
  };
  const rowOf = (values: NeutralRow): unknown => {
    const row = putCounts(putAll(clone(sampleRow) ?? {}, rowFields, values), values);
    if (shape) return row;
    return (inner.length === 0 ? row : put(clone(sampleElement), inner, row)) ?? null;
  };
  function* rowsOf(all: Iterable<NeutralRow>) {
    for (const each of all) yield rowOf(each);
  }
  return {
    isOneRow,
    rowFields: perRow.map(({ field }) => field),
    lists: [...lists.map(({ writable }) => writable.field), ...nameFields.map(({ field }) => field)],
    wireOf: (field, value) =>
      [...perRow, ...singleFields, ...lists.map(({ writable }) => writable)]
        .find((each) => each.field === field)
        ?.write(value),
    columns: Object.keys((shape?.pivot ? unpivot(rowOf({}), shape.pivot)[0] : rowOf({})) ?? {}),
    compose(all, values, isSingle, draft) {
      let body: unknown = draft.body ?? clone(sample) ?? {};
      if (rowsWritePath && shape) body = putShaped(body, rowsWritePath.steps, [...rowsOf(all)], shape, media);
      else if (rowsWritePath && !rowsContainLists) {
        const [first] = isSingle || isOneRow ? all : [];
        const inList = rowsEnd >= 0 || (media === 'xml' && typeof path.at(-1) === 'string');
        if ((isSingle || isOneRow) && !inList)
          body = put(body, path, first ? rowOf(first) : undefined) ?? (first && media === 'text' ? '' : {});
        else if (perRow.length === 0 && !inList) body = put(body, path, clone(sampleRow) ?? {});
        else
          body = put(body, path, new LazyRows({ [Symbol.iterator]: () => rowsOf(isSingle && first ? [first] : all) }));
      }
      body = putAll(body, bodyFields, values);
      for (const { field, steps, write } of nameFields) {
        const names = [...new Set([...all].flatMap((row) => write(row[field]) ?? []))];
        body = put(body, steps, Object.fromEntries(names.map((name, at) => [String(name), at])));
      }
      draft.body = listFields.length === 0 ? body : putLists(body, listFields, [...all], sample);
      for (const { at, field, write } of outside) draft.put(at, write(values[field]));
    },
  };
}
const NO_HEAD = { status: 200, headers: [] };
