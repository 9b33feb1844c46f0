/** Rows of sales that are totals of others in the same list: they lack a name, or have a text such as “Total” in its place (section 4.4). */

import type { SALES_FIGURES } from '../contract/index.ts';
import type { Row } from './index.ts';
import { type Filter, rowGrain, rowIdentity } from './performance-rows.ts';

/** Dollar figures, and the unit in which the amounts of the list are written. */
export interface Amounts {
  readonly figures: readonly (typeof SALES_FIGURES)[number][];
  readonly unit: number;
}

/** The sum of each figure; undefined if a row lacks one. */
function sumsOf(rows: readonly Row[], { figures }: Amounts): readonly number[] | undefined {
  const sums = figures.map((figure) =>
    rows.reduce((sum, row) => sum + (typeof row[figure] === 'number' ? row[figure] : Number.NaN), 0),
  );
  return sums.some(Number.isNaN) ? undefined : sums;
}

const areEqual = (one: readonly number[], other: readonly number[], tolerance: number): boolean =>
  one.every((each, at) => Math.abs(each - (other[at] ?? 0)) <= tolerance);

/**
 * The text in place of a name that marks totals: in two groups of rows or more, and in each with the text, the rows with it
 * are the sum of all others.
 */
function textsOfTotals(
  rows: readonly Row[],
  field: Filter,
  groupedBy: readonly Filter[],
  amounts: Amounts,
): ReadonlySet<string> {
  const groups = Map.groupBy(rows, (row) =>
    rowIdentity(
      row,
      groupedBy.filter((each) => each !== field),
    ),
  );
  const isTotal = new Map<string, { groups: number; always: boolean }>();
  for (const group of groups.values()) {
    const all = sumsOf(group, amounts);
    for (const [text, named] of Map.groupBy(group, (row) => rowIdentity(row, [field]))) {
      const sums = sumsOf(named, amounts);
      const isHalf =
        all !== undefined &&
        sums !== undefined &&
        named.length < group.length &&
        areEqual(
          sums.map((each) => 2 * each),
          all,
          amounts.unit * group.length,
        );
      const known = isTotal.get(text) ?? { groups: 0, always: true };
      isTotal.set(text, { groups: known.groups + 1, always: known.always && isHalf });
    }
  }
  const texts = [...isTotal].filter(([, { groups: count, always }]) => always && count > 1).map(([text]) => text);
  // Of two equal halves, neither is known to be the total.
  return new Set(texts.length === 1 ? texts : []);
}

/** Rows whose totals that are marked by a text lack the name instead, as other totals do. */
export function withoutTexts(
  rows: readonly Row[],
  fields: readonly Filter[],
  groupedBy: readonly Filter[],
  amounts: Amounts,
): readonly Row[] {
  const marked = fields.map((field) => ({ field, texts: textsOfTotals(rows, field, groupedBy, amounts) }));
  if (marked.every(({ texts }) => texts.size === 0)) return rows;
  return rows.map((row) => {
    const total = marked.filter(({ field, texts }) => texts.has(rowIdentity(row, [field])));
    return total.length === 0 ? row : { ...row, ...Object.fromEntries(total.map(({ field }) => [field, undefined])) };
  });
}

/**
 * The rows of the finest grain, if every other row is a total of these with its names; undefined if a row may be no total,
 * such as the sales of unbranded products.
 */
export function withoutTotals(
  rows: readonly Row[],
  fields: readonly Filter[],
  amounts: Amounts,
): readonly Row[] | undefined {
  const byGrain = Map.groupBy(rows, (row) => rowGrain(row, fields));
  const [finest = '', ...others] = [...byGrain.keys()].toSorted((x, y) => y.split('1').length - x.split('1').length);
  const isWithin = (grain: string) => [...grain].every((each, at) => each === '0' || finest[at] === '1');
  if (!others.every(isWithin)) return undefined;
  const parts = byGrain.get(finest) ?? [];
  const areTotals = others.every((grain) => {
    const names = fields.filter((_, at) => grain[at] === '1');
    const partsOf = Map.groupBy(parts, (row) => rowIdentity(row, names));
    return (byGrain.get(grain) ?? []).every((row) => {
      const added = partsOf.get(rowIdentity(row, names)) ?? [];
      const [stated, sums] = [sumsOf([row], amounts), sumsOf(added, amounts)];
      const tolerance = amounts.unit * (added.length + 1);
      return added.length > 0 && stated !== undefined && sums !== undefined && areEqual(stated, sums, tolerance);
    });
  });
  return areTotals ? parts : undefined;
}
