/** What several runs of one target show: since when a check fails, which checks are flaky, the trend, and notes. */
import { operationOf } from '../contract/index.ts';
import { dateText } from '../format-values.ts';
import type { TargetHistory } from '../report/history-text.ts';
import type { RunHistory, RunSnapshot } from '../run/comparison-types.ts';
import { sampleOrder } from '../run/snapshot.ts';
import { checkNamed, type HistoryEntry, type HistoryVerdict, trendOf } from './history-entry.ts';
import { coverageNote } from './looked-up.ts';

/** Number of the last runs whose notes are shown together. */
const NOTED_RUNS = 30;
/** Number of runs in a trend. */
const MAX_TREND = 60;
/** Number of the last runs with a verdict of a check that say whether it is flaky. */
const FLAKY_RUNS = 10;
/** Changes of verdict in these runs. A failure that is repaired makes two. */
const FLAKY_CHANGES = 3;

type Dated = { readonly verdict: HistoryVerdict; readonly at: string };

/** Since when a check fails: no pass came after it. */
function firstFailure(entries: readonly HistoryEntry[], check: string): string | undefined {
  let since: string | undefined;
  for (const { checks, firstFailedOn, startedAt } of entries) {
    if (checks[check] === 'pass') since = undefined;
    if (checks[check] === 'fail') since ??= firstFailedOn[check] ?? startedAt;
  }
  return since;
}

/** Since when the verdict of a check changes from run to run. */
function flakySince(seen: readonly Dated[]): string | undefined {
  const changes = seen
    .slice(-FLAKY_RUNS)
    .flatMap(({ verdict, at }, index, all) => (index > 0 && all[index - 1]?.verdict !== verdict ? [at] : []));
  return changes.length >= FLAKY_CHANGES ? changes[0] : undefined;
}

/** Whether a run says something of the service: one that decided nothing, such as during an outage, does not. */
const isDecided = ({ proved, failed }: HistoryEntry): boolean => proved + failed > 0;

/** The entry with the times when its failures began, according to earlier entries of the target. */
export function withFirstFailures(entry: HistoryEntry, earlier: readonly HistoryEntry[]): HistoryEntry {
  const failing = Object.entries(entry.checks).flatMap(([check, verdict]) =>
    verdict === 'fail' ? [[check, firstFailure([...earlier, entry], check) ?? entry.startedAt]] : [],
  );
  return { ...entry, firstFailedOn: Object.fromEntries(failing) };
}

/**
 * The history of the last of some entries.
 * @param entries runs of one target, the oldest first
 */
export function historyOf(entries: readonly HistoryEntry[]): RunHistory {
  const last = entries.at(-1);
  if (!last) return { trend: [], checks: [], notes: [] };
  const decided = entries.filter(isDecided);
  const checks = Object.entries(last.checks).flatMap(([check, verdict]) => {
    const named = checkNamed(check);
    const seen = decided.flatMap(({ checks: each, startedAt }) => {
      const found = each[check];
      return found === undefined ? [] : [{ verdict: found, at: startedAt }];
    });
    const failing = verdict === 'fail' ? firstFailure(entries, check) : undefined;
    const flaky = flakySince(seen);
    if (!named || (failing ?? flaky) === undefined) return [];
    return [{ ...named, ...(failing && { firstFailedOn: failing }), ...(flaky && { flakySince: flaky }) }];
  });
  const trend = entries.filter(({ scope }) => scope === last.scope).slice(-MAX_TREND);
  return { trend: trend.map(trendOf), checks, notes: [...notesOf(entries), ...coverageNote(entries)] };
}

/** The groups of the checks of a run. */
const groupsOf = ({ checks }: HistoryEntry): string => {
  const operations = Object.keys(checks).flatMap((check) => checkNamed(check)?.operation ?? []);
  return [...new Set(operations.map((operation) => operationOf(operation).group))].sort().join('');
};

/**
 * The history of each target, with the notes of its last runs together. Runs that selected other operations or another safety
 * class than the last one have a trend of their own.
 */
export const historiesOf = (entries: readonly HistoryEntry[]): TargetHistory[] =>
  [...Map.groupBy(entries, ({ target }) => target)].flatMap(([target, own]) => {
    const noted = own.map((_, at) => own.slice(0, at + 1)).slice(-NOTED_RUNS);
    const whole = { ...historyOf(own), notes: [...new Set(noted.flatMap(notesOf)), ...coverageNote(own)] };
    const byScope = [...Map.groupBy(own.toReversed(), ({ scope }) => scope).values()].map((each) => each.toReversed());
    return byScope.map((each, at) => ({
      target,
      ...(byScope.length > 1 && { groups: groupsOf(each.at(-1) as HistoryEntry) }),
      ...(at === 0 ? whole : { trend: each.slice(-MAX_TREND).map(trendOf), checks: [], notes: [] }),
    }));
  });

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
 * The notes of the last of some entries: two deltas of one data week, a date that went back, a product that left and returned
 * (sections 2 and 8). The document does not say that none of this happens, so these are no verdicts.
 * @param entries runs of one target, the oldest first
 */
function notesOf(entries: readonly HistoryEntry[]): string[] {
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
