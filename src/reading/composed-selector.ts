/** Values that are composed of what selectors find: names of members, several parts of a text, scaled numbers. */
import type { FieldBinding } from '../profile/schema.ts';
import { compileSelector, type Selector, type StatusAndHeaders } from '../profile/selector.ts';
import { textOfElement } from './element-text.ts';

type Find = (node: unknown, head: StatusAndHeaders) => readonly unknown[];
const scalarOf = (node: unknown): unknown => textOfElement(node) ?? node;
const isMissing = (node: unknown): boolean => node === undefined || node === null || node === '';

const memberNames = (node: unknown): readonly unknown[] =>
  typeof node === 'object' && node !== null && !Array.isArray(node) ? Object.keys(node) : [node];

/** The values of a list in one text; a node that is no text is unchanged. */
function splitText(node: unknown, separator: string): readonly unknown[] {
  const text = scalarOf(node);
  if (typeof text !== 'string') return [node];
  return text
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** A number with this many decimals; a node that is no number is unchanged, so that its converter describes it. */
function scaled(node: unknown, decimals: unknown): unknown {
  const [number, digits] = [scalarOf(node), Number(scalarOf(decimals))];
  const isNumber =
    typeof number === 'number' || (typeof number === 'string' && /^-?\d+(?:\.\d+)?$/.test(number.trim()));
  if (!isNumber || isMissing(decimals) || !Number.isInteger(digits)) return node;
  // A power of ten as text: 1234 with 2 decimals is 12.34, without a rounding error.
  return Number(`${String(number).trim()}e${-digits}`);
}

/**
 * The selector of a field with its `keys`, `append`, `split` and `decimals`. A text of several parts is missing if one part is.
 * @param functionScope what selector functions are applied to
 */
export function composedSelector(
  { at, keys, append, separator = '', split, decimals }: FieldBinding,
  functionScope: 'row' | 'response',
): Selector {
  const selector = compileSelector(at, functionScope);
  if (!keys && !append && split === undefined && decimals === undefined) return selector;
  let find: Find = (node, head) => selector.select(node, head);
  if (keys) find = (node, head) => selector.select(node, head).flatMap(memberNames);
  if (split !== undefined) find = (node, head) => selector.select(node, head).flatMap((each) => splitText(each, split));
  if (append) {
    const parts = append.map((each) => compileSelector(each, functionScope));
    find = (node, head) => {
      const found = [selector, ...parts].flatMap((each) => each.select(node, head).slice(0, 1).map(scalarOf));
      return found.length <= parts.length || found.some(isMissing) ? [] : [found.join(separator)];
    };
  }
  if (decimals !== undefined) {
    const [unscaled, count] = [
      find,
      typeof decimals === 'number' ? undefined : compileSelector(decimals, functionScope),
    ];
    find = (node, head) =>
      unscaled(node, head).map((each) => scaled(each, count ? count.select(node, head)[0] : decimals));
  }
  // Nodes of other selectors may be anywhere in the response; in a row, a path would be read without `find`.
  const isPath = selector.scope === 'response' && append === undefined && typeof decimals !== 'string';
  const { steps: _, stream: __, ...plain } = selector;
  return { ...(isPath ? selector : plain), singular: selector.singular && !keys && split === undefined, select: find };
}
