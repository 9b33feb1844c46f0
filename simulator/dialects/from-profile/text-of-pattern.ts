/** Generates a short text that a regular expression accepts. */

interface Part {
  readonly text: string;
  /** The position in the source behind the part. */
  readonly end: number;
}

const CLASSES: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: 'a', W: ' ', S: 'a', b: '', B: '' };
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', 0: '\0' };
const ANY_OF_COMPLEMENT = ['a', '0', 'A', ' ', '-', '~'];

function escaped(source: string, at: number): Part {
  const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\})/.exec(source.slice(at));
  if (hex)
    return {
      text: String.fromCodePoint(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16)),
      end: at + hex[0].length,
    };
  const property = /^[pP]\{[^}]*\}/.exec(source.slice(at));
  if (property) return { text: 'A', end: at + property[0].length };
  const each = source[at] ?? '';
  return { text: CLASSES[each] ?? CONTROLS[each] ?? each, end: at + 1 };
}

/** A character class: its first member, or for a complement the first text that the class accepts. */
function classAt(source: string, at: number): Part {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  const whole = source.slice(at, end + 1);
  if (!whole.startsWith('[^')) {
    const first = source[at + 1] === '\\' ? escaped(source, at + 2).text : (source[at + 1] ?? '');
    return { text: first, end: end + 1 };
  }
  const accepts = new RegExp(`^${whole}$`, 'u');
  return { text: ANY_OF_COMPLEMENT.find((each) => accepts.test(each)) ?? '', end: end + 1 };
}

/** The end of a group, behind its parenthesis. */
function atom(source: string, at: number): Part {
  const each = source[at];
  if (each === '(') {
    const opening = /^\((?:\?(?::|<[A-Za-z_]\w*>|=|!|<=|<!))?/.exec(source.slice(at))?.[0] ?? '(';
    const inner = alternatives(source, at + opening.length);
    const isAssertion = /^\(\?(?:=|!|<=|<!)$/.test(opening);
    return { text: isAssertion ? '' : inner.text, end: inner.end + 1 };
  }
  if (each === '[') return classAt(source, at);
  if (each === '\\') return escaped(source, at + 1);
  return { text: each === '^' || each === '$' ? '' : each === '.' ? 'a' : (each ?? ''), end: at + 1 };
}

/** The first alternative up to the end of a group or of the pattern. */
function alternatives(source: string, start: number): Part {
  let text = '';
  let isFirst = true;
  let at = start;
  while (at < source.length && source[at] !== ')') {
    if (source[at] === '|') {
      isFirst = false;
      at += 1;
      continue;
    }
    const part = atom(source, at);
    const [quantifier = '', minimum] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(source.slice(part.end)) ?? [];
    const count = minimum === undefined ? (/^[*?]/.test(quantifier) ? 0 : 1) : Math.min(Number(minimum), 1000);
    if (isFirst) text += part.text.repeat(count);
    at = part.end + quantifier.length;
  }
  return { text, end: at };
}

/**
 * Returns a text that a pattern probably accepts: the caller checks it, since assertions and references are not followed.
 *
 * @example textOfPattern('^E-[0-9]{3}$') // 'E-000'
 */
export const textOfPattern = (source: string): string => alternatives(source, 0).text;
