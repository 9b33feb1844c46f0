/** A short summary of a body for messages: structure and names, and only the beginning of values. */

const MAX_LENGTH = 300;
const MAX_MEMBERS = 8;

/**
 * Summarises a value in at most 300 characters. Lists show their length and first element; values are cut to four characters,
 * because responses contain licensed data and messages are shared.
 *
 * @example summariseValue({ items: [{ gtin: '012345678905' }, { gtin: '036000291452' }] }) // '{ items: [ 2 × { gtin: "0123…" } ] }'
 */
export function summariseValue(value: unknown): string {
  const text = format(value, 4);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

function format(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, 4));
  if (typeof value === 'number') return cut(String(value), 4);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[ ${value.length} × ${depth === 0 ? '…' : format(value[0], depth - 1)} ]`;
  }
  const names = Object.keys(value);
  if (names.length === 0) return '{}';
  if (depth === 0) return '{ … }';
  const members = names
    .slice(0, MAX_MEMBERS)
    .map((name) => `${cut(name, 24)}: ${format((value as Record<string, unknown>)[name], depth - 1)}`);
  const more = names.length > MAX_MEMBERS ? [`… ${names.length - MAX_MEMBERS} more`] : [];
  return `{ ${[...members, ...more].join(', ')} }`;
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
