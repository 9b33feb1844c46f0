/** The judges of rules about several jobs, unknown ids and states. */
import { expect } from 'vitest';
import { JOB_STATUS } from '../../src/contract/index.ts';
import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const subject = JOB_STATUS.drive;
const started = (jobId: string): FakeResponse => ({ rows: [{ jobId }], status: 202 });
const status = (jobId: string, of = jobId): FakeResponse => ({
  inputs: { jobId },
  rows: [{ jobId: of, state: 'running' }],
});
const unknown = (jobId: string, code = 404): FakeResponse => ({ inputs: { jobId }, status: code });
const two = { one: started('1'), other0: started('2') };

judgeCases('A.two-jobs', { subject }, [
  ['both known', { ...two, ofOne: status('1') }, 'pass', { evidence: { distinct: 2 } }],
  ['known at the second request', { ...two, ofOne: [unknown('1'), status('1')] }, 'pass'],
  [
    'the first job is lost',
    { ...two, ofOne: [unknown('1'), unknown('1')], ofOther0: status('2') },
    'fail',
    { findings: [{ kind: 'first-job-lost', exchange: '#ofOne-1' }] },
  ],
  [
    'the status of the second job',
    { ...two, ofOne: status('1', '2') },
    'fail',
    { findings: [{ kind: 'other-job', actual: 'the status of job 2' }] },
  ],
  ['no job is known', { ...two, ofOne: unknown('1'), ofOther0: unknown('2') }, 'inconclusive'],
  ['the same job twice', { ...two, other0: started('1'), ofOne: status('1') }, 'untested', /both requests/],
  ['a refused second start', { ...two, other0: { status: 409 }, ofOne: status('1') }, 'untested', /409/],
  ['a refused first start', { one: { status: 409 }, other0: started('2') }, 'untested'],
  ['a status that contains no id', { ...two, ofOne: { inputs: { jobId: '1' }, rows: [{ state: 'x' }] } }, 'pass'],
]);

const location = JOB_STATUS.location;
judgeCases('A.two-jobs', { subject: location }, [
  ['the job of another POST is known', { ...two, ofOne: status('1'), ofOther0: status('2') }, 'pass'],
  [
    'the job of another POST is unknown',
    { ...two, ofOne: status('1'), ofOther0: [unknown('2'), unknown('2')] },
    'fail',
    {
      findings: [
        { kind: 'started-job-unknown', expected: expect.stringContaining('POST /webservices/updateLocation started') },
      ],
    },
  ],
]);

const never = (code: number, rows: FakeResponse['rows'] = [{ state: 'done' }]): FakeResponse => ({
  inputs: { jobId: 'job-9' },
  status: code,
  rows: rows ?? [],
});
const jobOf = (jobId: string): FakeResponse => ({ rows: [{ jobId }] });
const twoKinds = { start: jobOf('job-1'), 'start location': jobOf('job-2') };
const ofForm = expect.stringContaining('(longer than the form job-0 of 2 listed values, none of which it equals)');
judgeCases('A.unknown-job', { subject }, [
  ['a status of no job', { never: never(200) }, 'fail: never-issued-known'],
  ['of another kind', { never: never(404), 'of kind location': never(200) }, 'fail: other-kind-known'],
  [
    'of another kind, with an id that this kind issued meanwhile',
    { never: never(404), 'of kind location': never(200), 'own jobs 0': { rows: [{ jobId: 'job-9' }] } },
    'pass',
  ],
  [
    'another status',
    { ...twoKinds, never: never(500) },
    'fail',
    { findings: [{ kind: 'status-500', expected: ofForm }] },
  ],
  [
    'another status, for an id whose form one id does not show',
    { start: jobOf('job-1'), never: never(500) },
    'untested',
  ],
  ['a refused format', { never: never(400) }, 'untested'],
  ['an empty 2xx', { never: never(200, []) }, 'untested'],
  ['no request', {}, 'untested', /jobs\.drive\.unknown/],
]);

const state = (text: string | null): FakeResponse => ({ inputs: { jobId: '1' }, rows: [{ jobId: '1', state: text }] });
const [queued, running, done] = [state('queued'), state('running'), state('done')];
const reads = (
  first: FakeResponse,
  second: FakeResponse,
  third: FakeResponse,
  later: FakeResponse | FakeResponse[] = [],
) => ({
  first,
  second,
  third,
  later,
});
const twoFinal = { jobs: { drive: { states: ['queued', 'running', 'done', 'failed'], final: ['done', 'failed'] } } };

judgeCases('A.state-listed', { subject }, [
  ['with white space around it', reads(state(' queued\n'), running, done, done), 'pass'],
  [
    'not listed',
    reads(queued, state('Running'), done, done),
    'fail',
    { findings: [{ actual: 'the state "Running"' }] },
  ],
]);

judgeCases('A.job-ends', { subject }, [
  ['not reached, and not yet waited', reads(queued, running, running, running), 'untested'],
  ['changed and back', reads(queued, done, running, done), 'inconclusive', /queued, done, running, done/],
  ['changed, and the end was not seen', reads(queued, done, running, running), 'inconclusive'],
  ['left in the last request', reads(queued, running, done, { ...running, exhausted: true }), 'inconclusive'],
  ['left for good', reads(queued, done, running, { ...running, exhausted: true }), 'fail'],
  ['unknown once after the end', reads(queued, running, done, unknown('1')), 'pass'],
  ['forgotten after the end', reads(running, done, unknown('1'), unknown('1')), 'inconclusive'],
  [
    'left, and requested again',
    { ...reads(queued, running, done, running), again: [running, running, { ...running, exhausted: true }] },
    'fail: final-changed',
  ],
]);
judgeCases('A.job-ends', { subject, profile: { jobs: { drive: { keepsFinal: true } } } }, [
  ['an error of the server after the end', reads(running, done, unknown('1', 500), unknown('1', 500)), 'inconclusive'],
  [
    'left once',
    reads(queued, done, running, done),
    'fail',
    { findings: [{ kind: 'final-changed', expected: expect.stringContaining('jobs.drive.keepsFinal') }] },
  ],
]);
judgeCases('A.job-ends', { subject, profile: { jobs: { drive: { keepsFinal: false } } } }, [
  ['forgotten after the end', reads(done, done, unknown('1'), unknown('1')), 'pass'],
]);
judgeCases('A.job-ends', { subject, profile: twoFinal }, [
  [
    'changed to another final state',
    reads(queued, done, state('failed'), done),
    'fail',
    { findings: [{ kind: 'final-changed', exchange: '#third-0' }] },
  ],
]);

judgeCases('A.job-ends', { subject, profile: { jobs: { drive: { keepsFinal: true } } } }, [
  [
    'forgotten after it was read in its final state twice',
    { ...reads(queued, running, done, done), kept: [done, unknown('1'), unknown('1'), unknown('1')] },
    'fail: forgotten',
  ],
]);

judgeCases('A.states-in-order', { subject }, [
  ['in order', reads(queued, running, done, done), 'pass', { evidence: { distinct: 3 } }],
  [
    'back and forth',
    reads(queued, done, running, done),
    'fail',
    { findings: [{ kind: 'state-earlier', actual: 'the state "running" after "done"', exchange: '#third-0' }] },
  ],
  ['a state that is not listed in between', reads(queued, state('paused'), running, done), 'pass'],
]);

judgeCases('A.job-ids-distinct', { subject }, [
  ['three ids', { start: started('0'), ...two }, 'pass', { evidence: { distinct: 3 } }],
  [
    'the id of a start of another rule',
    { start: started('0'), ...two, 'all: POST /webservices/drive': started('1') },
    'fail: same-id',
  ],
  [
    'further starts are refused',
    { start: started('0'), one: { status: 409 }, other0: { status: 409 } },
    'untested',
    /409/,
  ],
  ['no id', { start: { status: 202 }, one: { status: 202 }, other0: { status: 202 } }, 'untested'],
]);

const startedAt = (location: string | undefined): FakeResponse => ({
  ...started('1'),
  operation: 'POST /webservices/drive',
  headers: location === undefined ? [] : [['Location', location]],
});
const promised = { jobs: { drive: { locationIsStatus: true } } };
const statusPath = '/webservices/getDriveJobStatus';
judgeCases('A.job-location', { subject, profile: promised }, [
  ['relative to the request', { start: startedAt('getDriveJobStatus?id=1') }, 'pass'],
  ['with another host and prefix', { start: startedAt(`https://internal:8443/v2${statusPath}/?id=1`) }, 'pass'],
  ['of another kind', { start: startedAt('/webservices/getReportJobStatus?id=1') }, 'fail: location-elsewhere'],
  ['missing', { start: startedAt(undefined) }, 'fail: location-missing'],
  ['no address', { start: startedAt('http://[') }, 'fail'],
  ['a refused start', { start: { status: 409 } }, 'untested'],
]);
