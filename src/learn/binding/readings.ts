/** How the cells of a place can be read as the values of a field: converters that read nearly all of them, plausibly. */
import { FIELDS, type Field, type FieldKind } from '../../contract/index.ts';
import { CONVERTER_NAMES, CONVERTERS, type ConverterName, converterFor } from '../../profile/converters/index.ts';
import { type Place, sampled, scalarOf } from './places.ts';

/** One way to read a place. */
export interface PlaceReading {
  /** Undefined: the default converter of the field. */
  readonly as?: ConverterName;
  /** One value for each row; undefined where there is none, or where it does not convert. */
  readonly values: readonly unknown[];
  readonly fits: number;
  readonly of: number;
}

/** The share of cells that a converter reads, below which it is not that of the place. */
const MIN_SHARE = 0.95;

const knownDifferent = new WeakMap<readonly unknown[], ReadonlySet<string>>();

/** The different values of a place as texts. */
export function differentValues(values: readonly unknown[]): ReadonlySet<string> {
  const different =
    knownDifferent.get(values) ??
    new Set(
      values
        .flat()
        .filter((each) => each !== undefined && each !== null)
        .map(String),
    );
  knownDifferent.set(values, different);
  return different;
}

/** The share of different values that another operation lists, too. */
export function overlap(values: ReadonlySet<string>, known: ReadonlySet<string> | undefined): number | undefined {
  if (!known || known.size < 2 || values.size === 0) return undefined;
  return [...values].filter((each) => known.has(each)).length / values.size;
}

const DAY_2000 = 10_957;
const DAY_2040 = 25_567;

/** Converters that read what another one reads; they are considered only after those. */
const ORDER: Readonly<Partial<Record<FieldKind, readonly ConverterName[]>>> = {
  upc: ['upc', 'gtin13', 'gtin14', 'upcSeparated', 'upcNumber'],
  money: ['number', 'usd', 'decimalComma', 'cents'],
  percent: ['number', 'percentText', 'decimalComma', 'fraction'],
  text: ['text', 'trimmed'],
  id: ['id', 'trimmed'],
  date: CONVERTER_NAMES.filter((name) => (CONVERTERS[name].kinds as readonly string[]).includes('date')),
};

const isPlausible = (kind: FieldKind, values: readonly unknown[]): boolean =>
  kind !== 'date' ||
  values.every((each) => each === undefined || ((each as number) > DAY_2000 && (each as number) < DAY_2040));

/** The readings so far: a place is read as many fields of one kind. */
const known = new WeakMap<readonly unknown[], Map<string, readonly PlaceReading[]>>();

/** The ways in which a place can be read as a field, the simplest first; those with equal values are one. */
export function readingsOf(field: Field, place: Place): readonly PlaceReading[] {
  const { kind } = FIELDS[field];
  const readings = known.get(place.cells) ?? new Map<string, readonly PlaceReading[]>();
  known.set(place.cells, readings);
  const key = place.isList && field === 'subCategory' ? 'several' : kind;
  const found = readings.get(key) ?? readAs(field, place);
  readings.set(key, found);
  return found;
}

function readAs(field: Field, place: Place): readonly PlaceReading[] {
  const { kind } = FIELDS[field];
  // A table has the values of a list in one cell.
  if (kind === 'list') return place.isList || isText(place) ? [listReading(place)].filter(({ fits }) => fits > 0) : [];
  if (place.isList && field !== 'subCategory') return [];
  const cells = place.isList
    ? place.cells.flatMap((each) => (Array.isArray(each) ? each.map(scalarOf) : []))
    : place.cells;
  const present = cells.filter((each) => each !== undefined && each !== null && each !== '');
  if (present.length === 0 || present.some((each) => typeof each === 'boolean')) return [];
  const readings: PlaceReading[] = [];
  const seen = new Set<string>();
  for (const name of ORDER[kind] ?? []) {
    const converter = CONVERTERS[name];
    if (name === 'trimmed' && !present.some((each) => typeof each === 'string' && each !== each.trim())) continue;
    const values = cells.map((each) => {
      if (each === undefined || each === null || each === '') return undefined;
      const read = converter.read(each);
      return 'value' in read ? read.value : undefined;
    });
    const fits = values.filter((each) => each !== undefined).length;
    if (fits / present.length < MIN_SHARE || !isPlausible(kind, values)) continue;
    const key = JSON.stringify(sampled(values, 200));
    if (seen.has(key)) continue;
    seen.add(key);
    const isDefault = readsAlike(converterFor(kind), name, present);
    readings.push({ ...(!isDefault && { as: name }), values, fits, of: present.length });
  }
  // Blanks around a text are formatting.
  return readings.some(({ as }) => as === 'trimmed') ? readings.filter(({ as }) => as === 'trimmed') : readings;
}

/** Whether the default converter reads the same values. */
const readsAlike = (
  usual: (typeof CONVERTERS)[ConverterName],
  name: ConverterName,
  cells: readonly unknown[],
): boolean =>
  sampled(cells, 200).every((each) => JSON.stringify(usual.read(each)) === JSON.stringify(CONVERTERS[name].read(each)));

const isText = ({ cells }: Place): boolean =>
  cells.every((each) => each === undefined || each === null || typeof each === 'string');

function listReading({ cells }: Place): PlaceReading {
  const present = cells.filter((each) => each !== undefined && each !== null);
  return { values: cells, fits: present.length, of: present.length };
}

/** Whether a text of 12 digits ends with the check digit of a UPC. */
export function hasCheckDigit(upc: unknown): boolean {
  if (typeof upc !== 'string' || !/^\d{12}$/.test(upc)) return false;
  const sum = [...upc].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0;
}
