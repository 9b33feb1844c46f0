/** Recognises columns without their names: by what the columns of several operations, or of one list, have in common. */
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  CATEGORY_PERFORMANCE,
  type Field,
  type OperationKey,
  operationOf,
  PERFORMANCE_METADATA,
  PERFORMANCE_OPERATIONS,
  UPDATE_PRODUCTS,
} from '../../contract/index.ts';
import type { Row } from '../../reading/types.ts';
import { type Place, valuesBeside } from './places.ts';
import { differentValues, hasCheckDigit, readingsOf } from './readings.ts';

/** The lists of names. */
const TABLES: readonly OperationKey[] = [
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  UPDATE_PRODUCTS,
  PERFORMANCE_METADATA,
  ...PERFORMANCE_OPERATIONS,
];

/** The rows of an operation, column by column. */
interface Table {
  readonly operation: OperationKey;
  readonly places: readonly Place[];
}

/** The values of a field in all operations. */
export interface Vocabulary {
  readonly values: ReadonlySet<string>;
  readonly reason: string;
}

interface Column {
  readonly operation: OperationKey;
  readonly place: Place;
  readonly values: ReadonlySet<string>;
}

/** Columns of several operations with the same values. */
type Kind = readonly Column[];

/** The share of the smaller of two sets that the larger one has, too. */
const SAME = 0.8;

/** Whether values are codes rather than names. */
export const areCodes = (values: Iterable<string>): boolean =>
  [...values].every((each) => /^\S*\d\S*$/.test(each) || /^[A-Z]{1,4}$/.test(each));

/** The columns that may have names or ids: no dates, no UPCs. */
const columnsOf = ({ operation, places }: Table): Column[] =>
  places.flatMap((place): Column[] => {
    if (place.isList || readingsOf('changedOn', place).length > 0) return [];
    const values = differentValues(place.cells);
    const [upc] = readingsOf('upc', place);
    return values.size < 2 || upc?.values.some(hasCheckDigit) ? [] : [{ operation, place, values }];
  });

function areSame(one: Column, other: Column): boolean {
  const [few, many] = one.values.size < other.values.size ? [one.values, other.values] : [other.values, one.values];
  const shared = [...few].filter((each) => many.has(each)).length;
  return one.operation !== other.operation && shared >= 2 && shared >= few.size * SAME;
}

/** Groups columns by their values; those of one operation only are left out. */
function kindsOf(columns: readonly Column[]): Kind[] {
  const kinds: Column[][] = [];
  for (const column of columns) {
    const same = kinds.filter((kind) => kind.some((each) => areSame(each, column)));
    for (const each of same) kinds.splice(kinds.indexOf(each), 1);
    kinds.push([...same.flat(), column]);
  }
  return kinds.filter((kind) => new Set(kind.map(({ operation }) => operation)).size > 1);
}

/** How many values of one kind, on average, are in rows with a value of another. */
function fanOut(from: Kind, to: Kind): number {
  const ratios = from.flatMap(({ operation, place, values }) =>
    to
      .filter((each) => each.operation === operation && each.place !== place)
      .map((other) => {
        const pairs = place.cells.map((cell, at) => JSON.stringify([cell, other.place.cells[at]]));
        return new Set(pairs).size / values.size;
      }),
  );
  return ratios.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ratios);
}

/** Whether each value of the second kind belongs to one of the first, which has several. */
const isCoarser = (coarse: Kind, fine: Kind): boolean => {
  const [below, above] = [fanOut(coarse, fine), fanOut(fine, coarse)];
  return above <= 1.3 && below >= 1.2 * above;
};

const operationsOf = (kind: Kind): Set<OperationKey> => new Set(kind.map(({ operation }) => operation));
const valuesOf = (kind: Kind): Set<string> => new Set(kind.flatMap(({ values }) => [...values]));
const mayBe = (field: Field, kind: Kind): boolean =>
  kind.every(({ operation }) => operationOf(operation).fields.includes(field));

/** Two kinds of names, the coarser one first; undefined unless there are exactly two and it is clear. */
function chainOf(kinds: readonly Kind[]): readonly [Kind, Kind] | undefined {
  const [one, other, ...more] = kinds;
  if (!one || !other || more.length > 0) return undefined;
  if (isCoarser(one, other)) return [one, other];
  return isCoarser(other, one) ? [other, one] : undefined;
}

/**
 * Finds the names of the two hierarchies, and the ids of categories. The first hierarchy is in the list of categories or in
 * their performance, which have no manufacturers and no brands; the coarser names of each are those of the whole.
 */
export function vocabulariesOf(tables: readonly Table[]): Map<Field, Vocabulary> {
  const kinds = kindsOf(tables.flatMap(columnsOf));
  const names = kinds.filter((kind) => !areCodes(valuesOf(kind)));
  const isIn = (kind: Kind, operations: readonly OperationKey[]): boolean =>
    operations.some((each) => operationsOf(kind).has(each));
  const products = names.filter(
    (kind) => mayBe('category', kind) && isIn(kind, [ALL_CATEGORIES, CATEGORY_PERFORMANCE]),
  );
  const chain = chainOf(products);
  const makers = names.filter(
    (kind) =>
      mayBe('brand', kind) &&
      isIn(kind, [PERFORMANCE_METADATA, ...PERFORMANCE_OPERATIONS]) &&
      chain?.includes(kind) !== true,
  );
  const found = new Map<Field, Vocabulary>();
  const add = (field: Field, kind: Kind, reason: string): void => {
    found.set(field, { values: valuesOf(kind), reason: `${reason}, in ${operationsOf(kind).size} operations` });
  };
  for (const [coarse, fine, pair] of [
    ['category', 'subCategory', chain],
    ['manufacturer', 'brand', chainOf(makers)],
  ] as const) {
    if (!pair) continue;
    const [above, below] = pair.map((kind) => valuesOf(kind).size);
    add(coarse, pair[0], `${above} names above ${below}`);
    add(fine, pair[1], `${below} names below ${above}`);
  }
  const [category] = chain ?? (products.length === 1 ? products : []);
  const ids = kinds.filter(
    (kind) =>
      category &&
      areCodes(valuesOf(kind)) &&
      mayBe('categoryId', kind) &&
      fanOut(kind, category) === 1 &&
      fanOut(category, kind) === 1,
  );
  if (category && !found.has('category') && operationsOf(category).has(ALL_CATEGORIES))
    add('category', category, `${valuesOf(category).size} names`);
  if (ids[0] && ids.length === 1) add('categoryId', ids[0], 'one code for each category');
  return found;
}

/** Values that another operation has for the same UPC. */
export type Facts = ReadonlyMap<Field, ReadonlyMap<string, string>>;

/** What operations have in common, as the binding of one of them uses it. */
export interface Common {
  /** The values of fields, by what operations have in common. */
  readonly vocabularies: ReadonlyMap<Field, Vocabulary>;
  /** What other operations have for the same UPC. */
  readonly facts: Facts;
  /** Ids in the rows that the next operation accepts. */
  readonly accepted: ReadonlySet<string>;
  /** How many other operations have a value beside their rows. */
  readonly beside: ReadonlyMap<string, number>;
  /** The latest date in the rows of products. */
  readonly latest: number | undefined;
  /** Whether a list writes UPCs as texts with their leading zeros. */
  readonly keepsZeros: boolean;
}

interface KnownOperation {
  readonly answers: readonly { readonly document?: unknown }[];
  readonly rows: readonly Row[];
  readonly bound?: { readonly places: readonly Place[] } | undefined;
}

const NO_PLACES: readonly Place[] = [];

/** Knows what operations have in common, as far as they are bound. */
export class Structure {
  readonly #accepted = new Map<OperationKey, Set<string>>();
  #latest: number | undefined;
  #keepsZeros = false;
  readonly #beside = new WeakMap<object, ReadonlySet<string>>();
  #tables: readonly Table[] = [];
  #vocabularies: ReadonlyMap<Field, Vocabulary> = new Map();

  /** Notes that the next operation accepts a value from the rows of an operation as an id. */
  accept(key: OperationKey, id: unknown): void {
    this.#accepted.set(key, (this.#accepted.get(key) ?? new Set()).add(String(id)));
  }

  /** What other operations have in common with one. */
  of(key: OperationKey, operations: ReadonlyMap<OperationKey, KnownOperation>): Common {
    const tables = TABLES.map((operation): Table => {
      const places = operations.get(operation)?.bound?.places ?? NO_PLACES;
      return { operation, places };
    });
    if (!tables.every(({ places }, at) => places === this.#tables[at]?.places)) {
      this.#vocabularies = vocabulariesOf(tables);
      this.#latest = latestOf(tables);
      this.#keepsZeros = tables.some(({ places }) => places.some(keepsZeros));
    }
    this.#tables = tables;
    const facts = new Map<Field, Map<string, string>>();
    for (const [other, { rows }] of operations) if (other !== key) for (const row of rows) addFacts(facts, row);
    const beside = new Map<string, number>();
    for (const [other, { answers }] of operations)
      if (other !== key)
        for (const value of this.#textsBeside(answers[0]?.document)) beside.set(value, (beside.get(value) ?? 0) + 1);
    return {
      vocabularies: this.#vocabularies,
      facts,
      accepted: this.#accepted.get(key) ?? new Set(),
      beside,
      latest: this.#latest,
      keepsZeros: this.#keepsZeros,
    };
  }

  #textsBeside(document: unknown): ReadonlySet<string> {
    if (typeof document !== 'object' || document === null) return new Set();
    const texts = this.#beside.get(document) ?? new Set(valuesBeside(document).map(({ cells }) => String(cells[0])));
    this.#beside.set(document, texts);
    return texts;
  }
}

/** Whether a place has UPCs as texts with their leading zeros. */
export const keepsZeros = (place: Place): boolean =>
  place.cells.some((each) => typeof each === 'string' && /^0\d{11,13}$/.test(each)) &&
  readingsOf('upc', place).some(({ values }) => values.some(hasCheckDigit));

function latestOf(tables: readonly Table[]): number | undefined {
  const days = tables.flatMap(({ places }) =>
    places.flatMap((place) => (readingsOf('changedOn', place)[0]?.values ?? []) as readonly (number | undefined)[]),
  );
  return days.reduce((latest, day) => (day !== undefined && !(day <= (latest as number)) ? day : latest), undefined);
}

function addFacts(facts: Map<Field, Map<string, string>>, { upc, ...row }: Row): void {
  if (typeof upc !== 'string') return;
  for (const [field, value] of Object.entries(row))
    if (typeof value === 'string' || typeof value === 'number' || Array.isArray(value))
      facts.set(field as Field, (facts.get(field as Field) ?? new Map()).set(upc, columnFact(value)));
}

/** A value as a text that is comparable between operations: of a list the texts in it, however they are wrapped. */
export function columnFact(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.values(value).map(columnFact).sort().join('\n');
}
