import type { Selector, StatusAndHeaders } from '../../profile/selector.ts';

export interface Location {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly value: unknown;
}

function* leavesOf(node: unknown): Generator<Location> {
  if (typeof node !== 'object' || node === null) return;
  const holder = node as Record<string, unknown>;
  const keys = Array.isArray(node) ? node.keys() : Object.keys(holder);
  for (const key of keys as Iterable<string>) {
    const value = holder[key];
    if (typeof value === 'object') yield* leavesOf(value);
    else yield { holder, key, value };
  }
}

/** Another value of the same type. */
const differentValue = (value: unknown): unknown => (typeof value === 'number' ? value + 0.5 : `${String(value)}1`);

/**
 * Returns the location; `missing` where the selector finds nothing or null; `unclear` where it finds several values, or
 * one that does not occur unchanged. Of several equal values the right one is found by changing each in turn.
 */
export function locate(row: unknown, selector: Selector, head: StatusAndHeaders): Location | 'missing' | 'unclear' {
  const found = selector.select(row, head);
  const [value] = found;
  if (value === undefined || value === null || value === '') return 'missing';
  if (found.length > 1) return 'unclear';
  if (typeof value === 'object') {
    const element = value as Record<string, unknown>;
    return typeof element['#text'] === 'string'
      ? { holder: element, key: '#text', value: element['#text'] }
      : 'unclear';
  }
  for (const leaf of leavesOf(row)) {
    if (leaf.value !== value) continue;
    const changed = differentValue(value);
    leaf.holder[leaf.key] = changed;
    const [now] = selector.select(row, head);
    leaf.holder[leaf.key] = value;
    if (now === changed) return leaf;
  }
  return 'unclear';
}
