import { expect, test } from 'vitest';
import { OPERATIONS } from '../src/contract/index.ts';
import { route } from './router.ts';

test.each(OPERATIONS.map((each) => each.key))('the path of %s matches its operation', (key) => {
  const { method, path } = OPERATIONS.find((each) => each.key === key)!;
  const request = { method, path: path.replace('{upc}', '042100000177') };
  expect(route(request)).toMatchObject({ kind: 'operation', operation: { key } });
});

test('a known path with another method is a wrong method, including HEAD and OPTIONS', () => {
  for (const method of ['POST', 'HEAD', 'OPTIONS', 'PUT', 'get']) {
    expect(route({ method, path: '/webservices/testService' })).toEqual({ kind: 'wrongMethod', allow: ['GET'] });
  }
  expect(route({ method: 'GET', path: '/webservices/drive' })).toEqual({ kind: 'wrongMethod', allow: ['POST'] });
});

test.each([
  '',
  '/',
  '/webservices/testService/',
  '/webservices/testservice',
  '//webservices/testService',
  '/webservices/v1/testService',
  '/webservices/../webservices/testService',
  '/webservices/testServic%65',
  '/data-access/Catalogues',
  '/platformapi/prodRef/v1/allProducts',
  '/PLATFORMAPI/prodRef/v2/allProducts',
  '/PLATFORMAPI/prodRef/v1/products',
  '/PLATFORMAPI/prodRef/v1/products/',
  '/PLATFORMAPI/prodRef/v1/products/{upc}',
  '/PLATFORMAPI/prodRef/v1/products/042100000177/',
  '/PLATFORMAPI/prodRef/v1/product/042100000177',
])('%s leads nowhere', (path) => {
  expect(route({ method: 'GET', path })).toEqual({ kind: 'unknownPath' });
});

test.each([
  ['042100000177', '042100000177'],
  ['%30%34', '04'],
  ['%2542', '%42'],
  ['1%2F2', '1/2'],
  ['1%0A', '1\n'],
  ['1%00', '1\0'],
  ['%EF%BC%90', '０'],
  ['%zz', '%zz'],
  ['+1', '+1'],
])('the path parameter %s is decoded once to %j', (sent, upc) => {
  expect(route({ method: 'GET', path: `/PLATFORMAPI/prodRef/v1/products/${sent}` })).toMatchObject({ upc });
});
