/** A digest of the lists and dates that a run read, to compare them with those of other nights: sections 2 and 8. */
import { createHash } from 'node:crypto';
import {
  ALL_PRODUCTS,
  type DeltaWeeks,
  LIMITS,
  type OperationKey,
  REFRESH_DATES,
  UPDATE_PRODUCTS,
} from '../contract/index.ts';
import { isoDate } from '../profile/converters/index.ts';
import { collect, type Declarations, type Fold, upcs } from '../rule/index.ts';
import { asUpc, type UpcSet } from '../rule/upc-set.ts';
import type { RunSnapshot } from './comparison-types.ts';
import { type FetchResult, isDocumented, type RequestSpec } from './request-spec.ts';

/** About the number of products of the bulk list that a snapshot names. */
const SAMPLE_SIZE = 500;
const MAX_DATES = 100;
const MAX_ID = 100;
const [FIRST_DAY, LAST_DAY] = ['0000-01-01', '9999-12-31'].map((date) => Date.parse(date) / 86_400_000) as [
  number,
  number,
];

const refreshItems = collect(['id', 'date'], MAX_DATES);

const FOLDS: {
  readonly [O in OperationKey]?: { readonly folds: readonly Fold<unknown>[]; readonly inputs: readonly string[] };
} = {
  [ALL_PRODUCTS]: { folds: [upcs], inputs: [] },
  [UPDATE_PRODUCTS]: { folds: [upcs], inputs: ['window'] },
  [REFRESH_DATES]: { folds: [refreshItems], inputs: ['catalogueId'] },
};

/** The folds of a snapshot over the response to a request; none if the request is filtered, changed or a repetition. */
export function snapshotFolds({ operation, inputs, variant, repetition }: RequestSpec): readonly Fold<unknown>[] {
  const snapshot = FOLDS[operation];
  if (!snapshot || repetition !== 0 || Object.keys(variant).length > 0 || !isDocumented({ variant })) return [];
  return Object.keys(inputs).every((each) => snapshot.inputs.includes(each)) ? snapshot.folds : [];
}

/**
 * The place of a UPC in the order by which samples are drawn. It is the same in every run, so that two samples contain the
 * same products if the lists do.
 */
export function sampleOrder(upc: number): number {
  let hash = Math.imul((upc % 0x1_0000_0000) ^ Math.imul(Math.floor(upc / 0x1_0000_0000) + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function productsOf({ numbers }: UpcSet): NonNullable<RunSnapshot['products']> {
  const count = numbers.length;
  if (count <= SAMPLE_SIZE) return { count, sample: Array.from(numbers, asUpc) };
  // The order spreads products evenly, so about SAMPLE_SIZE of them are below the bound.
  const bound = Math.floor((0x1_0000_0000 * SAMPLE_SIZE) / count);
  return {
    count,
    bound,
    sample: Array.from(
      numbers.filter((each) => sampleOrder(each) <= bound),
      asUpc,
    ),
  };
}

/** Equal for equal sets. */
function digestOf({ numbers }: UpcSet): string {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

/** The days that have a date of four digits for the year; a service may send any other number. */
const isDay = (value: unknown): value is number => typeof value === 'number' && value >= FIRST_DAY && value <= LAST_DAY;

/** The newest date of each item, by its id. */
function refreshDatesOf({ folds }: FetchResult): Map<string, number> {
  const items = folds.get(refreshItems.key) as
    | ReturnType<ReturnType<(typeof refreshItems)['start']>['done']>
    | undefined;
  const dates = new Map<string, number>();
  for (const { id, date } of items?.rows ?? [])
    if (isDay(date)) {
      const key = typeof id === 'string' || typeof id === 'number' ? String(id).slice(0, MAX_ID) : '';
      dates.set(key, Math.max(date, dates.get(key) ?? date));
    }
  return dates;
}

/** The one as-of date of a response, or else the refresh date that the profile declares. */
function asOfDate(
  { observation }: FetchResult,
  refreshDates: ReadonlyMap<string, number>,
  { dataWeek }: Declarations,
): number | undefined {
  const own = (observation?.values.asOf ?? []).filter(isDay);
  const wanted = dataWeek?.refreshDate;
  const declared =
    wanted === undefined
      ? []
      : wanted === 'newest'
        ? [...refreshDates.values()].sort((x, y) => y - x).slice(0, 1)
        : [refreshDates.get(wanted.id)].filter((each) => each !== undefined);
  const dates = new Set(own.length > 0 ? own : declared);
  return dates.size === 1 ? [...dates][0] : undefined;
}

/** The request and the result of a node of the run. */
export interface SnapshotSource {
  readonly spec: RequestSpec;
  readonly result: FetchResult;
}

/** The snapshot of the unfiltered lists that were read to their ends; undefined if there is none. */
export function snapshotOf(sources: readonly SnapshotSource[], declarations: Declarations): RunSnapshot | undefined {
  const read = sources.filter(({ spec, result }) => result.observation?.complete && snapshotFolds(spec).length > 0);
  const resultsOf = (operation: OperationKey) => read.filter(({ spec }) => spec.operation === operation);
  const setOf = ({ folds }: FetchResult): UpcSet | undefined => {
    const set = folds.get(upcs.key) as UpcSet | undefined;
    return set && set.unread === 0 ? set : undefined;
  };
  const [refresh] = resultsOf(REFRESH_DATES);
  const refreshDates = refresh ? refreshDatesOf(refresh.result) : new Map<string, number>();
  const [bulk] = resultsOf(ALL_PRODUCTS).flatMap(({ result }) => setOf(result) ?? []);
  const deltas = LIMITS.deltaWeeks.flatMap((weeks: DeltaWeeks) => {
    const [source] = resultsOf(UPDATE_PRODUCTS).filter(({ spec }) => spec.inputs.window === weeks);
    const set = source && setOf(source.result);
    if (!source || !set) return [];
    const asOf = asOfDate(source.result, refreshDates, declarations);
    return [{ weeks, products: set.size, digest: digestOf(set), ...(asOf !== undefined && { asOf: isoDate(asOf) }) }];
  });
  if (!bulk && deltas.length === 0 && refreshDates.size === 0) return undefined;
  return {
    deltas,
    refreshDates: [...refreshDates].map(([id, date]) => ({ ...(id !== '' && { id }), date: isoDate(date) })),
    ...(bulk && { products: productsOf(bulk) }),
  };
}
