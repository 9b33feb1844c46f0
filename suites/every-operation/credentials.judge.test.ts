import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const refused: FakeResponse = { status: 403 };
const profile = { authCovers: ['C'], statuses: { unauthorized: [419] } };

judgeCases('every.credentials', { subject: CATEGORIES, profile }, [
  ['refused, while another operation accepts them', { own: refused, control0: {}, again: refused }, 'fail'],
  ['refused with a status of the profile', { own: { status: 419 }, control1: {}, again: { status: 419 } }, 'fail'],
  ['refused everywhere', { own: refused, control0: refused, control1: refused, again: refused }, 'inconclusive'],
  ['refused once', { own: refused, control0: {}, again: {} }, 'inconclusive'],
  [
    'refused with a limit of requests',
    { own: { ...refused, headers: [['Retry-After', '60']] }, control0: {}, again: refused },
    'inconclusive',
  ],
  ['another error', { own: { status: 500 } }, 'untested'],
  ['no response', { own: { status: null } }, 'inconclusive'],
  [
    'a response that is cut',
    { own: { problem: { kind: 'truncated', message: 'the body ends early' } } },
    'inconclusive',
  ],
]);

const STATUS = 'GET /webservices/getReportJobStatus';
judgeCases('every.credentials', { subject: STATUS, profile: { authCovers: ['A'] } }, [
  ['the status of a started job', { start: {}, own: {} }, 'pass'],
]);
