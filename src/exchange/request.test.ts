import { expect, test } from 'vitest';
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
