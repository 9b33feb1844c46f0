import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const auth = { scheme: 'apiKey', in: 'header', name: 'X-Key', value: 'k' };
const open: FakeResponse = { rows: [{ category: 'Tea' }] };

const STATUS = 'GET /webservices/getReportJobStatus';
const LEVELS = 'POST /data-access/v1/Catalogue/Group/Levels';
const started: FakeResponse = { rows: [{ state: 'done' }] };

judgeCases('every.credentials-required', { subject: STATUS, profile: { auth, authRequired: ['A'] } }, [
  ['the status of a started job is shown', { start: {}, own: started, refused: started }, 'fail'],
]);
judgeCases(
  'every.credentials-required',
  { subject: LEVELS, profile: { auth, authRequired: ['B'], examples: { dimension: null, group: null } } },
  [['ids of a walk, refused', { own: open, refused: { status: 403 } }, 'pass']],
);

for (const [rule, profile] of [
  ['every.credentials-required', { auth, authRequired: ['C'] }],
  ['every.credentials-separate', { auth, authFor: { D: { ...auth, value: 'd' } }, authSeparate: ['C'] }],
  ['every.credentials-verified', { auth, authVerified: ['C'] }],
  ['every.credentials-limited', { auth, authFor: { limited: { ...auth, value: 'l' } }, authLimited: ['C'] }],
] as const)
  judgeCases(rule, { subject: CATEGORIES, profile }, [
    ['a page without rows', { own: open, refused: { body: 'Log in' } }, 'inconclusive'],
    ['no response', { own: open, refused: { status: null } }, 'inconclusive'],
    ['the own credentials are refused', { own: { status: 403 }, refused: { status: 401 } }, 'untested'],
  ]);

judgeCases('every.credentials-verified', { subject: CATEGORIES, profile: { auth, authVerified: ['C'] } }, [
  ['no request had invented credentials, as in a recording', { own: open }, 'untested'],
]);
