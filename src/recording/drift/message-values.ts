/**
 * The values in messages that later requests may carry: those of the parts of a request, and those of a response outside
 * of its lists, such as job ids, cursors and links to the next page.
 */
import { mediaTypeOf } from '../../exchange/headers.ts';
import type { ResponseHead } from '../../exchange/types.ts';
import { decodePercent } from '../../exchange/url.ts';
import { type RecordedBody, readShape, storedBody } from './read-shape.ts';
import { type RecordedSequence, textOf } from './recorded-requests.ts';
import { Shape } from './shape.ts';

/** `query page`, `path 3`, `body job.id`, `header x-job`. */
export type RequestPartValues = ReadonlyMap<string, string>;

export interface Sendable {
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

/** The new value of a part; undefined removes it, if it is a pair, a header or a member. */
type Replace = (part: string, value: string) => string | undefined;

const decoded = (text: string): string => decodePercent(text.replaceAll('+', ' '), text);

const mapPairs = (text: string, kind: string, replace: Replace): string =>
  text
    .split('&')
    .flatMap((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
      const now = pair === '' ? value : replace(`${kind} ${name}`, value);
      if (now === undefined) return [];
      return [now === value ? pair : `${pair.slice(0, at + 1)}${encodeURIComponent(now)}`];
    })
    .join('&');

function mapJson(value: unknown, path: string, replace: Replace): unknown {
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value)) return value.map((each, at) => mapJson(each, below(`${at}`), replace));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, each]) => [name, mapJson(each, below(name), replace)] as const)
        .filter(([, each]) => each !== undefined),
    );
  if (value === null) return value;
  const now = replace(`body ${path}`, String(value));
  if (now === String(value)) return value;
  return typeof value === 'number' && now !== undefined && /^-?\d{1,15}$/.test(now) ? Number(now) : now;
}

function mapBody(body: string, headers: Sendable['headers'], replace: Replace): string {
  if (mediaTypeOf(headers).type === 'application/x-www-form-urlencoded') return mapPairs(body, 'body', replace);
  if (/^\s*[[{]/.test(body)) {
    try {
      const json: unknown = JSON.parse(body);
      const [before, now] = [json, mapJson(json, '', replace)].map((each) => JSON.stringify(each));
      return before === now ? body : (now as string);
    } catch {
      // Another text.
    }
  }
  // In XML and other texts: element texts and attribute values.
  let at = 0;
  return body.replace(/(?<=>)[^<>]{1,200}(?=<)|(?<==")[^"]{1,200}(?=")/g, (text) => {
    const value = text.trim();
    return text.replace(value, () => replace(`body ${at++}`, value) ?? value);
  });
}

/** The request with the values that a function returns for its parts. What stays is not written anew. */
export function mapParts({ target, headers, body }: Sendable, replace: Replace): Sendable {
  const [path = '', ...rest] = target.split('?');
  const segments = path.split('/').map((each, at) => {
    const now = replace(`path ${at}`, decoded(each));
    return now === undefined || now === decoded(each) ? each : encodeURIComponent(now);
  });
  const query = mapPairs(rest.join('?'), 'query', replace);
  return {
    target: `${segments.join('/')}${rest.length === 0 || (query === '' && rest.join('') !== '') ? '' : `?${query}`}`,
    headers: headers.flatMap(([name, value]): [string, string][] => {
      const now = replace(`header ${name.toLowerCase()}`, value);
      return now === undefined ? [] : [[name, now]];
    }),
    body: body === undefined ? undefined : mapBody(body, headers, replace),
  };
}

/** The recorded request, ready to send. */
export function sendableOf({ target, exchanges }: RecordedSequence): Sendable {
  const [first] = exchanges;
  return { target, headers: first?.request.headers ?? [], body: textOf(first?.request.body) };
}

/** All parts of a request by name; empty ones are left out. @param inputs the headers of interest; absent: all */
export function requestPartsOf(request: Sendable, inputs?: readonly string[]): RequestPartValues {
  const parts = new Map<string, string>();
  mapParts(request, (part, value) => {
    if (value !== '' && (!inputs || !part.startsWith('header ') || inputs.includes(part.slice('header '.length))))
      parts.set(part, value);
    return value;
  });
  return parts;
}

/** By place: `$.next`, `header location`, `header location last` for the end of its path, `link next`. */
export type ScalarValues = ReadonlyMap<string, string>;

/** Further values are treated as data. */
const MAX_VALUES = 500;
const MAX_VALUE_LENGTH = 2000;

const LINK = /<([^<>]*)>\s*;[^,]*?\brel\s*=\s*"?([\w -]+)"?/g;

function fromHead({ headers }: ResponseHead, values: Map<string, string>): void {
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    if (value.length > MAX_VALUE_LENGTH || values.has(`header ${name}`)) continue;
    values.set(`header ${name}`, value);
    if (name === 'link')
      for (const [, target = '', rel = ''] of value.matchAll(LINK)) values.set(`link ${rel.trim()}`, target);
    if (name === 'location' || name === 'content-location') addUrlParts(`header ${name}`, value, values);
  }
}

/** Adds the last path segment and the parameters of a URL. */
function addUrlParts(place: string, address: string, values: Map<string, string>): void {
  const [path = '', query = ''] = address.split('#', 1)[0]?.split('?') ?? [];
  const last = path.split('/').filter(Boolean).at(-1);
  if (last !== undefined) values.set(`${place} last`, last);
  for (const [name, value] of new URLSearchParams(query)) values.set(`${place} ?${name}`, value);
}

/** The maximum length of a text that is searched for ids. */
const MAX_SENTENCE_LENGTH = 200;

/** Words of a sentence that may be ids. */
const words = (text: string): string[] => text.split(/[\s"'(),;]+/).filter((word) => /\d/.test(word));

const isAddress = (value: string): boolean => /^(?:https?:\/\/|\/)[^\s]+$/.test(value);

/** Reads the values of a response outside of its lists. */
export async function scalarValuesOf(
  head: ResponseHead,
  body: Omit<RecordedBody, 'head' | 'onScalar'> | undefined,
): Promise<ScalarValues> {
  const values = new Map<string, string>();
  fromHead(head, values);
  if (!body) return values;
  const onScalar = (place: string, given: string): void => {
    const value = given.trim();
    if (values.size >= MAX_VALUES || value.length > MAX_VALUE_LENGTH || value === '') return;
    values.set(place, value);
    if (isAddress(value)) addUrlParts(place, value, values);
    if (place !== '$' || value.length > MAX_SENTENCE_LENGTH) return;
    for (const [at, word] of words(value).entries()) values.set(`$ word ${at}`, word);
  };
  await readShape({ ...body, head, onScalar }, new Shape());
  return values;
}

/** The values outside of lists in each response of a sequence. @param folder of the recording */
export const sequenceValuesOf = ({ exchanges }: RecordedSequence, folder: string): Promise<ScalarValues[]> =>
  Promise.all(
    exchanges.map(async ({ response }): Promise<ScalarValues> => {
      if (!response) return new Map();
      return scalarValuesOf(response, response.body && { body: storedBody(folder, response.body) });
    }),
  );
