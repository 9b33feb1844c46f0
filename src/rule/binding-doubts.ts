/**
 * Bindings that probably read another value than their field, by all responses so far. `profile check --base-url` reports
 * them; a failure that one may cause proves nothing about the service.
 */
import {
  FIELDS,
  type Field,
  type FieldKind,
  type OperationKey,
  operationOf,
  SALES_FILTERS,
} from '../contract/index.ts';
import { counted, quoted } from '../format-values.ts';
import type { Inputs } from '../profile/template.ts';
import { type Cell, type Observation, type Row, Unconverted, UnknownCode } from '../reading/types.ts';
import { normaliseName } from './choose-names.ts';
import type { Fold } from './fold.ts';

/** The fields whose values identify a place in the hierarchy of products. */
export const LEVELS = ['categoryId', ...SALES_FILTERS] as const satisfies Field[];
/** The fields of which other operations have the same values. */
const SHARED: ReadonlySet<Field> = new Set([...LEVELS, 'upc', 'market']);
/** Of more different texts than this, nothing is said. */
const MAX_TEXTS = 20_000;
const MIN_VALUES = 3;
const MANY_MARKETS = 5;
/** The share of texts that are no values of the field, from which on a binding is in doubt; of lists and objects, it is less. */
const [MOST_TEXTS, MOST_STRUCTURES] = [0.75, 0.5];

const FIGURE = /^\P{L}*\d\P{L}*$/u;
/** What texts of a field have in any notation; another kind of field has every text. */
const NOTATIONS: { readonly [K in FieldKind]?: RegExp } = {
  upc: /^\d+$/,
  date: /(?:\d\D*){4}/,
  money: FIGURE,
  percent: FIGURE,
};

/** Whether a cell is no value of a field in any notation: a structure, or a text such as a name in place of a number. */
const isForeign = (field: Field, cell: Cell): boolean =>
  cell instanceof Unconverted &&
  // A code of unknown meaning is a value of the field.
  !(cell instanceof UnknownCode) &&
  !(
    (typeof cell.raw === 'string' || typeof cell.raw === 'number') &&
    NOTATIONS[FIELDS[field].kind]?.test(String(cell.raw))
  );

/** What a binding read, other than null. */
class FieldValues {
  found = 0;
  unconverted = 0;
  /** Those of `unconverted` that are no values of the field in any notation. */
  foreign = 0;
  first: Unconverted | undefined;
  /** The different texts of a field whose values other operations have, too. */
  readonly texts = new Set<string>();

  add(field: Field, cell: Cell): void {
    if (cell === undefined || cell === null) return;
    this.found++;
    if (cell instanceof Unconverted) {
      this.unconverted++;
      this.first ??= cell;
      if (isForeign(field, cell)) this.foreign++;
    } else if (SHARED.has(field) && this.texts.size < MAX_TEXTS)
      for (const text of typeof cell === 'object' ? cell : [cell]) this.texts.add(String(text));
  }

  merge({ found, unconverted, foreign, first, texts }: FieldValues): void {
    this.found += found;
    this.unconverted += unconverted;
    this.foreign += foreign;
    this.first ??= first;
    for (const text of texts) if (this.texts.size < MAX_TEXTS) this.texts.add(text);
  }
}

type ValuesByField = { [F in Field]?: FieldValues };

function valuesIn(byField: ValuesByField, field: Field): FieldValues {
  byField[field] ??= new FieldValues();
  return byField[field];
}

/** Texts, by the form in which they are compared. */
type Texts = ReadonlyMap<string, string>;

const textsOf = (texts: Iterable<string>): Texts => new Map([...texts].map((text) => [normaliseName(text), text]));

/** What the bindings of a profile read, by operation and field. */
export class BindingValues {
  readonly #values = new Map<OperationKey, ValuesByField>();

  /** The same values, to which others can be added. */
  copy(): BindingValues {
    const copied = new BindingValues();
    for (const [operation, byField] of this.#values)
      for (const [field, values] of Object.entries(byField)) copied.of(operation, field as Field).merge(values);
    return copied;
  }

  /** A fold that notes the values of the rows of an operation; none of a page that is read again or discarded. */
  fold(operation: OperationKey): Fold<undefined> {
    const start = (inputs: Inputs) => {
      const own: ValuesByField = {};
      // Filtered lists repeat the rows of others: the market of their rows is not counted.
      const isFiltered = LEVELS.some((level) => level in inputs);
      const row = (cells: Row) => {
        for (const name in cells)
          if (name !== 'market' || !isFiltered) valuesIn(own, name as Field).add(name as Field, cells[name as Field]);
      };
      const done = () => {
        for (const [field, values] of Object.entries(own)) this.of(operation, field as Field).merge(values);
        return undefined;
      };
      return { row, done };
    };
    return { key: 'bindingValues', start };
  }

  /** Notes the values that are read once per response. It has one date: among several values it is none. */
  once(operation: OperationKey, observation: Pick<Observation, 'values'> | undefined): void {
    for (const [name, cells] of Object.entries(observation?.values ?? {})) {
      const field = name as Field;
      const foreign = FIELDS[field].kind === 'date' ? cells.filter((cell) => isForeign(field, cell)) : [];
      for (const cell of foreign.length > 0 ? foreign : cells) this.add(operation, field, cell);
    }
  }

  add(operation: OperationKey, field: Field, cell: Cell): void {
    this.of(operation, field).add(field, cell);
  }

  fieldsOf(operation: OperationKey): Field[] {
    return Object.keys(this.#values.get(operation) ?? {}) as Field[];
  }

  of(operation: OperationKey, field: Field): FieldValues {
    const ofOperation = this.#values.get(operation) ?? {};
    this.#values.set(operation, ofOperation);
    return valuesIn(ofOperation, field);
  }

  /** The texts of a field; none if there are too many. */
  texts(operation: OperationKey, field: Field): Texts {
    const { texts } = this.of(operation, field);
    return textsOf(texts.size < MAX_TEXTS ? texts : []);
  }

  /** The other operations with values of a field. */
  elsewhere(operation: OperationKey, field: Field): { readonly by: OperationKey; readonly texts: Texts }[] {
    return [...this.#values.keys()]
      .map((by) => ({ by, texts: this.texts(by, field) }))
      .filter(({ by, texts }) => by !== operation && texts.size > 0);
  }
}

/** A value in a sentence. */
const oneOf = (texts: Texts): string => quoted([...texts.values()][0] ?? '');

const countIn = (texts: Texts, known: Texts): number => [...texts.keys()].filter((name) => known.has(name)).length;

/** Says that values do not convert, and what to do. */
export function describeUnconverted({ found, unconverted, first }: FieldValues): string {
  const raw = quoted(typeof first?.raw === 'string' ? first.raw : (JSON.stringify(first?.raw) ?? ''));
  // No converter makes one value of several nodes.
  const remedy = Array.isArray(first?.raw)
    ? 'bind one of them with a filter, or make each a row: rows down to these nodes, and shape: { parents: […] } for the nodes above'
    : 'name the converter with as';
  return `${unconverted} of ${counted(found, 'value')} do not convert, such as ${raw} (${first?.why}); ${remedy}`;
}

/**
 * Says that the values of a binding are those of another field in another operation, or that no other operation of the group
 * has one of them as the same field; undefined if any operation has one.
 * @param known values of the field that the profile names
 * @param whole the values of complete lists: the beginnings of two lists may have none in common
 */
export function describeMismatch(
  values: BindingValues,
  operation: OperationKey,
  field: Field,
  known: readonly string[],
  whole = values,
): string | undefined {
  const texts = values.texts(operation, field);
  const agreeing = [textsOf(known), ...values.elsewhere(operation, field).map((other) => other.texts)];
  if (texts.size === 0 || agreeing.some((other) => countIn(texts, other) > 0)) return undefined;
  // A flat list of categories may contain sub-categories.
  const levels = LEVELS.filter((as) => as !== field && (field !== 'subCategory' || as !== 'category'));
  for (const as of texts.size < MIN_VALUES ? [] : levels) {
    const other = values.elsewhere(operation, as).find((each) => countIn(texts, each.texts) >= texts.size * 0.9);
    if (other)
      return `the ${texts.size} values, such as ${oneOf(texts)}, are those that ${other.by} has as ${as}; bind ${FIELDS[field].means}`;
  }
  const { group } = operationOf(operation);
  const inGroup = whole.elsewhere(operation, field).find(({ by }) => operationOf(by).group === group);
  // The service may show another market.
  if (!inGroup || whole.texts(operation, field).size === 0 || field === 'market') return undefined;
  return `none of the ${counted(texts.size, 'value')}, such as ${oneOf(texts)}, is one that ${inGroup.by} has as ${field}, such as ${oneOf(inGroup.texts)}; one may be a code and the other a name, or a value of another field`;
}

/** Why a binding probably reads another value; undefined if it is not known to. `known` are values that the profile names. */
export function bindingDoubt(
  values: BindingValues,
  operation: OperationKey,
  field: Field,
  known: readonly string[],
): string | undefined {
  const own = values.of(operation, field);
  const { found, foreign, first, texts } = own;
  if (foreign > 0 && foreign >= found * (typeof first?.raw === 'object' ? MOST_STRUCTURES : MOST_TEXTS))
    return describeUnconverted(own);
  // The market of an operation may be wrong, but rows do not have one each.
  if (field === 'market' && texts.size > MANY_MARKETS && texts.size * 2 > Math.min(found, MAX_TEXTS))
    return `nearly each of ${counted(found, 'row')} has another value, such as ${oneOf(textsOf(texts))}`;
  return describeMismatch(values, operation, field, known);
}
