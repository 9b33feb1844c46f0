/**
 * Keeps credentials out of recordings: everything that is kept, and everything that is looked up, passes through here
 * before it is held for the disk. Clients still get the true values.
 */
import { secretForms } from '../redact.ts';
import { type Finder, literal, Splitter } from './splitter.ts';
import type { HeaderLines, RecordedRequest, RecordedResponse, StoredBody } from './types.ts';

/** What is known to be secret before anything was seen. */
export interface Secrets {
  /** Values, e.g. those a profile takes from the environment. */
  readonly values: readonly string[];
  /** Headers that carry a credential besides those that always do, in lower case. */
  readonly headers: readonly string[];
  /** Query parameters that carry a credential. */
  readonly query: readonly string[];
}

/** Stands where a secret stood. */
export const HIDDEN = '***';

/** Headers that carry credentials by their definition, and what of them may stay. */
const CREDENTIALS: Record<string, (value: string) => string> = {
  authorization: (value) =>
    value.replace(/^(\S+)\s.*|^.*$/s, (_, scheme?: string) => (scheme ? `${scheme} ${HIDDEN}` : HIDDEN)),
  'proxy-authorization': () => HIDDEN,
  cookie: (value) => value.replace(/=[^;]*/g, `=${HIDDEN}`),
  // Attributes stay: a client decides by them.
  'set-cookie': (value) => value.replace(/^([^=;]*)=?[^;]*/, `$1=${HIDDEN}`),
};

/** What hides secrets in the parts of an exchange. */
export interface Protector {
  /** What is part of both kept and looked-up requests; `text` is a body that fits into memory. */
  request<R extends Omit<RecordedRequest, 'body'> & { readonly body?: StoredBody }>(request: R): R;
  response(response: RecordedResponse): RecordedResponse;
  text(text: string): string;
  /** For bodies that do not fit into memory: a function from chunk to chunks, called without one at the end. */
  stream(): (chunk?: Uint8Array) => Uint8Array[];
}

const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

function findSecrets(forms: readonly string[]): Finder {
  const needles = forms.map(asBytes);
  const longest = Math.max(0, ...needles.map((each) => each.length));
  return {
    pattern: new RegExp(`(${needles.map(literal).join('|')})`, 'g'),
    needles: needles.map((each) => each.toLowerCase()),
    // A longer form may go on where a shorter one was found.
    ahead: longest,
  };
}

/** The query without the values of these parameters. */
function hideQuery(url: string, names: readonly string[]): string {
  const mark = url.indexOf('?');
  if (mark < 0 || names.length === 0) return url;
  const pairs = url.slice(mark + 1).split('&');
  const hidden = pairs.map((pair) => {
    const [name] = new URLSearchParams(pair).keys();
    return name !== undefined && names.includes(name) ? `${pair.split('=')[0]}=${HIDDEN}` : pair;
  });
  return `${url.slice(0, mark)}?${hidden.join('&')}`;
}

/** What hides these secrets. */
export function createProtector(secrets: Secrets): Protector {
  const forms = secretForms(secrets.values);
  const finder = forms.length > 0 ? findSecrets(forms) : undefined;
  const any = forms.length > 0 ? new RegExp(forms.map(literal).join('|'), 'g') : undefined;
  const text = (given: string): string => (any ? given.replace(any, HIDDEN) : given);
  const header = (name: string, value: string): string => {
    const lower = name.toLowerCase();
    if (secrets.headers.includes(lower)) return HIDDEN;
    return text(CREDENTIALS[lower]?.(value) ?? value);
  };
  const headers = (lines: HeaderLines): HeaderLines => lines.map(([name, value]) => [name, header(name, value)]);
  const body = (stored: StoredBody): StoredBody => ('text' in stored ? { text: text(stored.text) } : stored);
  return {
    text,
    request: (request) => ({
      ...request,
      url: text(hideQuery(request.url, secrets.query)),
      headers: headers(request.headers),
      ...(request.body && { body: body(request.body) }),
    }),
    response: (response) => ({
      ...response,
      headers: headers(response.headers),
      ...(response.body && { body: body(response.body) }),
    }),
    stream: () => {
      if (!finder) return (chunk) => (chunk ? [chunk] : []);
      const splitter = new Splitter(finder);
      const hidden = Buffer.from(HIDDEN);
      return (chunk) =>
        (chunk ? splitter.push(chunk) : splitter.end()).map((each) => (typeof each === 'number' ? hidden : each));
    },
  };
}
