/** Splits a request into the parts that hold values, and replaces the value of one part. */
import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import { type RecordedSequence, textOf } from './recorded-requests.ts';

/** `query page`, `path 3`, `body job.id`, `header x-job`. */
export type RequestPartValues = ReadonlyMap<string, string>;

export interface Sendable {
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

const pairsOf = (text: string): [string, string][] =>
  text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    });

function* scalarsIn(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) yield* scalarsIn(each, path === '' ? name : `${path}.${name}`);
  } else if (value !== null && value !== undefined) yield [path, String(value)];
}

const isForm = (headers: Sendable['headers']): boolean =>
  mediaTypeOf(headers).type === 'application/x-www-form-urlencoded';

function jsonOf(body: string | undefined): unknown {
  if (body === undefined || !/^\s*[[{]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The recorded request, ready to send. */
export function sendableOf({ target, exchanges }: RecordedSequence): Sendable {
  const [first] = exchanges;
  return { target, headers: first?.request.headers ?? [], body: textOf(first?.request.body) };
}

/** All parts of a request by name. @param inputs headers that carry inputs */
export function requestPartsOf({ target, headers, body }: Sendable, inputs: readonly string[]): RequestPartValues {
  const queryStart = target.indexOf('?');
  const path = queryStart < 0 ? target : target.slice(0, queryStart);
  const json = jsonOf(body);
  const parts: [string, string][] = [
    ...path.split('/').map((each, at): [string, string] => [`path ${at}`, decoded(each)]),
    ...(queryStart < 0
      ? []
      : pairsOf(target.slice(queryStart + 1)).map(([name, value]): [string, string] => [`query ${name}`, value])),
    ...inputs.map((name): [string, string] => [`header ${name}`, firstHeader(headers, name) ?? '']),
  ];
  if (body !== undefined && isForm(headers))
    parts.push(...pairsOf(body).map(([name, value]): [string, string] => [`body ${name}`, value]));
  else if (json !== undefined) for (const [name, value] of scalarsIn(json, '')) parts.push([`body ${name}`, value]);
  else if (body !== undefined) {
    // In XML and other texts: element texts and attribute values.
    const values = body.matchAll(/>([^<>]{1,200})<|="([^"]{1,200})"/g);
    for (const [at, [, text, attribute]] of [...values].entries())
      parts.push([`body ${at}`, (text ?? attribute ?? '').trim()]);
  }
  return new Map(parts.filter(([, value]) => value !== ''));
}

const inJson = (value: unknown, oldValue: string, newValue: string): unknown => {
  if (typeof value === 'string' && value === oldValue) return newValue;
  if (typeof value === 'number' && String(value) === oldValue)
    return /^-?\d{1,15}$/.test(newValue) ? Number(newValue) : newValue;
  if (Array.isArray(value)) return value.map((each) => inJson(each, oldValue, newValue));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inJson(each, oldValue, newValue)]));
};

const inPairs = (text: string, part: string, kind: string, oldValue: string, newValue: string): string =>
  text
    .split('&')
    .map((pair) => {
      const [[name, value] = ['', '']] = pairsOf(pair);
      return `${kind} ${name}` === part && value === oldValue
        ? `${pair.slice(0, pair.indexOf('=') + 1)}${encodeURIComponent(newValue)}`
        : pair;
    })
    .join('&');

/** Replaces the value of one part of a request. */
export function withPart(request: Sendable, part: string, oldValue: string, newValue: string): Sendable {
  const [kind = '', ...rest] = part.split(' ');
  const name = rest.join(' ');
  const queryStart = request.target.indexOf('?');
  const [path, query] =
    queryStart < 0
      ? [request.target, undefined]
      : [request.target.slice(0, queryStart), request.target.slice(queryStart + 1)];
  if (kind === 'query' && query !== undefined)
    return { ...request, target: `${path}?${inPairs(query, part, kind, oldValue, newValue)}` };
  if (kind === 'path') {
    const segments = path.split('/').map((each, at) => (String(at) === name ? encodeURIComponent(newValue) : each));
    return { ...request, target: `${segments.join('/')}${query === undefined ? '' : `?${query}`}` };
  }
  if (kind === 'header')
    return {
      ...request,
      headers: request.headers.map(([each, value]) => [
        each,
        each.toLowerCase() === name && value === oldValue ? newValue : value,
      ]),
    };
  if (kind !== 'body' || request.body === undefined) return request;
  if (isForm(request.headers)) return { ...request, body: inPairs(request.body, part, kind, oldValue, newValue) };
  const json = jsonOf(request.body);
  if (json !== undefined) return { ...request, body: JSON.stringify(inJson(json, oldValue, newValue)) };
  return {
    ...request,
    body: request.body.replaceAll(`>${oldValue}<`, `>${newValue}<`).replaceAll(`"${oldValue}"`, `"${newValue}"`),
  };
}
