/** Describes shapes in words. */
import { shorten } from './classes.ts';
import { type Shape, TYPES } from './shape.ts';

/** Formats a count, e.g. `3 of 100`. */
export const formatCount = (some: number, all: number): string => (all === 1 && some === 1 ? '1' : `${some} of ${all}`);

/** The content of a place: an example, or a word for its type. */
export function example(shape: Shape, other?: Shape): string {
  const value = (other && shape.sample.valueMissingFrom(other.sample)) ?? shape.sample.any;
  if (value !== undefined) return shorten(shape.count('text') > 0 ? JSON.stringify(value) : value);
  const type = TYPES.find((each) => shape.count(each) > 0);
  return type === 'list' ? 'a list' : type === 'object' ? 'an object' : shape.nulls > 0 ? 'null' : 'nothing';
}

/** All types at a place. */
export const typesOf = (shape: Shape): string => TYPES.filter((each) => shape.count(each) > 0).join(' or ');

/** An example value, '' if there is none. */
export const exampleValue = (shape: Shape, other?: Shape): string =>
  shape.count('object') + shape.count('list') > 0 && shape.sample.any === undefined ? '' : example(shape, other);
