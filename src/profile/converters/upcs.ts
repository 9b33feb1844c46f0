/** UPCs: 12 digits (sections 4.3 and 8). The check digit is not part of the rule, so it is not checked here. */
import { isUpc } from '../../contract/index.ts';
import { type Conversion, type Converter, converted, unconvertible } from './types.ts';

const DIGITS = /^[0-9]+$/;

/** A JSON integer loses its leading zeros; so may a text of digits in a format that has only texts. */
function pad(raw: unknown): Conversion {
  const digits = typeof raw === 'number' && Number.isSafeInteger(raw) ? String(raw) : raw;
  if (typeof digits !== 'string' || !DIGITS.test(digits)) return unconvertible('not a whole number');
  return digits.length <= 12
    ? converted(digits.padStart(12, '0'))
    : unconvertible(`has ${digits.length} digits, a UPC has 12`);
}

function readStrict(raw: unknown): Conversion {
  if (typeof raw !== 'string') return unconvertible('not a text of 12 digits');
  return isUpc(raw) ? converted(raw) : unconvertible('not exactly 12 ASCII digits');
}

/** A GTIN contains the UPC after leading zeros; any other leading digit identifies another article. */
function readPrefixed(raw: unknown, zeros: string): Conversion {
  const length = zeros.length + 12;
  if (typeof raw !== 'string' || raw.length !== length || !DIGITS.test(raw))
    return unconvertible(`not a text of ${length} digits`);
  return raw.startsWith(zeros)
    ? converted(raw.slice(zeros.length))
    : unconvertible(`does not begin with ${zeros}, so it is not the GTIN of a 12-digit UPC`);
}

function readSeparated(raw: unknown): Conversion {
  if (typeof raw !== 'string' || !/^[0-9]([ -]?[0-9])*$/.test(raw))
    return unconvertible('not digits with spaces or hyphens between them');
  return readStrict(raw.replace(/[ -]/g, ''));
}

const kinds = ['upc'] as const;

export const upcConverters = {
  upc: { kinds, means: 'a text of exactly 12 digits', read: readStrict },
  upcNumber: { kinds, means: 'a whole number, or its digits, without the leading zeros', read: pad },
  upcOrNumber: {
    kinds,
    means: 'a text of exactly 12 digits, or a JSON number without the leading zeros',
    read: (raw) => (typeof raw === 'number' ? pad(raw) : readStrict(raw)),
  },
  gtin13: { kinds, means: 'a text of 13 digits, the first 0', read: (raw) => readPrefixed(raw, '0') },
  gtin14: { kinds, means: 'a text of 14 digits, the first two 0', read: (raw) => readPrefixed(raw, '00') },
  upcSeparated: { kinds, means: '12 digits with single spaces or hyphens between them', read: readSeparated },
} as const satisfies Record<string, Converter>;
