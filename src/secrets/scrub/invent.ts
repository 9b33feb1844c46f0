/** Invents sales figures that disclose nothing about the true ones and get the same verdict from every rule. */
import { createHash } from 'node:crypto';
import type { figureConverters } from '../../profile/converters/figures.ts';

const AMOUNTS = ['sales4Weeks', 'sales12Weeks', 'sales52Weeks', 'salesLastYear'] as const;
type Amount = (typeof AMOUNTS)[number];

/** The figures of one row in dollars and percent; missing and unreadable ones are absent. */
export type Figures = Partial<Record<Amount | 'percentChange', number>>;

/** The profile’s statement about the percentage change. */
export interface PercentStatement {
  readonly of: 'sales4Weeks' | 'sales12Weeks' | 'sales52Weeks';
  readonly decimals: number;
}

/** Returns a generator of numbers in [0, 1) that depend on the seed only. */
function randomNumbers(seed: string): () => number {
  let at = 0;
  return () => createHash('sha256').update(`${seed}\n${at++}`).digest().readUInt32BE(0) / 2 ** 32;
}

const SMALLEST = 1000;
const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Invented amounts in the same order, equal where they were equal, with the same signs; zero stays zero. */
function inventAmounts(figures: Figures, random: () => number, decimals: number): Figures {
  const sizes = [...new Set(AMOUNTS.map((each) => Math.abs(figures[each] ?? 0)))].filter((each) => each > 0);
  const invented = new Map<number, number>([[0, 0]]);
  let last = SMALLEST + random() * 99 * SMALLEST;
  for (const size of sizes.sort((a, b) => a - b)) {
    last = round(last, decimals);
    invented.set(size, last);
    // The distance is large enough that rounding keeps the order.
    last *= 1.02 + random() * 2;
  }
  const result: Figures = {};
  for (const name of AMOUNTS) {
    const given = figures[name];
    if (given !== undefined) result[name] = Math.sign(given) * (invented.get(Math.abs(given)) as number) || 0;
  }
  return result;
}

const exactChange = (now: number, before: number): number => ((now - before) / before) * 100;
/** The tolerance of the rule that judges it: half a unit of the last decimal, and the rounding of the figures. */
const toleranceOf = (exact: number, before: number, decimals: number): number =>
  0.5 * 10 ** -decimals + (0.01 / Math.abs(before)) * (100 + Math.abs(exact)) + 1e-9;

function inventPercent(
  figures: Figures,
  invented: Figures,
  random: () => number,
  statements: readonly PercentStatement[],
): number | undefined {
  const { percentChange: stated, salesLastYear: before } = figures;
  if (stated === undefined) return undefined;
  const unrelatedChange = round(Math.sign(stated) * (1 + random() * 60), statements[0]?.decimals ?? 1);
  if (before === undefined || before === 0) return unrelatedChange;
  const newBefore = invented.salesLastYear as number;
  for (const { of, decimals } of statements) {
    const now = figures[of];
    if (now === undefined) continue;
    const exact = exactChange(now, before);
    if (Math.abs(exact - stated) <= toleranceOf(exact, before, decimals))
      return round(exactChange(invented[of] as number, newBefore), decimals);
  }
  const [first] = statements;
  const now = first && invented[first.of];
  if (now === undefined) return unrelatedChange;
  // A change that violates the profile’s statement still violates it.
  const exact = exactChange(now, newBefore);
  const off = 3 + random() * 9 + 10 * toleranceOf(exact, newBefore, first?.decimals ?? 1);
  return round(exact + off, first?.decimals ?? 1);
}

/**
 * Invents figures for a row: the same ones are missing, zero, negative or equal, their order is the same, and the
 * percentage change stays correct or wrong.
 * @param seed determines all figures; never derived from a figure
 * @param decimals of amounts as written
 * @param statement of the profile; without one the change is treated as that of the window it fits, if any
 */
export function inventFigures(
  figures: Figures,
  seed: string,
  { decimals, percentDecimals }: { readonly decimals: number; readonly percentDecimals: number },
  statement?: PercentStatement,
): Figures {
  const random = randomNumbers(seed);
  const invented = inventAmounts(figures, random, decimals);
  const windows = (['sales52Weeks', 'sales12Weeks', 'sales4Weeks'] as const).map((of) => ({
    of,
    decimals: percentDecimals,
  }));
  const percentChange = inventPercent(figures, invented, random, statement ? [statement] : windows);
  return { ...invented, ...(percentChange !== undefined && { percentChange }) };
}

/** The formats of figures on the wire. */
export type FigureFormat = keyof typeof figureConverters;

/** Decimal places between the wire and the neutral value. */
const SHIFT: Readonly<Record<FigureFormat, number>> = {
  number: 0,
  amount: 0,
  cents: 2,
  usd: 0,
  decimalComma: 0,
  fraction: -2,
  percentText: 0,
};

const CORE = /\d[\d.,\u00a0\u202f ']*\d|\d|\.\d+/;

function decimalsIn(text: string, format: FigureFormat): number {
  const core = CORE.exec(text)?.[0] ?? '';
  const mark = format === 'decimalComma' && !/^-?\d+\.\d+$/.test(text) ? ',' : '.';
  const at = core.lastIndexOf(mark);
  return at < 0 ? 0 : core.length - at - 1;
}

/** The number of decimals of the neutral value, dollars or percent, in this format. */
export const shownDecimals = (raw: string, format: FigureFormat): number =>
  Math.max(0, decimalsIn(raw, format) + SHIFT[format]);

/** Moves the decimal point through the digits, because 0.07 × 100 is not 7 in binary arithmetic. */
const shifted = (value: number, places: number): number => Number(`${value}e${places}`);

/**
 * Formats a value like an original text.
 * @param raw the original text, without quotes
 * @param isNumber whether it is a number of JSON
 * @example formatLike(-2345.6, '($1,200.00)', 'usd', false) // '($2,345.60)'
 */
export function formatLike(value: number, raw: string, format: FigureFormat, isNumber: boolean): string {
  const wire = shifted(value, SHIFT[format]);
  if (isNumber || /\de[+-]?\d/i.test(raw)) {
    const text = String(wire);
    return text.includes('e') ? wire.toFixed(6) : text;
  }
  const core = CORE.exec(raw)?.[0];
  if (core === undefined) return String(wire);
  const [point, groups] = format === 'decimalComma' ? [',', /[. \u00a0\u202f]/] : ['.', /,/];
  const ownDecimals = String(Math.abs(wire)).split('.')[1]?.length ?? 0;
  const digits = Math.abs(wire).toFixed(Math.max(ownDecimals, decimalsIn(raw, format)));
  const [integerPart = '', fractionPart = ''] = digits.split('.');
  const group = groups.exec(core)?.[0];
  const grouped = group ? integerPart.replace(/\B(?=(?:\d{3})+$)/g, group) : integerPart;
  const written = fractionPart === '' ? grouped : `${grouped}${point}${fractionPart}`;
  const before = raw.slice(0, raw.indexOf(core));
  const after = raw.slice(raw.indexOf(core) + core.length);
  const isSigned = /[-(]/.test(before);
  if (wire >= 0 === !isSigned || wire === 0) return `${before}${written}${after}`;
  // Rounding may change the sign of a value near zero.
  return wire < 0 ? `-${before.replace('+', '')}${written}${after}` : written + after.replace(')', '');
}
