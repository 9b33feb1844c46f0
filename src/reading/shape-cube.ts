/** Rows of a cube: values in the order of its axes, as in JSON-stat and SDMX-JSON. */
import type { RowShape } from '../profile/schema.ts';
import { BodyError } from './problem.ts';

interface Axis {
  readonly name: string;
  readonly positions: readonly unknown[];
}

const wrong = (why: string) => new BodyError('rowsNotFound', `the cube of values ${why}`);

/** The positions of an axis: the nodes, the elements of a list, or the names of a map, in the order of its indexes if it has any. */
function positionsOf(found: readonly unknown[]): readonly unknown[] {
  const [only] = found;
  if (found.length !== 1 || typeof only !== 'object' || only === null) return found;
  if (Array.isArray(only)) return only;
  const entries = Object.entries(only);
  const isIndexed = entries.every(([, index]) => Number.isInteger(index));
  return (isIndexed ? entries.toSorted(([, x], [, y]) => x - y) : entries).map(([position]) => position);
}

/** The index of each axis for an index of the values; the last axis is the fastest. */
function indexesOf(index: number, axes: readonly Axis[]): number[] {
  let rest = index;
  return axes
    .toReversed()
    .map(({ positions }) => {
      const at = rest % positions.length;
      rest = Math.floor(rest / positions.length);
      return at;
    })
    .toReversed();
}

/** The values of series, with the key of each and its own key as one key. */
function seriesEntries(node: object, member: string, separator: string): [string, unknown][] {
  return Object.entries(node).flatMap(([key, series]) => {
    const values =
      typeof series === 'object' && series !== null ? (series as Record<string, unknown>)[member] : undefined;
    if (typeof values !== 'object' || values === null) return [];
    return Object.entries(values).map(([own, value]): [string, unknown] => [`${key}${separator}${own}`, value]);
  });
}

/** One row per value that is not null, with the position of each axis by its name, and `value`. */
export function cubeRows(
  node: unknown,
  found: readonly { readonly name: string; readonly found: readonly unknown[] }[],
  { separator, series }: Pick<NonNullable<RowShape['cube']>, 'separator' | 'series'>,
): Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) throw wrong('is neither a list nor a map');
  const axes = found.map(({ name, found: nodes }): Axis => ({ name, positions: positionsOf(nodes) }));
  const empty = axes.find(({ positions }) => positions.length === 0);
  const entries = series === undefined ? Object.entries(node) : seriesEntries(node, series, separator ?? '');
  if (entries.length === 0) return [];
  if (empty) throw wrong(`has ${entries.length} values, but no position on the axis ${empty.name}`);
  const size = axes.reduce((product, { positions }) => product * positions.length, 1);
  return entries.flatMap(([key, value]) => {
    if (value === null) return [];
    const indexes =
      separator === undefined || Array.isArray(node) ? indexesOf(Number(key), axes) : key.split(separator).map(Number);
    const isInside =
      indexes.length === axes.length &&
      indexes.every((index, at) => index >= 0 && index < (axes[at] as Axis).positions.length) &&
      (separator !== undefined || (Number(key) >= 0 && Number(key) < size));
    if (!isInside)
      throw wrong(
        `has a value at ${JSON.stringify(key)}, but its axes have ${axes.map(({ positions }) => positions.length).join(' × ')} positions`,
      );
    return [
      Object.fromEntries([
        ...axes.map(({ name, positions }, at) => [name, positions[indexes[at] as number]] as const),
        ['value', value] as const,
      ]),
    ];
  });
}
