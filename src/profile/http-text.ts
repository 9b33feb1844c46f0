/** Checks texts against the HTTP and URI syntax (RFC 9110, sections 5.1 and 5.5; RFC 3986) and describes what is forbidden. */

import { base64, utf8 } from '../bytes.ts';

const NAMES: Readonly<Record<number, string>> = {
  0: 'a NUL',
  9: 'a tab',
  10: 'a line feed',
  13: 'a carriage return',
  27: 'an escape character',
  32: 'a space',
  127: 'a DEL',
};

/** Describes one character without printing it: a terminal may interpret it. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) as number;
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = NAMES[code] ?? (code < 32 ? 'a control character' : 'the character');
  return `${name} (${point})`;
}

/** Whether a text is a token (RFC 9110, section 5.6.2): the form of methods and header names. */
export const isToken = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);

/** Headers of message framing and connection handling; the HTTP client sets them. */
const FRAMING = ['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** Describes why a text is not a valid header name, as the end of a sentence; undefined for a valid name. */
export function headerNameProblem(name: string): string | undefined {
  if (name === '') return 'is empty, but a header needs a name';
  const [bad] = /[^!#$%&'*+.^_`|~0-9A-Za-z-]/u.exec(name) ?? [];
  if (bad !== undefined) return `contains ${nameOf(bad)}, which HTTP forbids in a header name`;
  if (FRAMING.includes(name.toLowerCase())) return 'is a header that the HTTP client sets itself; remove it';
  return undefined;
}

/** Describes why a text is not a valid header value, as the end of a sentence; undefined for a valid value. */
export function headerValueProblem(value: string): string | undefined {
  const [bad] = /[^\t\x20-\x7e\x80-\xff]/u.exec(value) ?? [];
  if (bad === undefined) return undefined;
  const advice =
    (bad.codePointAt(0) as number) > 0xff ? '; write it in the encoding the service expects' : '; remove it';
  return `contains ${nameOf(bad)}, which HTTP forbids in a header value${advice}`;
}

/** Describes why a text cannot be sent in a URL or a body, as the end of a sentence: a lone surrogate has no bytes in any encoding. */
export function textProblem(text: string): string | undefined {
  const [bad] = /\p{Surrogate}/u.exec(text) ?? [];
  return bad === undefined
    ? undefined
    : `contains ${nameOf(bad)}, half of a surrogate pair, which no encoding can represent`;
}

/** Whether a text is a URL of HTTP. */
export const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Why a text is no address of a login or token endpoint, as the end of a sentence; undefined if it is one. */
export const addressProblem = (address: string): string | undefined =>
  address.startsWith('/') || isHttpUrl(address)
    ? undefined
    : 'must be a path that begins with /, or a URL with http:// or https://';

/** The value of an Authorization header. */
export const basic = (username: string, password: string): string => `Basic ${base64(utf8(`${username}:${password}`))}`;
