import { describe, expect, test } from 'vitest';
import { allHeaders, firstHeader, linkOf, mediaTypeOf } from './headers.ts';

const lines = [
  ['X-A', '1'],
  ['x-b', '2'],
  ['x-a', '3'],
] as const;

test('lines are found in any case of letters, in order', () => {
  expect(firstHeader(lines, 'X-a')).toBe('1');
  expect(allHeaders(lines, 'x-A')).toEqual(['1', '3']);
  expect(firstHeader(lines, 'x-c')).toBeUndefined();
  expect(allHeaders(lines, 'x-c')).toEqual([]);
});

describe('mediaTypeOf', () => {
  test.each([
    ['application/json', { type: 'application/json' }],
    ['Application/JSON; Charset="UTF-8"', { type: 'application/json', charset: 'UTF-8' }],
    ['text/plain;format=flowed ; charset=latin1 ', { type: 'text/plain', charset: 'latin1' }],
    ['text/plain; charset=', { type: 'text/plain' }],
    ['', { type: '' }],
  ])('%s', (value, expected) => {
    expect(mediaTypeOf([['Content-Type', value]])).toEqual(expected);
  });

  test('is empty without a Content-Type', () => {
    expect(mediaTypeOf([])).toEqual({ type: '' });
  });
});

describe('linkOf', () => {
  const of = (...values: string[]) =>
    linkOf(
      values.map((value) => ['Link', value] as const),
      'next',
    );
  test.each([
    ['<http://h/?page=2>; rel="next"', 'http://h/?page=2'],
    ['</a,b>; rel=prev, </c>; title="x, y; rel=z"; rel=next', '/c'],
    ['</c>; rel="prev NEXT"', '/c'],
    ['</c>; rel="nextish"', undefined],
    ['</c>; title="a \\" b, <d>"; rel=next', '/c'],
    ['</c>; title="a \\\\"; rel=next', '/c'],
    ['</c>; crossorigin; rel=next', '/c'],
    [', </b>; rel=prev,, </c>; rel=next', '/c'],
    ['</c>; title*=x; rel=next', '/c'],
    ['</c>; rel=prev; rel=next', undefined],
    ['</c>', undefined],
    ['nonsense', undefined],
  ])('%s leads to %s', (value, target) => {
    expect(of(value)).toBe(target);
  });

  test('parses a hostile line in linear time', () => {
    // Were the time more than linear in the length, this would not end within the time limit of a test.
    for (const part of ['<', '<>;', '<a>;b ', '<a>;b="', '<a>;b="\\"', '<a>;b=\\"', '<a>;b="\\\\'])
      expect(of(part.repeat(1_000_000 / part.length))).toBeUndefined();
  });

  test('searches all lines', () => {
    expect(of('</a>; rel=prev', '</b>; rel=next')).toBe('/b');
  });
});
