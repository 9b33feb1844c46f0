/** Simple paths: names, indexes and wildcards, which need no JSONPath library. */

/** One step of a simple path: a member's name, an element's index (negative counts from the end), or every child. */
export type PathStep = string | number | typeof EVERY;

export const EVERY = Symbol('every child');

/**
 * Every node a simple path finds, in document order; agrees with RFC 9535.
 *
 * @example walk({ a: [1, 2] }, ['a', EVERY]) // [1, 2]
 */
export function walk(node: unknown, steps: readonly PathStep[]): readonly unknown[] {
  let nodes: unknown[] = [node];
  for (const step of steps) {
    if (step === EVERY) nodes = nodes.flatMap(childrenOf);
    else if (nodes.length === 1) {
      const child = childAt(nodes[0], step);
      if (child === undefined) return [];
      nodes[0] = child;
    } else nodes = nodes.map((each) => childAt(each, step)).filter((each) => each !== undefined);
  }
  return nodes;
}

function childrenOf(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Array.isArray(node) ? node : Object.values(node);
}

/** The child at a name or an index; `undefined` if there is none (decoded documents contain no `undefined`). */
export function childAt(node: unknown, step: string | number): unknown {
  if (typeof node !== 'object' || node === null) return undefined;
  if (typeof step === 'number') return Array.isArray(node) ? node.at(step) : undefined;
  if (Array.isArray(node) || !Object.hasOwn(node, step)) return undefined;
  return (node as Record<string, unknown>)[step];
}
