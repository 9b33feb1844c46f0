/** Shapes in words. */
import { short } from './classes.ts';
import { type Shape, TYPES } from './shape.ts';

/** Some of all, as it is told. */
export const of = (some: number, all: number): string => (all === 1 && some === 1 ? '1' : `${some} of ${all}`);

/** What stands at a place, in a word or an example. */
export function example(shape: Shape, other?: Shape): string {
  const value = (other && shape.sample.besides(other.sample)) ?? shape.sample.any;
  if (value !== undefined) return short(shape.count('text') > 0 ? JSON.stringify(value) : value);
  const type = TYPES.find((each) => shape.count(each) > 0);
  return type === 'list' ? 'a list' : type === 'object' ? 'an object' : shape.nulls > 0 ? 'null' : 'nothing';
}

/** All types met. */
export const typesOf = (shape: Shape): string => TYPES.filter((each) => shape.count(each) > 0).join(' or ');

/** A value, where there is one. */
export const exampleValue = (shape: Shape, other?: Shape): string =>
  shape.count('object') + shape.count('list') > 0 && shape.sample.any === undefined ? '' : example(shape, other);
