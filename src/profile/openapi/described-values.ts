/** The selectors of a described response: lists that may contain its rows, and the single values in a row or an envelope. */

import { isScalar, textAt } from '../plain-object.ts';
import type { Description } from './description.ts';
import { joinWords } from './name-words.ts';
import { type ResolvedSchema, resolveSchema } from './resolved-schema.ts';

/** A value in a row or in the response around it: a text, a number, a list or a map. */
export interface DescribedValue {
  readonly selector: string;
  /** Member names from the row or response down to the value. */
  readonly names: readonly string[];
  readonly schema: ResolvedSchema;
  /** Whether every object on the path requires the next one and none may be null. */
  readonly required: boolean;
  /** Whether the value or an object on the path may be null. */
  readonly nullable: boolean;
  /** The names of the other members of its object, joined. Default: none. */
  readonly beside?: readonly string[];
}

/** A node that may be a row, or a list whose elements may be rows. */
export interface RowLocation {
  readonly selector: string;
  readonly names: readonly string[];
  readonly schema: ResolvedSchema;
}

/** The format of a response; it determines the form of selectors. */
export type DescribedFormat = 'json' | 'xml';

const MAX_LEVELS = 4;

/** Formats a string literal of RFC 9535; control characters need JSON escapes. */
export const textLiteral = (text: string): string =>
  /\p{Cc}/u.test(text) ? JSON.stringify(text) : `'${text.replace(/[\\']/g, '\\$&')}'`;

/** @example member('$.data', 'Dollar Sales') // "$.data['Dollar Sales']" */
export function member(parentSelector: string, name: string): string {
  if (/^[\p{L}_][\p{L}\d_]*$/u.test(name)) return `${parentSelector}.${name}`;
  return `${parentSelector}[${textLiteral(name)}]`;
}

/** The selector of a member. An XML member is an attribute (`@name`) or an element; elements are always lists, so the first is selected. */
function step(parentSelector: string, name: string, resolvedSchema: ResolvedSchema, format: DescribedFormat): string {
  if (format === 'json') return member(parentSelector, name);
  const xmlName = textAt(resolvedSchema.xml, 'name') ?? name;
  return resolvedSchema.xml.attribute === true
    ? member(parentSelector, `@${xmlName}`)
    : `${member(parentSelector, xmlName)}[0]`;
}

function elementsOf(
  description: Description,
  parentSelector: string,
  name: string,
  list: ResolvedSchema,
  format: DescribedFormat,
): { selector: string; item: ResolvedSchema } {
  const item = resolveSchema(description, list.items);
  if (format === 'json') return { selector: `${member(parentSelector, name)}[*]`, item };
  const xmlName = textAt(item.xml, 'name') ?? (list.xml.wrapped === true ? name : (textAt(list.xml, 'name') ?? name));
  const container =
    list.xml.wrapped === true ? `${member(parentSelector, textAt(list.xml, 'name') ?? name)}[0]` : parentSelector;
  return { selector: `${member(container, xmlName)}[*]`, item };
}

/** The selector of the response root: `$`, or the root element; undefined if the schema does not name the root element. */
export function rootOf(resolvedSchema: ResolvedSchema, format: DescribedFormat): string | undefined {
  if (format === 'json') return '$';
  const name = textAt(resolvedSchema.xml, 'name') ?? resolvedSchema.name;
  return name === undefined ? undefined : `${member('$', name)}[0]`;
}

/** Every list, and every map of objects, whose path consists of objects only. */
export function listsIn(description: Description, root: ResolvedSchema, format: DescribedFormat): RowLocation[] {
  const parentSelector = rootOf(root, format);
  if (parentSelector === undefined) return [];
  if (root.type === 'array') {
    if (format === 'json') return [{ selector: '$[*]', names: [], schema: resolveSchema(description, root.items) }];
    const item = resolveSchema(description, root.items);
    const xmlName = textAt(item.xml, 'name') ?? item.name;
    return xmlName === undefined
      ? []
      : [{ selector: `${member(parentSelector, xmlName)}[*]`, names: [], schema: item }];
  }
  const locations: RowLocation[] = [];
  const visit = (resolvedSchema: ResolvedSchema, parentSelector: string, names: readonly string[]): void => {
    if (names.length > MAX_LEVELS) return;
    for (const [name, { schema }] of resolvedSchema.members) {
      const child = resolveSchema(description, schema);
      const path = [...names, name];
      if (child.type === 'array') {
        const { selector, item } = elementsOf(description, parentSelector, name, child, format);
        locations.push({ selector, names: path, schema: item });
      } else if (child.members.size > 0) visit(child, step(parentSelector, name, child, format), path);
      else if (child.additionalProperties !== undefined && format === 'json') {
        const entry = resolveSchema(description, child.additionalProperties);
        if (entry.members.size > 0)
          locations.push({ selector: `${member(parentSelector, name)}.*`, names: path, schema: entry });
        else if (entry.type === 'array')
          locations.push({
            selector: `${member(parentSelector, name)}.*[*]`,
            names: path,
            schema: resolveSchema(description, entry.items),
          });
      }
    }
  };
  visit(root, parentSelector, []);
  return locations;
}

/** The response itself and every object in it, outermost first. */
export function objectsIn(description: Description, root: ResolvedSchema, format: DescribedFormat): RowLocation[] {
  const parentSelector = rootOf(root, format);
  if (parentSelector === undefined || root.type === 'array') return [];
  const locations: RowLocation[] = [{ selector: parentSelector, names: [], schema: root }];
  for (let index = 0; index < locations.length && locations.length < 100; index++) {
    const { selector, names, schema: resolvedSchema } = locations[index] as RowLocation;
    if (names.length >= MAX_LEVELS) continue;
    for (const [name, { schema }] of resolvedSchema.members) {
      const child = resolveSchema(description, schema);
      if (child.members.size > 0)
        locations.push({ selector: step(selector, name, child, format), names: [...names, name], schema: child });
    }
  }
  return locations;
}

/** Every single value in a row (`parentSelector` is `@`) or in a response, including those in nested objects. */
export function describedValues(
  description: Description,
  resolvedSchema: ResolvedSchema,
  parentSelector: string,
  format: DescribedFormat,
): DescribedValue[] {
  const values: DescribedValue[] = [];
  const visit = (
    node: ResolvedSchema,
    selector: string,
    names: readonly string[],
    required: boolean,
    nullable: boolean,
  ): void => {
    for (const [name, { schema, required: own }] of node.members) {
      const child = resolveSchema(description, schema);
      const path = [...names, name];
      const isAlwaysPresent = required && own && !child.nullable;
      const maybeNull = nullable || child.nullable;
      if (child.members.size > 0 && path.length < MAX_LEVELS) {
        visit(child, step(selector, name, child, format), path, isAlwaysPresent, maybeNull);
        if (child.additionalProperties === undefined)
          values.push(
            createDescribedValue(step(selector, name, child, format), path, child, isAlwaysPresent, maybeNull),
          );
        continue;
      }
      if (child.type === 'array') {
        const elements = elementsOf(description, selector, name, child, format);
        values.push(createDescribedValue(elements.selector, path, child, isAlwaysPresent, maybeNull));
        values.push(...pairsOf(description, elements, path));
        continue;
      }
      values.push(createDescribedValue(step(selector, name, child, format), path, child, isAlwaysPresent, maybeNull));
    }
  };
  visit(resolvedSchema, parentSelector, [], true, false);
  const ownerOf = ({ names }: DescribedValue): string => names.slice(0, -1).join('\n');
  const members = Map.groupBy(values, ownerOf);
  return values.map((each) => ({
    ...each,
    beside: (members.get(ownerOf(each)) ?? [])
      .filter((other) => other !== each)
      .map(({ names }) => joinWords(names.at(-1) ?? '')),
  }));
}

const createDescribedValue = (
  selector: string,
  names: readonly string[],
  resolvedSchema: ResolvedSchema,
  required: boolean,
  nullable: boolean,
): DescribedValue => ({
  selector,
  names,
  schema: resolvedSchema,
  required,
  nullable,
});

/** The values of a list of pairs such as `{ period: '4W', value: 1 }`, one per possible key. */
function pairsOf(
  description: Description,
  { selector, item }: { selector: string; item: ResolvedSchema },
  names: readonly string[],
): DescribedValue[] {
  const parts = [...item.members].map(([name, { schema }]) => ({
    name,
    resolvedSchema: resolveSchema(description, schema),
  }));
  const keys = parts.filter(
    ({ resolvedSchema }) =>
      resolvedSchema.enumValues.length > 1 && resolvedSchema.enumValues.every(({ value }) => isScalar(value)),
  );
  const [key] = keys;
  if (keys.length !== 1 || !key) return [];
  return parts
    .filter(
      ({ resolvedSchema }) =>
        resolvedSchema.type === 'number' || resolvedSchema.type === 'integer' || resolvedSchema.type === 'string',
    )
    .filter((part) => part !== key)
    .flatMap(({ name, resolvedSchema }) =>
      key.resolvedSchema.enumValues.map(({ value }) => {
        const literal = typeof value === 'string' ? textLiteral(value) : String(value);
        // The filter replaces the `[*]` at the end of the selector.
        const chosen = `${selector.slice(0, -'[*]'.length)}[?${member('@', key.name)}==${literal}]`;
        // A schema does not state that every key is present.
        return createDescribedValue(
          member(chosen, name),
          [...names, String(value), name],
          resolvedSchema,
          false,
          resolvedSchema.nullable,
        );
      }),
    );
}
