import type { Day, Figure } from '../../model/types.ts';

/** `14.11.2026`; an absent or invalid day is empty. */
export function europeanDay(day: Day | undefined): string {
  if (day === undefined || !Number.isFinite(day)) return '';
  const date = new Date(0);
  date.setUTCDate(day + 1);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.${date.getUTCFullYear()}`;
}

/** `1.234,50`; a text of a fault stays unchanged, and an absent figure is an empty cell. */
export function money(figure: Figure): string {
  if (typeof figure !== 'number') return figure ?? '';
  const [whole = '', cents = ''] = Math.abs(figure).toFixed(2).split('.');
  return `${figure < 0 ? '-' : ''}${whole.replace(/\B(?=(...)+$)/g, '.')},${cents}`;
}

/** `-12,5 %`. */
export const formatPercent = (figure: Figure): string =>
  typeof figure === 'number' ? `${String(figure).replace('.', ',')} %` : (figure ?? '');

/** A UPC as a number, without leading zeros. An invalid UPC stays a text. */
export const upcNumber = (upc: string): number | string => (/^[0-9]{12}$/.test(upc) ? Number(upc) : upc);

export type Cells = readonly (string | undefined)[];

/** CSV lines separated by CRLF. Cells with a delimiter, a quote or a line break are quoted. */
export function* lines(delimiter: string, header: Cells, rows: Iterable<Cells>): Generator<string> {
  const line = (cells: Cells): string =>
    cells
      .map((cell = '') => (/["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(delimiter);
  yield line(header);
  for (const row of rows) yield `\r\n${line(row)}`;
}
