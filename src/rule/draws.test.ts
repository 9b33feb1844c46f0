import { expect, test } from 'vitest';
import { DEFAULT_SEED, UNSTRATIFIED_SEED } from '../contract/index.ts';
import { drawInTurn, drawOrder, sharesOf } from './draws.ts';

const itself = (item: string) => item;
const LISTS = [
  ['a1', 'a2', 'a3', 'a4', 'a5'],
  ['b1', 'b2', 'b3'],
  ['c1', 'c2', 'c3'],
];

test('a list is drawn at its beginning, its end and in the middle first', () => {
  const drawn = drawOrder(LISTS[0] as string[], itself, DEFAULT_SEED);
  expect(drawn.slice(0, 3)).toEqual(['a1', 'a5', 'a3']);
  expect(drawn.toSorted()).toEqual(LISTS[0]);
  expect(drawOrder(['x'], itself, DEFAULT_SEED)).toEqual(['x']);
  expect(drawOrder([], itself, DEFAULT_SEED)).toEqual([]);
  expect(drawOrder(['x', 'y', 'z'], itself, UNSTRATIFIED_SEED)).toEqual(['x', 'y', 'z']);
});

test('lists are drawn in turn: two of the first, then the beginning or the end of each', () => {
  expect(drawInTurn(LISTS, itself, DEFAULT_SEED, 'first').slice(0, 4)).toEqual(['a1', 'a5', 'b1', 'c3']);
  expect(drawInTurn(LISTS, itself, DEFAULT_SEED, 'last').slice(0, 4)).toEqual(['a5', 'b3', 'c3', 'a1']);
  expect(drawInTurn(LISTS, itself, UNSTRATIFIED_SEED, 'last').slice(0, 4)).toEqual(['a1', 'b1', 'c1', 'a2']);
  expect(drawInTurn(LISTS, itself, DEFAULT_SEED, 'first').toSorted()).toEqual(LISTS.flat());
});

test('each catalogue has a share of the nodes, and what one does not need goes to the others', () => {
  expect(sharesOf([20, 20, 20], 12)).toEqual([6, 3, 3]);
  expect(sharesOf([20, 20, 1], 12)).toEqual([8, 3, 1]);
  expect(sharesOf([20], 12)).toEqual([12]);
  expect(sharesOf([1, 20], 12)).toEqual([1, 11]);
  expect(
    sharesOf(
      Array.from({ length: 12 }, () => 9),
      4,
    ),
  ).toEqual([2, ...Array.from({ length: 11 }, () => 1)]);
  expect(sharesOf([], 12)).toEqual([]);
});
