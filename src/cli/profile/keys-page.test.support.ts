/** docs/profile-keys.md: each key of a profile with its statement, an example and the rules that judge it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { FIELD_NAMES, FIELDS, INPUTS, OPERATIONS, optionalParts } from '../../contract/index.ts';
import { CONVERTERS } from '../../profile/converters/index.ts';
import { VARIABLES } from '../../profile/hmac/sign.ts';
import { profileJsonSchema } from '../../profile/json-schema.ts';
import { factOf, NEW_KEYS } from './new-keys.ts';

/** The part of JSON Schema that zod writes. */
interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly propertyNames?: Node;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string;
  readonly default?: unknown;
}

interface Row {
  readonly keys: string[];
  readonly node: Node;
}

const ROOT = join(import.meta.dirname, '../../..');
const PROFILES = ['reference', 'hypermedia', 'soap', 'statistics', 'tabular', 'terse', 'xml'].map(
  (name) => `src/profile/bundled/${name}.yaml`,
);
const MORE_RULES = 6;
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const alternatives = ({ anyOf, oneOf }: Node): readonly Node[] => [...(anyOf ?? []), ...(oneOf ?? [])];

/** The members of a node by their names, `…` for any name or position. */
function membersOf(node: Node): [string, Node][] {
  const any = typeof node.additionalProperties === 'object' ? [['…', node.additionalProperties] as [string, Node]] : [];
  return [
    ...Object.entries(node.properties ?? {}),
    ...any,
    ...(node.items ? membersOf(node.items) : []),
    ...alternatives(node).flatMap(membersOf),
  ];
}

/** Lists the keys below a node once: equal members of other places are named in the row of the first. */
function collect(node: Node, path: string, rows: Map<string, Row>): void {
  for (const [name, member] of membersOf(node)) {
    const key = path ? `${path}.${name}` : name;
    const id = `${name} ${JSON.stringify(member)}`;
    const known = rows.get(id);
    if (name === '…') collect(member, key, rows);
    else if (known) known.keys.push(...(known.keys.includes(key) ? [] : [key]));
    else {
      rows.set(id, { keys: [key], node: member });
      collect(member, key, rows);
    }
  }
}

/** The values at a key of a profile. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value) && name !== undefined) return value.flatMap((each) => valuesAt(each, [name, ...rest]));
  if (name === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (name === '…' || name === key ? valuesAt(each, rest) : []));
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text: string): string => `\`${cell(text)}\``;
const codes = (names: readonly string[]): string => names.map(code).join(', ');
const table = (head: string, rows: readonly string[]): string =>
  [`| ${head} |`, head.replace(/[^|]+/g, '---').replace(/^.*$/, '|$&|'), ...rows.map((row) => `| ${row} |`)].join('\n');

/** A line of a profile that states the key, or the values that it may have. */
function exampleOf(keys: readonly string[], node: Node, profiles: readonly unknown[]): string {
  const line = keys
    .flatMap((key) =>
      profiles.flatMap((profile) =>
        valuesAt(profile, key.split('.')).map((value) =>
          stringify(
            { [key.split('.').at(-1) ?? '']: value },
            { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false },
          )
            .trim()
            .slice(1, -1),
        ),
      ),
    )
    .find((each) => each.length <= 90);
  if (line) return code(line);
  const values = [node, ...alternatives(node)].flatMap(
    (each) => each.enum ?? (each.const === undefined ? [] : [each.const]),
  );
  return values.length < 12 ? codes(values.map(String)) : '';
}

function rulesOf(keys: readonly string[]): string {
  const rules = [...new Set(keys.flatMap((key) => factOf(key).rules))];
  return rules.length > MORE_RULES ? `${rules.length} rules` : codes(rules);
}

const nameOf = ({ path }: { path: string }): string => path.replace(/^.*\/(v1|webservices)\//, '');

/** Lists the keys of the schema. */
function keyRows(): Row[] {
  const rows = new Map<string, Row>();
  collect(profileJsonSchema() as Node, '', rows);
  return [...rows.values()];
}

/** Keys with a value of their own for which the schema has no statement, except inputs and names of variants. */
export const unstatedKeys = (): string[] =>
  keyRows()
    .filter(({ node }) => node.description === undefined && membersOf(node).length === 0)
    .flatMap(({ keys }) => keys)
    .filter((key) => !/(?:^|\.)(?:scheme|style|(?:examples|unknown|byCatalogue\.…)\.\w+)$/.test(key));

/** Formats the page. */
export function formatKeysPage(): string {
  const profiles = [
    ...Object.values(NEW_KEYS).map((line) => parse(line) as unknown),
    ...[...textOf('docs/profile.md').matchAll(/^```yaml\n(.*?)^```/gms)].map(([, yaml = '']) => parse(yaml) as unknown),
    ...PROFILES.map((file) => parse(textOf(file)) as unknown),
  ];
  const stated = keyRows().filter(({ node }) => node.description !== undefined);
  const byParts = Map.groupBy(OPERATIONS, ({ key }) => codes(optionalParts(key)) || 'nothing');
  return `${[
    '# Keys of a profile',
    'Generated from the schema of a profile; [profile.md](profile.md) says how the keys work together. `…` is any name, such as that of an operation, a kind of jobs or a field. ¹ since 0.2.0. The rules: `mdwi rules`, [matrix.md](matrix.md).',
    '## Keys',
    table(
      'key | states | example or values | judged by',
      stated.map(({ keys, node }) =>
        [
          keys.map((key) => `${code(key)}${key in NEW_KEYS ? '¹' : ''}`).join(', '),
          cell(node.description ?? ''),
          exampleOf(keys, node, profiles),
          rulesOf(keys),
        ].join(' | '),
      ),
    ),
    '## Inputs of requests',
    table(
      'input | is',
      Object.entries(INPUTS).map(([name, means]) => `${code(name)} | ${cell(means)}`),
    ),
    '## Fields of rows',
    table(
      'field | is | kind | of | judged by',
      FIELD_NAMES.map((field) => {
        const { kind, means } = FIELDS[field];
        const of = OPERATIONS.filter(({ fields }) => fields.includes(field));
        return `${code(field)} | ${means} | ${kind} | ${of.length > 5 ? `${of.length} operations` : codes(of.map(nameOf))} | ${rulesOf([`operations.….response.fields.${field}`])}`;
      }),
    ),
    '## Converters',
    table(
      'converter | for | value on the wire',
      Object.entries(CONVERTERS).map(
        ([name, { kinds, means }]) => `${code(name)} | ${kinds.join(', ')} | ${cell(means)}`,
      ),
    ),
    '## Variables of signatures',
    'In `message`, `headers` and `query` of `scheme: hmac`; `{header.NAME}` is the value of a header, `{signature}` (not in `message`) the signature; `{body}` is for `message` only.',
    table(
      'variable | is',
      Object.entries(VARIABLES).map(([name, { means }]) => `${code(`{${name}}`)} | ${means}`),
    ),
    '## Parts that an operation may lack',
    '`none` of an operation may list these, and nothing else. `required.FIELD` says that a row may lack the field, `rowCounts.OPERATION` that no row states how many rows this operation returns for it.',
    table(
      'operation | parts',
      [...byParts].map(([parts, operations]) => `${codes(operations.map(nameOf))} | ${parts}`),
    ),
  ].join('\n\n')}\n`;
}
