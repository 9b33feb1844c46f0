/** Invents sales figures that disclose nothing about the true ones and get the same verdict from every rule. */
import { createHash } from 'node:crypto';

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
