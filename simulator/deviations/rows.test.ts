import { expect, test } from 'vitest';
import { mapRows } from '../model/iterable.ts';
import { changeLast, dropLast, filterRows, firstRow, joinRows, repeatLast } from './places.ts';

const list = [1, 2, 3];
const none: number[] = [];

test('each function changes the rows that its name states', () => {
  expect([...changeLast(list, (each) => each * 10)]).toEqual([1, 2, 30]);
  expect([...dropLast(list)]).toEqual([1, 2]);
  expect([...repeatLast(list)]).toEqual([1, 2, 3, 3]);
  expect([...mapRows(list, (each) => -each)]).toEqual([-1, -2, -3]);
  expect([...filterRows(list, (each) => each !== 2)]).toEqual([1, 3]);
  expect([...joinRows(list, none, [4])]).toEqual([1, 2, 3, 4]);
  expect(firstRow(list, (each) => each > 1)).toBe(2);
});

test('an empty list stays empty', () => {
  for (const rows of [
    changeLast(none, (each) => each),
    dropLast(none),
    repeatLast(none),
    filterRows(none, () => true),
  ]) {
    expect([...rows]).toEqual([]);
  }
  expect(firstRow(none)).toBeUndefined();
});

test('lists are lazy and can be iterated twice', () => {
  let reads = 0;
  const rows = dropLast(
    mapRows(list, (each) => {
      reads += 1;
      return each;
    }),
  );
  expect(reads).toBe(0);
  expect([...rows]).toEqual([...rows]);
  expect(reads).toBe(6);
});
