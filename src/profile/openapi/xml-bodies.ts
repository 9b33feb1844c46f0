/** Drafts the text of a template from a described XML request body. */
import type { Input } from '../../contract/index.ts';
import { memberOf, textAt } from '../plain-object.ts';
import { type BodyDraft, EMPTY_BODY, NO_CONTEXT } from './body-draft.ts';
import { constantOf, templateLiteral } from './constants.ts';
import type { Description } from './description.ts';
import { type DraftNotes, note } from './draft-notes.ts';
import { inputOf } from './inputs.ts';
import { examplesOf, type Parameter } from './parameters.ts';
import { type ResolvedSchema, resolveSchema } from './resolved-schema.ts';

/** Drafts an XML body: its example, with inputs in the elements and attributes of matching names. */
export function xmlBody(
  description: Description,
  [type, media]: [string, unknown],
  inputs: readonly Input[],
  at: readonly string[],
  draftNotes: DraftNotes,
): BodyDraft {
  const resolvedSchema = resolveSchema(description, memberOf(media, 'schema'));
  const sample = examplesOf(description, media, resolvedSchema).find(
    (each) => typeof each === 'string' && each.trim().startsWith('<'),
  );
  const parametersByInput = new Map<Input, Parameter>();
  const root = textAt(resolvedSchema.xml, 'name') ?? resolvedSchema.name;
  const written =
    typeof sample === 'string'
      ? sample.trim()
      : root === undefined
        ? undefined
        : elementOf(description, root, resolvedSchema, inputs);
  if (written === undefined) return { ...EMPTY_BODY, missing: [`a body of ${type}, which has no example`] };
  const insertInput = (name: string, value: string): string | undefined => {
    const match = inputOf(
      { name, schema: resolveSchema(description, {}), description: '', examples: [value], required: true },
      inputs,
      NO_CONTEXT,
    );
    if (!match || !('input' in match) || parametersByInput.has(match.input)) return undefined;
    parametersByInput.set(match.input, {
      name,
      place: 'query',
      required: true,
      schema: resolveSchema(description, {}),
      description: '',
      examples: [value],
    });
    return `{${match.input}}`;
  };
  // Braces are doubled first, so that only inserted inputs are placeholders.
  const xml = String(templateLiteral(written))
    .replace(
      /<([\w.-]+:)?([\w.-]+)((?:\s[^<>]*)?)>([^<>]*)<\//g,
      (whole, _prefix, name: string, _attributes, text: string) => {
        const input = insertInput(name, text);
        return input === undefined ? whole : `${whole.slice(0, whole.length - text.length - 2)}${input}</`;
      },
    )
    .replace(/\s([\w.-]+)="([^"]*)"/g, (whole, name: string, text: string) => {
      const input = /^xmlns/.test(name) ? undefined : insertInput(name, text);
      return input === undefined ? whole : ` ${name}="${input}"`;
    });
  note(
    draftNotes,
    [...at, 'xml'],
    'likely',
    `the ${sample === undefined ? 'schema' : 'example'} of the body, with inputs inserted`,
  );
  return { template: { xml }, parametersByInput, missing: [] };
}

/** The minimal XML of a schema, with empty texts for inputs; undefined if another required text has no value. */
function elementOf(
  description: Description,
  name: string,
  resolvedSchema: ResolvedSchema,
  inputs: readonly Input[],
  depth = 0,
): string | undefined {
  if (depth > 8) return undefined;
  let [attributes, elements] = ['', ''];
  for (const [each, { schema, required }] of resolvedSchema.members) {
    const child = resolveSchema(description, schema);
    const xmlName = textAt(child.xml, 'name') ?? each;
    const match = inputOf(
      { name: xmlName, schema: child, description: '', examples: [], required },
      inputs,
      NO_CONTEXT,
    );
    const value = constantOf(xmlName, child.examples, child)?.value ?? (match && 'input' in match ? '' : undefined);
    const nested = child.members.size > 0 ? elementOf(description, xmlName, child, inputs, depth + 1) : undefined;
    if (nested !== undefined) elements += nested;
    else if (value === undefined && required) return undefined;
    else if (value !== undefined && child.xml.attribute === true) attributes += ` ${xmlName}="${value}"`;
    else if (value !== undefined) elements += `<${xmlName}>${value}</${xmlName}>`;
  }
  return `<${name}${attributes}>${elements}</${name}>`;
}
