import { expect, test } from 'vitest';
import { closestWord, didYouMean, didYouMeanOperation, suggestionFor } from './did-you-mean.ts';

test.each([
  ['a swapped pair', 'nmae', 'name'],
  ['a swapped pair in three letters', 'tow', 'two'],
  ['a swapped pair in upper case', 'CATEGROY', 'category'],
  ['a missing letter', 'nam', 'name'],
  ['an extra letter', 'autth', 'auth'],
  ['a wrong letter', 'suth', 'auth'],
  ['the word itself', 'auth', 'auth'],
])('%s: “%s” suggests “%s”', (_, word, nearest) => {
  expect(closestWord(word, ['auth', 'two', 'name', 'category'])).toBe(nearest);
});

test.each(['', 'a', 'otw', 'xy', 'upc', 'x'.repeat(1_000_000)])('%.20s suggests nothing far away', (word) => {
  expect(closestWord(word, ['name', 'three', 'url'])).toBeUndefined();
});

test('a suggestion is a part of a sentence', () => {
  expect(didYouMean('nmae', ['name'])).toBe(' (did you mean “name”?)');
  expect(didYouMean('gtin', ['name'])).toBe('');
});

test.each([
  ['url', 'base-url'],
  ['base', undefined],
  ['or', undefined],
  ['SAFE', 'safety'],
  ['x'.repeat(1_000_000), undefined],
])('%.20s suggests the only word that contains it: %s', (word, suggestion) => {
  expect(suggestionFor(word, ['base-url', 'base-path', 'report', 'safety'])).toBe(suggestion);
});

test.each([
  ['allProducts', 'GET /PLATFORMAPI/prodRef/v1/allProducts'],
  ['POST /PLATFORMAPI/prodRef/v2/allProduct', 'GET /PLATFORMAPI/prodRef/v1/allProducts'],
  ['get /platformapi/prodref/v1/products/012345678905', 'GET /PLATFORMAPI/prodRef/v1/products/{upc}'],
  ['GET /PLATFORMAPI/prodRef/allProducts', 'GET /PLATFORMAPI/prodRef/v1/allProducts'],
  ['POST /data-access/Catalogue/Dimension/Rows', 'POST /data-access/v1/Catalogue/Dimension/Rows'],
  ['/webservices/mapexport', 'POST /webservices/mapExport'],
  ['Catalogue/Dimension/Group', 'POST /data-access/v1/Catalogue/Dimension/Groups'],
])('%s means the operation %s', (operation, key) => {
  expect(didYouMeanOperation(operation)).toBe(` (did you mean “${key}”?)`);
});

test.each(['', 'GET', 'GET /orders', '/'.repeat(1_000_000)])('%.20s means no operation', (operation) => {
  expect(didYouMeanOperation(operation)).toBe('');
});
