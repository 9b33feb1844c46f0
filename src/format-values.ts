/** Values in sentences: numbers with nouns, dates, sizes. */

/**
 * A number with its noun.
 * @example counted(2, 'check') // '2 checks'
 */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * The date of a time in ISO 8601.
 * @example dateText('2026-11-14T08:00:00Z') // '2026-11-14'
 */
export const dateText = (time: string): string => time.slice(0, 10);

/**
 * A size in words, in units of 1000.
 * @example sizeText(1500) // '1.5 kB'
 */
export const sizeText = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** A value of a service in a sentence, cut to 40 characters; it is printed like all text of others. */
export const quoted = (text: string): string => `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;
