import { comparedRows, differenceOfRows, digestOfContent } from '../../src/rule/compare-rows.ts';
import {
  anything,
  collect,
  defineRule,
  describeResponse,
  editAll,
  failed,
  failedByProfile,
  findingIn,
  findingsAt,
  inconclusive,
  isOk,
  isReadable,
  isValue,
  kindOfStatus,
  listNeeds,
  needsOf,
  onlyReading,
  passed,
  quoteSelector,
  respondWith,
  step,
  tally,
  untested,
} from '../../src/rule/index.ts';
import { presenceIn, presenceSteps, requiredInputs } from '../../src/rule/served.ts';

export const filtersListed = defineRule({
  id: 'A.filters-listed',
  statement: 'A.content',
  since: '0.1.0',
  demands: 'The response lists the prospect filters where the profile reads them.',
  how: [
    'Each row must contain the id or name that the profile binds.',
    'Another list, in another response of the run, is inconclusive.',
  ],
  subjects: ['GET /webservices/getAllProspectFilters'],
  needs: (subject) => listNeeds(subject, ['id', 'name']),
  repeat: 'inconclusive',
  probe(operation) {
    const folds = { id: tally('id'), name: tally('name'), ...comparedRows(['id', 'name']) };
    const list = step({ operation, alsoMatches: anything, accepts: 'content', folds });
    return { list, all: step({ ...list, accepts: 'any', fromAllRules: true, optional: true }) };
  },
  counterexample: ({ list }) => ({ list: editAll(list, { id: null, name: null }) }),
  judge(seen, { subject, declarations: { selector, required } }) {
    const list = onlyReading(seen.list);
    const { id, name } = list.folds;
    const rows = list.observation?.rows ?? 0;
    if (rows === 0) return untested('the list of filters is empty');
    if (id.values + name.values === 0) {
      const expected = `an id or name at ${quoteSelector(subject, selector(subject, 'name') ?? selector(subject, 'id'))}`;
      return failedByProfile(list, 'names-missing', expected, `missing in all ${rows} rows`);
    }
    const findings = (['id', 'name'] as const).flatMap((field) => {
      const expected = `${field} at ${quoteSelector(subject, selector(subject, field))}, in every row`;
      return required(subject, field) ? findingsAt(list, expected, list.folds[field].firstGaps) : [];
    });
    if (findings.length > 0) return failed(findings, 'profile');
    const calls = seen.all.filter(isReadable);
    const contents = new Set(calls.map(digestOfContent)).size;
    // Where all differ, a part of them changes each time.
    const isChanged = contents > 1 && contents < calls.length;
    const [difference] = isChanged ? calls.flatMap((each) => differenceOfRows(list, each) ?? []) : [];
    return difference === undefined
      ? passed({ exchanges: 1, rows, distinct: Math.max(id.distinct, name.distinct) })
      : { ...inconclusive(`the list changed during the run: ${difference}`), since: '0.2.0' };
  },
});

export const savedId = defineRule({
  id: 'A.saved-id',
  statement: 'A.content',
  since: '0.1.0',
  demands: 'The response contains the id of the saved map or thematic where the profile reads it.',
  how: 'The response must contain the id that the profile binds; where the profile marks it required, also in every other response of the run.',
  subjects: ['GET /webservices/getSaveMap', 'GET /webservices/getSaveThematicId'],
  needs: (subject) => needsOf(subject, 'request', 'fields.id'),
  repeat: 'inconclusive',
  probe(operation) {
    const folds = { ids: collect(['id'], 10) };
    const response = step({ operation, inputs: requiredInputs(operation), accepts: 'content', folds });
    return { response, all: step({ ...response, accepts: 'any', fromAllRules: true, optional: true }) };
  },
  counterexample: ({ response }) => ({ response: editAll(response, { id: null }) }),
  judge(seen, { subject, declarations }) {
    const response = onlyReading(seen.response);
    const idsIn = ({ folds, observation }: typeof response) =>
      [...folds.ids.rows.map((row) => row.id), ...(observation?.values.id ?? [])].filter(isValue);
    const { length } = idsIn(response);
    const expected = `an id at ${quoteSelector(subject, declarations.selector(subject, 'id'))}`;
    if (length === 0) return failedByProfile(response, 'id-missing', expected, 'it is missing');
    const without = (seen.all ?? []).filter(isReadable).find((each) => idsIn(each).length === 0);
    if (!without || !declarations.required(subject, 'id'))
      return passed({ exchanges: 1, rows: length, distinct: length });
    const actual = 'it is missing, although an earlier response contains it';
    return failed([findingIn(without, 'id-missing', expected, actual, { since: '0.2.0' })], 'profile');
  },
});

export const serviceTest = defineRule({
  id: 'A.test-service',
  statement: 'A.content',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The service test returns 2xx for a valid request.',
  how: 'The request of the profile is sent; a 2xx passes if paths that cannot exist return a different response.',
  subjects: ['GET /webservices/testService'],
  needs: (subject) => needsOf(subject, 'request'),
  repeat: 'inconclusive',
  probe(subject) {
    const steps = presenceSteps(subject);
    return { ...steps, final: step({ ...steps.tested, follow: true }) };
  },
  counterexample: ({ final }) => ({ final: respondWith(final, 500) }),
  judge(seen, { subject, declarations }) {
    const response = onlyReading(seen.final);
    const presence = presenceIn(seen, declarations.statuses(subject));
    if (presence?.is === 'hidden') return inconclusive(presence.reason);
    const actual = describeResponse(response);
    if (isOk(response)) return passed({ exchanges: 3, distinct: 1 }, actual);
    return failed([findingIn(response, kindOfStatus(response), 'a 2xx', actual)]);
  },
});
