/** Formats a request as a curl command. */
import { type CurlCredentials, NO_CURL_CREDENTIALS } from './curl-credentials.ts';
import { quote } from './shell-text.ts';
import type { WireRequest } from './types.ts';

const MAX_BODY_BYTES = 4096;

/** A word of a command line, quoted only where a shell would interpret it. */
export const shellWord = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : quote(text));

/** The body as text, or undefined where a shell word cannot contain it. */
function asText(body: Uint8Array): string | undefined {
  if (body.length > MAX_BODY_BYTES) return undefined;
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
  // curl would add a Content-Type.
  const typed = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const text = asText(body);
  return [
    ...(typed ? [] : ['-H', quote('Content-Type:')]),
    // `--data-raw` does not interpret a leading @. A body that is not text is named as a file to create.
    ...(text === undefined
      ? ['--data-binary', quote(`@body-of-${body.length}-bytes`)]
      : ['--data-raw', quote(hide(text))]),
  ];
}

/** Replaces a credential in a request that was sent. */
const MASKED = '***';

/**
 * Formats a request as a shell command of one line, with its body if that is text of at most 4 KiB. `-g` and
 * `--path-as-is` prevent curl from changing the URL. Masked credentials of the request become shell variables.
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
  // With -X HEAD curl would wait for a body.
  if (request.method === 'HEAD') parts.push('--head');
  else if (request.method !== 'GET' || body.length > 0) parts.push('-X', quoteIfNeeded(request.method));
  for (const [option, argument] of own.options) parts.push(option, quote(argument));
  for (const [name, value] of [...request.headers.filter((line) => !isReplaced(line)), ...own.headers]) {
    if (name.toLowerCase() === 'accept' && value === '*/*') continue;
    parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${hide(value)}`));
  }
  const query = own.query.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&');
  const url = `${hide(request.url)}${query && (request.url.includes('?') ? '&' : '?')}${query}`;
  const notes = [...own.notes, ...(request.invalidCredentials ? ['the run sent invented credentials'] : [])];
  const comment = notes.length > 0 ? [`# ${notes.join('; ')}`] : [];
  return [...parts, ...body, '--path-as-is', quote(url), ...comment].join(' ');
}

const quoteIfNeeded = (word: string): string => (/^[A-Za-z]+$/.test(word) ? word : quote(word));
