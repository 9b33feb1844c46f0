/** Compares the rows and values of two readings of one list, in any order. */
import { hash } from 'node:crypto';
import type { Field } from '../contract/index.ts';
import { cutText } from '../exchange/printable.ts';
import { formatCell } from '../reading/digest.ts';
import type { Cell } from '../reading/types.ts';
import { collect, type Fold, type Reading, type Row } from './index.ts';

/** Longer lists cannot be compared. */
const MAX_ROWS = 100_000;
const MAX_SHOWN_CHARACTERS = 300;

/**
 * Times and random ids, which may be different in each response: date-times, times of day, seconds and milliseconds since
 * 1970, UUIDs, long hexadecimal numbers.
 */
const VOLATILE =
  /\d{4}-\d\d-\d\dT[\d:.,]+(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b|(?<!\d)1\d{9}(?:\d{3})?(?!\d)|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b(?=[a-f]*\d)[0-9a-f]{16,}\b/gi;

export type CollectedRows = { readonly rows: Fold<{ readonly rows: readonly Row[]; readonly complete: boolean }> };

/** The fold for {@link differenceOfRows}. */
export const comparedRows = (fields: readonly Field[]): CollectedRows => ({ rows: collect(fields, MAX_ROWS) });

/** Sums of floating-point amounts may differ in their last digits from one response to the next. */
const withoutNoise = (cell: Cell): Cell => (typeof cell === 'number' ? Number(cell.toPrecision(12)) : cell);

/** Sub-categories of one category have no order. */
const inAnyOrder = (field: string, cell: Cell): Cell =>
  field === 'subCategory' && Array.isArray(cell) ? [...cell].sort() : cell;

const textOf = (field: string, cell: Cell): string =>
  // The document does not show the members of a characteristic: some may change with each response.
  `${field}: ${field === 'characteristics' ? formatCell(cell).replace(VOLATILE, '#') : formatCell(withoutNoise(inAnyOrder(field, cell)))}`;

/** The rows and the values of a reading as texts, without its as-of date. */
function textsOf({ folds, observation }: Reading<CollectedRows>): string[] {
  const { asOf: _, ...values } = observation?.values ?? {};
  const rowText = (row: Row) =>
    Object.entries(row).flatMap(([field, cell]) => (cell === undefined ? [] : [textOf(field, cell)]));
  return [
    ...folds.rows.rows.map((row) => `{${rowText(row).join(', ')}}`),
    ...Object.entries(values).flatMap(([field, cells]) => cells.map((cell) => textOf(field, cell))),
  ].sort();
}

/** The digests of the texts, by the rows: a reading of repeated calls is compared with many others. */
const digests = new WeakMap<object, string>();

/** A digest of the rows and the values of a reading: equal contents have equal digests, in any order of rows. */
export function digestOfContent(reading: Reading<CollectedRows>): string {
  const { rows } = reading.folds;
  const digest = digests.get(rows) ?? hash('sha256', textsOf(reading).join('\n'));
  digests.set(rows, digest);
  return digest;
}

/** Values of products by UPC, as digests; of longer lists, those of the first products. */
export type ValuesOfProducts = Fold<ReadonlyMap<string, string>>;

/** The fold for {@link differentProducts}: 16 characters for each product. */
export const valuesOfProducts = (fields: readonly Field[]): ValuesOfProducts => ({
  key: `values-of-products:${fields}`,
  start() {
    const values = new Map<string, string>();
    return {
      row(row) {
        if (typeof row.upc !== 'string' || values.size >= MAX_ROWS) return;
        const text = fields.map((field) => (row[field] === undefined ? '' : textOf(field, row[field]))).join('\n');
        const digest = hash('sha256', text, 'base64').slice(0, 16);
        // A product in several rows has the values of all of them, in any order.
        const known = values.get(row.upc);
        values.set(row.upc, known === undefined ? digest : [...known.split(' '), digest].sort().join(' '));
      },
      done: () => values,
    };
  },
});

/** The UPCs that only one of two lists contains, or whose values differ. */
export const differentProducts = (
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
): string[] => [
  ...[...second].flatMap(([upc, digest]) => (first.get(upc) === digest ? [] : [upc])),
  ...[...first.keys()].filter((upc) => !second.has(upc)),
];

/** The values of a field, in the rows and once per response. */
export const cellsOf = ({ folds, observation }: Reading<CollectedRows>, field: Field): readonly Cell[] => [
  ...folds.rows.rows.map((row) => row[field]),
  ...(observation?.values[field] ?? []),
];

/** Whether a cell is a text or a figure; blanks and structures identify nothing. */
const hasContent = (cell: Cell): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && cell.trim() !== '');

/** The number of rows with a text or a figure, and of such values, without the as-of date. */
export function countContent({ folds, observation }: Reading<CollectedRows>): number {
  const { asOf: _, ...values } = observation?.values ?? {};
  const rows = folds.rows.rows.filter((row) => Object.values(row).some(hasContent));
  return rows.length + Object.values(values).flat().filter(hasContent).length;
}

/** Describes the first row that only one of two readings contains; undefined if both are equal. */
export function differenceOfRows(first: Reading<CollectedRows>, second: Reading<CollectedRows>): string | undefined {
  if (digestOfContent(first) === digestOfContent(second)) return undefined;
  const [before, after] = [textsOf(first), textsOf(second)];
  const at = before.findIndex((row, index) => row !== after[index]);
  const show = (row = 'no row') => cutText(row, MAX_SHOWN_CHARACTERS);
  return `${before.length} rows, then ${after.length}; e.g. ${show(before[at])}, then ${show(after[at < 0 ? before.length : at])}`;
}
