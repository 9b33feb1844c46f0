import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const TEST = 'GET /webservices/testService';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const ok: FakeResponse = {};
const status = (code: number): FakeResponse => ({ status: code });
const calls = (...responses: FakeResponse[]) =>
  Object.fromEntries(responses.map((response, at) => [`call ${at + 1}`, response]));

judgeCases('every.served-again', { subject: TEST }, [
  ['each time', calls(ok, ok, ok), 'pass', { evidence: { exchanges: 3 } }],
  ['the second is unknown', calls(ok, status(404), ok), 'fail', { findings: [{ kind: 'status-404' }] }],
  ['the first is gone', calls(status(410), ok, ok), 'fail', { findings: [{ kind: 'status-410' }] }],
  ['the last has another method', calls(ok, ok, status(405)), 'fail', { findings: [{ kind: 'status-405' }] }],
  ['a limit of requests', calls(ok, ok, status(429)), 'pass'],
  ['one only, then a duplicate', calls(ok, status(409), status(409)), 'untested'],
  ['never', calls(status(404), status(404), status(404)), 'untested'],
]);

judgeCases('every.served-again', { subject: LOOKUP }, [
  ['a product that is delisted meanwhile', calls(ok, ok, status(404)), 'inconclusive'],
  ['another method', calls(ok, status(405), ok), 'fail'],
]);
