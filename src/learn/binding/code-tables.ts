/** Finds tables of codes: lists that have a code beside a name, and columns of other lists with these codes. */
import {
  ALL_CATEGORIES,
  type Field,
  MARKET_NAMES,
  type OperationKey,
  operationOf,
  PERFORMANCE_METADATA,
  SALES_FILTERS,
} from '../../contract/index.ts';
import { isPlainObject, objectAt, type PlainObject } from '../../profile/plain-object.ts';
import { type CodeTable, codeTableOf } from '../../reading/code-table.ts';
import { type LearnedTable, type Place, placesIn, rowListsIn, scalarOf } from './places.ts';
import { differentValues, overlap } from './readings.ts';
import { areCodes } from './structure.ts';

interface KnownOperation {
  readonly answers: readonly { readonly document?: unknown }[];
  readonly bound?: { readonly response: PlainObject } | undefined;
}

/** The lists that may be tables, and how the names of their tables begin. */
const LISTS = { [ALL_CATEGORIES]: '', [PERFORMANCE_METADATA]: 'performance' } as const;
const CODE = /code|id$|key|no$|nr$|number/i;
const MARKETS = new RegExp(`^(${Object.values(MARKET_NAMES).join('|')})$`, 'i');

/** The tables that the lists of names show. */
export function codeTablesIn(operations: ReadonlyMap<OperationKey, KnownOperation>): LearnedTable[] {
  return Object.entries(LISTS).flatMap(([key, prefix]) => {
    const from = key as OperationKey;
    const { answers: [first] = [], bound } = operations.get(from) ?? {};
    if (!bound || first?.document === undefined) return [];
    const fields = new Map(
      SALES_FILTERS.flatMap((field) => {
        const at = fullSelector(bound.response, field);
        return at === undefined ? [] : [[at, field as Field] as const];
      }),
    );
    return rowListsIn(first.document).flatMap(({ selector, nodes }): LearnedTable[] => {
      if (!nodes.every(isPlainObject)) return [];
      const places = placesIn(nodes, '@').filter(({ isList }) => !isList);
      const meaning = places.find((place) => fields.has(selector + place.selector.slice(1)) || isMarket(place));
      const codes = places.filter((place) => place !== meaning && isCodeOf(place, meaning));
      const named = codes.filter(isNamedCode);
      const [code, ...others] = codes.length > 1 ? named : codes;
      if (!meaning || !code || others.length > 0) return [];
      const field = fields.get(selector + meaning.selector.slice(1)) ?? 'market';
      const name = prefix === '' ? field : `${prefix}${field.slice(0, 1).toUpperCase()}${field.slice(1)}`;
      const entries = code.cells.map((each, at) => [String(each), String(meaning.cells[at])] as const);
      const source = { from, rows: selector, code: code.selector, meaning: meaning.selector };
      const table = codeTableOf(entries, { complete: true, from, asOf: [] });
      return [{ name, field, group: operationOf(from).group, source, table }];
    });
  });
}

function fullSelector({ rows, fields }: PlainObject, field: string): string | undefined {
  const binding = objectAt({ fields }, 'fields')[field];
  const at = isPlainObject(binding) ? binding.at : binding;
  if (typeof at !== 'string') return undefined;
  return at.startsWith('$') ? at : typeof rows === 'string' ? `${rows}${at.slice(1)}` : undefined;
}

const isMarket = ({ cells }: Place): boolean => cells.length > 0 && cells.every((each) => MARKETS.test(String(each)));

const isNamedCode = ({ names }: Place): boolean => CODE.test(names.at(-1) ?? '');

/** Whether a column has one code for each meaning of another one; a number may be a count unless its name says otherwise. */
const isCodeOf = (place: Place, meaning: Place | undefined): boolean =>
  place.cells.every((each) =>
    typeof each === 'number' ? isNamedCode(place) : typeof each === 'string' && each !== '',
  ) &&
  areCodes(place.cells.map(String)) &&
  new Set(place.cells).size === new Set(place.cells.map((each, at) => `${each} ${meaning?.cells[at]}`)).size &&
  new Set(place.cells).size === new Set(meaning?.cells).size;

/** The places of rows whose values are all codes of a table, where no place has the names themselves. */
export function codedPlaces(
  places: readonly Place[],
  operation: OperationKey,
  tables: readonly LearnedTable[] = [],
): Place[] {
  const { group, fields } = operationOf(operation);
  const single = places.filter(({ isList, match }) => !isList && match === undefined);
  return tables.flatMap((code): Place[] => {
    const { field, source, table } = code;
    // The names of the other group may be fewer than those of these rows.
    const isOfRows =
      fields.includes(field) && source.from !== operation && (field === 'market' || code.group === group);
    const names = new Set(table.codes.keys());
    const isNamed = single.some(({ cells }) => (overlap(differentValues(cells), names) ?? 0) > 0.5);
    if (!isOfRows || isNamed) return [];
    return single.flatMap((place): Place[] => {
      const values = [...differentValues(place.cells)];
      const areListed = values.every((each) => table.meanings.get(each) !== undefined);
      if (!areListed || values.length === 0 || (values.length < 2 && table.meanings.size > 1)) return [];
      return [{ ...place, cells: place.cells.map((each) => table.meanings.get(String(scalarOf(each)))), code }];
    });
  });
}

const tables = new WeakMap<object, CodeTable>();

/** The binding of a place with codes. */
export function codedBinding(at: string, { name, table }: LearnedTable): PlainObject {
  const binding = { at, code: name };
  tables.set(binding, table);
  return binding;
}

/** The table of a binding that was learned. */
export const tableOf = (binding: object): CodeTable | undefined => tables.get(binding);

/** The tables that bindings name, as an author writes them. */
export function usedTables(all: readonly LearnedTable[], operations: PlainObject): PlainObject {
  const text = JSON.stringify(operations);
  return Object.fromEntries(
    all.flatMap(({ name, source }) => (text.includes(`"code":${JSON.stringify(name)}`) ? [[name, source]] : [])),
  );
}
