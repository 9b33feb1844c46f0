/** JSON Pointers (RFC 6901), and their form as the fragment of a URI. */

/** @example stepsOf('/a~1b/0') // ['a/b', '0'] */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** @example pointerTo(['a/b', 0]) // '/a~1b/0' */
export const pointerTo = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const stepsOfFragment = (fragment: string): string[] => stepsOf(decodeURIComponent(fragment));

export const fragmentTo = (steps: readonly string[]): string =>
  pointerTo(steps).split('/').map(encodeURIComponent).join('/');

/** Returns the node at the steps; undefined if there is none. */
export function nodeAt(tree: unknown, steps: readonly (string | number)[]): unknown {
  let at = tree;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}
