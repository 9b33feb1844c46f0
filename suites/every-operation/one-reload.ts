/** A reload changes all lists at once, where the profile promises it. The document shows no order of reloads (section 8). */
import {
  ALL_CATEGORIES,
  type Field,
  OPEN_PARTS,
  OPERATIONS,
  type OperationKey,
  operationOf,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import {
  collect,
  type Declarations,
  defineRule,
  editValues,
  evidenceOf,
  failed,
  inconclusive,
  isOk,
  openingOf,
  passed,
  type Reading,
  type ReadingsOf,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { exampleRequest, listRequests } from '../../src/rule/list-requests.ts';
import { describeDay } from '../../src/rule/window-days.ts';

/** The steps that read the lists of the subject again, after all others. */
const AGAIN = 'again: ';

/** No other rule sends requests with this repetition. */
const REPETITION = 40;

/** A response with the as-of date that it states. */
interface Dated {
  readonly reading: Reading;
  readonly asOf: number;
}

const datedAmong = (readings: readonly Reading[], declarations: Declarations): Dated[] =>
  readings.flatMap((reading) => {
    const asOf = isOk(reading) ? statedAsOf(reading, declarations) : undefined;
    return asOf === undefined ? [] : [{ reading, asOf }];
  });

/**
 * Whether a date is of an earlier data week than one of others. Lists may write a data week as different days of it, such as
 * its first day and the day of the reload: dates on two weekdays prove that only if they are two weeks apart.
 */
function compareWeeks(
  asOf: number,
  others: readonly Dated[],
): { readonly is: 'earlier' | 'unclear'; readonly other: Dated } | undefined {
  const after = (days: (difference: number) => boolean) => others.find((other) => days(other.asOf - asOf));
  const later = after((days) => (days % 7 === 0 ? days > 0 : days > 13));
  if (later) return { is: 'earlier', other: later };
  const unclear = after((days) => days > 7);
  return unclear && { is: 'unclear', other: unclear };
}

const FILTERS = [...SALES_FILTERS, 'categoryId'] as const;

/** The filters that a request of a list may contain. */
const filtersOf = (subject: OperationKey, declarations: Declarations) =>
  FILTERS.filter(
    (each) =>
      (OPEN_PARTS[operationOf(subject).name].inputs as readonly string[]).includes(each) &&
      declarations.isFilled(openingOf(subject, `inputs.${each}`)),
  );

/** The lists of the subject: all its plain requests, and one that is filtered by the names of a row. */
function ownLists(subject: OperationKey, declarations: Declarations): Steps {
  const lists =
    subject === 'GET /PLATFORMAPI/prodRef/v1/products/{upc}'
      ? { list: exampleRequest(subject, declarations).request }
      : listRequests(subject, declarations);
  const filters = filtersOf(subject, declarations);
  const [[name, list] = ['', undefined]] = Object.entries(lists);
  if (filters.length === 0 || !list) return lists;
  const folds = { names: collect(filters, 10) };
  const hasNames =
    operationOf(subject).group === 'C' &&
    declarations.claims(ALL_CATEGORIES) &&
    declarations.isFilled('allCategories.request');
  return {
    ...lists,
    [name]: { ...list, folds },
    ...(hasNames && { names: step({ operation: ALL_CATEGORIES, accepts: 'any', folds, optional: true }) }),
    filtered: step({
      ...list,
      each: {
        from: [name, ...(hasNames ? ['names'] : [])],
        fold: 'names',
        as: Object.fromEntries(filters.map((each) => [each, each])),
        max: 1,
        choose: (rows) => rows.filter((row) => filters.some((each) => row[each] !== undefined)),
      },
      optional: true,
    }),
  };
}

export const oneReload = defineRule<Steps>({
  id: 'every.one-reload',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.2.0',
  demands: 'No list is of an earlier data week than another one: the profile promises it (dataWeek.oneReload).',
  how: 'The lists of all operations of the promise are requested. If a list of the subject has the as-of date of an earlier data week than another list, those of the subject are requested once more. It fails if they still are of the earlier week, and if the same happens when all of these requests are repeated.',
  looksLike:
    'A reload during the run looks like this violation; the list is then of the newer week when it is requested once more. A service that reloads its lists one after the other, or that has replicas of different weeks, does not promise this. Dates on different weekdays may be two notations of one week.',
  subjects: OPERATIONS.flatMap(({ key, name }) =>
    (OPEN_PARTS[name].fields as readonly Field[]).includes('asOf') ? [key] : [],
  ),
  needs: (subject) => ['oneReload', openingOf(subject, 'request'), openingOf(subject, 'fields.asOf')],
  repeat: 'pass',
  comparesAsOf: true,
  probe(subject, declarations) {
    if (!declarations.oneReload.includes(subject)) return {};
    const own = ownLists(subject, declarations);
    const others: { [name: string]: Step } = {};
    for (const key of declarations.oneReload.filter((each) => each !== subject)) {
      const { walk, request } = exampleRequest(key, declarations);
      Object.assign(others, walk, { [`list of ${key}`]: { ...request, optional: true } });
    }
    const first = { ...others, ...own };
    const lists = Object.entries(own).filter(([, { operation }]) => operation === subject);
    const isEarlier = (of: ReadingsOf) => {
      const all = datedAmong(Object.keys(first).flatMap(of), declarations);
      return all.some(({ reading, asOf }) => reading.operation === subject && compareWeeks(asOf, all));
    };
    const again = lists.map(([name, { folds: _, ...list }]): [string, Step] => [
      AGAIN + name,
      { ...list, repetition: REPETITION, after: Object.keys(first), when: isEarlier, optional: true },
    ]);
    return { ...first, ...Object.fromEntries(again) };
  },
  counterexample: (seen) =>
    Object.fromEntries(
      Object.entries(seen).flatMap(([name, list]) =>
        name.startsWith(AGAIN) ? [] : [[AGAIN + name, editValues(list, { asOf: [1] })]],
      ),
    ),
  judge(seen, { declarations }) {
    const of = (isWanted: (name: string) => boolean) =>
      datedAmong(
        Object.entries(seen).flatMap(([name, readings]) => (isWanted(name) ? readings : [])),
        declarations,
      );
    const first = of((name) => !name.startsWith(AGAIN));
    const again = of((name) => name.startsWith(AGAIN));
    if (first.length < 2) return untested('fewer than two lists contain an as-of date of their own');
    const compared = again.flatMap((dated) => {
      const found = compareWeeks(dated.asOf, first);
      return found ? [{ ...dated, ...found }] : [];
    });
    const found = compared.find(({ is }) => is === 'earlier') ?? compared[0];
    if (found) {
      const { is, reading, asOf, other } = found;
      const expected = `no earlier data week than that of ${other.reading.operation} (as-of date ${describeDay(other.asOf)}), as the profile promises in dataWeek.oneReload`;
      const actual = `the as-of date ${describeDay(asOf)}`;
      if (is === 'earlier') return failed([{ kind: 'earlier-week', expected, actual, exchange: reading.exchange }]);
      return inconclusive(
        `${expected}: ${actual}, on another weekday, may be the same week in another notation; name the operations with comparable as-of dates in dataWeek.oneReload`,
      );
    }
    const readings = [...first, ...again].map(({ reading }) => reading);
    return passed({ ...evidenceOf(readings), distinct: new Set(readings.map(({ operation }) => operation)).size });
  },
});
