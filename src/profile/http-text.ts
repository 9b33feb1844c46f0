/** What HTTP allows in a request (RFC 9110, sections 5.1 and 5.5; RFC 3986), as sentences about what it forbids. */

const NAMES: Readonly<Record<number, string>> = {
  0: 'a NUL',
  9: 'a tab',
  10: 'a line feed',
  13: 'a carriage return',
  27: 'an escape character',
  32: 'a blank',
  127: 'a DEL',
};

/** One character, never as itself: it may be one a terminal obeys. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) as number;
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = NAMES[code] ?? (code < 32 ? 'a control character' : 'the character');
  return `${name} (${point})`;
}

/** Headers that say how a message is framed or sent; the client writes those itself. */
const FRAMING = ['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** Why a text cannot be the name of a header, as the end of a sentence; undefined where it can. */
export function headerNameProblem(name: string): string | undefined {
  if (name === '') return 'is empty, and a header needs a name';
  const [bad] = /[^!#$%&'*+.^_`|~0-9A-Za-z-]/u.exec(name) ?? [];
  if (bad !== undefined) return `holds ${nameOf(bad)}, which HTTP forbids in the name of a header`;
  if (FRAMING.includes(name.toLowerCase()))
    return 'is a header the client writes itself, for it frames the message; remove it';
  return undefined;
}

/** Why a text cannot be the value of a header, as the end of a sentence; undefined where it can. */
export function headerValueProblem(value: string): string | undefined {
  const [bad] = /[^\t\x20-\x7e\x80-\xff]/u.exec(value) ?? [];
  if (bad === undefined) return undefined;
  const advice =
    (bad.codePointAt(0) as number) > 0xff ? '; write it in the encoding the service expects' : '; remove it';
  return `holds ${nameOf(bad)}, which HTTP forbids in the value of a header${advice}`;
}

/** Why a text cannot stand in an address or a body, as the end of a sentence: half of a character has no bytes. */
export function textProblem(text: string): string | undefined {
  const [bad] = /\p{Surrogate}/u.exec(text) ?? [];
  return bad === undefined ? undefined : `holds ${nameOf(bad)}, half of a surrogate pair, which no encoding can write`;
}
