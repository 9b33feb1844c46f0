/** A request on the wire as a request template without inputs: its parameters, the members of its body, each at its path. */
import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import type { WireRequest } from '../../exchange/types.ts';
import { isPlainObject, memberOf, type PlainObject } from '../../profile/plain-object.ts';
import { secretKindOf, secretKindOfHeader } from '../../secrets/credential-names.ts';

/** A value of a request, and its path in the template. */
export interface SentValue {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** The header by which a status operation may receive the id of a job. */
const ID_HEADER = /(^|-)(id|job|ticket|handle|key|task|auftrag)$/i;

/** The pairs without credentials; a handle may be that of the next page. */
const pairsOf = (pairs: URLSearchParams): PlainObject => {
  const names = [...new Set(pairs.keys())].filter((name) => [undefined, 'handle'].includes(secretKindOf(name)));
  return Object.fromEntries(
    names.map((name) => {
      const values = pairs.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
};

/** Splits XML: texts and the values of attributes are at odd positions. */
const xmlParts = (text: string): string[] =>
  text.split(/((?<=>)\s*[^<>\s][^<>]*(?=<\/)|(?<=[\w.-]=")[^"<>]*(?=")|(?<=[\w.-]=')[^'<>]*(?='))/);

function bodyOf({ headers, body = new Uint8Array(0) }: WireRequest): PlainObject {
  if (body.length === 0) return {};
  const text = Buffer.from(body).toString('utf8');
  const { type } = mediaTypeOf(headers);
  if (type === 'application/x-www-form-urlencoded') return { form: pairsOf(new URLSearchParams(text)) };
  if (/xml$/.test(type)) return { xml: xmlParts(text) };
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { raw: { type: firstHeader(headers, 'content-type') ?? 'text/plain', text } };
  }
}

/** Reads a request; credentials, by their names, are left out. */
export function readSentRequest(request: WireRequest): PlainObject {
  const query = pairsOf(new URL(request.url).searchParams);
  const ids = request.headers.filter(([name]) => ID_HEADER.test(name) && secretKindOfHeader(name) === undefined);
  return {
    ...(Object.keys(query).length > 0 && { query }),
    ...(ids.length > 0 && { headers: Object.fromEntries(ids.map(([name, value]) => [name.toLowerCase(), value])) }),
    ...bodyOf(request),
  };
}

/** The name of a value: of its parameter, member, element or attribute. */
export function sentName({ path }: SentValue, values: readonly SentValue[]): string {
  const [place, at] = path;
  if (place !== 'xml') return String(path.findLast((step) => typeof step === 'string'));
  const before = values.find(({ path: [other, index] }) => other === 'xml' && index === Number(at) - 1);
  return (
    /(?:<(?:[\w.-]+:)?([\w.-]+)[^<>]*>|\s(?:[\w.-]+:)?([\w.-]+)=["'])$/
      .exec(String(before?.value))
      ?.slice(1)
      .join('') ?? ''
  );
}

/** Whether a value may be a secret, by the names around it or, in a text without names, by the words in it. */
export function mayBeSecret({ path, value }: SentValue, name: string): boolean {
  const isText = path[0] === 'raw' || /<!\[CDATA\[/.test(String(value));
  const words = isText ? String(value).split(/[^\w-]+/) : [];
  return [...path, name, ...words].some((each) => secretKindOf(String(each)) !== undefined);
}

/** The values of a request, and its empty lists and objects. */
export function sentValues(node: unknown, path: SentValue['path'] = []): SentValue[] {
  const members = isPlainObject(node) ? Object.entries(node).filter(([name]) => name !== '__proto__') : [];
  const inner = Array.isArray(node) ? [...node.entries()] : members;
  if (inner.length === 0) return path.length === 0 ? [] : [{ path, value: node }];
  return inner.flatMap(([step, each]) => sentValues(each, [...path, step]));
}

/** Writes values as a request template. */
export function requestOfValues(values: readonly SentValue[]): PlainObject {
  const root: PlainObject = {};
  for (const { path, value } of values) {
    let node = root as Record<string | number, unknown>;
    for (const [at, step] of path.slice(0, -1).entries()) {
      node[step] ??= typeof path[at + 1] === 'number' ? [] : {};
      node = node[step] as typeof node;
    }
    node[path.at(-1) as string] = value;
  }
  const { xml, raw, ...others } = root;
  return {
    ...others,
    ...(Array.isArray(xml) && { xml: xml.join('') }),
    // A type without a text is no body.
    ...(memberOf(raw, 'text') !== undefined && { raw }),
  };
}
