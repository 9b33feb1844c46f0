/** All pages of a list are of one data week, where the profile promises it. The document shows no pages (section 8). */
import { listOperations, operationOf } from '../../src/contract/index.ts';
import { describeDay } from '../../src/rule/data-weeks.ts';
import {
  decide,
  defineRule,
  editValues,
  evidenceOf,
  findingIn,
  isReadable,
  needsOf,
  type Reading,
  type Steps,
} from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';

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
  probe: (subject, declarations) =>
    declarations.selector(subject, 'asOf') === undefined ? {} : listRequests(subject, declarations),
  counterexample: (seen) =>
    Object.fromEntries(Object.entries(seen).map(([name, list]) => [name, editValues(list, { asOf: [1, 8] })])),
  judge(seen) {
    const of = Object.values(seen)
      .flat()
      .filter((each) => isReadable(each) && datesOf(each).length > 0);
    const expected = 'one as-of date in all pages of a list, as the profile promises in dataWeek.onePerList';
    const findings = of
      .filter((each) => datesOf(each).length > 1)
      .map((each) => findingIn(each, 'several-as-of-dates', expected, datesOf(each).map(describeDay).join(', ')));
    const nothing = 'no list contains an as-of date of its own';
    const evidence = { ...evidenceOf(of), distinct: 1 };
    return decide({ compared: of.length, findings }, { nothing, evidence });
  },
});
