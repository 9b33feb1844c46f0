/** Writing an invented number the way the true one was written. */

/** What decides how a wire value spells a figure. */
export type FigureFormat = 'number' | 'cents' | 'usd' | 'decimalComma' | 'fraction' | 'percentText';

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

function decimalsIn(text: string, spelling: FigureFormat): number {
  const core = CORE.exec(text)?.[0] ?? '';
  const mark = spelling === 'decimalComma' && !/^-?\d+\.\d+$/.test(text) ? ',' : '.';
  const at = core.lastIndexOf(mark);
  return at < 0 ? 0 : core.length - at - 1;
}

/** Decimals of the neutral value, dollars or percent, that this spelling shows. */
export const shownDecimals = (raw: string, spelling: FigureFormat): number =>
  Math.max(0, decimalsIn(raw, spelling) + SHIFT[spelling]);

/** Moves the decimal point through the digits, because 0.07 × 100 is not 7 in binary arithmetic. */
const shifted = (value: number, places: number): number => Number(`${value}e${places}`);

/**
 * @param raw the text that stood there, without quotes
 * @param isNumber whether it is a number of JSON
 * @example spellLike(-2345.6, '($1,200.00)', 'usd', false) // '($2,345.60)'
 */
export function formatLike(value: number, raw: string, spelling: FigureFormat, isNumber: boolean): string {
  const wire = shifted(value, SHIFT[spelling]);
  if (isNumber || /\de[+-]?\d/i.test(raw)) {
    const text = String(wire);
    return text.includes('e') ? wire.toFixed(6) : text;
  }
  const core = CORE.exec(raw)?.[0];
  if (core === undefined) return String(wire);
  const [point, groups] = spelling === 'decimalComma' ? [',', /[. \u00a0\u202f]/] : ['.', /,/];
  const own = String(Math.abs(wire)).split('.')[1]?.length ?? 0;
  const digits = Math.abs(wire).toFixed(Math.max(own, decimalsIn(raw, spelling)));
  const [whole = '', rest = ''] = digits.split('.');
  const group = groups.exec(core)?.[0];
  const grouped = group ? whole.replace(/\B(?=(?:\d{3})+$)/g, group) : whole;
  const written = rest === '' ? grouped : `${grouped}${point}${rest}`;
  const before = raw.slice(0, raw.indexOf(core));
  const behind = raw.slice(raw.indexOf(core) + core.length);
  const isSigned = /[-(]/.test(before);
  if (wire >= 0 === !isSigned || wire === 0) return `${before}${written}${behind}`;
  // Rounding may have changed the sign of a change next to nothing.
  return wire < 0 ? `-${before.replace('+', '')}${written}${behind}` : written + behind.replace(')', '');
}
