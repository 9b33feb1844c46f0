/**
 * The template of rules about equal requests of lists: within one data week each gets the same content, whatever content
 * coding it accepts (sections 4.2 to 4.4 and 8). Only an as-of date in the responses shows that they belong to one week.
 */
import type { ObservableStatementId, OperationKey } from '../contract/index.ts';
import { callOrder, equalCall } from './call-order.ts';
import { statedAsOf } from './data-weeks.ts';
import {
  type Declarations,
  defineRule,
  dropRow,
  type EditableReadings,
  evidenceOf,
  type FoldMap,
  type Need,
  type Reading,
  type Rule,
  type RuleSetVersion,
  type Step,
  type Steps,
  untested,
} from './index.ts';
import { type Call, judgeCalls } from './repeated-calls.ts';

/** Numbers the contents of readings: equal contents get the same number. */
function contentNumbers<F extends FoldMap>(
  compare: (one: Reading<F>, other: Reading<F>) => string | undefined,
): (reading: Reading<F>) => number {
  const known: Reading<F>[] = [];
  return (reading) => {
    const at = known.findIndex((each) => compare(each, reading) === undefined);
    return at < 0 ? known.push(reading) - 1 : at;
  };
}

const callName = (list: string, nth: number): string => `${list} ${nth}`;

/**
 * Requests each list several times. The first call is the one of other rules; the further ones follow in a shuffled order,
 * each after the one before.
 */
function repeatLists(lists: Readonly<Record<string, Step>>, declarations: Declarations): Steps {
  const { draw, seed } = declarations;
  const names = Object.keys(lists);
  const steps: Record<string, Step> = {};
  for (const name of names) steps[callName(name, 1)] = { ...(lists[name] as Step), optional: true };
  const counts = new Map<string, number>();
  let after = Object.keys(steps);
  for (const at of callOrder(names.length, draw('equalCalls') - 1, seed)) {
    const name = names[at] as string;
    const nth = (counts.get(name) ?? 1) + 1;
    counts.set(name, nth);
    steps[callName(name, nth)] = { ...equalCall(lists[name] as Step, nth, declarations), after, optional: true };
    after = [callName(name, nth)];
  }
  return steps;
}

interface Stable<F extends FoldMap> {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly since?: RuleSetVersion;
  readonly demands: string;
  readonly subjects: readonly OperationKey[];
  readonly needs: (subject: OperationKey) => readonly Need[];
  readonly lists: (subject: OperationKey, declarations: Declarations) => Readonly<Record<string, Step<F>>>;
  /** The steps that supply ids for the lists. */
  readonly sources?: (subject: OperationKey, declarations: Declarations) => Steps;
  /** Describes the difference between two readings; undefined if they are equal. */
  readonly compare: (first: Reading<F>, second: Reading<F>) => string | undefined;
  /** The number of compared items. */
  readonly size: (reading: Reading<F>) => number;
  /** Whether the profile states that the contents of two lists differ. */
  readonly areDistinct?: (subject: OperationKey, declarations: Declarations) => boolean;
  /** What a reading contains if that is exactly the part of another reading that a filter selects. */
  readonly filteredPart?: (whole: Reading<F>, part: Reading<F>) => string | undefined;
  /** The content may have members that change with each response. */
  readonly isOpaque?: true;
  /** What is equal in every reading; default: the rows. */
  readonly expected?: string;
  /** The smallest defect; default: a row less in the second reading. */
  readonly counterexample?: (seen: EditableReadings, second: string) => Partial<EditableReadings>;
}

export function stableRule<F extends FoldMap>(stable: Stable<F>): Rule {
  const {
    lists,
    sources,
    compare,
    size,
    areDistinct,
    filteredPart,
    isOpaque = false,
    expected = 'the same rows in every reading',
    counterexample,
    ...texts
  } = stable;
  return defineRule<Steps>({
    ...texts,
    basis: 'derived',
    how: [
      'Each list is requested three times (quick: twice, thorough: five times) in a shuffled order, and each further request accepts another content coding; the last one follows all other requests of the run.',
      `A difference is a failure if the responses contain one as-of date, or if two lists that the profile calls different got the content of one another${filteredPart ? ', or if a reading contains exactly the rows of one category or name of another, as if it were filtered' : ''}; otherwise it is inconclusive, and the report names the calls that differ.`,
    ],
    looksLike:
      'A server with two replicas, one of them a data week behind, is legal and looks like this violation; the as-of dates in the responses tell them apart.',
    probe: (subject, declarations) => ({
      ...sources?.(subject, declarations),
      ...repeatLists(lists(subject, declarations) as Readonly<Record<string, Step>>, declarations),
    }),
    counterexample(seen) {
      const second = Object.keys(seen).find((name) => name.endsWith(' 2')) as string;
      return counterexample?.(seen, second) ?? { [second]: dropRow(seen[second]) };
    },
    judge(seen, { subject, declarations }) {
      const numberOf = contentNumbers(compare);
      const readings = new Map<Call, Reading<F>>();
      for (const [name, [given]] of Object.entries(seen)) {
        const [, list, nth] = /^(.*) (\d+)$/.exec(name) ?? [];
        if (!given || list === undefined) continue;
        const reading = given as Reading<F>;
        const call: Call = {
          subject: list,
          nth: Number(nth),
          ...(reading.acceptEncoding !== undefined && { coding: reading.acceptEncoding }),
          content: numberOf(reading),
          isFound: size(reading) > 0,
          asOf: statedAsOf(reading, declarations),
          exchange: reading.exchange,
        };
        readings.set(call, reading);
      }
      const calls = [...readings.keys()];
      if (calls.every(({ isFound }) => !isFound)) return untested('there is no row to compare');
      const firstCalls = calls.filter(({ nth }) => nth === 1).map((call) => readings.get(call) as Reading<F>);
      const compared = firstCalls.reduce((sum, reading) => sum + size(reading), 0);
      return judgeCalls(
        calls,
        {
          difference: (one, other) => compare(readings.get(one) as Reading<F>, readings.get(other) as Reading<F>) ?? '',
          filteredPart: (whole, part) =>
            filteredPart?.(readings.get(whole) as Reading<F>, readings.get(part) as Reading<F>),
          kind: (list) => `changed-${list.replaceAll(' ', '-')}`,
          expected,
          isOpaque,
          areDistinct: areDistinct?.(subject, declarations) ?? false,
        },
        { ...evidenceOf([...readings.values()]), distinct: compared },
      );
    },
  });
}
