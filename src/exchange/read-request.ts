/**
 * From a request on the wire back to what it asks for, completely or not at all: the reverse of `buildRequest`. What the
 * profile’s template does not say may change what the request means, so nothing is judged by such a request.
 */
import { type Input, type OperationKey, operationOf } from '../contract/index.ts';
import { clausesReader } from '../profile/read-back/pattern.ts';
import { requestReader } from '../profile/read-back/request-reader.ts';
import type { Profile, RequestTemplate } from '../profile/schema.ts';
import { fillTemplate, inputsIn } from '../profile/template.ts';
import { allHeaders, firstHeader, mediaTypeOf } from './headers.ts';

/** A request as a client sent it. */
export interface SentRequest {
  readonly method: string;
  /** Below the base address: prefix, path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** Inputs in the document’s words, as texts; or the part that could not be read. */
export type ReadRequest = { readonly inputs: { readonly [I in Input]?: string } } | { readonly unread: string };

/** Headers that make a request another one, or its answer a part of one. */
const CHANGING: Record<string, string> = {
  'x-http-method-override': 'it asks for another method',
  'x-http-method': 'it asks for another method',
  'x-method-override': 'it asks for another method',
  range: 'it asks for a part of the answer',
  'if-match': 'it asks under a condition',
  'if-unmodified-since': 'it asks under a condition',
  'if-range': 'it asks under a condition',
  prefer: 'it asks for an answer of another form',
  'content-encoding': 'its body is compressed',
};
/** Headers a profile may send along that tell who asks, not what. */
const WHO_ASKS = new Set(['user-agent', 'accept']);

const told = (name: string): string => `“${name.slice(0, 60)}”`;

/** Query parameters that carry credentials. */
export const credentialQuery = ({ data: { auth } }: Profile): string[] =>
  [auth ?? []].flat().flatMap((each) => (each.scheme === 'apiKey' && each.in === 'query' ? [each.name] : []));

/** The value of a path’s `{upc}`; undefined where the path is not that of the operation. */
function upcIn(path: string, documented: string): string | undefined {
  const [before = '', after = ''] = documented.split('{upc}');
  if (!path.startsWith(before) || !path.endsWith(after) || path.length < before.length + after.length) return undefined;
  const segment = path.slice(before.length, path.length - after.length);
  if (segment.includes('/')) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const sortedJson = (values: readonly string[]): string => JSON.stringify([...values].sort());

/** The first parameter that the template does not explain, or that it would have sent. */
function oddParameter(
  template: RequestTemplate,
  sent: URLSearchParams,
  rebuilt: readonly (readonly [string, string])[],
): string | undefined {
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name);
    const declared = Object.hasOwn(template.query ?? {}, name) ? template.query?.[name] : undefined;
    if (declared === undefined) return `query parameter ${told(name)}, which the profile does not know`;
    if (values.includes('')) return `query parameter ${told(name)} without a value`;
    if (typeof declared === 'object' && !Array.isArray(declared)) {
      if (values.length > 1 || !clausesReader(declared)(values[0] as string))
        return `the expression in query parameter ${told(name)}`;
      continue;
    }
    const expected = rebuilt.flatMap(([each, value]) => (each === name ? [value] : []));
    if (sortedJson(values) !== sortedJson(expected)) return `the value of query parameter ${told(name)}`;
  }
  const missing = rebuilt.find(([name]) => !sent.has(name));
  return missing && `query parameter ${told(missing[0])}, which the profile sends, is missing`;
}

/** The first header that the profile would have sent otherwise. */
function oddHeader(
  profile: Profile,
  expected: readonly (readonly [string, string])[],
  sent: SentRequest['headers'],
): string | undefined {
  const changing = sent.find(([name]) => CHANGING[name.toLowerCase()] !== undefined);
  if (changing) return `header ${told(changing[0])}: ${CHANGING[changing[0].toLowerCase()]}`;
  const always = Object.entries(profile.data.headers ?? {}).filter(([name]) => !WHO_ASKS.has(name.toLowerCase()));
  for (const [name, value] of [...always, ...expected]) {
    const values = allHeaders(sent, name);
    if (values.length !== 1 || values[0]?.trim() !== value.trim())
      return `header ${told(name)}, which the profile sends otherwise`;
  }
  return undefined;
}

/** Whether two JSON values say the same, numbers and texts of the same digits alike. */
function sameJson(sent: unknown, expected: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(expected))
    return sent.length === expected.length && sent.every((each, at) => sameJson(each, expected[at]));
  if (typeof sent === 'object' && sent !== null && typeof expected === 'object' && expected !== null) {
    if (Array.isArray(sent) || Array.isArray(expected)) return false;
    const names = new Set([...Object.keys(sent), ...Object.keys(expected)]);
    return [...names].every(
      (name) =>
        Object.hasOwn(sent, name) &&
        Object.hasOwn(expected, name) &&
        sameJson((sent as never)[name], (expected as never)[name]),
    );
  }
  if (typeof sent === 'object' || typeof expected === 'object') return sent === expected;
  return String(sent) === String(expected);
}

/** Whether inputs stand in a template; the reader of such a one has looked at all of the text. */
const isFilled = (template: string): boolean => inputsIn(template).length > 0;
/** XML without its declaration and the blanks between elements. */
const squeezed = (xml: string): string =>
  xml
    .replace(/^\s*<\?xml[^>]*\?>/, '')
    .replace(/>\s+</g, '><')
    .trim();

/** What of a body the template does not explain; undefined where it explains all of it. */
function oddBody(
  template: RequestTemplate,
  rebuilt: string | undefined,
  { body, headers }: SentRequest,
): string | undefined {
  const { type } = mediaTypeOf(headers);
  const text = new TextDecoder().decode(body);
  const isBare = text.trim() === '' || text.trim() === '{}';
  if (template.json !== undefined) {
    const expected = JSON.parse(rebuilt ?? '{}') as unknown;
    if (isBare && sameJson({}, expected)) return undefined;
    if (!/json/.test(type)) return `a body of type ${told(type)} where the profile sends JSON`;
    try {
      return sameJson(JSON.parse(text), expected) ? undefined : 'members of the body that the profile does not send';
    } catch {
      return 'a body that is no JSON';
    }
  }
  if (template.form) {
    if (type !== 'application/x-www-form-urlencoded')
      return `a body of type ${told(type)} where the profile sends a form`;
    const pairs = (form: string) => sortedJson([...new URLSearchParams(form)].map((pair) => JSON.stringify(pair)));
    return pairs(text) === pairs(rebuilt ?? '') ? undefined : 'pairs of the body that the profile does not send';
  }
  if (template.xml !== undefined) {
    if (!/xml/.test(type)) return `a body of type ${told(type)} where the profile sends XML`;
    return isFilled(template.xml) || squeezed(text) === squeezed(rebuilt ?? '')
      ? undefined
      : 'a body that is not the one the profile sends';
  }
  if (template.raw) {
    if (type !== mediaTypeOf([['content-type', template.raw.type]]).type) return `a body of type ${told(type)}`;
    // Without an input in it the reader does not look at the text.
    return text === rebuilt || isFilled(template.raw.text) ? undefined : 'a body that is not the one the profile sends';
  }
  return isBare ? undefined : 'a body, where the profile sends none';
}

/** Whether the client asked for a form of answer that the profile does not read. */
function asksForOtherMedia(profile: Profile, operation: OperationKey, headers: SentRequest['headers']): boolean {
  const accept = allHeaders(headers, 'accept').join(',').toLowerCase();
  if (accept === '' || /\*\/\*|application\/\*/.test(accept) || /json/.test(accept)) return false;
  const always = firstHeader(Object.entries(profile.data.headers ?? {}), 'accept');
  if (always !== undefined && always.toLowerCase() === accept) return false;
  const media = profile.data.operations?.[operation]?.response?.media;
  return media === undefined || !accept.includes(media === 'text' ? 'text/plain' : media);
}

/** A function that reads requests of one operation back, as the profile writes them. */
export function requestReaderFor(profile: Profile, operation: OperationKey): (sent: SentRequest) => ReadRequest {
  const { prefixes } = profile.data;
  const { path: documented, group } = operationOf(operation);
  const prefix = prefixes?.[operation] ?? prefixes?.[group] ?? '';
  const template = profile.data.operations?.[operation]?.request;
  const read = requestReader(template);
  const credentials = credentialQuery(profile);
  return (sent) => {
    if (!template) return { unread: 'the profile does not say how it is asked' };
    const [path = '', ...rest] = sent.target.split('?');
    const whole = `${prefix}${documented}`;
    const upc = whole.includes('{upc}') ? upcIn(path, whole) : undefined;
    if (whole.includes('{upc}') ? upc === undefined : path !== whole) return { unread: 'the path' };
    const query = new URLSearchParams(rest.join('?'));
    for (const name of credentials) query.delete(name);
    const headers = Object.fromEntries(sent.headers.map(([name, value]) => [name.toLowerCase(), value]));
    const inputs = read({ query, headers, body: sent.body });
    if (!inputs) return { unread: 'a value that does not fit the profile’s template' };
    const rebuilt = fillTemplate(template, inputs);
    const odd =
      oddParameter(template, query, rebuilt.query) ??
      oddHeader(profile, rebuilt.headers, sent.headers) ??
      oddBody(template, rebuilt.body?.text, sent);
    if (odd !== undefined) return { unread: odd };
    if (asksForOtherMedia(profile, operation, sent.headers))
      return { unread: 'header “Accept”: it asks for an answer of another form' };
    return { inputs: { ...inputs, ...(upc !== undefined && { upc }) } };
  };
}
