/**
 * Reads the inputs of a request on the wire: the reverse of `buildRequest`. A request with any part that the profile’s
 * template does not explain is not read: that part may change its meaning, so no rule may judge the request.
 */
import { type Input, type OperationKey, operationOf } from '../../contract/index.ts';
import { allHeaders, firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import { decodePercent } from '../../exchange/url.ts';
import { placesOf, schemesIn } from '../../profile/auth-schemes.ts';
import { clausesReader } from '../../profile/read-back/pattern.ts';
import { requestReader } from '../../profile/read-back/request-reader.ts';
import type { Profile, RequestTemplate } from '../../profile/schema.ts';
import { fillTemplate, inputsIn } from '../../profile/template.ts';

/** A request as a client sent it. */
export interface SentRequest {
  readonly method: string;
  /** Below the base address: prefix, path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** Inputs by their names in the document, as texts; or the part that could not be read. */
export type ReadRequest = { readonly inputs: { readonly [I in Input]?: string } } | { readonly unread: string };

/** Headers that change the meaning of a request, or make its response partial. */
const CHANGING: Record<string, string> = {
  'x-http-method-override': 'it selects another method',
  'x-http-method': 'it selects another method',
  'x-method-override': 'it selects another method',
  range: 'it requests a part of the response',
  'if-match': 'it makes the request conditional',
  'if-unmodified-since': 'it makes the request conditional',
  'if-range': 'it makes the request conditional',
  prefer: 'it requests another form of response',
  'content-encoding': 'its body is compressed',
};
/** Headers of a profile that describe the client, not the request. */
const CLIENT_HEADERS = new Set(['user-agent', 'accept']);

const quoteName = (name: string): string => `“${name.slice(0, 60)}”`;

/** Query parameters that contain credentials. */
export const credentialQuery = ({ data }: Profile): string[] => [
  ...new Set(schemesIn(data).flatMap(({ scheme }) => placesOf(scheme).query)),
];

/** The value of `{upc}` in a path; undefined where the path does not match the operation’s. */
function upcIn(path: string, documented: string): string | undefined {
  const [before = '', after = ''] = documented.split('{upc}');
  if (!path.startsWith(before) || !path.endsWith(after) || path.length < before.length + after.length) return undefined;
  const segment = path.slice(before.length, path.length - after.length);
  return segment.includes('/') ? undefined : decodePercent(segment, undefined);
}

const sortedJson = (values: readonly string[]): string => JSON.stringify([...values].sort());

/** The first query parameter that is unknown, differs from the template or is missing. */
function unexplainedParameter(
  template: RequestTemplate,
  sent: URLSearchParams,
  rebuilt: readonly (readonly [string, string])[],
): string | undefined {
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name);
    const declared = Object.hasOwn(template.query ?? {}, name) ? template.query?.[name] : undefined;
    if (declared === undefined) return `query parameter ${quoteName(name)}, which the profile does not declare`;
    if (values.includes('')) return `query parameter ${quoteName(name)} without a value`;
    if (typeof declared === 'object' && !Array.isArray(declared)) {
      if (values.length > 1 || !clausesReader(declared)(values[0] as string))
        return `the expression in query parameter ${quoteName(name)}`;
      continue;
    }
    const expected = rebuilt.flatMap(([each, value]) => (each === name ? [value] : []));
    if (sortedJson(values) !== sortedJson(expected)) return `the value of query parameter ${quoteName(name)}`;
  }
  const missing = rebuilt.find(([name]) => !sent.has(name));
  return missing && `query parameter ${quoteName(missing[0])}, which the profile sends, is missing`;
}

/** The first header that changes the request, or differs from what the profile sends. */
function unexplainedHeader(
  profile: Profile,
  expected: readonly (readonly [string, string])[],
  sent: SentRequest['headers'],
): string | undefined {
  const changing = sent.find(([name]) => CHANGING[name.toLowerCase()] !== undefined);
  if (changing) return `header ${quoteName(changing[0])}: ${CHANGING[changing[0].toLowerCase()]}`;
  const always = Object.entries(profile.data.headers ?? {}).filter(([name]) => !CLIENT_HEADERS.has(name.toLowerCase()));
  for (const [name, value] of [...always, ...expected]) {
    const values = allHeaders(sent, name);
    if (values.length !== 1 || values[0]?.trim() !== value.trim())
      return `header ${quoteName(name)}, which the profile sends with another value`;
  }
  return undefined;
}

/** Whether two JSON values are equal; a number equals a text with the same digits. */
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

/** Whether a template contains inputs: then the reader has checked the whole text. */
const isFilled = (template: string): boolean => inputsIn(template).length > 0;
/** XML without its declaration and the white space between elements. */
const normalisedXml = (xml: string): string =>
  xml
    .replace(/^\s*<\?xml[^>]*\?>/, '')
    .replace(/>\s+</g, '><')
    .trim();

/** The part of a body that the template does not explain; undefined where it explains all of it. */
function unexplainedBody(
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
    if (!/json/.test(type)) return `a body of type ${quoteName(type)} where the profile sends JSON`;
    try {
      return sameJson(JSON.parse(text), expected) ? undefined : 'members of the body that the profile does not send';
    } catch {
      return 'a body that is not JSON';
    }
  }
  if (template.form) {
    if (type !== 'application/x-www-form-urlencoded')
      return `a body of type ${quoteName(type)} where the profile sends a form`;
    const pairs = (form: string) => sortedJson([...new URLSearchParams(form)].map((pair) => JSON.stringify(pair)));
    return pairs(text) === pairs(rebuilt ?? '') ? undefined : 'pairs of the body that the profile does not send';
  }
  if (template.xml !== undefined) {
    if (!/xml/.test(type)) return `a body of type ${quoteName(type)} where the profile sends XML`;
    return isFilled(template.xml) || normalisedXml(text) === normalisedXml(rebuilt ?? '')
      ? undefined
      : 'a body that is not the one the profile sends';
  }
  if (template.raw) {
    if (type !== mediaTypeOf([['content-type', template.raw.type]]).type) return `a body of type ${quoteName(type)}`;
    // The reader does not check a text without inputs.
    return text === rebuilt || isFilled(template.raw.text) ? undefined : 'a body that is not the one the profile sends';
  }
  return isBare ? undefined : 'a body, where the profile sends none';
}

/** Whether the client requests a media type that the profile does not read. */
function requestsOtherMedia(profile: Profile, operation: OperationKey, headers: SentRequest['headers']): boolean {
  const accept = allHeaders(headers, 'accept').join(',').toLowerCase();
  if (accept === '' || /\*\/\*|application\/\*/.test(accept) || /json/.test(accept)) return false;
  const always = firstHeader(Object.entries(profile.data.headers ?? {}), 'accept');
  if (always !== undefined && always.toLowerCase() === accept) return false;
  const media = profile.data.operations?.[operation]?.response?.media;
  return media === undefined || !accept.includes(media === 'text' ? 'text/plain' : media);
}

/** Returns a function that reads requests of one operation, as the profile writes them. */
export function requestReaderFor(profile: Profile, operation: OperationKey): (sent: SentRequest) => ReadRequest {
  const { prefixes } = profile.data;
  const { path: documented, group } = operationOf(operation);
  const prefix = prefixes?.[operation] ?? prefixes?.[group] ?? '';
  const template = profile.data.operations?.[operation]?.request;
  const read = requestReader(template);
  const credentials = credentialQuery(profile);
  return (sent) => {
    if (!template) return { unread: 'the profile does not declare the request' };
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
    const unexplained =
      unexplainedParameter(template, query, rebuilt.query) ??
      unexplainedHeader(profile, rebuilt.headers, sent.headers) ??
      unexplainedBody(template, rebuilt.body?.text, sent);
    if (unexplained !== undefined) return { unread: unexplained };
    if (requestsOtherMedia(profile, operation, sent.headers))
      return { unread: 'header “Accept”: it requests another form of response' };
    return { inputs: { ...inputs, ...(upc !== undefined && { upc }) } };
  };
}
