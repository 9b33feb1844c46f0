/** A short picture of what a body holds, for messages: shape and names, hardly any values. */

/** @example sketch({ data: { items: [{ gtin: '1' }, { gtin: '2' }] } }) // '{ data: { items: [ 2 × { gtin: "1" } ] } }' */
export function sketch(value: unknown, depth = 4): string {
  const text = draw(value, depth);
  return text.length > 300 ? `${text.slice(0, 297)}…` : text;
}

function draw(value: unknown, depth: number): string {
  if (typeof value === 'string')
    return value.length > 12 ? `${JSON.stringify(value.slice(0, 8)).slice(0, -1)}…"` : JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return depth === 0 ? `[ ${value.length} × … ]` : `[ ${value.length} × ${draw(value[0], depth - 1)} ]`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  if (depth === 0) return '{ … }';
  const shown = members.slice(0, 8).map(([name, each]) => `${name}: ${draw(each, depth - 1)}`);
  return `{ ${shown.join(', ')}${members.length > 8 ? ', …' : ''} }`;
}
