/** A request as a command anyone can repeat. */
import { type CurlCredentials, NO_CURL_CREDENTIALS } from './curl-credentials.ts';
import { quote } from './shell-text.ts';
import type { WireRequest } from './types.ts';

const LONGEST_BODY = 4096;

/** A word of a command line, quoted only where a shell would read it otherwise. */
export const shellWord = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : quote(text));

/** The body as text, or undefined where a shell word cannot carry it. */
function asText(body: Uint8Array): string | undefined {
  if (body.length > LONGEST_BODY) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function bodyWords(request: WireRequest, hide: (text: string) => string): string[] {
  const { body } = request;
  if (!body || body.length === 0) return [];
  // curl would add a media type of its own.
  const typed = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const text = asText(body);
  return [
    ...(typed ? [] : ['-H', quote('Content-Type:')]),
    // `--data-raw` leaves a leading @ alone; a body that is not shown is named as the file to put it into.
    ...(text === undefined
      ? ['--data-binary', quote(`@body-of-${body.length}-bytes`)]
      : ['--data-raw', quote(hide(text))]),
  ];
}

/** What stands in the place of a credential in a request that was sent. */
const MASKED = '***';

/**
 * The request as one shell command of one line. The body stands in it when it is text of at most 4 KiB.
 * `-g` and `--path-as-is` keep curl from changing the URL. Credentials are variables of the shell, in the place of those
 * that are masked in the request.
 * @example asCurl({ method: 'GET', url: 'http://h/p', headers: [] }) // "curl -sS -i -g --path-as-is 'http://h/p'"
 */
export function toCurl(request: WireRequest, credentials: CurlCredentials = NO_CURL_CREDENTIALS): string {
  const { hide } = credentials;
  const own = request.anonymous ? NO_CURL_CREDENTIALS : credentials;
  const names = new Set(own.headers.map(([name]) => name.toLowerCase()));
  const isReplaced = ([name, value]: readonly [string, string]) =>
    names.has(name.toLowerCase()) || (value === MASKED && own !== NO_CURL_CREDENTIALS);
  const body = bodyWords(request, hide);
  const parts = ['curl', '-sS', '-i', '-g'];
  // With -X HEAD curl would wait for a body that never comes.
  if (request.method === 'HEAD') parts.push('--head');
  else if (request.method !== 'GET' || body.length > 0) parts.push('-X', quoteIfNeeded(request.method));
  for (const [option, argument] of own.options) parts.push(option, quote(argument));
  for (const [name, value] of [...request.headers.filter((line) => !isReplaced(line)), ...own.headers]) {
    if (name.toLowerCase() === 'accept' && value === '*/*') continue;
    parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${hide(value)}`));
  }
  const query = own.query.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&');
  const url = `${hide(request.url)}${query && (request.url.includes('?') ? '&' : '?')}${query}`;
  const notes = own.notes.length > 0 ? [`# ${own.notes.join('; ')}`] : [];
  return [...parts, ...body, '--path-as-is', quote(url), ...notes].join(' ');
}

const quoteIfNeeded = (word: string): string => (/^[A-Za-z]+$/.test(word) ? word : quote(word));
