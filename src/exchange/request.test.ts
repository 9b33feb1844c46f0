import { expect, test } from 'vitest';
import { startsIn } from '../profile/job-starts.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { buildRequest } from './request.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const of = (yaml: string) => parseProfile(`name: t\n${yaml}`, 't.yaml', {});

test('a prefix is inserted between the base address and the documented path; an operation’s prefix overrides its group’s', () => {
  const profile = of(`prefixes: { C: /reference, "${BULK}": /bulk/eu }`);
  const url = (key: typeof BULK | typeof CATEGORIES | 'GET /webservices/testService', path?: string) =>
    buildRequest('http://h/api/', key, profile, {}, path === undefined ? {} : { path }).url;
  expect(url(CATEGORIES)).toBe('http://h/api/reference/PLATFORMAPI/prodRef/v1/allCategories');
  expect(url(BULK)).toBe('http://h/api/bulk/eu/PLATFORMAPI/prodRef/v1/allProducts');
  expect(url(BULK, '/PLATFORMAPI/prodRef/allProducts')).toBe('http://h/api/bulk/eu/PLATFORMAPI/prodRef/allProducts');
  expect(url('GET /webservices/testService')).toBe('http://h/api/webservices/testService');
});

test.each(['retail', '/retail/', '/a b', '/a?b', '/'])('the prefix %j is refused', (prefix) => {
  expect(() => of(`prefixes: { C: ${JSON.stringify(prefix)} }`)).toThrow(/t\.yaml.*prefixes.*must be a path such as/s);
});

test('an operation the profile excepts from authentication is requested without credentials, and so are its variants', () => {
  const profile = of(`auth: { scheme: bearer, token: tttt }\nauthExcept: ["${CATEGORIES}"]`);
  const anonymous = (key: typeof BULK | typeof CATEGORIES, path?: string) =>
    buildRequest('http://h', key, profile, {}, path === undefined ? {} : { path }).anonymous ?? false;
  expect([anonymous(CATEGORIES), anonymous(CATEGORIES, '/else'), anonymous(BULK)]).toEqual([true, true, false]);
  const alias = buildRequest('http://h', CATEGORIES, profile, {}, { path: '/else', withCredentials: true });
  expect(alias.anonymous).toBeUndefined();
});

test.each([
  ['query', 'query: { job: "{jobId}" }', ({ url }: Sent) => new URL(url).searchParams.get('job')],
  ['headers', 'headers: { X-Job: "{jobId}" }', ({ headers }: Sent) => headers.find(([name]) => name === 'X-Job')?.[1]],
  ['json', 'json: { job: "{jobId}" }', ({ text }: Sent) => JSON.parse(text).job],
  ['form', 'form: { job: "{jobId}" }', ({ text }: Sent) => new URLSearchParams(text).get('job')],
  ['xml', 'xml: "<j>{jobId}</j>"', ({ text }: Sent) => unescapeXml(text.slice(3, -4))],
])('an id of any characters is encoded once in %s', (place, template, read) => {
  const status = 'POST /webservices/drive';
  const profile = of(`operations: { "${status}": { request: { ${template} } } }`);
  const unusual = [
    'a b/c%2Fd+e',
    '?&=#;,"<\'>\\',
    'http://h/jobs/17?x=%20',
    '{{jobId}}',
    ...(place === 'headers' ? ['é'] : ['é中😀', '%']),
  ];
  for (const jobId of unusual) {
    const { url, headers, body, unsendable } = buildRequest('http://h', status, profile, { jobId });
    expect(unsendable).toBeUndefined();
    expect(read({ url, headers, text: new TextDecoder().decode(body) })).toBe(jobId);
  }
});

interface Sent {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescapeXml = (text: string): string => text.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '');

test('a start of a job may have its own request', () => {
  const profile = of(
    'jobs: { report: { start: [{ operation: POST /webservices/executeReport, request: { json: { n: 2 } } }] } }',
  );
  const [start] = startsIn(profile.data.jobs?.report?.start);
  const { body } = buildRequest(
    'http://h',
    'POST /webservices/executeReport',
    profile,
    {},
    { request: start?.request ?? {} },
  );
  expect(new TextDecoder().decode(body)).toBe('{"n":2}');
});

test.each([
  ['final: [over], states: [done]', /jobs\.drive\.final.*“over” is not one of states/s],
  ['patienceSeconds: 5', /jobs\.drive\.patienceSeconds.*set final/s],
  ['start: []', /jobs\.drive\.start/],
])('jobs.drive with %s is refused', (statements, message) => {
  expect(() => of(`jobs: { drive: { ${statements} } }`)).toThrow(message);
});
