/** From raw nodes to neutral rows and values, through the profile's bindings. */
import { FIELDS, type Field } from '../contract/index.ts';
import { type ConverterName, converterFor } from '../profile/converters.ts';
import type { FieldBinding } from '../profile/schema.ts';
import { type AnswerHead, compileSelector, type Selector } from '../profile/selector.ts';
import { type Cell, type Row, Unconverted } from './types.ts';

export interface BoundField {
  readonly field: Field;
  readonly selector: Selector;
  readonly as: ConverterName | undefined;
}

/** Compiles the bindings of a response; each selector's scope says whether it is read per row or once. */
export function bindFields(fields: { readonly [F in Field]?: FieldBinding }): {
  perRow: BoundField[];
  once: BoundField[];
} {
  const bound = (Object.entries(fields) as [Field, FieldBinding][]).map(([field, binding]) => ({
    field,
    selector: compileSelector(binding.at),
    as: binding.as,
  }));
  return {
    perRow: bound.filter((each) => each.selector.scope === 'row'),
    once: bound.filter((each) => each.selector.scope !== 'row'),
  };
}

/** One node as a cell. Money from a float never becomes text on the way: numbers stay numbers. */
export function toCell(field: Field, as: ConverterName | undefined, node: unknown): Cell {
  const { kind } = FIELDS[field];
  if (node === undefined || node === null || kind === 'list') return node as Cell;
  const result = converterFor(kind, as).read(node);
  return 'value' in result ? result.value : new Unconverted(node, result.why);
}

function cellOf({ field, selector, as }: BoundField, node: unknown, head: AnswerHead): Cell {
  const nodes = selector.select(node, head);
  if (FIELDS[field].kind === 'list') return nodes;
  if (nodes.length > 1) return new Unconverted(nodes, `${nodes.length} nodes stand where one value is read`);
  return toCell(field, as, nodes[0]);
}

/** A row of the fields bound to it. */
export function toRow(perRow: readonly BoundField[], node: unknown, head: AnswerHead): Row {
  const row: { [F in Field]?: Cell } = {};
  for (const bound of perRow) row[bound.field] = cellOf(bound, node, head);
  return row;
}

/** Every node of the fields that stand once for the answer. */
export function toValues(
  once: readonly BoundField[],
  document: unknown,
  head: AnswerHead,
): { [F in Field]?: readonly Cell[] } {
  return Object.fromEntries(
    once.map((bound) => {
      const nodes = bound.selector.select(document, head);
      return [
        bound.field,
        FIELDS[bound.field].kind === 'list' ? [nodes] : nodes.map((node) => toCell(bound.field, bound.as, node)),
      ];
    }),
  );
}

/**
 * An order-independent digest: two answers with the same rows in any order have the same one. Two 32-bit lanes are
 * added up per row, so it needs no memory.
 */
export class Digest {
  #low = 0;
  #high = 0;

  add(value: unknown): void {
    const text = JSON.stringify(value) ?? '';
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x5bd1e995) + i;
    }
    this.#low = (this.#low + (low >>> 0)) % 0x1_0000_0000;
    this.#high = (this.#high + (high >>> 0)) % 0x1_0000_0000;
  }

  get text(): string {
    return this.#low.toString(16).padStart(8, '0') + this.#high.toString(16).padStart(8, '0');
  }
}

/** Adds up the digests of pages. */
export function addDigests(digests: readonly string[]): string {
  const lane = (from: number) =>
    digests.reduce((sum, digest) => (sum + Number.parseInt(digest.slice(from, from + 8), 16)) % 0x1_0000_0000, 0);
  return [lane(0), lane(8)].map((each) => each.toString(16).padStart(8, '0')).join('');
}
