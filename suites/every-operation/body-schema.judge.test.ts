import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const breach = {
  at: '/x',
  keyword: 'type',
  demand: '#/x/type',
  expected: 'must be string',
  actual: '1',
  schema: 'the schema in the profile',
  stated: '200',
};
const held = (over: Partial<NonNullable<FakeResponse['schema']>> = {}, status = 200): FakeResponse => ({
  status,
  schema: { responses: 1, checked: 3, breaches: [], ...over },
});
const told = 'the body at /x must be string, as the schema in the profile states for status 200 (type)';
const profile = { operations: { [LOOKUP]: { response: { schemas: { '200': { type: 'object' } } } } } };

judgeCases('every.body-schema', { subject: LOOKUP, profile }, [
  [
    'one does not',
    { responses: [held(), held({ breaches: [breach] })] },
    'fail',
    { findings: [{ expected: told, actual: '1' }] },
  ],
  [
    'at its root, on another page',
    { responses: held({ breaches: [{ ...breach, at: '', page: 2 }] }) },
    'fail',
    { findings: [{ expected: told.replace('/x', 'its root'), actual: '1, on page 2' }] },
  ],
  [
    'not held against it whole',
    { responses: [held(), held({ unchecked: 'too large' })] },
    'inconclusive',
    { because: '#responses-1: too large' },
  ],
  [
    'none of its status',
    { responses: [held({ responses: 0 }, 404), { status: 404 }, { status: 400 }] },
    'not-applicable',
    { because: 'the profile states no schema for status 404, 400' },
  ],
  ['one of its status', { responses: [{ status: 404 }, held()] }, 'pass', { evidence: { exchanges: 1, rows: 3 } }],
  [
    'one in the way',
    { responses: [{ status: 404 }, { status: 429 }] },
    'inconclusive',
    { because: 'status 429 prevents a judgement' },
  ],
  [
    'no answer',
    { responses: { status: null } },
    'inconclusive',
    { because: 'no response: the connection was refused' },
  ],
  [
    'the refusal of an unknown id, or of a malformed UPC',
    { responses: held(), refused: held({ breaches: [{ ...breach, stated: '404' }] }, 404) },
    'fail',
    { findings: [{ since: '0.2.0' }] },
  ],
  ['a 200 for an unknown id', { responses: held(), refused: held({ breaches: [breach] }) }, 'pass'],
  ['what only the unknown product got', { unknown: held() }, 'untested'],
]);
