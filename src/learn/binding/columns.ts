/** What the columns of one list have to do with each other, and with the values that other operations have. */
import { FIELDS, type Field, REFRESH_DATES, UPDATE_PRODUCTS } from '../../contract/index.ts';
import type { BindingContext, FieldEvidence } from './binding-context.ts';
import type { Place } from './places.ts';
import { differentValues, hasCheckDigit, overlap, type PlaceReading, readingsOf } from './readings.ts';
import { areCodes, columnFact, type Facts } from './structure.ts';

const share = <T>(values: readonly T[], test: (value: T) => boolean): number =>
  values.filter(test).length / Math.max(1, values.length);

type Dates = readonly (number | undefined)[];
const YEAR = 371;
const MONTH = 35;
const present = (dates: Dates): number[] => dates.filter((each) => each !== undefined);

/**
 * What a column of dates has to do with the other dates of its rows; undefined if it does not fit the field.
 *
 * @param weeks the window that each row was requested for
 */
function dateReason(
  field: Field,
  dates: Dates,
  all: readonly Dates[],
  weeks: readonly (number | undefined)[] | undefined,
): string | undefined {
  const latest = Math.max(...all.flatMap(present).slice(0, 20_000));
  const days = present(dates);
  const others = all.filter((each) => each !== dates);
  const isFirst = others.every(
    (other) => share([...dates.keys()], (at) => !((other[at] as number) < (dates[at] as number))) >= 0.98,
  );
  if (days.length < 3 && field !== 'date') return undefined;
  switch (field) {
    case 'date':
      return others.length === 0 ? 'the only date' : undefined;
    case 'activeOn':
      return days.length === dates.length && share(days, (day) => latest - day <= YEAR) >= 0.98
        ? 'within 52 weeks'
        : undefined;
    case 'firstActiveOn':
      return others.length > 0 && isFirst && share(days, (day) => latest - day > YEAR) >= 0.2
        ? 'the earliest date of each row'
        : undefined;
    case 'changedOn': {
      const isInWindow = (at: number): boolean => latest - (dates[at] as number) <= 7 * (weeks?.[at] ?? 13) + 14;
      return weeks && days.length === dates.length && share([...dates.keys()], isInWindow) >= 0.98
        ? 'within the window'
        : undefined;
    }
    default:
      return undefined;
  }
}

export const ASKED_CATALOGUE = 'the catalogue that was asked for';

/** How many values are those that another operation has for the same UPC, and how different they are. */
function factsShared(
  field: Field,
  values: readonly unknown[],
  upcs: readonly unknown[] | undefined,
  facts: Facts | undefined,
): { readonly equal: number; readonly of: number; readonly different: number } {
  const known = facts?.get(field);
  const [equal, different] = [new Set<number>(), new Set<string>()];
  let of = 0;
  if (known && upcs)
    for (const [at, value] of values.entries()) {
      const fact = known.get(String(upcs[at]));
      if (fact === undefined || value === undefined) continue;
      of++;
      if (columnFact(value) !== fact) continue;
      equal.add(at);
      different.add(fact);
    }
  return { equal: equal.size, of, different: different.size };
}

/** What the columns of several operations, or of one list, have in common: rules judge a part of it. */
export function structuralEvidence(
  field: Field,
  { place, reading: { values } }: { readonly place: Place; readonly reading: PlaceReading },
  columns: Columns,
  { operation, vocabularies, facts, beside, latest, accepted, asked, weeks, known }: BindingContext,
): FieldEvidence[] {
  const evidence: FieldEvidence[] = [];
  const different = differentValues(values);
  const vocabulary = vocabularies?.get(field);
  if (vocabulary && different.size > 0 && !((known.get(field)?.size ?? 0) > 1)) {
    const share = overlap(different, vocabulary.values) ?? 0;
    evidence.push(share >= 0.9 && different.size > 1 ? { bits: 10, reason: vocabulary.reason } : { bits: -4 });
  }
  const shared = factsShared(field, values, columns.upcs, facts);
  if (field !== 'upc' && shared.of > 1)
    evidence.push(
      shared.equal >= shared.of * 0.95
        ? { bits: Math.min(10, 3 * shared.different), reason: `the same UPC has it in ${shared.of} other rows` }
        : { bits: shared.equal * 2 < shared.of ? -4 : 0 },
    );
  const reason =
    FIELDS[field].kind === 'date'
      ? dateReason(field, values as readonly (number | undefined)[], columns.dates, weeks)
      : undefined;
  if (reason !== undefined) evidence.push({ bits: 6, reason });
  const others = field === 'asOf' ? Math.max(...place.cells.map((each) => beside?.get(String(each)) ?? 0)) : 0;
  const isRecent = values.every((day) => latest !== undefined && Math.abs(latest - (day as number)) <= MONTH);
  if (others > 1 && isRecent) evidence.push({ bits: 6, reason: `${others} other operations state it` });
  if (field === 'id' && hasAll(different, accepted))
    evidence.push({ bits: 8, reason: 'the next operation accepts it' });
  else if (field === 'id' && overlap(different, accepted) === 0) evidence.push({ bits: -8 });
  else if (field === 'id' && different.size > 1 && columns.codes.length === 1 && columns.codes[0] === place)
    evidence.push({ bits: 5, reason: 'the only codes' });
  // Dates of a catalogue without ids of their own have that of the catalogue.
  if (field === 'id' && operation === REFRESH_DATES && columns.codes.length === 0 && isAsked(place, asked))
    evidence.push({ bits: 20, reason: ASKED_CATALOGUE });
  if (field === 'name' && different.size > 1 && columns.texts.length === 1 && columns.texts[0] === place)
    evidence.push({ bits: 8, reason: 'the only other text' });
  if (field === 'characteristics' && [...columns.lists].some((each) => isBelow(each, place)))
    evidence.push({ bits: -8 });
  if (field === 'characteristics' && operation !== UPDATE_PRODUCTS && columns.lists.size === 1 && isWhole(place))
    evidence.push({ bits: 6, reason: 'the only list in a row' });
  return evidence;
}

/** Whether a selector is one of a place inside another one. */
const isBelow = (selector: string, place: Place): boolean =>
  selector.startsWith(place.selector) && /^[.[]/.test(selector.slice(place.selector.length));

/** Whether a place is a list as a whole, no member of its items. */
const isWhole = ({ isList, selector }: Place): boolean => isList && selector.endsWith('[*]');

/** Columns that are evidence for each other. */
export interface Columns {
  readonly upcs?: readonly unknown[] | undefined;
  readonly dates: readonly (readonly (number | undefined)[])[];
  /** Texts that are neither codes nor dates, nor what the request asked for. */
  readonly texts: readonly Place[];
  /** Texts or numbers that may be ids, other than what the request asked for. */
  readonly codes: readonly Place[];
  /** The selectors of the lists in a row. */
  readonly lists: ReadonlySet<string>;
}

export function columnsOf(places: readonly Place[], { asked, accepted }: BindingContext): Columns {
  const single = places.filter(({ isList }) => !isList);
  const dates = single.flatMap((place) => readingsOf('changedOn', place).slice(0, 1));
  const upcs = single.flatMap((place) => {
    const [reading] = readingsOf('upc', place);
    return reading && reading.values.filter(hasCheckDigit).length >= reading.fits * 0.9 ? [reading.values] : [];
  });
  const others = single.filter((place) => !isAsked(place, asked) && !hasAll(differentValues(place.cells), accepted));
  const texts = others.filter(isText);
  const spaced = texts.filter(({ cells }) => !isOneWord(cells));
  const named = texts.length > 1 && spaced.length === 1 ? spaced : texts;
  return {
    dates: dates.map(({ values }) => values as readonly (number | undefined)[]),
    upcs: upcs[0],
    texts: named,
    codes: codesIn(others, asked).filter((place) => !(named.length === 1 && named[0] === place)),
    lists: new Set(places.filter(({ isList }) => isList).map(({ selector }) => selector.replace(/\[\*\].*$/, ''))),
  };
}

/** Whether a place has what the request asked for. */
const isAsked = ({ cells }: Place, asked: BindingContext['asked']): boolean =>
  asked?.length === cells.length && cells.every((each, at) => String(each) === asked[at]);

/** Whether values contain some other ones, of which there is at least one. */
const hasAll = (values: ReadonlySet<string>, some: ReadonlySet<string> = new Set()): boolean =>
  some.size > 0 && [...some].every((each) => values.has(each));

const isOneWord = (cells: readonly unknown[]): boolean => [...differentValues(cells)].every((each) => !/\s/.test(each));

/** Whether a place has texts that are neither codes nor dates. */
function isText(place: Place): boolean {
  const values = differentValues(place.cells);
  return (
    values.size > 0 &&
    place.cells.every((each) => each === undefined || each === null || typeof each === 'string') &&
    !areCodes(values) &&
    readingsOf('date', place).length === 0
  );
}

/** Places that may have ids: one word each, most of them different below one item; texts before numbers. */
export function codesIn(places: readonly Place[], asked: BindingContext['asked'] = []): Place[] {
  const isNumber = ({ cells }: Place): boolean => cells.some((each) => typeof each === 'number');
  return places
    .filter(
      (place) =>
        !place.isList &&
        isOneWord(place.cells) &&
        new Set(place.cells.map((each, at) => `${asked[at]} ${each}`)).size * 3 > place.cells.length &&
        place.cells.every((each) => typeof each === 'string' || Number.isInteger(each)) &&
        readingsOf('date', place).length === 0,
    )
    .sort((x, y) => Number(isNumber(x)) - Number(isNumber(y)));
}
