/**
 * Request templates: how neutral inputs become query, headers and body (openings of sections 4.1–4.4).
 * A parameter, header or JSON member is omitted if its template mentions an input that has no value.
 */
import { INPUT_NAMES, type Input } from '../contract/index.ts';
import { type MultipartPart, writeMultipart } from './multipart.ts';
import type { RequestPairs } from './schema/request.ts';
import type { RequestTemplate } from './schema.ts';

export type InputValue = string | number | boolean;
export type Inputs = { readonly [I in Input]?: InputValue };

export interface RequestParts {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: { readonly type: string; readonly text: string };
}

/** An input in braces, or an escaped brace. */
export const INPUT_VARIABLE = /\{\{|\}\}|\{([A-Za-z]+)\}/g;
const KNOWN = new Set<string>(INPUT_NAMES);

export const isInput = (name: string): name is Input => KNOWN.has(name);

/** The inputs of each template text so far: a run fills the few templates of its profile many times. */
const inputsOfText = new Map<string, readonly Input[]>();

/** The inputs a text mentions as `{name}`; `{{` and `}}` escape braces. */
export function inputsIn(text: string): readonly Input[] {
  const known = inputsOfText.get(text);
  if (known) return known;
  const inputs = [...text.matchAll(INPUT_VARIABLE)].map((match) => match[1] ?? '').filter(isInput);
  inputsOfText.set(text, inputs);
  return inputs;
}

const inputsOfTemplate = new WeakMap<RequestTemplate, ReadonlySet<Input>>();

/** Every input that a template mentions. */
export function mentionedInputs(template: RequestTemplate): ReadonlySet<Input> {
  const inputs = inputsOfTemplate.get(template) ?? findMentioned(template);
  inputsOfTemplate.set(template, inputs);
  return inputs;
}

function findMentioned(template: RequestTemplate): Set<Input> {
  const found = new Set<Input>();
  const walk = (value: unknown): void => {
    if (typeof value === 'string') for (const input of inputsIn(value)) found.add(input);
    else if (Array.isArray(value)) value.forEach(walk);
    else if (value && typeof value === 'object') Object.values(value).forEach(walk);
  };
  walk({ ...template, spellings: undefined, codes: undefined });
  return found;
}

/** Whether a request that has no other optional input contains this one: a clause of two filters is omitted without both. */
export const isSentAlone = (template: RequestTemplate, input: Input): boolean =>
  JSON.stringify(fillTemplate(template, { [input]: 'value' })) !== JSON.stringify(fillTemplate(template, {}));

/**
 * Whether a request lacks the part that contains an input if this has no value: other texts then contain an empty one.
 * Undefined if it does not mention the input.
 */
export const isOmittable = (template: RequestTemplate, input: Input): boolean | undefined =>
  mentionedInputs(template).has(input)
    ? !inputsIn(`${template.xml ?? ''}${template.raw?.text ?? ''}`).includes(input)
    : undefined;

/**
 * The request with an empty body in place of its members; undefined if the body is no JSON object and no form with members,
 * or if parameters of the query may be what the operation needs.
 */
export function withoutMembers(template: RequestTemplate): RequestTemplate | undefined {
  const { json, form, query = {} } = template;
  const hasMembers = (body: unknown): boolean =>
    typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length > 0;
  if (hasMembers(query)) return undefined;
  return hasMembers(json) ? { ...template, json: {} } : hasMembers(form) ? { ...template, form: {} } : undefined;
}

type Escape = (value: string) => string;
const asIs: Escape = (value) => value;
const XML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escapeXml: Escape = (value) => value.replace(/[&<>"']/g, (char) => XML_ENTITIES[char] ?? char);
/** How a clause escapes quotes in the values of its inputs. */
export type Quoting = 'odata' | 'backslash' | 'none';
const QUOTES: Record<Quoting, Escape> = {
  odata: (value) => value.replaceAll("'", "''"),
  backslash: (value) => value.replace(/[\\"']/g, '\\$&'),
  none: asIs,
};

/** Infers how a clause escapes quotes from the quotes around its input: '…' as OData, "…" with a backslash. */
export function quotingOf(clause: string): Quoting {
  if (/'\{[A-Za-z]+\}'/.test(clause)) return 'odata';
  return /"\{[A-Za-z]+\}"/.test(clause) ? 'backslash' : 'none';
}

/** Fills one template for one set of inputs. Equal inputs produce equal bytes. */
export function fillTemplate(template: RequestTemplate, inputs: Inputs): RequestParts {
  const serviceValue = (input: Input): InputValue | undefined => {
    const value = inputs[input];
    return value === undefined ? undefined : (template.spellings?.[input]?.[String(value)] ?? value);
  };
  const inputsAreSet = (text: string) => inputsIn(text).every((input) => inputs[input] !== undefined);
  const insert = (text: string, escaped: Escape = asIs): string =>
    text.replace(INPUT_VARIABLE, (whole, name?: string) => {
      if (whole === '{{') return '{';
      if (whole === '}}') return '}';
      return name !== undefined && isInput(name) ? escaped(String(serviceValue(name) ?? '')) : whole;
    });

  const pairsOf = (values: RequestPairs): [string, string][] =>
    Object.entries(values).flatMap(([name, value]): [string, string][] => {
      if (typeof value === 'object' && !Array.isArray(value)) {
        const present = value.clauses
          .filter(inputsAreSet)
          .map((clause) => insert(clause, QUOTES[value.quote ?? quotingOf(clause)]));
        return present.length > 0 ? [[name, present.join(value.join)]] : [];
      }
      const texts = [value].flat().map(String).filter(inputsAreSet);
      return texts.map((text) => [name, insert(text)]);
    });

  const fillJson = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const soleInput = /^\{([A-Za-z]+)\}$/.exec(value)?.[1];
      if (soleInput && isInput(soleInput)) return serviceValue(soleInput);
      return inputsAreSet(value) ? insert(value) : undefined;
    }
    if (Array.isArray(value)) return value.map(fillJson).filter((each) => each !== undefined);
    if (value && typeof value === 'object') {
      return Object.fromEntries(
        Object.entries(value)
          .map(([key, each]) => [key, fillJson(each)] as const)
          .filter(([, each]) => each !== undefined),
      );
    }
    return value;
  };

  const bodyOf = (): RequestParts['body'] => {
    if (template.json !== undefined)
      return { type: 'application/json', text: JSON.stringify(fillJson(template.json) ?? {}) };
    if (template.form) {
      const form = new URLSearchParams(pairsOf(template.form));
      return { type: 'application/x-www-form-urlencoded', text: form.toString() };
    }
    if (template.multipart)
      return writeMultipart(
        Object.entries(template.multipart).flatMap(([name, value]): MultipartPart[] => {
          if (typeof value !== 'object' || Array.isArray(value))
            return pairsOf({ [name]: value }).map(([, text]) => ({ name, text }));
          const { filename, type = 'application/octet-stream', text } = value;
          if (!inputsAreSet(filename) || !inputsAreSet(text)) return [];
          return [{ name, filename: insert(filename), type, text: insert(text) }];
        }),
      );
    if (template.xml !== undefined) return { type: 'application/xml', text: insert(template.xml, escapeXml) };
    if (template.raw) return { type: template.raw.type, text: insert(template.raw.text) };
    return undefined;
  };

  const headers = Object.entries(template.headers ?? {})
    .filter(([, value]) => inputsAreSet(value))
    .map(([name, value]): [string, string] => [name, insert(value)]);
  const body = bodyOf();
  return { query: pairsOf(template.query ?? {}), headers, ...(body && { body }) };
}
