/** Formats an invented number like the original one. */
import type { figureConverters } from '../../profile/converters/figures.ts';

/** The formats of figures on the wire. */
export type FigureFormat = keyof typeof figureConverters;

/** Decimal places between the wire and the neutral value. */
const SHIFT: Readonly<Record<FigureFormat, number>> = {
  number: 0,
  cents: 2,
  usd: 0,
  decimalComma: 0,
  fraction: -2,
  percentText: 0,
};

const CORE = /\d[\d.,\u00a0\u202f ']*\d|\d|\.\d+/;

function decimalsIn(text: string, format: FigureFormat): number {
  const core = CORE.exec(text)?.[0] ?? '';
  const mark = format === 'decimalComma' && !/^-?\d+\.\d+$/.test(text) ? ',' : '.';
  const at = core.lastIndexOf(mark);
  return at < 0 ? 0 : core.length - at - 1;
}

/** The number of decimals of the neutral value, dollars or percent, in this format. */
export const shownDecimals = (raw: string, format: FigureFormat): number =>
  Math.max(0, decimalsIn(raw, format) + SHIFT[format]);

/** Moves the decimal point through the digits, because 0.07 × 100 is not 7 in binary arithmetic. */
const shifted = (value: number, places: number): number => Number(`${value}e${places}`);

/**
 * Formats a value like an original text.
 * @param raw the original text, without quotes
 * @param isNumber whether it is a number of JSON
 * @example formatLike(-2345.6, '($1,200.00)', 'usd', false) // '($2,345.60)'
 */
export function formatLike(value: number, raw: string, format: FigureFormat, isNumber: boolean): string {
  const wire = shifted(value, SHIFT[format]);
  if (isNumber || /\de[+-]?\d/i.test(raw)) {
    const text = String(wire);
    return text.includes('e') ? wire.toFixed(6) : text;
  }
  const core = CORE.exec(raw)?.[0];
  if (core === undefined) return String(wire);
  const [point, groups] = format === 'decimalComma' ? [',', /[. \u00a0\u202f]/] : ['.', /,/];
  const ownDecimals = String(Math.abs(wire)).split('.')[1]?.length ?? 0;
  const digits = Math.abs(wire).toFixed(Math.max(ownDecimals, decimalsIn(raw, format)));
  const [integerPart = '', fractionPart = ''] = digits.split('.');
  const group = groups.exec(core)?.[0];
  const grouped = group ? integerPart.replace(/\B(?=(?:\d{3})+$)/g, group) : integerPart;
  const written = fractionPart === '' ? grouped : `${grouped}${point}${fractionPart}`;
  const before = raw.slice(0, raw.indexOf(core));
  const after = raw.slice(raw.indexOf(core) + core.length);
  const isSigned = /[-(]/.test(before);
  if (wire >= 0 === !isSigned || wire === 0) return `${before}${written}${after}`;
  // Rounding may change the sign of a value near zero.
  return wire < 0 ? `-${before.replace('+', '')}${written}${after}` : written + after.replace(')', '');
}
