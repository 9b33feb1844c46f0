import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const TEST = 'GET /webservices/testService';
const CATALOGUES = 'POST /data-access/v1/Catalogues';
const controls = (status = 404) => ({ before: { status }, after: { status } });
const bare = { profile: { delta: null, operations: { [BULK]: null } }, subject: BULK } as const;

judgeCases('every.served', { subject: BULK }, [
  [
    'another status than paths that cannot exist',
    { ...controls(), tested: {} },
    'pass',
    { evidence: { exchanges: 3 } },
  ],
  ['one page for every path', { ...controls(200), tested: {} }, 'inconclusive', { provesNothing: true }],
  ['credentials in the way', { ...controls(), tested: { status: 401 } }, 'inconclusive'],
  ['a redirect that cannot be followed', { ...controls(), tested: { status: 307 } }, 'inconclusive'],
  [
    'a redirect to the answer of paths that cannot exist',
    { ...controls(), tested: { status: 307 }, followedTested: { status: 404 } },
    'fail',
    { findings: [{ since: '0.2.0' }] },
  ],
  [
    'controls redirected to the answer that the operation gets, too',
    {
      ...controls(307),
      followedBefore: { status: 404 },
      followedAfter: { status: 404 },
      tested: { status: 404 },
    },
    'fail',
  ],
  ['controls with different errors', { before: { status: 404 }, after: { status: 410 }, tested: {} }, 'pass'],
  [
    'controls with different statuses, one of which the operation gets, too',
    { before: { status: 400 }, after: { status: 307 }, tested: { status: 400 } },
    'inconclusive',
    { because: 'paths that cannot exist return 400 and 307' },
  ],
]);
judgeCases('every.served', bare, [
  [
    'the very answer of paths that cannot exist, to a request of which nothing is declared',
    { ...controls(), tested: { status: 404 } },
    'untested',
  ],
  ['405 alone, to such a request', { ...controls(), tested: { status: 405 } }, 'fail'],
]);
judgeCases('every.served', { subject: BULK, profile: { auth: { scheme: 'bearer', token: 'x' }, authExcept: [BULK] } }, [
  ['401 where the profile says none are needed', { ...controls(), tested: { status: 401 } }, 'fail (profile)'],
  ['403 there', { ...controls(), tested: { status: 403 } }, 'inconclusive'],
]);

const asked = (tested: FakeResponse, status = 404) => ({ ...controls(status), tested, final: tested });
const garbled = (kind: 'syntax' | 'truncated' | 'rowsNotFound', status = 200): FakeResponse => ({
  status,
  problem: { kind, message: 'it is no JSON' },
});
const notUtf8 = (type: string): FakeResponse => ({
  headers: [['Content-Type', type]],
  problem: { kind: 'charset', message: 'the body is not valid UTF-8' },
});
judgeCases('every.sound-answer', { subject: BULK }, [
  ['2xx', asked({}), 'pass', { evidence: { exchanges: 3 }, note: 'status 200' }],
  ['501', asked({ status: 501 }), 'fail (profile)'],
  ['500 everywhere', asked({ status: 500 }, 500), 'inconclusive', /other paths/],
  ['500 while other paths do not answer', { ...asked({ status: 500 }), before: { status: null } }, 'inconclusive'],
  ['503', asked({ status: 503 }), 'inconclusive', { because: 'status 503 prevents a judgement' }],
  ['505', asked({ status: 505 }), 'inconclusive', /505/],
  ['no answer', asked({ status: null }), 'inconclusive', /refused/],
  ['not of its media type', asked(garbled('syntax')), 'fail (profile)', { findings: [{ actual: 'it is no JSON' }] }],
  ['cut off', asked(garbled('truncated')), 'fail (profile)'],
  ['JSON that is not UTF-8', asked(notUtf8('application/problem+json')), 'fail (profile)'],
  [
    'another type that states UTF-8 and is not',
    asked(notUtf8('text/csv; header=present; Charset="UTF-8"')),
    'fail (profile)',
    { findings: [{ since: '0.2.0', expected: 'a body in UTF-8, as its Content-Type states' }] },
  ],
  ['another charset', asked(notUtf8('application/json; charset=us-ascii')), 'inconclusive'],
  ['one page for every path', asked({}, 200), 'inconclusive'],
]);
judgeCases(
  'every.sound-answer',
  { subject: BULK, profile: { delta: null, operations: { [BULK]: { response: null } } } },
  [['a body nobody reads', asked(garbled('syntax')), 'pass']],
);
judgeCases('every.sound-answer', { subject: CATALOGUES, profile: { examples: { catalogueId: null } } }, [
  ['an input without example', asked({}), 'untested'],
]);

const forms = (tested: FakeResponse, alias: FakeResponse, status = 404) => ({
  ...controls(status),
  tested,
  aliasBefore: { status },
  alias,
  aliasAfter: { status },
});
const gone: FakeResponse = { status: 404 };
for (const [id, subject] of [
  ['version', BULK],
  ['version-two', BULK],
  ['unversioned', TEST],
  ['platform', BULK],
  ['post', CATALOGUES],
] as const) {
  judgeCases(`every.${id}`, { subject }, [
    ['the documented form alone', forms({}, gone), 'pass', { evidence: { exchanges: 6 } }],
    ['the other alone, 405 here', forms({ status: 405 }, {}), 'fail'],
    ['the other is told of, but not answered', forms(gone, { status: 400 }), 'untested'],
    ['credentials in the way', forms({ status: 401 }, {}), 'inconclusive'],
  ]);
  judgeCases(`every.${id}-only`, { subject }, [
    ['the documented form alone', forms({}, gone), 'pass', { evidence: { exchanges: 6 } }],
    ['both forms', forms({}, {}), 'fail'],
    ['the other refuses', forms({}, { status: 401 }), 'inconclusive'],
    ['the other alone', forms(gone, {}), 'untested'],
  ]);
}
