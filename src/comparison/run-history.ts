/** What several runs of one target show: since when a check fails, which checks are flaky, the trend, and notes. */
import { operationOf } from '../contract/index.ts';
import type { TargetHistory } from '../report/history-text.ts';
import type { RunHistory } from '../run/comparison-types.ts';
import { checkNamed, type HistoryEntry, type HistoryVerdict, trendOf } from './history-entry.ts';
import { notesOf } from './history-notes.ts';
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
