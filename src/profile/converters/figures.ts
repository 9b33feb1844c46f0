/** Numbers, money in dollars, percentages in percent (section 4.4 names the figures without a format). */
import { type Conversion, type Converter, converted, unconvertible } from './types.ts';

const DECIMAL = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;

/** Sign, parentheses and currency around an amount; what remains is the amount itself. */
const AMOUNT = /^([+-]?)(?:USD ?|US\$|\$)?([+-]?)([0-9.,]+)(-?)$/;

function readNumber(raw: unknown): Conversion {
  if (typeof raw === 'number') return Number.isFinite(raw) ? converted(raw) : unconvertible('not a finite number');
  const text = typeof raw === 'string' ? raw.trim() : '';
  if (!DECIMAL.test(text)) return unconvertible('not a plain decimal number');
  return readNumber(Number(text));
}

/** Moves the decimal point through the digits, because 0.07 × 100 is not 7 in binary arithmetic. */
function shift(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

function readShifted(raw: unknown, places: number): Conversion {
  const read = readNumber(raw);
  return 'value' in read ? readNumber(shift(read.value as number, places)) : read;
}

function readCents(raw: unknown): Conversion {
  const read = readNumber(raw);
  if ('value' in read && !Number.isSafeInteger(read.value)) return unconvertible('not a whole number of cents');
  return readShifted(raw, -2);
}

function readUsd(raw: unknown): Conversion {
  if (typeof raw !== 'string') return unconvertible('not an amount as text');
  const text = raw.trim();
  const inParentheses = /^\((.+)\)$/.exec(text)?.[1];
  const [, before, behind, amount = '', last = ''] = AMOUNT.exec(inParentheses ?? text) ?? [];
  const signs = `${before ?? ''}${behind ?? ''}${last}`;
  const grouped = /^[0-9]{1,3}(,[0-9]{3})*(\.[0-9]*)?$/.test(amount);
  if (!(grouped || DECIMAL.test(amount)) || signs.length > (inParentheses ? 0 : 1))
    return unconvertible('not an amount such as $1,234.50');
  const dollars = Number(amount.replaceAll(',', ''));
  return readNumber(inParentheses || signs === '-' ? negate(dollars) : dollars);
}

/** Object.is distinguishes minus zero from zero; return zero. */
const negate = (value: number) => (value === 0 ? 0 : -value);

function readDecimalComma(raw: unknown): Conversion {
  if (typeof raw === 'number') return readNumber(raw);
  const text = typeof raw === 'string' ? raw.trim().replace(/^([0-9].*)-$/, '-$1') : '';
  if (!/^[+-]?([0-9]{1,3}([. \u00a0\u202f][0-9]{3})+|[0-9]+)(,[0-9]+)?$/.test(text))
    return unconvertible('not a number such as 1.234,50');
  return readNumber(text.replace(/[. \u00a0\u202f]/g, '').replace(',', '.'));
}

function readPercentText(raw: unknown): Conversion {
  const [, open = '', inner = '', close = ''] =
    (typeof raw === 'string' && /^(\(?)([^()%]*?) ?%(\)?)$/.exec(raw.trim())) || [];
  const amount = /^[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$/.test(inner) ? inner.replaceAll(',', '') : inner;
  const read = readNumber(amount);
  const signed = /^[+-]/.test(amount);
  if (!('value' in read) || open.length !== close.length || (open && signed))
    return unconvertible('not a percentage such as -0.4%');
  return open ? converted(negate(read.value as number)) : read;
}

const money = ['money'] as const;
const percent = ['percent'] as const;

export const figureConverters = {
  number: {
    kinds: ['number', 'money', 'percent'],
    means: 'a JSON number, or a text such as -1234.50 or 1e3; dollars for money, 12.5 = 12.5 % for a percentage',
    read: readNumber,
  },
  amount: {
    kinds: money,
    means: 'a number of dollars or of cents, whichever: amounts of one service are compared with each other only',
    read: readNumber,
  },
  cents: { kinds: money, means: 'a whole number of cents', read: readCents },
  usd: { kinds: money, means: 'a text such as $1,234.50, -$3, (3.00) or 3.00-', read: readUsd },
  decimalComma: {
    kinds: ['number', 'money', 'percent'],
    means: 'a text such as 1.234,50, 1 234,50 or 3,00-',
    read: readDecimalComma,
  },
  fraction: { kinds: percent, means: 'a fraction of one: 0.125 is 12.5 %', read: (raw) => readShifted(raw, 2) },
  percentText: { kinds: percent, means: 'a text such as 12.5%, +3 % or (0.4%)', read: readPercentText },
} as const satisfies Record<string, Converter>;
