import { expect } from 'vitest';
import { JOB_STATUS } from '../../src/contract/index.ts';
import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const subject = JOB_STATUS.drive;
const START = 'POST /webservices/drive';
const told = (state: string | null, jobId: string | null = '7'): FakeResponse => ({
  inputs: { jobId: '7' },
  rows: [{ state, jobId }],
});
const withoutState: FakeResponse = { inputs: { jobId: '7' } };
const unsuccessful: FakeResponse = { inputs: { jobId: '7' }, status: 404 };
const retryLater: FakeResponse = { ...unsuccessful, headers: [['Retry-After', '5']] };
const garbled: FakeResponse = { ...told('x'), problem: { kind: 'syntax', message: 'no JSON' } };
const reads = (first: FakeResponse, second: FakeResponse, third: FakeResponse) => ({ first, second, third });
const fields = (operation: string, patch: object | null) => ({
  operations: { [operation]: { response: { fields: patch } } },
});

judgeCases('A.job-status', { subject }, [
  [
    'an error now and then in the requests of other rules',
    { ...reads(told('queued'), told('running'), told('done')), all: [told('done'), { ...told('done'), status: 500 }] },
    'inconclusive',
    { since: '0.2.0' },
  ],
  ['not known at once', reads(unsuccessful, told('running'), told('done')), 'pass', { evidence: { rows: 2 } }],
  [
    'once only',
    reads(told('done'), unsuccessful, unsuccessful),
    'fail',
    {
      findings: [
        {
          expected: expect.stringContaining('job 7'),
          actual: expect.stringMatching(/^1 times; another time status 404/),
          exchange: '#second-0',
        },
      ],
    },
  ],
  ['never', reads(unsuccessful, unsuccessful, unsuccessful), 'fail (profile)'],
  ['at last: whether it lasts was not seen', reads(unsuccessful, withoutState, told('done')), 'inconclusive'],
  ['never, but asked to come back later', reads(unsuccessful, unsuccessful, retryLater), 'inconclusive'],
  ['known, then to come back later', reads(told('done'), retryLater, retryLater), 'fail'],
  ['empty always', reads(withoutState, withoutState, withoutState), 'pass'],
  ['garbled', reads(told('done'), garbled, garbled), 'inconclusive'],
  [
    'of another job',
    reads(told('done'), told('done', '8'), told('done')),
    'fail',
    { findings: [{ actual: 'the status of job 8', exchange: '#second-0' }] },
  ],
  ['no job', {}, 'untested'],
]);
judgeCases('A.job-status', { subject, profile: { jobs: { drive: { start: null, example: '7' } } } }, [
  ['an example never known', reads(unsuccessful, unsuccessful, unsuccessful), 'fail'],
  ['an example known at last', reads(unsuccessful, unsuccessful, told('done')), 'fail'],
]);
judgeCases('A.job-status', { subject, profile: fields(subject, { jobId: null }) }, [
  ['of another job, where the profile reads none', reads(told('done'), told('done', '8'), told('done')), 'pass'],
]);

judgeCases('A.job-state', { subject }, [
  ['told', reads(told('done'), unsuccessful, unsuccessful), 'pass', { evidence: { exchanges: 1, distinct: 1 } }],
  ['told at last', reads(unsuccessful, withoutState, told('done')), 'pass'],
  ['told once, then not', reads(told('done'), told(null), told(null)), 'pass'],
  ['none', reads(told(null), told(null), told(null)), 'fail (profile)', { findings: [{ exchange: '#first-0' }] }],
  ['refused', reads(unsuccessful, unsuccessful, unsuccessful), 'inconclusive', /404/],
  ['garbled', reads({ ...garbled, rows: [] }, unsuccessful, unsuccessful), 'inconclusive', { because: 'no JSON' }],
  ['no job', {}, 'untested'],
]);

judgeCases('A.job-state', { subject, profile: fields(subject, { state: { required: true } }) }, [
  ['required, and told once only', reads(told('done'), told(null), told('done')), 'fail (profile)'],
  ['required, and told where it is known', reads(unsuccessful, told('done'), told('done')), 'pass'],
]);

judgeCases('A.job-started', { subject }, [
  ['an id', { start: { rows: [{ jobId: '7' }] } }, 'pass', { evidence: { exchanges: 1, distinct: 1 } }],
  [
    'a required id missing',
    { start: { rows: [{ jobId: null }] } },
    'fail',
    { findings: [{ expected: expect.stringContaining('@.jobId') }] },
  ],
]);
judgeCases('A.job-started', { subject, profile: fields(START, { jobId: { required: null } }) }, [
  ['an id that is not required missing', { start: {} }, 'inconclusive'],
]);

judgeCases('A.filters-listed', {}, [
  [
    'id and name',
    {
      list: {
        rows: [
          { id: 'a', name: 'A' },
          { id: 'b', name: 'A' },
        ],
      },
    },
    'pass',
    { evidence: { rows: 2, distinct: 2 } },
  ],
  [
    'one without the id they must have',
    { list: { rows: [{ id: 'a', name: 'A' }, { name: 'B' }] } },
    'fail (profile)',
    { findings: [{ expected: expect.stringContaining('@.id'), row: 1 }] },
  ],
  [
    'neither',
    { list: { rows: [{}] } },
    'fail (profile)',
    { findings: [{ expected: expect.stringContaining('@.name'), actual: 'missing in all 1 rows' }] },
  ],
  ['an empty list', { list: {} }, 'untested'],
]);
judgeCases(
  'A.filters-listed',
  { profile: fields('GET /webservices/getAllProspectFilters', { id: { required: null } }) },
  [['names alone', { list: { rows: [{ name: 'A' }, { name: 'B' }] } }, 'pass', { evidence: { distinct: 2 } }]],
);
const listed = (...ids: string[]): FakeResponse => ({ rows: ids.map((id) => ({ id, name: id })) });
judgeCases('A.filters-listed', {}, [
  [
    'another list for a later request',
    { list: listed('a', 'b'), all: [listed('a', 'b'), listed('a', 'b'), listed('a')] },
    'inconclusive',
    { since: '0.2.0', because: expect.stringContaining('the list changed during the run') },
  ],
  ['another list each time', { list: listed('a'), all: [listed('a'), listed('b'), listed('c')] }, 'pass'],
  ['a later request that is refused', { list: listed('a'), all: [listed('a'), listed('a'), { status: 429 }] }, 'pass'],
]);
judgeCases('A.filters-listed', { profile: fields('GET /webservices/getAllProspectFilters', { name: null }) }, [
  ['no id', { list: { rows: [{}] } }, 'fail (profile)', { findings: [{ expected: expect.stringContaining('@.id') }] }],
]);

judgeCases('A.saved-id', {}, [
  ['an id', { response: { rows: [{ id: 'm' }] } }, 'pass', { evidence: { rows: 1 } }],
  ['an id once for the answer', { response: { values: { id: ['m'] } } }, 'pass'],
  ['none', { response: { rows: [{ id: null }], values: { id: [null] } } }, 'fail (profile)'],
  ['none in a later response', { response: { rows: [{ id: 'm' }] }, all: [{ rows: [{ id: 'm' }] }, {}] }, 'pass'],
]);
judgeCases('A.saved-id', { profile: fields('GET /webservices/getSaveMap', { id: { at: '@.id', required: true } }) }, [
  [
    'none in a later response, although it is required',
    { response: { rows: [{ id: 'm' }] }, all: [{ rows: [{ id: 'm' }] }, {}] },
    'fail (profile)',
    { findings: [{ kind: 'id-missing', exchange: '#all-1', since: '0.2.0' }] },
  ],
  ['a later request that is refused', { response: { rows: [{ id: 'm' }] }, all: { status: 404 } }, 'pass'],
]);

const paths = (final: FakeResponse, tested = final) => ({
  before: { status: 404 },
  tested,
  ...(tested !== final && { followedTested: final }),
  after: { status: 404 },
  final,
});
judgeCases('A.test-service', {}, [
  ['2xx', paths({}), 'pass', { note: 'status 200', evidence: { exchanges: 3 } }],
  ['500', paths({ status: 500 }), 'fail'],
  ['401', paths({ status: 401 }), 'inconclusive'],
]);
