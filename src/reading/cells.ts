/** From raw nodes to neutral rows and values, through a profile's bindings. */
import { FIELDS, type Field } from '../contract/index.ts';
import { CONVERTERS, type Converter, converterFor } from '../profile/converters.ts';
import { compilePattern, PatternLimitError } from '../profile/pattern/index.ts';
import type { FieldBinding } from '../profile/schema.ts';
import { type AnswerHead, childAt, compileSelector, type Selector } from '../profile/selector.ts';
import { errorLine } from './problem.ts';
import { type Cell, type Row, Unconverted } from './types.ts';

export type FieldBindings = { readonly [F in Field]?: FieldBinding };

/** From a node to a value. */
interface Reader {
  readonly converter: Converter;
  /** Texts that stand where there is no value. */
  readonly missing?: ReadonlySet<string>;
}

export interface BoundField extends Reader {
  readonly field: Field;
  readonly selector: Selector;
  /** Reads the field of one row; throws what a selector given as a function throws. */
  readonly read: (node: unknown, head: AnswerHead) => Cell;
}

/** The fields of a row, and a row that holds none of them yet: a copy of it is cheaper than one that grows. */
export interface BoundRow {
  readonly fields: readonly BoundField[];
  readonly blank: Row;
}

/**
 * Compiles the bindings of a response; a selector's scope says whether it is read per row or once per answer.
 *
 * @param functionScope what selectors given as functions are applied to
 */
export function bindFields(
  fields: FieldBindings,
  functionScope: 'row' | 'answer',
): { readonly perRow: BoundRow; readonly once: readonly BoundField[] } {
  const bound = (Object.entries(fields) as [Field, FieldBinding][]).map(([field, binding]): BoundField => {
    const selector = compileSelector(binding.at, functionScope);
    const reader: Reader = {
      converter: cutOut(converterFor(FIELDS[field].kind, binding.as), binding.match, `response.fields.${field}.match`),
      ...(binding.missing && { missing: new Set(binding.missing) }),
    };
    return { field, selector, ...reader, read: readerOf(field, selector, reader) };
  });
  const { row = [], once = [] } = Object.groupBy(bound, ({ selector }) => (selector.scope === 'row' ? 'row' : 'once'));
  const blank: Row = Object.fromEntries(row.map(({ field }) => [field, undefined]));
  return { perRow: { fields: row, blank }, once };
}

/** A converter that is given the part of a text the profile's pattern matches, such as the id at the end of a Location. */
function cutOut(converter: Converter, match: string | undefined, key: string): Converter {
  if (match === undefined) return converter;
  const pattern = compilePattern(match, { key });
  return {
    ...converter,
    read(raw) {
      const part = pattern.cut(String(raw));
      return part === undefined ? { why: `nothing in it matches ${match}` } : converter.read(part);
    },
  };
}

/** How a field is read from a row. Most columns of a bulk list are plain members, which need no list of nodes. */
function readerOf(field: Field, selector: Selector, reader: Reader): BoundField['read'] {
  if (FIELDS[field].kind === 'list') return (node, head) => listOf(selector, node, head);
  const [name, ...deeper] = selector.steps ?? [];
  if (typeof name === 'string' && deeper.length === 0) {
    // Decoded objects inherit nothing but these names: any other need not be looked for among their own.
    const isInherited = name in Object.prototype;
    return (node) => {
      if (isInherited || typeof node !== 'object' || node === null || Array.isArray(node))
        return convert(reader, childAt(node, name));
      return convert(reader, (node as Readonly<Record<string, unknown>>)[name]);
    };
  }
  return (node, head) => {
    const nodes = selector.select(node, head);
    if (nodes.length > 1) return new Unconverted(nodes, `${nodes.length} nodes stand where one value is read`);
    return convert(reader, nodes[0]);
  };
}

/** A row of the fields bound to it; `node` is what the rows selector found. */
export function toRow({ fields, blank }: BoundRow, node: unknown, head: AnswerHead): Row {
  const row: { [F in Field]?: Cell } = { ...blank };
  for (const bound of fields) {
    // A selector given as a function is the profile's code; its failure is no value, and no failure of ours.
    try {
      row[bound.field] = bound.read(node, head);
    } catch (error) {
      row[bound.field] = failed(error);
    }
  }
  return row;
}

/** The fields that stand once for the answer: a cell for each node found, one cell for a list. */
export function toValues(
  once: readonly BoundField[],
  document: unknown,
  head: AnswerHead,
): { [F in Field]?: readonly Cell[] } {
  const values: { [F in Field]?: readonly Cell[] } = {};
  for (const bound of once) {
    try {
      values[bound.field] = valuesOf(bound, document, head);
    } catch (error) {
      values[bound.field] = [failed(error)];
    }
  }
  return values;
}

function valuesOf(bound: BoundField, document: unknown, head: AnswerHead): readonly Cell[] {
  if (FIELDS[bound.field].kind !== 'list') {
    return bound.selector.select(document, head).map((node) => convert(bound, node));
  }
  const list = listOf(bound.selector, document, head);
  return list === undefined ? [] : [list];
}

/**
 * The one conversion of a node. Nothing and null stay what they are; a blank text is null, as it is the only null that
 * some formats know: no name, id or figure is blank.
 */
function convert({ converter, missing }: Reader, found: unknown): Cell {
  const node = typeof found === 'object' ? (textOfElement(found) ?? found) : found;
  if (node === undefined || node === null) return node;
  if (typeof node === 'string') {
    if (isBlank(node) || missing?.has(node.trim())) return null;
    if (converter === CONVERTERS.text) return node;
  }
  const result = converter.read(node);
  return 'value' in result ? result.value : new Unconverted(node, result.why);
}

/** Whether nothing but blanks stands in a text; the first character tells it of most. */
const isBlank = (text: string): boolean =>
  !(text.charCodeAt(0) > 0x20 && text.charCodeAt(0) < 0x7f) && text.trim() === '';

/** The text of an XML element that holds nothing else but attributes. */
export function textOfElement(node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !('#text' in node)) return undefined;
  return Object.keys(node).every((name) => name === '#text' || name.startsWith('@')) ? node['#text'] : undefined;
}

/**
 * Characteristics may be a list, a map or pairs (section 4.3 shows none of it): a selector that finds one list or one map
 * means its elements, a map's as [name, value]; one that finds several nodes means them.
 */
function listOf(selector: Selector, node: unknown, head: AnswerHead): Cell {
  const nodes = selector.select(node, head);
  const [only] = nodes;
  if (nodes.length === 0) return !selector.singular && selector.holderExists(node, head) ? [] : undefined;
  if (!selector.singular) return nodes;
  if (only === null || Array.isArray(only)) return only as Cell;
  return typeof only === 'object' ? Object.entries(only as object) : nodes;
}

/** @throws PatternLimitError, for that tells nothing of the value */
function failed(error: unknown): Unconverted {
  if (error instanceof PatternLimitError) throw error;
  return new Unconverted(undefined, `the selector failed: ${errorLine(error)}`);
}
