/**
 * The template of rules about two readings of one list, which are equal within one data week (sections 4.3, 4.4 and 8).
 * Only an as-of date in both responses shows that they belong to one data week; without it a difference is advisory.
 */
import type { ObservableStatementId, OpeningId, OperationKey } from '../contract/index.ts';
import { asOfDatesOf, asOfSteps, DATE_HEADER, type RefreshReading, refreshDatesIn } from './data-weeks.ts';
import {
  type Declarations,
  defineRule,
  dropRow,
  evidenceOf,
  type FoldMap,
  failed,
  inconclusive,
  type Judgement,
  passed,
  type Reading,
  type Rule,
  type Step,
  type Steps,
  untested,
} from './index.ts';

/** Reads each list twice; reads the refresh date, if it is the as-of date, before the first and after the last reading. */
function readTwice(lists: Readonly<Record<string, Step>>, subject: OperationKey, declarations: Declarations): Steps {
  const { refresh } = asOfSteps(declarations, subject);
  const all = Object.entries(lists);
  const again = (which: string, repetition: number, after: readonly string[]) =>
    Object.fromEntries(
      all.map(([name, list]) => [`${name} ${which}`, { ...list, repetition, after, optional: true as const }]),
    );
  const names = (which: string) => all.map(([name]) => `${name} ${which}`);
  // The readings are separate requests between those of the refresh date: other rules may have read the list a week earlier.
  return {
    ...(refresh && { before: { ...refresh, repetition: 1 } }),
    ...again('first', refresh ? 1 : 0, refresh ? ['before'] : []),
    ...again('second', 2, names('first')),
    ...(refresh && { after: { ...refresh, repetition: 2, after: names('second') } }),
  };
}

/** Whether two readings belong to one data week: `unknown` if the profile declares no as-of date. */
function compareWeeks(
  pair: readonly [Reading, Reading],
  [before, after]: readonly (RefreshReading | undefined)[],
  subject: OperationKey,
  declarations: Declarations,
): 'same' | 'moved' | 'unknown' {
  if (DATE_HEADER.test(declarations.selector(subject, 'asOf') ?? '')) return 'unknown';
  const markersOf = (reading: Reading, refresh: RefreshReading | undefined) =>
    new Set(refresh ? refreshDatesIn(refresh, declarations) : asOfDatesOf(reading, undefined, declarations));
  const [first, second] = [markersOf(pair[0], before), markersOf(pair[1], after)];
  if (first.size !== 1 || second.size !== 1) return first.size + second.size === 0 ? 'unknown' : 'moved';
  if ([...first][0] !== [...second][0]) return 'moved';
  // The refresh date and the list may come from two replicas, one of them a week behind.
  return before || after ? 'unknown' : 'same';
}

interface Stable<F extends FoldMap> {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly demands: string;
  readonly subject: OperationKey;
  readonly needs: readonly OpeningId[];
  readonly lists: Readonly<Record<string, Step<F>>>;
  /** Describes the difference between two readings; undefined if they are equal. */
  readonly compare: (first: Reading<F>, second: Reading<F>) => string | undefined;
  /** The number of compared items. */
  readonly size: (reading: Reading<F>) => number;
}

export function stableRule<F extends FoldMap>(stable: Stable<F>): Rule {
  const { lists, subject, needs, compare, size, ...texts } = stable;
  return defineRule<Steps>({
    ...texts,
    basis: 'derived',
    since: '0.1.0',
    how: 'The list is read twice. A difference is a failure if an as-of date in both responses shows one data week, inconclusive if the declared as-of date (or the refresh date read before and after) changed, and otherwise advisory: a refresh date may come from another replica than the list.',
    subjects: [subject],
    needs: () => needs,
    probe: (_subject, declarations) => readTwice(lists as Readonly<Record<string, Step>>, subject, declarations),
    counterexample(seen) {
      const second = Object.keys(seen).find((name) => name.endsWith(' second')) as string;
      return { [second]: dropRow(seen[second]) };
    },
    judge(seen, { declarations }): Judgement {
      const markers = [seen.before?.[0], seen.after?.[0]] as (RefreshReading | undefined)[];
      const pairs = Object.keys(lists).flatMap((name) => {
        const [first, second] = [seen[`${name} first`]?.[0], seen[`${name} second`]?.[0]] as (Reading<F> | undefined)[];
        return first && second
          ? [{ name, first, second, weeks: compareWeeks([first, second], markers, subject, declarations) }]
          : [];
      });
      const differing = pairs.flatMap(({ name, first, second, weeks }) => {
        const actual = compare(first, second);
        return actual === undefined
          ? []
          : [
              {
                weeks,
                finding: {
                  kind: `changed-${name.replaceAll(' ', '-')}`,
                  expected: 'the same rows in both readings',
                  actual,
                  exchange: second.exchange,
                },
              },
            ];
      });
      const gating = differing.filter(({ weeks }) => weeks === 'same');
      if (gating.length > 0) return failed(gating.map(({ finding }) => finding));
      if (differing.some(({ weeks }) => weeks === 'moved'))
        return inconclusive('the data week or its as-of date changed between two readings that differ');
      if (differing.length > 0)
        return failed(
          differing.map(({ finding }) => finding),
          'plausible',
        );
      const compared = pairs.reduce((sum, { first }) => sum + size(first), 0);
      if (compared === 0) return untested('there is no row to compare');
      return passed({ ...evidenceOf(pairs.flatMap(({ first, second }) => [first, second])), distinct: compared });
    },
  });
}
