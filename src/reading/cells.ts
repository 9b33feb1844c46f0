/** Converts raw nodes to neutral rows and values, by a profile's bindings. */
import { FIELDS, type Field, type FieldKind } from '../contract/index.ts';
import { CONVERTERS, type Converter, converterFor } from '../profile/converters/index.ts';
import { childAt } from '../profile/path-steps.ts';
import { compilePattern, PatternLimitError } from '../profile/pattern/index.ts';
import type { FieldBinding } from '../profile/schema.ts';
import type { Selector, StatusAndHeaders } from '../profile/selector.ts';
import { type CodeTable, meaningOf } from './code-table.ts';
import { composedSelector } from './composed-selector.ts';
import { textOfElement } from './element-text.ts';
import { errorLine, isNodeError } from './problem.ts';
import { type Cell, type Row, Unconverted } from './types.ts';

/** A binding with the table of its codes. */
export type CodedBinding = FieldBinding & {
  readonly table?: CodeTable;
  /** A row may have several values, one node each: they are one list. */
  readonly isSeveral?: true;
};

export type FieldBindings = { readonly [F in Field]?: CodedBinding };

/** The conversion of a node to a value. */
interface CellReader {
  readonly converter: Converter;
  /** Whether the profile states how a value is written. The values of a list are otherwise the nodes as found. */
  readonly isFormatted: boolean;
  /** Texts that mean “no value”. */
  readonly missing?: ReadonlySet<string>;
  /** The table of the codes that are found. */
  readonly table?: CodeTable;
}

/** A selector with the conversion of what it finds. */
export interface BoundValue extends CellReader {
  readonly selector: Selector;
}

export interface BoundField extends BoundValue {
  readonly field: Field;
  /** Reads the field of one row; exceptions of selector functions pass through. */
  readonly read: (node: unknown, head: StatusAndHeaders) => Cell;
}

/** The fields of a row, and an empty row: copying it is faster than adding members. */
export interface BoundRow {
  readonly fields: readonly BoundField[];
  readonly blank: Row;
}

interface BoundFields {
  readonly rowBindings: BoundRow;
  readonly responseBindings: readonly BoundField[];
}

/**
 * Compiles the bindings of a response; a selector's scope determines whether it is read per row or once per response.
 *
 * @param functionScope what selector functions are applied to
 */
export function bindFields(fields: FieldBindings, functionScope: 'row' | 'response'): BoundFields {
  const known = boundFields[functionScope].get(fields);
  if (known) return known;
  const bound = compileFields(fields, functionScope);
  boundFields[functionScope].set(fields, bound);
  return bound;
}

/** The compiled bindings so far: a run reads many responses with the same bindings. */
const boundFields = {
  row: new WeakMap<FieldBindings, BoundFields>(),
  response: new WeakMap<FieldBindings, BoundFields>(),
};

function compileFields(fields: FieldBindings, functionScope: 'row' | 'response'): BoundFields {
  const bound = (Object.entries(fields) as [Field, CodedBinding][]).map(([field, binding]): BoundField => {
    // The as-of date is read once per response, also by a function.
    const scope = field === 'asOf' ? 'response' : functionScope;
    const bound = bindValue(binding, FIELDS[field].kind, `response.fields.${field}.match`, scope);
    const read = binding.isSeveral ? severalReader(bound.selector, bound) : compileReader(field, bound.selector, bound);
    return { field, ...bound, read };
  });
  const { row = [], once: responseBindings = [] } = Object.groupBy(bound, ({ selector }) =>
    selector.scope === 'row' ? 'row' : 'once',
  );
  const blank: Row = Object.fromEntries(row.map(({ field }) => [field, undefined]));
  return { rowBindings: { fields: row, blank }, responseBindings };
}

/**
 * Compiles a binding.
 * @param key the key of its pattern, for messages
 */
export function bindValue(
  binding: CodedBinding,
  kind: FieldKind,
  key: string,
  functionScope: 'row' | 'response' = 'response',
): BoundValue {
  const { as, match, missing, table } = binding;
  // The values of a list are converted one by one.
  const isFormatted = match !== undefined || missing !== undefined || (as !== undefined && as !== 'list');
  const converter = kind === 'list' ? converterFor('text', as === 'list' ? undefined : as) : converterFor(kind, as);
  return {
    selector: composedSelector(binding, functionScope),
    converter: matchPart(converter, match, key),
    isFormatted,
    ...(missing && { missing: new Set(missing) }),
    ...(table && { table }),
  };
}

/** The values that a selector finds: one cell per node. */
export function readValues(bound: BoundValue, node: unknown, head: StatusAndHeaders): readonly Cell[] {
  // A selector function is code of the profile; its exception means an unconverted value.
  try {
    return bound.selector.select(node, head).map((found) => convert(bound, found));
  } catch (error) {
    return [failed(error)];
  }
}

/** A converter of the part of a text that the profile's pattern matches, such as the id at the end of a Location. */
function matchPart(converter: Converter, match: string | undefined, key: string): Converter {
  if (match === undefined) return converter;
  const pattern = compilePattern(match, { key });
  return {
    ...converter,
    read(raw) {
      const part = pattern.extract(String(raw));
      return part === undefined ? { why: `no part of it matches ${match}` } : converter.read(part);
    },
  };
}

/** Compiles the reader of a row's field. Most columns of a bulk list are plain members, which need no list of nodes. */
function compileReader(field: Field, selector: Selector, cellReader: CellReader): BoundField['read'] {
  if (FIELDS[field].kind === 'list') return (node, head) => readList(selector, cellReader, node, head);
  const [name, ...deeper] = selector.steps ?? [];
  if (typeof name === 'string' && deeper.length === 0) {
    // Decoded objects inherit only these names; other names need no check for own members.
    const isInherited = name in Object.prototype;
    return (node) => {
      if (isInherited || typeof node !== 'object' || node === null || Array.isArray(node))
        return convert(cellReader, childAt(node, name));
      return convert(cellReader, (node as Readonly<Record<string, unknown>>)[name]);
    };
  }
  return (node, head) => {
    const nodes = selector.select(node, head);
    if (nodes.length > 1) return new Unconverted(nodes, `${nodes.length} nodes found, but one value is expected`);
    return convert(cellReader, nodes[0]);
  };
}

/** Compiles the reader of a field with any number of values in a row; a single one is no list. */
function severalReader(selector: Selector, reader: CellReader): BoundField['read'] {
  return (node, head) => {
    const found = selector.select(node, head).flat();
    const values = found.map((each) => convert(reader, each)).filter((each) => each !== undefined && each !== null);
    const unconverted = values.find((each) => each instanceof Unconverted);
    return unconverted ?? (values.length > 1 ? values : (values[0] ?? (found.length > 0 ? null : undefined)));
  };
}

/** Converts a node of the rows selector to a row of the bound fields. */
export function toRow({ fields, blank }: BoundRow, node: unknown, head: StatusAndHeaders): Row {
  const row: { [F in Field]?: Cell } = { ...blank };
  for (const bound of fields) {
    // A selector function is code of the profile; its exception means an unconverted value.
    try {
      row[bound.field] = bound.read(node, head);
    } catch (error) {
      row[bound.field] = failed(error);
    }
  }
  return row;
}

/** The fields read once per response: one cell per node found, one cell for a list. */
export function toValues(
  once: readonly BoundField[],
  document: unknown,
  head: StatusAndHeaders,
): { [F in Field]?: readonly Cell[] } {
  const values: { [F in Field]?: readonly Cell[] } = {};
  for (const bound of once)
    values[bound.field] =
      FIELDS[bound.field].kind === 'list' ? listValues(bound, document, head) : readValues(bound, document, head);
  return values;
}

function listValues(bound: BoundField, document: unknown, head: StatusAndHeaders): readonly Cell[] {
  try {
    const list = readList(bound.selector, bound, document, head);
    return list === undefined ? [] : [list];
  } catch (error) {
    return [failed(error)];
  }
}

/**
 * Converts a node. Undefined and null are unchanged; a blank text is null, because it is the only null that
 * some formats have: no name, id or figure is blank.
 */
function convert(reader: CellReader, found: unknown): Cell {
  const cell = convertNode(reader, found);
  const { table } = reader;
  return table && (typeof cell === 'string' || typeof cell === 'number') ? meaningOf(table, cell) : cell;
}

function convertNode({ converter, missing }: CellReader, found: unknown): Cell {
  const node = typeof found === 'object' ? (textOfElement(found) ?? found) : found;
  if (node === undefined || node === null) return node;
  if (typeof node === 'string') {
    if (isBlank(node) || missing?.has(node.trim())) return null;
    if (converter === CONVERTERS.text || converter === CONVERTERS.id) return node;
  }
  const result = converter.read(node);
  return 'value' in result ? result.value : new Unconverted(node, result.why);
}

/** Whether a text consists of whitespace only; the first character decides in most cases. */
const isBlank = (text: string): boolean =>
  !(text.charCodeAt(0) > 0x20 && text.charCodeAt(0) < 0x7f) && text.trim() === '';

/**
 * Characteristics may be a list, a map or pairs (not shown in section 4.3): a selector that finds one list or one map
 * selects its elements, those of a map as [name, value]; one that finds several nodes selects them.
 */
function readList(selector: Selector, reader: CellReader, node: unknown, head: StatusAndHeaders): Cell {
  const nodes = selector.select(node, head);
  const [only] = nodes;
  if (nodes.length === 0) return !selector.singular && selector.containerExists(node, head) ? [] : undefined;
  if (!selector.singular) return convertValues(reader, nodes);
  if (only === null) return null;
  if (Array.isArray(only)) return convertValues(reader, only);
  return typeof only === 'object' ? convertMembers(reader, Object.entries(only)) : convertValues(reader, nodes);
}

/**
 * Converts each value of a list if the profile states how a value is written. Values that mean “no value” are left out; one
 * that cannot be converted makes the list unconverted.
 */
function convertValues(reader: CellReader, found: readonly unknown[]): Cell {
  if (!reader.isFormatted) return found;
  const values = found.map((each) => convert(reader, each)).filter((each) => each !== undefined && each !== null);
  return values.find((each) => each instanceof Unconverted) ?? values;
}

/** Converts the values of [name, value] like those of a list. */
function convertMembers(reader: CellReader, members: readonly (readonly [string, unknown])[]): Cell {
  if (!reader.isFormatted) return members;
  const values = members.map(([name, each]) => [name, convert(reader, each)] as const);
  const unconverted = values.find(([, each]) => each instanceof Unconverted)?.[1];
  return unconverted ?? values.filter(([, each]) => each !== undefined && each !== null);
}

/** @throws PatternLimitError and errors of Node itself, because they do not describe the value */
function failed(error: unknown): Unconverted {
  if (error instanceof PatternLimitError || isNodeError(error)) throw error;
  return new Unconverted(undefined, `the selector failed: ${errorLine(error)}`);
}
