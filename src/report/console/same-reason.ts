/** Finds what several results or findings have in common: texts that differ only in the operation, a row or a value. */
import { isOperationKey } from '../../contract/index.ts';

const withoutOperations = (text: string, replacement: string): string =>
  text.replace(/\b(?:GET|POST) \/[^\s:,;)]+/g, (key) => (isOperationKey(key) ? replacement : key));

/** Request ids and the operations they belong to, at the beginning of a reason. */
const REQUEST = /^#\d+ (?:(?:GET|POST) \/\S+: )?/;

/**
 * A reason without the operation and the request it is about.
 * @example sharedReason('#80 GET /webservices/testService: status 401') // 'status 401'
 */
export const sharedReason = (text: string): string => withoutOperations(text.replace(REQUEST, ''), 'the operation');

/**
 * The kind of a text: equal for texts that differ only in operations, quoted values and words with digits, such as rows,
 * counts and ids. Statuses count.
 * @example kindOfText('row 3: upc is "93"') === kindOfText('row 7: upc is "94"') // true
 */
export const kindOfText = (text: string): string =>
  withoutOperations(text, '…')
    .replace(/"[^"]*"|“[^“”]*”/g, '""')
    .replace(/(?<!status )(?<![\w.#-])[\w.#-]*\d[\w.-]*/g, '0');
