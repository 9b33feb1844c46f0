import { comparedRows, differenceOfRows, digestOfContent } from '../../src/rule/compare-rows.ts';
import {
  anything,
  collect,
  defineRule,
  describeResponse,
  editAll,
  type Finding,
  failed,
  failedByProfile,
  findingsAt,
  inconclusive,
  isOk,
  isValue,
  kindOfStatus,
  onlyReading,
  openingOf,
  passed,
  quoteSelector,
  type Reading,
  respondWith,
  step,
  tally,
  untested,
} from '../../src/rule/index.ts';
import { presenceIn, presenceSteps, requiredInputs } from '../../src/rule/served-steps.ts';

/** The responses with content. */
const contentsOf = <R extends Reading>(readings: readonly R[] = []): R[] =>
  readings.filter((each) => isOk(each) && !each.observation?.problem);

const FILTERS = 'GET /webservices/getAllProspectFilters';

export const filtersListed = defineRule({
  id: 'A.filters-listed',
  statement: 'A.content',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The response lists the prospect filters where the profile reads them.',
  how: 'Each row must contain the id or name that the profile binds. Another list, in another response of the run, is inconclusive.',
  subjects: [FILTERS],
  needs: () => [
    'getAllProspectFilters.request',
    'getAllProspectFilters.rows',
    ['getAllProspectFilters.fields.id', 'getAllProspectFilters.fields.name'],
  ],
  repeat: 'inconclusive',
  probe() {
    const list = step({
      operation: FILTERS,
      alsoMatches: anything,
      accepts: 'content',
      folds: { id: tally('id'), name: tally('name'), ...comparedRows(['id', 'name']) },
    });
    return { list, all: step({ ...list, accepts: 'any', fromAllRules: true, optional: true }) };
  },
  counterexample: ({ list }) => ({ list: editAll(list, { id: null, name: null }) }),
  judge(seen, { declarations }) {
    const list = onlyReading(seen.list);
    const rows = list.observation?.rows ?? 0;
    if (rows === 0) return untested('the list of filters is empty');
    const values = list.folds.id.values + list.folds.name.values;
    const findings = (['id', 'name'] as const).flatMap((field): Finding[] => {
      if (values === 0 || !declarations.required(FILTERS, field)) return [];
      const expected = `${field} at ${quoteSelector(FILTERS, declarations.selector(FILTERS, field))}, in every row`;
      return findingsAt(list, expected, list.folds[field].firstGaps);
    });
    if (findings.length > 0) return failed(findings, 'profile');
    const calls = contentsOf(seen.all);
    const contents = new Set(calls.map(digestOfContent)).size;
    // Where all differ, a part of them changes each time.
    const isChanged = values > 0 && contents > 1 && contents < calls.length;
    const [difference] = isChanged ? calls.flatMap((each) => differenceOfRows(list, each) ?? []) : [];
    if (difference !== undefined)
      return { ...inconclusive(`the list changed during the run: ${difference}`), since: '0.2.0' };
    if (values > 0)
      return passed({ exchanges: 1, rows, distinct: Math.max(list.folds.id.distinct, list.folds.name.distinct) });
    const selector = declarations.selector(FILTERS, 'name') ?? declarations.selector(FILTERS, 'id');
    const expected = `an id or name at ${quoteSelector(FILTERS, selector)}`;
    return failedByProfile(list, 'names-missing', expected, `missing in all ${rows} rows`);
  },
});

export const savedId = defineRule({
  id: 'A.saved-id',
  statement: 'A.content',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The response contains the id of the saved map or thematic where the profile reads it.',
  how: 'The response must contain the id that the profile binds; where the profile marks it required, also in every other response of the run.',
  subjects: ['GET /webservices/getSaveMap', 'GET /webservices/getSaveThematicId'],
  needs: (subject) => [openingOf(subject, 'request'), openingOf(subject, 'fields.id')],
  repeat: 'inconclusive',
  probe(subject) {
    const response = step({
      operation: subject,
      inputs: requiredInputs(subject),
      accepts: 'content',
      folds: { ids: collect(['id'], 10) },
    });
    return { response, all: step({ ...response, accepts: 'any', fromAllRules: true, optional: true }) };
  },
  counterexample: ({ response }) => ({ response: editAll(response, { id: null }) }),
  judge(seen, { subject, declarations }) {
    const response = onlyReading(seen.response);
    const idsIn = ({ folds, observation }: typeof response) =>
      [...folds.ids.rows.map((row) => row.id), ...(observation?.values.id ?? [])].filter(isValue);
    const found = idsIn(response);
    const expected = `an id at ${quoteSelector(subject, declarations.selector(subject, 'id'))}`;
    const without = contentsOf(seen.all).find((each) => idsIn(each).length === 0);
    if (found.length > 0 && without && declarations.required(subject, 'id')) {
      const actual = 'it is missing, although an earlier response contains it';
      return failed([{ kind: 'id-missing', expected, actual, exchange: without.exchange, since: '0.2.0' }], 'profile');
    }
    if (found.length > 0) return passed({ exchanges: 1, rows: found.length, distinct: found.length });
    return failedByProfile(response, 'id-missing', expected, 'it is missing');
  },
});

const TEST = 'GET /webservices/testService';

export const serviceTest = defineRule({
  id: 'A.test-service',
  statement: 'A.content',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The service test returns 2xx for a valid request.',
  how: 'The request of the profile is sent; a 2xx passes if paths that cannot exist return a different response.',
  subjects: [TEST],
  needs: () => ['testService.request'],
  repeat: 'inconclusive',
  probe() {
    const steps = presenceSteps(TEST);
    return { ...steps, final: step({ ...steps.tested, follow: true }) };
  },
  counterexample: ({ final }) => ({ final: respondWith(final, 500) }),
  judge(seen, { declarations }) {
    const response = onlyReading(seen.final);
    const presence = presenceIn(seen, declarations.statuses(TEST));
    if (presence?.is === 'hidden') return inconclusive(presence.reason);
    if (isOk(response)) return passed({ exchanges: 3, distinct: 1 }, describeResponse(response));
    return failed([
      {
        kind: kindOfStatus(response),
        expected: 'a 2xx',
        actual: describeResponse(response),
        exchange: response.exchange,
      },
    ]);
  },
});
