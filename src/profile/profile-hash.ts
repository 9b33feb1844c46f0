/** Identifies the data of a profile, to see whether two runs used the same one. */
import { createHash } from 'node:crypto';
import { formatLocation } from './profile-location.ts';
import type { Profile } from './schema.ts';

/** A value with its members in order of their names, so that the order in the file does not count. */
function canonical(
  value: unknown,
  textOf: (path: readonly PropertyKey[]) => string | undefined,
  path: PropertyKey[],
): unknown {
  if (typeof value === 'function') return String(value);
  if (value === null || typeof value !== 'object') return textOf(path) ?? value;
  if (Array.isArray(value)) return value.map((each, at) => canonical(each, textOf, [...path, at]));
  return Object.entries(value)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([key, each]) => [key, canonical(each, textOf, [...path, key])]);
}

/**
 * Returns the SHA-256 of a profile's data in hex. Credentials, limits and the values of environment variables do not
 * count: they differ between machines and decide nothing about what a profile describes.
 */
export function profileHash({ data, variables = [] }: Pick<Profile, 'data' | 'variables'>): string {
  const { auth: _, authFor: ___, limits: __, ...described } = data;
  const names = new Map(variables.map(({ name, path }) => [formatLocation(path), name]));
  const tree = canonical(described, (path) => names.get(formatLocation(path)), []);
  return createHash('sha256').update(JSON.stringify(tree)).digest('hex');
}
