/** What is said of an operation the profile excepts from authentication. */
import { expect, test } from 'vitest';
import { type Answer, judgeService } from '../judge-in-process.test.support.ts';

const TEST = 'GET /webservices/testService';
const FILTERS = 'GET /webservices/getAllProspectFilters';

/** A gateway that asks for a key before routing, but for the open paths. */
async function judgeServed(open: readonly string[], { rule = 'every.served', served = [TEST, FILTERS] } = {}) {
  const profile = `name: t
auth: { scheme: bearer, token: tttt }
implements: ["${TEST}", "${FILTERS}"]
authExcept: ["${TEST}"]`;
  const gate: Answer = ({ key, headers }) => {
    const allowed = open.includes(key) || headers.get('authorization') === 'Bearer tttt';
    return [allowed ? (served.includes(key) ? 200 : 404) : 401, {}];
  };
  const run = await judgeService(profile, gate, { rules: [rule] }, { strict: true });
  return run.results
    .filter(({ verdict }) => verdict !== 'not-applicable')
    .map(({ operation, verdict, basis }) => ({ operation, verdict, basis }));
}

test('an operation without credentials passes, next to one that needs them', async () => {
  expect(await judgeServed([TEST])).toEqual([
    { operation: FILTERS, verdict: 'pass', basis: 'stated' },
    { operation: TEST, verdict: 'pass', basis: 'stated' },
  ]);
});

test('an operation that requires credentials contradicts its profile', async () => {
  expect(await judgeServed([])).toEqual([
    { operation: FILTERS, verdict: 'pass', basis: 'stated' },
    { operation: TEST, verdict: 'fail', basis: 'profile' },
  ]);
});

test('an alias is requested with credentials, which show whether it is served', async () => {
  const only = (served: string[]) => judgeServed([TEST], { rule: 'every.unversioned-only', served });
  const filters = { operation: FILTERS, verdict: 'pass', basis: 'plausible' };
  expect(await only([TEST, FILTERS])).toEqual([filters, { operation: TEST, verdict: 'pass', basis: 'plausible' }]);
  expect(await only([TEST, FILTERS, 'GET /webservices/v1/testService'])).toEqual([
    filters,
    { operation: TEST, verdict: 'fail', basis: 'plausible' },
  ]);
});
