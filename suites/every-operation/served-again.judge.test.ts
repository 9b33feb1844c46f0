import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const TEST = 'GET /webservices/testService';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const ok: FakeResponse = {};
const status = (code: number): FakeResponse => ({ status: code });
const calls = (...responses: FakeResponse[]) =>
  Object.fromEntries(responses.map((response, at) => [`call ${at + 1}`, response]));

const others = (...responses: FakeResponse[]) =>
  Object.fromEntries(responses.map((response, at) => [`other: ${'BC'[at]}`, response]));

judgeCases('every.served-again', { subject: TEST }, [
  ['each time', calls(ok, ok, ok), 'pass', { evidence: { exchanges: 3 } }],
  ['the second is unknown', calls(ok, status(404), ok), 'fail: status-404'],
  ['the first is gone', calls(status(410), ok, ok), 'fail: status-410'],
  ['a limit of requests', calls(ok, ok, status(429)), 'pass'],
  ['one only, then a refusal', calls(ok, status(409), status(409)), 'inconclusive'],
  [
    'an error at the end, as of all operations',
    { ...calls(ok, ok, status(500)), ...others(status(500)) },
    'inconclusive',
  ],
  ['an error now and then', { ...calls(ok, status(500), ok), ...others(ok) }, 'inconclusive'],
  [
    'errors only, after an equal request of another rule',
    { ...calls(status(500), status(500), status(500)), ...others(ok), all: ok },
    'fail (profile)',
  ],
  ['an error of an equal request of another rule', { ...calls(ok, ok, ok), all: [ok, status(500)] }, 'inconclusive'],
  ['only errors', { ...calls(status(500), status(500), status(500)), ...others(ok) }, 'untested'],
]);

judgeCases('every.served-again', { subject: LOOKUP }, [
  ['a product that is delisted meanwhile', calls(ok, ok, status(404)), 'inconclusive'],
  ['another method', calls(ok, status(405), ok), 'fail'],
]);

judgeCases('every.served-again', { subject: 'POST /webservices/drive' }, [
  ['a second start that is refused', calls(ok, status(409)), 'untested'],
  ['a second start that fails', { ...calls(ok, status(500)), ...others(ok) }, 'fail (profile)'],
]);
