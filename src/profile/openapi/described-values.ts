/** The selectors of a described response: lists that may contain its rows, and the single values in a row or an envelope. */
import type { Description } from './description.ts';
import { type SchemaShape, schemaShapeOf } from './shape.ts';
import { isScalar, textAt } from './tree.ts';

/** A single value, or any node that is not an object with named members. */
export interface DescribedValue {
  readonly selector: string;
  /** Member names from the row or response down to the value. */
  readonly names: readonly string[];
  readonly shape: SchemaShape;
  /** Whether every object on the path requires the next one and none may be null. */
  readonly required: boolean;
  /** Whether the value or an object on the path may be null. */
  readonly nullable: boolean;
}

/** A node that may be a row, or a list whose elements may be rows. */
export interface RowLocation {
  readonly selector: string;
  readonly names: readonly string[];
  readonly shape: SchemaShape;
}

/** The format of a response; it determines the form of selectors. */
export type DescribedFormat = 'json' | 'xml';

const MAX_LEVELS = 4;

/** Formats a string literal of RFC 9535; control characters need JSON escapes. */
const textLiteral = (text: string): string =>
  /\p{Cc}/u.test(text) ? JSON.stringify(text) : `'${text.replace(/[\\']/g, '\\$&')}'`;

/** @example member('$.data', 'Dollar Sales') // "$.data['Dollar Sales']" */
function member(at: string, name: string): string {
  if (/^[\p{L}_][\p{L}\d_]*$/u.test(name)) return `${at}.${name}`;
  return `${at}[${textLiteral(name)}]`;
}

/** A member's selector; in XML it is an attribute, or an element, which is always a list. */
function step(at: string, name: string, shape: SchemaShape, format: DescribedFormat): string {
  if (format === 'json') return member(at, name);
  const xmlName = textAt(shape.xml, 'name') ?? name;
  return shape.xml.attribute === true ? member(at, `@${xmlName}`) : `${member(at, xmlName)}[0]`;
}

function elementsOf(
  description: Description,
  at: string,
  name: string,
  list: SchemaShape,
  format: DescribedFormat,
): { selector: string; item: SchemaShape } {
  const item = schemaShapeOf(description, list.items);
  if (format === 'json') return { selector: `${member(at, name)}[*]`, item };
  const xmlName = textAt(item.xml, 'name') ?? (list.xml.wrapped === true ? name : (textAt(list.xml, 'name') ?? name));
  const container = list.xml.wrapped === true ? `${member(at, textAt(list.xml, 'name') ?? name)}[0]` : at;
  return { selector: `${member(container, xmlName)}[*]`, item };
}

/** The selector of the response root: `$`, or the root element; undefined if XML does not name it. */
export function rootOf(shape: SchemaShape, format: DescribedFormat): string | undefined {
  if (format === 'json') return '$';
  const name = textAt(shape.xml, 'name') ?? shape.name;
  return name === undefined ? undefined : `${member('$', name)}[0]`;
}

/** Every list, and every map of objects, whose path consists of objects only. */
export function listsIn(description: Description, root: SchemaShape, format: DescribedFormat): RowLocation[] {
  const at = rootOf(root, format);
  if (at === undefined) return [];
  if (root.type === 'array') {
    if (format === 'json') return [{ selector: '$[*]', names: [], shape: schemaShapeOf(description, root.items) }];
    const item = schemaShapeOf(description, root.items);
    const xmlName = textAt(item.xml, 'name') ?? item.name;
    return xmlName === undefined ? [] : [{ selector: `${member(at, xmlName)}[*]`, names: [], shape: item }];
  }
  const locations: RowLocation[] = [];
  const visit = (shape: SchemaShape, at: string, names: readonly string[]): void => {
    if (names.length > MAX_LEVELS) return;
    for (const [name, { schema }] of shape.members) {
      const child = schemaShapeOf(description, schema);
      const path = [...names, name];
      if (child.type === 'array') {
        const { selector, item } = elementsOf(description, at, name, child, format);
        locations.push({ selector, names: path, shape: item });
      } else if (child.members.size > 0) visit(child, step(at, name, child, format), path);
      else if (child.entries !== undefined && format === 'json') {
        const entry = schemaShapeOf(description, child.entries);
        if (entry.members.size > 0) locations.push({ selector: `${member(at, name)}.*`, names: path, shape: entry });
        else if (entry.type === 'array')
          locations.push({
            selector: `${member(at, name)}.*[*]`,
            names: path,
            shape: schemaShapeOf(description, entry.items),
          });
      }
    }
  };
  visit(root, at, []);
  return locations;
}

/** The response itself and every object in it, outermost first. */
export function objectsIn(description: Description, root: SchemaShape, format: DescribedFormat): RowLocation[] {
  const at = rootOf(root, format);
  if (at === undefined || root.type === 'array') return [];
  const locations: RowLocation[] = [{ selector: at, names: [], shape: root }];
  for (let index = 0; index < locations.length && locations.length < 100; index++) {
    const { selector, names, shape } = locations[index] as RowLocation;
    if (names.length >= MAX_LEVELS) continue;
    for (const [name, { schema }] of shape.members) {
      const child = schemaShapeOf(description, schema);
      if (child.members.size > 0)
        locations.push({ selector: step(selector, name, child, format), names: [...names, name], shape: child });
    }
  }
  return locations;
}

/** The single values of a row (`@`) or of an envelope, through nested objects. */
export function describedValues(
  description: Description,
  shape: SchemaShape,
  at: string,
  format: DescribedFormat,
): DescribedValue[] {
  const leaves: DescribedValue[] = [];
  const visit = (
    node: SchemaShape,
    selector: string,
    names: readonly string[],
    required: boolean,
    nullable: boolean,
  ): void => {
    for (const [name, { schema, required: own }] of node.members) {
      const child = schemaShapeOf(description, schema);
      const path = [...names, name];
      const always = required && own && !child.nullable;
      const maybeNull = nullable || child.nullable;
      if (child.members.size > 0 && path.length < MAX_LEVELS) {
        visit(child, step(selector, name, child, format), path, always, maybeNull);
        if (child.entries === undefined)
          leaves.push(leafOf(step(selector, name, child, format), path, child, always, maybeNull));
        continue;
      }
      if (child.type === 'array') {
        const elements = elementsOf(description, selector, name, child, format);
        leaves.push(leafOf(elements.selector, path, child, always, maybeNull));
        leaves.push(...pairsOf(description, elements, path, always));
        continue;
      }
      leaves.push(leafOf(step(selector, name, child, format), path, child, always, maybeNull));
    }
  };
  visit(shape, at, [], true, false);
  return leaves;
}

const leafOf = (
  selector: string,
  names: readonly string[],
  shape: SchemaShape,
  required: boolean,
  nullable: boolean,
): DescribedValue => ({
  selector,
  names,
  shape,
  required,
  nullable,
});

/** The values of a list of pairs such as `{ period: '4W', value: 1 }`, one per possible key. */
function pairsOf(
  description: Description,
  { selector, item }: { selector: string; item: SchemaShape },
  names: readonly string[],
  required: boolean,
): DescribedValue[] {
  const parts = [...item.members].map(([name, { schema }]) => ({ name, shape: schemaShapeOf(description, schema) }));
  const keys = parts.filter(
    ({ shape }) => shape.values.length > 1 && shape.values.every(({ value }) => isScalar(value)),
  );
  const [key] = keys;
  if (keys.length !== 1 || !key) return [];
  return parts
    .filter(({ shape }) => shape.type === 'number' || shape.type === 'integer' || shape.type === 'string')
    .filter((part) => part !== key)
    .flatMap(({ name, shape }) =>
      key.shape.values.map(({ value }) => {
        const literal = typeof value === 'string' ? textLiteral(value) : String(value);
        const chosen = `${selector.slice(0, -3)}[?${member('@', key.name)}==${literal}]`;
        // A schema does not state that every key is present.
        return leafOf(member(chosen, name), [...names, String(value), name], shape, required && false, shape.nullable);
      }),
    );
}
