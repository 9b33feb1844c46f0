/** Shapes rows while the body arrives, where the form of the rows permits it. */
import { EVERY } from '../profile/path-steps.ts';
import type { RowShape } from '../profile/schema.ts';
import type { Selector } from '../profile/selector.ts';
import type { Media } from './media.ts';
import { elementsOf, namedCells, withMembers } from './shape-rows.ts';

interface StreamShaper {
  /** The rows of the reader are `[name, value]`. */
  readonly withMemberNames: boolean;
  /** The rows of some nodes; called with all nodes in order. */
  readonly shape: (nodes: readonly unknown[]) => readonly unknown[];
}

/** A selector that a reader applies to the whole document only. */
export function withoutSegments({ steps: _, stream: __, ...selector }: Selector): Selector {
  return selector;
}

/** The shaper of a body; undefined if its rows need the whole document. */
export function streamShape(shape: RowShape, { steps = [] }: Selector, media: Media): StreamShaper | undefined {
  const { keys = [], columns, ...others } = shape;
  if (Object.keys(others).length > 0 || steps.at(-1) !== EVERY) return undefined;
  if (columns === 'first') {
    let names: readonly unknown[] | undefined;
    const shapeCells = (nodes: readonly unknown[]) => {
      const cells = names ? nodes : nodes.slice(1);
      names ??= elementsOf([nodes[0] ?? []]);
      return cells.map((each) => namedCells(names ?? [], each));
    };
    return { withMemberNames: false, shape: (nodes) => (nodes.length === 0 ? [] : shapeCells(nodes)) };
  }
  if (columns !== undefined || keys.length !== 1 || media !== 'json') return undefined;
  return {
    withMemberNames: true,
    shape: (nodes) =>
      nodes.map((entry) => withMembers((entry as [string, unknown])[1], keys, [(entry as [string])[0]])),
  };
}
