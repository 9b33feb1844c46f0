/** Hides values of a service that may be secret or licensed: what is left is how they are written. */
import { isPlainObject } from '../../profile/plain-object.ts';

const shapeOf = (text: string): string =>
  text
    .replace(/\p{Nd}/gu, '#')
    .replace(/\p{Lu}/gu, 'X')
    .replace(/(?!X)[\p{L}\p{M}]/gu, 'x');

/**
 * Formats a value with `#` for each digit and `x` for each letter.
 * @example maskedValue({ brand: 'Sun', sales: 12.5 }) // '{ brand: "Xxx", sales: ##.# }'
 */
export function maskedValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shapeOf(value));
  if (Array.isArray(value)) return `[${value.map(maskedValue).join(', ')}]`;
  if (!isPlainObject(value)) return typeof value === 'number' ? shapeOf(String(value)) : String(value);
  const members = Object.entries(value).map(([name, each]) => `${name.replace(/\p{Nd}/gu, '#')}: ${maskedValue(each)}`);
  return `{ ${members.join(', ')} }`;
}

/**
 * Masks what a sentence quotes: values of a service are in “ ”.
 * @example maskedQuotes('“012345678905” converts') // '“############” converts'
 */
export const maskedQuotes = (sentence: string): string => sentence.replace(/“[^”]*”/g, (quote) => shapeOf(quote));
