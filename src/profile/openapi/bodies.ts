/** Drafts the body of a request template from a described request body. */
import type { Input } from '../../contract/index.ts';
import { isPlainObject, isScalar, listMember, memberOf, objectAt } from '../plain-object.ts';
import { type BodyDraft, EMPTY_BODY, NO_CONTEXT } from './body-draft.ts';
import { constantOf, isOpaqueValue, templateLiteral, templateLiterals } from './constants.ts';
import { type Description, deref } from './description.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import { inputOf } from './inputs.ts';
import type { DescribedOperation } from './operations.ts';
import { examplesOf, type Parameter } from './parameters.ts';
import { type ResolvedSchema, resolveSchema } from './resolved-schema.ts';
import { xmlBody } from './xml-bodies.ts';

/** Drafts the body of one operation's request, in the media type that a template expresses best. */
export function bodyOf(
  description: Description,
  described: DescribedOperation,
  inputs: readonly Input[],
  draftNotes: DraftNotes,
): BodyDraft {
  const { node: body } = deref(description, memberOf(described.node, 'requestBody'));
  const content = Object.entries(objectAt(body, 'content'));
  const at = ['operations', described.key, 'request'];
  const pick = (form: RegExp) => content.find(([type]) => form.test(type));
  const json = pick(/^application\/(.+\+)?json\b|^\*\/\*$/i);
  if (json) return jsonBody(description, json[1], inputs, at, draftNotes);
  const form = pick(/^application\/x-www-form-urlencoded\b/i);
  if (form) {
    const filled = jsonBody(description, form[1], inputs, at, draftNotes, 'form');
    const values = objectAt(filled.template, 'form');
    const required = listMember(schemaNode(description, form[1]), 'required');
    const nested = Object.keys(values).filter((name) => !isScalar(values[name]));
    return {
      ...filled,
      missing: [
        ...filled.missing,
        ...nested
          .filter((each) => required.includes(each))
          .map((name) => `${name}, a list or an object, which a form in a profile cannot express (use raw)`),
      ],
      template: { form: Object.fromEntries(Object.entries(values).filter(([, each]) => isScalar(each))) },
    };
  }
  const xml = pick(/^(application|text)\/(.+\+)?xml\b/i);
  if (xml) return xmlBody(description, xml, inputs, at, draftNotes);
  const [other] = content;
  if (!other || memberOf(body, 'required') !== true) return EMPTY_BODY;
  const [type, media] = other;
  const text = examplesOf(description, media, resolveSchema(description, memberOf(media, 'schema'))).find(
    (each) => typeof each === 'string',
  );
  if (typeof text !== 'string' || /^multipart\//i.test(type))
    return { ...EMPTY_BODY, missing: [`a body of ${type}, which has no example`] };
  note(draftNotes, [...at, 'raw'], 'likely', `the example of the body in ${type}`);
  return { ...EMPTY_BODY, template: { raw: { type, text: templateLiteral(text) } } };
}

/** The schema of a media type, with its reference resolved. */
const schemaNode = (description: Description, media: unknown): unknown =>
  deref(description, memberOf(media, 'schema')).node;

function jsonBody(
  description: Description,
  media: unknown,
  inputs: readonly Input[],
  at: readonly string[],
  draftNotes: DraftNotes,
  as: 'json' | 'form' = 'json',
): BodyDraft {
  const schema = resolveSchema(description, memberOf(media, 'schema'));
  const [example] = examplesOf(description, media, schema);
  const parametersByInput = new Map<Input, Parameter>();
  const missing: string[] = [];
  const fill = (
    node: ResolvedSchema,
    sample: unknown,
    path: readonly string[],
    required: boolean,
    depth: number,
  ): unknown => {
    const name = path.at(-1);
    if (name !== undefined && node.members.size === 0) {
      const candidate = {
        name,
        schema: node,
        description: node.description,
        examples: sample === undefined ? node.examples : [sample],
        required,
      };
      const match = inputOf(candidate, inputs, NO_CONTEXT);
      if (match && 'doubt' in match) addUndecided(draftNotes, at, match.doubt);
      if (match && 'input' in match && !parametersByInput.has(match.input)) {
        parametersByInput.set(match.input, { ...candidate, place: 'query' });
        note(draftNotes, [...at, as, ...path], match.confidence, match.reason);
        const text = `{${match.input}}`;
        return node.type === 'array' || Array.isArray(sample) ? [text] : text;
      }
    }
    if (node.members.size > 0 && depth < 10) {
      const names = new Set([...node.members.keys(), ...(isPlainObject(sample) ? Object.keys(sample) : [])]);
      const entries = [...names].flatMap((each) => {
        const member = node.members.get(each);
        const child = resolveSchema(description, member?.schema);
        const value = fill(
          child,
          memberOf(sample, each),
          [...path, each],
          (member?.required ?? false) && required,
          depth + 1,
        );
        return value === undefined ? [] : [[each, value] as const];
      });
      return entries.length > 0 || required ? Object.fromEntries(entries) : undefined;
    }
    if (isPlainObject(sample)) {
      return Object.fromEntries(
        Object.entries(sample).map(([each, value]) => [
          each,
          fill(resolveSchema(description, {}), value, [...path, each], false, depth + 1),
        ]),
      );
    }
    if (sample !== undefined && name !== undefined && isOpaqueValue(name) && node.enumValues.length === 0) {
      missing.push(`${path.join('.')}, whose example may not exist in the service`);
      return undefined;
    }
    if (sample !== undefined) return templateLiterals(sample);
    if (!required) return undefined;
    const constant = constantOf(name ?? '', node.examples, node);
    if (constant) {
      if (path.length > 0) note(draftNotes, [...at, as, ...path], constant.confidence, `required; ${constant.reason}`);
      return templateLiteral(constant.value);
    }
    if (node.type === 'array' && node.items !== undefined && depth < 10) {
      const item = resolveSchema(description, node.items);
      const least = Math.max(1, node.minItems ?? 1);
      const values = item.enumValues.map(({ value }) => value).filter(isScalar);
      // A list with a minimum length gets as many of the allowed values; other values would be invented.
      if (least > 1 && values.length >= least) {
        note(draftNotes, [...at, as, ...path], 'likely', `required; the first ${least} of ${values.length} values`);
        return values.slice(0, least).map(templateLiteral);
      }
      if (least > 1) {
        missing.push(`${path.join('.')}, a list of at least ${least} elements, which has no values to send`);
        return undefined;
      }
      const element = fill(item, undefined, [...path, '0'], true, depth + 1);
      return element === undefined ? undefined : [element];
    }
    missing.push(`${path.join('.') || 'a body'}, which is required and has no value to send`);
    return undefined;
  };
  const value = fill(schema, example, [], true, 0);
  if (example !== undefined && value !== undefined)
    note(draftNotes, [...at, as], 'likely', 'the example of the body, with inputs inserted');
  return { template: value === undefined ? {} : { [as]: value }, parametersByInput, missing };
}
