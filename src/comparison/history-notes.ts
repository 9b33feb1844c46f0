/**
 * What is seen across runs of one target: two deltas of one data week, a date that went back, a product that left and
 * returned (sections 2 and 8). The document does not say that none of this happens, so these are notes, never verdicts.
 */
import { dateText } from '../format-values.ts';
import type { RunSnapshot } from '../run/comparison-types.ts';
import { sampleOrder } from '../run/snapshot.ts';
import type { HistoryEntry } from './history-entry.ts';

const DAY_MS = 86_400_000;
const MAX_NAMED = 3;

type Seen = { readonly at: string; readonly snapshot: RunSnapshot };

/** The time distinguishes runs on the same day. */
const when = (one: string, other: string): string =>
  dateText(one) === dateText(other) ? `${one.slice(0, 16).replace('T', ' ')} UTC` : dateText(one);

const weeksText = (weeks: number): string => `${weeks}-week delta`;

/** Two deltas of one data week that list different products. */
function changedDeltas(last: Seen, earlier: readonly Seen[]): string[] {
  return last.snapshot.deltas.flatMap(({ weeks, asOf, digest, products }) => {
    const before = earlier.flatMap(({ at, snapshot }) =>
      snapshot.deltas.filter((each) => each.weeks === weeks).map((each) => ({ ...each, at })),
    );
    const previous = before.at(-1);
    if (!previous || previous.digest === digest) return [];
    if (asOf !== undefined) {
      const same = before.findLast((each) => each.asOf === asOf);
      if (!same || same.digest === digest) return [];
      return [
        `the ${weeksText(weeks)} of the data week up to ${asOf} listed ${same.products} products on ${when(same.at, last.at)} and other ${products} on ${when(last.at, same.at)}`,
      ];
    }
    // Without an as-of date: the list is reloaded weekly, so it changes at most once in less than a week.
    const recent = before.filter((each) => Date.parse(last.at) - Date.parse(each.at) < 6 * DAY_MS);
    const changes = recent.filter((each, at) => at > 0 && recent[at - 1]?.digest !== each.digest);
    if (changes.length === 0 || recent.at(-1) !== previous) return [];
    return [
      `the ${weeksText(weeks)} changed ${changes.length + 1} times from ${when(recent[0]?.at ?? '', last.at)} to ${when(last.at, recent[0]?.at ?? '')}, although it is reloaded weekly`,
    ];
  });
}

/** The dates of a snapshot, by a name for people. */
const datesOf = ({ refreshDates, deltas }: RunSnapshot): Map<string, string> =>
  new Map([
    ...refreshDates.map(
      ({ id, date }) => [id === undefined ? 'the refresh date' : `the refresh date of “${id}”`, date] as const,
    ),
    ...deltas.flatMap(({ weeks, asOf }) =>
      asOf === undefined ? [] : [[`the as-of date of the ${weeksText(weeks)}`, asOf] as const],
    ),
  ]);

/** Dates that are earlier than in the run before. */
function datesBack(last: Seen, earlier: readonly Seen[]): string[] {
  return [...datesOf(last.snapshot)].flatMap(([name, date]) => {
    const previous = earlier.findLast(({ snapshot }) => datesOf(snapshot).has(name));
    const was = previous && datesOf(previous.snapshot).get(name);
    if (!previous || was === undefined || was <= date) return [];
    return [
      `${name} went back from ${was} on ${when(previous.at, last.at)} to ${date} on ${when(last.at, previous.at)}`,
    ];
  });
}

type Products = NonNullable<RunSnapshot['products']>;

/** Whether the sample of a list would contain a product if the list did. */
const covers = ({ bound }: Products, upc: string): boolean => bound === undefined || sampleOrder(Number(upc)) <= bound;

/** Products that an earlier run listed, the run before did not, and this run lists again. */
function returnedProducts(last: Seen, earlier: readonly Seen[]): string[] {
  const lists = earlier.flatMap(({ at, snapshot }) => (snapshot.products ? [{ at, products: snapshot.products }] : []));
  const previous = lists.at(-1);
  const now = last.snapshot.products;
  if (!now || !previous) return [];
  const absent = new Set(previous.products.sample);
  const listedBefore = new Set(lists.slice(0, -1).flatMap(({ products }) => products.sample));
  const returned = now.sample.filter(
    (upc) => covers(previous.products, upc) && !absent.has(upc) && listedBefore.has(upc),
  );
  if (returned.length === 0) return [];
  const named = returned.slice(0, MAX_NAMED).join(', ');
  const more = returned.length > MAX_NAMED ? ` and ${returned.length - MAX_NAMED} more` : '';
  const sampled = now.bound === undefined ? '' : ` (of a sample of ${now.sample.length} of ${now.count} products)`;
  return [
    `allProducts lists ${named}${more} again, which it listed earlier and not on ${when(previous.at, last.at)}${sampled}`,
  ];
}

/**
 * The notes of the last of some entries.
 * @param entries runs of one target, the oldest first
 */
export function notesOf(entries: readonly HistoryEntry[]): string[] {
  const last = entries.at(-1);
  if (!last?.snapshot) return [];
  // Another profile reads other values.
  const earlier = entries
    .slice(0, -1)
    .flatMap(({ startedAt, snapshot, profileHash }) =>
      snapshot && profileHash === last.profileHash ? [{ at: startedAt, snapshot }] : [],
    );
  const seen = { at: last.startedAt, snapshot: last.snapshot };
  return [...changedDeltas(seen, earlier), ...datesBack(seen, earlier), ...returnedProducts(seen, earlier)];
}
