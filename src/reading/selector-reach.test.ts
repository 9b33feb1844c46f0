import { describe, expect, it } from 'vitest';
import { compileSelector } from '../profile/selector.ts';
import { countRows } from './selector-reach.ts';

describe('the number of rows a selector needs', () => {
  it.each<[string, number | undefined]>([
    ['$.meta.asOf', 0],
    ['$.data.total', 0],
    ['$.data[0]', 0],
    ['$response.header.Date', 0],
    ['$.data.items.length', 0],
    ['$.data.items[0].market', 1],
    ['$.data.items[7]', 8],
    ['$.*.items[0].market', 1],
    ['$.data.items[100]', undefined],
    ['$.data.items[-1]', undefined],
    ['$.data.items[*].market', undefined],
    ['$.data.items', undefined],
    ['$.data', undefined],
    ['$', undefined],
    ['$..asOf', undefined],
    ['$.meta[?@.x].y', undefined],
    ['$response.body#/data/items/0/market', undefined],
  ])('%s over the rows $.data.items[*]: %s', (source, count) => {
    expect(countRows([compileSelector(source)], ['data', 'items'])).toBe(count);
  });

  it('is the greatest count, and 0 without selectors', () => {
    const selectors = ['$.a[2]', '$.a[0]', '$.b'].map((source) => compileSelector(source));
    expect(countRows(selectors, ['a'])).toBe(3);
    expect(countRows([], ['a'])).toBe(0);
    expect(countRows([...selectors, compileSelector(() => 1)], ['a'])).toBeUndefined();
  });

  it.each<[string, number | undefined]>([
    ['$.items[0].total[0]', 0],
    ['$.items[1].item[3].name', 0],
    ['$.items[0].item[3].name', 4],
    ['$.items[*].item[0]', 1],
    ['$.items[-1].item[0]', 1],
    ['$.items[-1].item[-1]', undefined],
    ['$.items[0]', undefined],
  ])('%s over the rows of the XML $.items[0].item[*]: %s', (source, count) => {
    expect(countRows([compileSelector(source)], ['items', 0, 'item'])).toBe(count);
  });

  it('works for a list at the root', () => {
    expect(countRows([compileSelector('$[0].m')], [])).toBe(1);
    expect(countRows([compileSelector('$[*].m')], [])).toBeUndefined();
  });
});
