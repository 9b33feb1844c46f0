/**
 * The schemas of described answers as plain JSON Schema 2020-12, for `response.schemas`. Only what a description plainly
 * states is kept: `format` is an annotation, branches of `oneOf` may overlap by accident, and an object that is closed
 * within `allOf` refuses its own siblings.
 */
import type { OperationKey } from '../../contract/index.ts';
import { type Description, deref } from './description.ts';
import { type DraftNotes, leaveOut } from './draft-notes.ts';
import type { Described } from './operations.ts';
import { isTree, listMember, memberOf, numberAt, type Tree, textAt, treeAt } from './tree.ts';

export interface AnswerSchemas {
  /** Schemas by name, referring to each other as `#/$defs/NAME`. */
  readonly defs: Readonly<Record<string, unknown>>;
  /** By operation and status the name of what its JSON body fits. */
  readonly stated: ReadonlyMap<OperationKey, Readonly<Record<string, string>>>;
}

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
/** Keywords with numbers, and what numbers they take. */
const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;
const NUMBERS: Readonly<Record<string, (value: number) => boolean>> = {
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  multipleOf: (value) => value > 0,
  minProperties: isCount,
  maxProperties: isCount,
};
const NESTED = ['items', 'contains', 'propertyNames'];
/** Keywords that are carried, here or under another name. */
const CARRIED = new Set([
  ...Object.keys(NUMBERS),
  ...NESTED,
  ...['$ref', 'type', 'nullable', 'enum', 'const', 'pattern', 'uniqueItems', 'required', 'properties'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'allOf', 'anyOf', 'additionalProperties', '$defs', 'definitions'],
]);
/** Keywords that say something about a value and demand nothing of it. */
const ANNOTATIONS = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'xml'],
  ...['externalDocs', '$comment', '$id', '$anchor', '$schema', 'discriminator'],
]);
const WHY_LEFT: Readonly<Record<string, string>> = {
  format: 'descriptions use it loosely (a date-time without a zone), so it could accuse a right answer',
  oneOf: 'carried as anyOf, because branches that overlap by accident would accuse a right answer',
};
const OTHER_KEYWORD = 'drafts do not carry it; add it to the schemas file where the service is to be held to it';
/** Statuses that a gateway or a proxy often answers itself, in a form of its own. */
const ELSEWHERE = /^(401|403|407|408|413|414|421|429|431|5\d\d|[1-5]XX|default)$/i;

/**
 * The schemas of every JSON answer for success, and of errors that the service itself answers. What is left out is told
 * in the notebook.
 */
export function draftSchemas(description: Description, found: readonly Described[], book: DraftNotes): AnswerSchemas {
  const uncarried = new Map<string, number>();
  let closedOut = 0;
  const defs: Record<string, unknown> = Object.create(null);
  const names = new Map<string, string>();

  /** The name of a referred-to schema; its text is converted once, so that circles end. */
  function nameOf(reference: string, open: boolean): string {
    const id = `${reference}${open ? ' open' : ''}`;
    const known = names.get(id);
    if (known !== undefined) return known;
    const plain = (reference.split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_') || 'schema';
    let name = open ? `${plain}.open` : plain;
    while (Object.hasOwn(defs, name)) name += '_';
    names.set(id, name);
    defs[name] = {};
    defs[name] = convert(deref(description, { $ref: reference }).node, open);
    return name;
  }

  function convert(schema: unknown, open: boolean): unknown {
    if (!isTree(schema)) return schema === false ? false : {};
    const reference = textAt(schema, '$ref');
    if (reference !== undefined) {
      const { $ref: _, ...beside } = schema;
      const target = { $ref: `#/$defs/${nameOf(reference, open || Object.keys(beside).length > 0)}` };
      return Object.keys(beside).length > 0 ? { allOf: [target, convert(beside, true)] } : target;
    }
    for (const keyword of Object.keys(schema))
      if (!CARRIED.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-'))
        uncarried.set(keyword, (uncarried.get(keyword) ?? 0) + 1);
    const all = listMember(schema, 'allOf');
    const any = ['anyOf', 'oneOf'].map((each) => listMember(schema, each)).filter((each) => each.length > 0);
    const composed = all.length + any.length > 0;
    const result: Record<string, unknown> = {};
    const types = [memberOf(schema, 'type')].flat().filter((each) => typeof each === 'string' && TYPES.includes(each));
    if (types.length > 0) result.type = types.length === 1 ? types[0] : types;
    for (const [name, takes] of Object.entries(NUMBERS)) {
      const number = numberAt(schema, name);
      if (number !== undefined && takes(number)) result[name] = number;
    }
    if (listMember(schema, 'enum').length > 0) result.enum = schema.enum;
    if (memberOf(schema, 'uniqueItems') === true) result.uniqueItems = true;
    if (memberOf(schema, 'const') !== undefined) result.const = schema.const;
    const pattern = textAt(schema, 'pattern');
    if (pattern !== undefined && isPattern(pattern)) result.pattern = pattern;
    for (const [edge, exclusive] of [
      ['minimum', 'exclusiveMinimum'],
      ['maximum', 'exclusiveMaximum'],
    ] as const) {
      const said = memberOf(schema, exclusive);
      if (typeof said === 'number') result[exclusive] = said;
      else if (said === true && numberAt(schema, edge) !== undefined) {
        result[exclusive] = schema[edge];
        delete result[edge];
      }
    }
    for (const name of NESTED) if (isTree(schema[name])) result[name] = convert(schema[name], false);
    const properties = treeAt(schema, 'properties');
    if (Object.keys(properties).length > 0)
      result.properties = Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, convert(each, false)]),
      );
    const required = listMember(schema, 'required').filter(
      (name) => typeof name === 'string' && memberOf(properties[name], 'writeOnly') !== true,
    );
    if (required.length > 0) result.required = [...new Set(required)];
    const additional = memberOf(schema, 'additionalProperties');
    if (isTree(additional)) result.additionalProperties = convert(additional, false);
    else if (additional === false && !open && !composed && memberOf(schema, 'patternProperties') === undefined)
      result.additionalProperties = false;
    else if (additional === false) closedOut++;
    const parts = [
      ...all.map((each) => convert(each, true)),
      ...any.map((branches) => ({ anyOf: branches.map((each) => convert(each, open || composed)) })),
    ];
    if (parts.length > 0) result.allOf = parts;
    return memberOf(schema, 'nullable') === true ? { anyOf: [{ type: 'null' }, result] } : result;
  }

  const stated = new Map<OperationKey, Record<string, string>>();
  for (const { key, node } of found) {
    const byStatus: Record<string, string> = {};
    for (const [status, response] of Object.entries(treeAt(node, 'responses'))) {
      const content = Object.entries(treeAt(deref(description, response).node, 'content'));
      const described = content.filter(([, media]) => isTree(memberOf(media, 'schema')));
      if (described.length === 0) continue;
      const what = `the schema of ${key} for ${status}`;
      if (!/^2(\d\d|XX)$/.test(status) && ELSEWHERE.test(status)) {
        leaveOut(
          book,
          what,
          'such answers often come from a layer before the service, in a form of their own; add it under response.schemas if they never do',
        );
        continue;
      }
      if (!/^[1-5](\d\d|XX)$/.test(status)) continue;
      const [only] = content;
      const schema =
        content.length === 1 && only && /^(application|text)\/(.+\+)?json\b/i.test(only[0])
          ? memberOf(only[1], 'schema')
          : undefined;
      if (!isTree(schema)) {
        leaveOut(
          book,
          what,
          `a schema is held against JSON bodies, and this answer comes as ${content.map(([type]) => type).join(' or ')}`,
        );
        continue;
      }
      const reference = textAt(schema, '$ref');
      const isPlain = reference !== undefined && Object.keys(schema).length === 1;
      const name = isPlain ? nameOf(reference, false) : `${key.replace(/[^\w]+/g, '_')}_${status}`;
      if (!isPlain) defs[name] = convert(schema, false);
      byStatus[status] = name;
    }
    if (Object.keys(byStatus).length > 0) stated.set(key, byStatus);
  }
  for (const [keyword, times] of uncarried)
    leaveOut(book, `${keyword} in schemas (${times} times)`, WHY_LEFT[keyword] ?? OTHER_KEYWORD);
  if (closedOut > 0)
    leaveOut(
      book,
      `additionalProperties: false in schemas (${closedOut} times)`,
      'beside allOf or in a branch it forbids what its neighbours describe',
    );
  return { defs, stated };
}

/** The profile with the schemas of its answers, which stand in a file beside it. */
export function withSchemas(profile: Tree, { stated }: AnswerSchemas, file: string): Tree {
  const operations = Object.fromEntries(
    Object.entries(treeAt(profile, 'operations')).map(([key, operation]) => {
      const names = stated.get(key as OperationKey);
      if (!names || !isTree(operation)) return [key, operation];
      const schemas = Object.fromEntries(
        Object.entries(names).map(([status, name]) => [status, `${file}#/$defs/${name}`]),
      );
      return [key, { ...operation, response: { ...treeAt(operation, 'response'), schemas } }];
    }),
  );
  return { ...profile, operations };
}

/** Patterns are ECMAScript's; one of another language states nothing here. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
