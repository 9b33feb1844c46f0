/** docs/profile-keys.md: each key of a profile with its statement, an example and the rules that judge it. */
import { stringify } from 'yaml';
import { FIELD_NAMES, FIELDS, INPUTS, OPERATIONS, optionalParts } from '../../contract/index.ts';
import { CONVERTERS } from '../../profile/converters/index.ts';
import { VARIABLES } from '../../profile/hmac/sign.ts';
import { type JsonSchemaNode, profileJsonSchema } from '../../profile/json-schema.ts';
import { factOf, NEW_KEYS } from './new-keys.ts';

interface Row {
  readonly keys: string[];
  readonly node: JsonSchemaNode;
}

const MORE_RULES = 6;
const alternatives = ({ anyOf, oneOf }: JsonSchemaNode): readonly JsonSchemaNode[] => [
  ...(anyOf ?? []),
  ...(oneOf ?? []),
];

/** The members of a node by their names, `…` for any name or position. */
function membersOf(node: JsonSchemaNode): [string, JsonSchemaNode][] {
  const any =
    typeof node.additionalProperties === 'object' ? [['…', node.additionalProperties] as [string, JsonSchemaNode]] : [];
  return [
    ...Object.entries(node.properties ?? {}),
    ...any,
    ...(node.items ? membersOf(node.items) : []),
    ...alternatives(node).flatMap(membersOf),
  ];
}

/** Lists the keys below a node once: equal members of other places are named in the row of the first. */
function collect(node: JsonSchemaNode, path: string, rows: Map<string, Row>): void {
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

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text: string): string => `\`${cell(text)}\``;
const codes = (names: readonly string[]): string => names.map(code).join(', ');
const table = (head: string, rows: readonly string[]): string =>
  [`| ${head} |`, head.replace(/[^|]+/g, '---').replace(/^.*$/, '|$&|'), ...rows.map((row) => `| ${row} |`)].join('\n');

const MAX_EXAMPLE_LENGTH = 90;

/** A line of a profile that states the key, or the values that it may have. */
function exampleOf(key: string, node: JsonSchemaNode): string {
  const values = [node, ...alternatives(node)].flatMap(
    (each) => each.enum ?? (each.const === undefined ? [] : [each.const]),
  );
  if (values.length > 1 && values.length < 12) return codes(values.map(String));
  const [example] = node.examples ?? [];
  if (example === undefined) return '';
  const options = { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false } as const;
  const line = stringify({ [key.split('.').at(-1) ?? '']: example }, options)
    .trim()
    .slice(1, -1);
  return line.length <= MAX_EXAMPLE_LENGTH ? code(line) : '';
}

function rulesOf(keys: readonly string[]): string {
  const rules = [...new Set(keys.flatMap((key) => factOf(key).rules))];
  return rules.length > MORE_RULES ? `${rules.length} rules` : codes(rules);
}

const nameOf = ({ path }: { path: string }): string => path.replace(/^.*\/(v1|webservices)\//, '');

/** Lists the keys of the schema. */
function keyRows(): Row[] {
  const rows = new Map<string, Row>();
  collect(profileJsonSchema(), '', rows);
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
          exampleOf(keys[0] ?? '', node),
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
