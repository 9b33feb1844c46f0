/** Finds figures that are wrong by a power of ten, are exchanged, or contradict each other. */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  type Field,
  type OperationKey,
  PERFORMANCE_OPERATIONS,
} from '../../../contract/index.ts';
import { counted } from '../../../format-values.ts';
import type { Profile } from '../../../profile/schema.ts';
import type { Row } from '../../../reading/types.ts';
import { fieldPath, numberIn, readResponses } from './cells.ts';
import { checkEqualFields } from './check-meanings.ts';
import type { Received, Remark } from './types.ts';

/** The weeks of each amount of sales: sales per week are of the same order in all of them. */
const WEEKS = { sales4Weeks: 4, sales12Weeks: 12, sales52Weeks: 52, salesLastYear: 52 } as const;
type Sales = keyof typeof WEEKS;
const SALES = Object.keys(WEEKS) as Sales[];

const MIN_ROWS = 5;
/** The share of rows that have to agree. A season may shift the sales of some rows by a factor of ten. */
const MOST = 0.9;
/** The distance of a power of ten that rounds to it. */
const NEAR = 0.3;

const median = (values: readonly number[]): number => [...values].sort((x, y) => x - y)[values.length >> 1] as number;

/** The power of ten that most ratios have; 0 if there is none. */
function commonPower(ratios: readonly number[]): number {
  if (ratios.length < MIN_ROWS) return 0;
  const middle = Math.log10(median(ratios));
  const power = Math.round(middle);
  if (power === 0 || Math.abs(middle - power) > NEAR) return 0;
  const agreeing = ratios.filter((each) => Math.abs(Math.log10(each) - power) < 0.5);
  return agreeing.length >= ratios.length * MOST ? power : 0;
}

const formatPower = (power: number): string => (power > 0 ? `${10 ** power} times` : `1/${10 ** -power} of`);

function checkMagnitudes(operation: OperationKey, rows: readonly Row[]): Remark[] {
  const bound = SALES.filter((field) => rows.some((row) => typeof row[field] === 'number'));
  const perWeek = (row: Row, field: Sales): number | undefined => {
    const value = numberIn(row[field]);
    return value === undefined || value <= 0 ? undefined : value / WEEKS[field];
  };
  for (const field of bound) {
    const ratios = rows.flatMap((row) => {
      const own = perWeek(row, field);
      const others = bound.filter((each) => each !== field).flatMap((each) => perWeek(row, each) ?? []);
      return own === undefined || others.length === 0 ? [] : [own / median(others)];
    });
    const power = commonPower(ratios);
    if (power !== 0)
      return [
        {
          kind: 'doubt',
          path: fieldPath(operation, field),
          sentence: `per week, the value is about ${formatPower(power)} the other sales in ${counted(ratios.length, 'row')}; if its unit differs (cents, thousands), set decimals or as`,
        },
      ];
  }
  return [];
}

/** Longer windows that have less sales than shorter ones in most rows: the bindings are exchanged. */
function checkOrder(operation: OperationKey, rows: readonly Row[]): Remark[] {
  for (const [shorter, longer] of [
    ['sales4Weeks', 'sales12Weeks'],
    ['sales12Weeks', 'sales52Weeks'],
  ] as const) {
    const pairs = rows.flatMap((row) => {
      const [x, y] = [numberIn(row[shorter]), numberIn(row[longer])];
      return x === undefined || y === undefined || x <= 0 || y < 0 ? [] : [{ less: y < x }];
    });
    const less = pairs.filter((each) => each.less).length;
    if (pairs.length >= MIN_ROWS && less > pairs.length / 2)
      return [
        {
          kind: 'doubt',
          path: fieldPath(operation, longer),
          sentence: `the value is less than ${shorter} in ${less} of ${counted(pairs.length, 'row')}; the bindings may be exchanged`,
        },
      ];
  }
  return [];
}

const BASES = ['sales52Weeks', 'sales12Weeks', 'sales4Weeks'] as const satisfies Field[];
const FACTORS = [1, 0.01, 100, 0.1, 10, -1] as const;

/** The share of rows in which the percentage is `factor` times (of − last year) ÷ last year × 100. */
function shareFitting(
  rows: readonly Row[],
  of: Field,
  factor: number,
): { readonly share: number; readonly rows: number } {
  const fits = rows.flatMap((row) => {
    const [percent, now, before] = [row.percentChange, row[of], row.salesLastYear].map((each) => numberIn(each));
    if (percent === undefined || now === undefined || before === undefined || before <= 0) return [];
    const expected = ((now - before) / before) * 100;
    // Rounding hides a factor in small changes.
    if (Math.abs(expected) < 2) return [];
    const tolerance = Math.max(Math.abs(expected) * 0.05, 0.6) * Math.abs(factor);
    return [Math.abs(percent - expected * factor) <= tolerance];
  });
  return { share: fits.filter(Boolean).length / Math.max(1, fits.length), rows: fits.length };
}

function checkPercent(profile: Profile, operation: OperationKey, rows: readonly Row[]): Remark[] {
  const path = fieldPath(operation, 'percentChange');
  const declared = profile.data.figures?.percentChange;
  const fits = (of: Field, factor: number) => {
    const { share, rows: compared } = shareFitting(rows, of, factor);
    return compared >= MIN_ROWS && share >= MOST;
  };
  if (declared && fits(declared.of, 1)) return [];
  for (const factor of FACTORS)
    for (const of of BASES) {
      if (!fits(of, factor)) continue;
      if (factor === 1 && !declared)
        return [
          {
            kind: 'unbound',
            path: ['figures', 'percentChange'],
            sentence: `percentChange of ${operation} fits (${of} − salesLastYear) ÷ salesLastYear × 100; if the service computes it so, add percentChange: { of: ${of}, decimals: … }`,
          },
        ];
      if (factor === 1)
        return [
          {
            kind: 'doubt',
            path: ['figures', 'percentChange', 'of'],
            sentence: `percentChange of ${operation} does not fit ${declared?.of}, but ${of}; name the figure that the service uses`,
          },
        ];
      const change =
        factor === -1 ? 'the negative of' : factor < 1 ? `1/${Math.round(1 / factor)} of` : `${factor} times`;
      const advice = factor === 0.01 ? 'as: fraction reads a ratio' : 'correct the converter or decimals';
      return [
        {
          kind: 'doubt',
          path,
          sentence: `the value is ${change} the change that ${of} and salesLastYear show; ${advice}`,
        },
      ];
    }
  return [];
}

/** Sums of brand rows that differ from the category rows by a power of a hundred: one of the two is in another unit. */
function checkGroups(received: readonly Received[]): Remark[] {
  const wholeRows = (operation: OperationKey) =>
    readResponses(received, operation).find((each) => each.isComplete && Object.keys(each.inputs).length === 0)?.rows ??
    [];
  const sums = (rows: readonly Row[]) => {
    const found = new Map<string, number>();
    for (const row of rows)
      if (typeof row.category === 'string' && typeof row.sales52Weeks === 'number')
        found.set(row.category, (found.get(row.category) ?? 0) + row.sales52Weeks);
    return found;
  };
  const brands = sums(wholeRows(BRAND_PERFORMANCE));
  const ratios = [...sums(wholeRows(CATEGORY_PERFORMANCE))].flatMap(([name, total]) => {
    const sum = brands.get(name);
    return sum === undefined || sum <= 0 || total <= 0 ? [] : [sum / total];
  });
  if (ratios.length < 2) return [];
  const power = Math.round(Math.log10(median(ratios)));
  if (Math.abs(power) < 2 || ratios.some((each) => Math.abs(Math.log10(each) - power) > NEAR)) return [];
  return [
    {
      kind: 'doubt',
      path: fieldPath(BRAND_PERFORMANCE, 'sales52Weeks'),
      sentence: `the sums of brand rows are about ${formatPower(power)} the category rows; one of the two operations has another unit: set decimals or as`,
    },
  ];
}

/** Checks the figures of group D. */
export function checkFigures(profile: Profile, received: readonly Received[]): Remark[] {
  const ofOperations = PERFORMANCE_OPERATIONS.flatMap((key) => {
    const rows = readResponses(received, key).flatMap((each) => each.rows);
    // One member bound twice, a wrong magnitude or an exchange explains what follows.
    if (checkEqualFields(received, key).some(({ path }) => String(path.at(-1)).startsWith('sales'))) return [];
    const checks = [
      () => checkMagnitudes(key, rows),
      () => checkOrder(key, rows),
      () => checkPercent(profile, key, rows),
    ];
    for (const check of checks) {
      const remarks = check();
      if (remarks.length > 0) return remarks;
    }
    return [];
  });
  return [...ofOperations, ...checkGroups(received)];
}
