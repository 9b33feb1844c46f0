/** Finds the five figures of a performance row by what they have to do with each other (section 4.4). */
import type { Field } from '../../contract/index.ts';
import { type Place, sampled } from './places.ts';
import { type PlaceReading, readingsOf } from './readings.ts';

/** The weeks of each amount: sales per week are of the same order in all of them. */
const WEEKS: { readonly [F in Field]?: number } = {
  sales4Weeks: 4,
  sales12Weeks: 12,
  sales52Weeks: 52,
  salesLastYear: 52,
};
/** The distance of a power of ten that rounds to it. */
const NEAR = 0.3;

const median = (values: readonly number[]): number => values.toSorted((x, y) => x - y)[values.length >> 1] as number;

/** Says that the amounts of a field differ from the other ones of their rows by a power of ten; undefined if they do not. */
export function describeScale(
  field: Field,
  figures: readonly { readonly field: Field; readonly cells: readonly unknown[] }[],
): string | undefined {
  const perWeek = (each: Field, cell: unknown): number[] =>
    typeof cell === 'number' && cell > 0 ? [cell / (WEEKS[each] as number)] : [];
  const own = figures.find((each) => each.field === field);
  const ratios = (own?.cells ?? []).flatMap((cell, at) => {
    const others = figures.flatMap((each) => (each === own ? [] : perWeek(each.field, each.cells[at])));
    return others.length === 0 ? [] : perWeek(field, cell).map((value) => value / median(others));
  });
  if (ratios.length < MIN_ROWS) return undefined;
  const middle = Math.log10(median(ratios));
  const power = Math.round(middle);
  const isCommon = ratios.filter((each) => Math.abs(Math.log10(each) - power) < 0.5).length >= ratios.length * 0.9;
  // The median of four amounts is one of those that agree.
  if (power === 0 || Math.abs(middle - power) > NEAR || !isCommon) return undefined;
  const times = power > 0 ? `${10 ** power} times` : `1/${10 ** -power} of`;
  return `per week, the value is about ${times} the other sales in ${ratios.length} rows; if its unit differs (cents, thousands), set decimals or as`;
}

/** Places for the figures, and how many rows agree. */
export interface FigurePlaces {
  readonly places: ReadonlyMap<Field, { readonly place: Place; readonly reading: PlaceReading }>;
  /** Where the windows of 4, 12 and 52 weeks are if their columns are in this order. */
  readonly inOrder: ReadonlyMap<Field, { readonly place: Place; readonly reading: PlaceReading }>;
  readonly rows: number;
  readonly fits: number;
  readonly evidence: string;
}

const MIN_ROWS = 5;
const WINDOWS = ['sales4Weeks', 'sales12Weeks', 'sales52Weeks'] as const;

/** Whether a percentage, rounded to whatever it shows, is the change from one amount to another. */
export function isChange(percent: number, now: number, before: number): boolean {
  if (before <= 0) return false;
  const exact = (now / before - 1) * 100;
  const decimals = /\.(\d+)$/.exec(String(percent))?.[1]?.length ?? 0;
  return Math.abs(exact - percent) <= 0.51 * 10 ** -Math.max(decimals, 1) + Math.abs(exact) * 0.002;
}

type Column = { readonly place: Place; readonly reading: PlaceReading };

const numbersOf = ({ reading }: Column): readonly (number | undefined)[] =>
  reading.values as readonly (number | undefined)[];

const share = (rows: readonly boolean[]): number => rows.filter(Boolean).length / Math.max(1, rows.length);

/** How many rows, of those with all three values, have a percentage that is the change between two amounts. */
export function changeFits(
  percent: Column,
  now: Column,
  before: Column,
): { readonly fits: number; readonly of: number } {
  const [p, a, b] = [percent, now, before].map(numbersOf) as [number[], number[], number[]];
  let [fits, of] = [0, 0];
  for (const at of p.keys()) {
    if (p[at] === undefined || a[at] === undefined || b[at] === undefined || (b[at] as number) <= 0) continue;
    of++;
    if (isChange(p[at] as number, a[at] as number, b[at] as number)) fits++;
  }
  return { fits, of };
}

const isAtMost = (one: Column, other: Column): boolean => {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const both = [...a.keys()].filter((at) => a[at] !== undefined && b[at] !== undefined);
  return both.length >= MIN_ROWS && share(both.map((at) => (a[at] as number) <= (b[at] as number))) >= 0.98;
};

/** Whether values number the rows. */
const areNumbered = (values: readonly unknown[]): boolean =>
  share(values.slice(1).map((each, at) => Number(each) - Number(values[at]) === 1)) >= 0.9;

/**
 * Finds four amounts and a percentage among places: the percentage is the change from one amount to another, and the other
 * two are smaller, one of them than the other, on nearly every row. Undefined unless exactly one choice fits.
 */
export function findFigures(places: readonly Place[]): FigurePlaces | undefined {
  const columns = places.filter(({ isList }) => !isList).map((place) => ({ place, cells: sampled(place.cells, 400) }));
  const amounts: Column[] = columns.flatMap(({ place, cells }) => {
    const [reading] = readingsOf('sales4Weeks', { ...place, cells });
    const isAmount =
      reading && reading.of >= MIN_ROWS && reading.values.every((each) => each === undefined || (each as number) >= 0);
    const isVaried = reading && new Set(reading.values).size > reading.of / 2;
    return isAmount && isVaried && !areNumbered(reading.values) ? [{ place, reading }] : [];
  });
  const percents: Column[] = columns.flatMap(({ place, cells }) =>
    readingsOf('percentChange', { ...place, cells }).map((reading) => ({ place, reading })),
  );
  const found: FigurePlaces[] = [];
  for (const percent of percents)
    for (const now of amounts)
      for (const before of amounts) {
        if (now === before || now.place === percent.place || before.place === percent.place) continue;
        const { fits, of } = changeFits(percent, now, before);
        if (of < MIN_ROWS || fits / of < 0.97) continue;
        const smaller = amounts.filter(
          (each) => each !== now && each !== before && each.place !== percent.place && isAtMost(each, now),
        );
        const [first, second, ...more] = smaller;
        if (!first || !second || more.length > 0) continue;
        const [four, twelve] = isAtMost(first, second) ? [first, second] : [second, first];
        if (!isAtMost(four, twelve) || isAtMost(twelve, four)) continue;
        const windows = [four, twelve, now].sort((x, y) => places.indexOf(x.place) - places.indexOf(y.place));
        found.push({
          inOrder: new Map(WINDOWS.map((field, at) => [field, windows[at] as Column])),
          places: new Map<Field, Column>([
            ['sales4Weeks', four],
            ['sales12Weeks', twelve],
            ['sales52Weeks', now],
            ['salesLastYear', before],
            ['percentChange', percent],
          ]),
          rows: of,
          fits,
          evidence: `the change of the amounts on ${fits} of ${of} rows`,
        });
      }
  return found.length === 1 ? found[0] : undefined;
}
