/** The kinds of findings: what is wrong, without the row, the value or the count that shows it. */
import type { Field } from '../contract/index.ts';
import { firstOfEach } from '../first-of-each.ts';

/** A length above this is no likely mistake of its own. */
const MAX_LENGTH = 20;

const UPC_LENGTH = 12;

const CHARACTER_CLASSES = [
  ['letters', /\p{L}/u],
  ['spaces', /[^\S\r\n]/],
  ['hyphens', /-/],
  ['controls', /\p{Cc}/u],
  ['other-digits', /(?![0-9])\p{N}/u],
  ['signs', /[^\p{L}\p{N}\p{Cc}\s-]/u],
] as const;

/**
 * What distinguishes a malformed UPC of a request from others: its number of digits, or the classes of its other characters.
 * @example upcShape('93000000099') // '11-digits'
 * @example upcShape('0-12345-67890-5') // 'hyphens'
 */
export function upcShape(text: string): string {
  if (text === '') return 'empty';
  if (/^[0-9]+$/.test(text)) return text.length > MAX_LENGTH ? 'many-digits' : `${text.length}-digits`;
  return CHARACTER_CLASSES.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : [])).join('-and-');
}

/** Lost zeros give UPCs of several lengths: of digits alone, only too few and too many differ. */
const digitsShape = (text: string): string | undefined =>
  /^[0-9]+$/.test(text) && text.length !== UPC_LENGTH
    ? `too-${text.length < UPC_LENGTH ? 'few' : 'many'}-digits`
    : undefined;

/**
 * The kind of a value that its converter does not accept: its type, for a UPC also its shape.
 * @example unconvertedKind('salesLastYear', 'n/a') // 'salesLastYear-text'
 */
export function unconvertedKind(field: Field, raw: unknown): string {
  if (raw === undefined) return `${field}-unreadable`;
  if (Array.isArray(raw)) return `${field}-list`;
  if (field === 'upc' && (typeof raw === 'string' || typeof raw === 'number'))
    return `upc-${typeof raw === 'number' ? 'number-' : ''}${digitsShape(String(raw)) ?? upcShape(String(raw))}`;
  return `${field}-${typeof raw === 'string' ? 'text' : typeof raw}`;
}

/** The first findings or breaches, at least one of each kind: `firstOfEach`. */
export const firstOfEachKind = <T extends { readonly kind: string }>(
  found: readonly T[],
  most?: number,
): readonly T[] => firstOfEach(found, ({ kind }) => kind, most);
