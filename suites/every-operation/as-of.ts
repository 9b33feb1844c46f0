/** Lists, and all pages of a list, are of one data week, where the profile promises it. The document shows neither reloads nor pages (section 8). */
import { listOperations, OPERATIONS, type OperationKey, operationOf } from '../../src/contract/index.ts';
import { describeDay, statedAsOf } from '../../src/rule/data-weeks.ts';
import {
  type Declarations,
  decide,
  defineRule,
  editValues,
  evidenceOf,
  failed,
  findingIn,
  inconclusive,
  isOk,
  isReadable,
  needsOf,
  passed,
  type Reading,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { exampleRequest, listRequests } from '../../src/rule/list-requests.ts';

/** No other rule sends requests with this repetition. */
const REPETITION = 40;

/** The responses with an as-of date. Catalogues may be refreshed on different days: only the first example is compared. */
const datedAmong = (readings: readonly Reading[], declarations: Declarations) =>
  readings.flatMap((reading) => {
    const { operation, inputs } = reading;
    const [catalogueId = inputs.catalogueId] = declarations.examples('catalogueId', { operation });
    const isCompared = isOk(reading) && (inputs.catalogueId === undefined || inputs.catalogueId === catalogueId);
    const asOf = isCompared ? statedAsOf(reading, declarations) : undefined;
    return asOf === undefined ? [] : [{ reading, asOf }];
  });

/**
 * The lists of an earlier data week than one of others. Lists may write a data week as different days of it, such as its
 * first day and the day of the reload: dates on two weekdays prove that only if they are two weeks apart.
 */
const compareWeeks = (lists: ReturnType<typeof datedAmong>, others: ReturnType<typeof datedAmong>) =>
  lists.flatMap((list) => {
    const after = (days: (difference: number) => boolean) => others.find((other) => days(other.asOf - list.asOf));
    const later = after((days) => (days % 7 === 0 ? days > 0 : days > 13));
    const other = later ?? after((days) => days > 7);
    return other ? [{ ...list, isEarlier: later !== undefined, other }] : [];
  });

/** The lists of an operation of an earlier data week than another list, each request once. */
function earlierAmong(readings: readonly Reading[], subject: OperationKey, declarations: Declarations) {
  const all = datedAmong(readings, declarations);
  const own = all.filter(({ reading }) => reading.operation === subject);
  return [...new Map(compareWeeks(own, all).map((each) => [JSON.stringify(each.reading.inputs), each])).values()];
}

/** The responses to all valid requests of an operation in the run. */
const ALL = 'all: ';

/** Reads them without a request of its own, since a run of one group sends none to others. */
const allOf = (operation: OperationKey): Step =>
  step({
    operation,
    each: { from: [], as: {}, max: 0, select: () => [], key: 'no request' },
    accepts: 'any',
    fromAllRules: true,
    optional: true,
  });

export const oneReload = defineRule<Steps>({
  id: 'every.one-reload',
  statement: 'operation.served',
  demands: 'No list is of an earlier data week than another one: the profile promises it (dataWeek.oneReload).',
  how: [
    'The as-of dates of all responses of the run are compared.',
    'If a list of the subject is of an earlier data week than another list, it is requested once more at the end of the run.',
    'It fails if it still is, and if the same happens when these requests are repeated.',
  ],
  looksLike: [
    'A reload during the run looks like this violation; the list is then of the newer week when it is requested once more.',
    'A service that reloads its lists one after the other, or that has replicas of different weeks, does not promise this.',
    'Dates on different weekdays may be two notations of one week.',
  ],
  subjects: OPERATIONS.flatMap(({ key, fields }) => (fields.includes('asOf') ? [key] : [])),
  needs: (subject) => ['oneReload', ...needsOf(subject, 'request', 'fields.asOf')],
  repeat: 'pass',
  comparesAsOf: true,
  isStated: (declarations, subject) => declarations.oneReload.includes(subject),
  probe(subject, declarations) {
    const { walk, request } = exampleRequest(subject, declarations);
    const all: { [name: string]: Step } = {
      ...Object.fromEntries(declarations.oneReload.map((key) => [ALL + key, allOf(key)])),
      [ALL + subject]: { ...request, fromAllRules: true, optional: true },
    };
    const again = step({
      operation: subject,
      each: {
        from: Object.keys(all),
        as: {},
        max: 3,
        select: (readings) => earlierAmong(readings, subject, declarations).map(({ reading }) => reading.inputs),
      },
      accepts: 'content',
      repetition: REPETITION,
      last: true,
      optional: true,
    });
    return { ...walk, ...all, again };
  },
  counterexample: (seen, { subject }) => ({ again: editValues(seen[ALL + subject], { asOf: [1] }) }),
  judge(seen, { subject, declarations }) {
    const { again = [], ...others } = seen;
    const before = Object.values(others).flat();
    const all = datedAmong(before, declarations);
    if (all.length < 2) return untested('fewer than two lists contain an as-of date of their own');
    const found = compareWeeks(datedAmong(again, declarations), all);
    const isRepeated = again.length > 0;
    const first =
      found.find(({ isEarlier }) => isEarlier) ??
      found[0] ??
      (isRepeated ? undefined : earlierAmong(before, subject, declarations)[0]);
    if (!first) return passed({ ...evidenceOf(all.map(({ reading }) => reading)), distinct: all.length });
    const { isEarlier, reading, asOf, other } = first;
    const expected = `no earlier data week than that of ${other.reading.operation} (as-of date ${describeDay(other.asOf)}), as the profile promises in dataWeek.oneReload`;
    const actual = `the as-of date ${describeDay(asOf)}`;
    if (isRepeated && isEarlier) return failed([findingIn(reading, 'earlier-week', expected, actual)]);
    const why = isRepeated
      ? ', on another weekday, may be the same week in another notation; name the operations with comparable as-of dates in dataWeek.oneReload'
      : ', in a list that was not requested once more';
    return inconclusive(`${expected}: ${actual}${why}`);
  },
});

const datesOf = ({ observation }: Reading): readonly number[] =>
  (observation?.values.asOf ?? []).filter((value) => typeof value === 'number');

export const oneAsOf = defineRule<Steps>({
  id: 'every.one-as-of',
  statement: 'operation.served',
  demands: 'All pages of a list contain one as-of date: the profile promises it (dataWeek.onePerList).',
  how: [
    'The plain requests of the list are sent, with all pages.',
    'Pages of one list with different as-of dates are a failure if a second reading of the list shows them again, unchanged.',
  ],
  looksLike: [
    'A service that reloads its data between two pages looks like this violation; the second reading then has one as-of date, or other content, and the result is a pass or inconclusive.',
    'A service whose pages may come from replicas of different weeks does not promise this.',
  ],
  subjects: listOperations().filter((key) => operationOf(key).fields.includes('asOf')),
  needs: (subject) => ['onePerList', ...needsOf(subject, 'request', 'fields.asOf')],
  repeat: 'pass',
  comparesAsOf: true,
  isStated: ({ selector }, subject) => selector(subject, 'asOf') !== undefined,
  probe: listRequests,
  counterexample: (seen) =>
    Object.fromEntries(Object.entries(seen).map(([name, list]) => [name, editValues(list, { asOf: [1, 8] })])),
  judge(seen) {
    const of = Object.values(seen).flatMap((all) => all.filter((each) => isReadable(each) && datesOf(each).length > 0));
    const expected = 'one as-of date in all pages of a list, as the profile promises in dataWeek.onePerList';
    const findings = of
      .filter((each) => datesOf(each).length > 1)
      .map((each) => findingIn(each, 'several-as-of-dates', expected, datesOf(each).map(describeDay).join(', ')));
    const [nothing, evidence] = ['no list contains an as-of date of its own', { ...evidenceOf(of), distinct: 1 }];
    return decide({ compared: of.length, findings }, { nothing, evidence });
  },
});
