/** Inverts texts of request templates: extracts the inputs from a sent text. */
import type { Input } from '../../contract/index.ts';
import { escapeRegExp } from '../../text-patterns.ts';
import { compilePattern, type MatchSpans, type Pattern, PatternLimitError, type TextSpan } from '../pattern/index.ts';
import { INPUT_VARIABLE, isInput, type Quoting, quotingOf } from '../template.ts';

/** Inputs in their wire format. */
export type WireInputs = ReadonlyMap<Input, string>;

/** The escaping of an inserted value: its pattern, and the inverse. */
export interface Escaping {
  readonly pattern: string;
  readonly undo: (text: string) => string;
}
export const PLAIN: Escaping = { pattern: '[^]*', undo: (text) => text };
/** With several inputs in a text, each match is as short as possible. */
const SHORTEST = '[^]*?';

/** Reads one text; undefined if it does not match. An empty input was not requested. */
export type TextReader = (text: string) => WireInputs | undefined;

/**
 * Compiles the reader of a text with inputs in braces.
 *
 * @param literal converts the text between the inputs into a pattern; default: as written
 * @example readerOf('cat:{category}')('cat:Tea') // Map { 'category' => 'Tea' }
 */
export function textReaderOf(
  template: string,
  escaping: Escaping = PLAIN,
  literal: (text: string) => string = escapeRegExp,
): TextReader {
  const inputs: Input[] = [];
  const parts = splitTemplate(template);
  const last = parts.findLastIndex((part) => 'input' in part);
  const alone = parts.filter((part) => 'input' in part).length === 1;
  const source = parts.map((part, index) => {
    if ('text' in part) return literal(part.text);
    inputs.push(part.input);
    const isShortest = escaping === PLAIN && !alone && index !== last;
    return `(${isShortest ? SHORTEST : escaping.pattern})`;
  });
  const pattern = compilePattern(`^${source.join('')}$`, { flags: '', key: template });
  return (text) => {
    const spans = findSpans(pattern, text);
    if (!spans) return undefined;
    const found = new Map<Input, string>();
    for (const [index, input] of inputs.entries()) {
      const value = escaping.undo(text.slice(...(spans[index + 1] as TextSpan)));
      // An input that occurs twice must have the same value.
      if (found.has(input) && found.get(input) !== value) return undefined;
      found.set(input, value);
    }
    return found;
  };
}

/** The positions of the inputs in a text; a text that takes too long does not match. */
function findSpans(pattern: Pattern, text: string): MatchSpans | undefined {
  try {
    return pattern.find(text);
  } catch (error) {
    if (error instanceof PatternLimitError) return undefined;
    throw error;
  }
}

type Part = { readonly text: string } | { readonly input: Input };

/** Splits a template into text and inputs; doubled braces are text. */
function splitTemplate(template: string): Part[] {
  const parts: Part[] = [];
  let text = '';
  let end = 0;
  for (const match of template.matchAll(INPUT_VARIABLE)) {
    text += template.slice(end, match.index);
    end = match.index + match[0].length;
    const name = match[1];
    if (name !== undefined && isInput(name)) {
      parts.push({ text }, { input: name });
      text = '';
    } else text += name === undefined ? match[0].slice(1) : match[0];
  }
  return [...parts, { text: text + template.slice(end) }];
}

const unescapeXml = (text: string): string =>
  text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/g, (whole, hex, decimal, name) => {
    if (name) return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name as 'amp'];
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Values in XML contain no markup, so every input ends with its element or attribute. */
export const XML: Escaping = { pattern: `[^<>"']*`, undo: unescapeXml };
/** XML must match the template, except for whitespace between elements. */
export const xmlLiteral = (text: string): string =>
  escapeRegExp(text.replace(/^\s+|\s+$/g, (blanks) => (text.trim() === '' ? '' : blanks)))
    .replace(/>\s*</g, '>\\s*<')
    .replace(/^\s+(?=<)|(?<=>)\s+$/g, '\\s*');

const ESCAPINGS: { readonly [Q in Quoting]: Escaping } = {
  odata: { pattern: `(?:[^']|'')*`, undo: (text) => text.replaceAll("''", "'") },
  backslash: { pattern: `(?:[^\\\\"']|\\\\[^])*`, undo: (text) => text.replace(/\\(.)/gs, '$1') },
  none: PLAIN,
};

export interface ClausesTemplate {
  readonly join: string;
  readonly clauses: readonly string[];
  readonly quote?: Quoting | undefined;
}

/** Reads a composite expression: any of its clauses, each at most once, in any order. */
export function clausesReader({ join, clauses, quote }: ClausesTemplate): TextReader {
  const readers = clauses.map((clause) => textReaderOf(clause, ESCAPINGS[quote ?? quotingOf(clause)]));
  const read = (text: string, unused: readonly TextReader[]): WireInputs | undefined => {
    // The first clause ends at one of the separators; a separator may also be part of a value.
    for (let separator = join === '' ? -1 : text.indexOf(join); ; separator = text.indexOf(join, separator + 1)) {
      const first = separator < 0 ? text : text.slice(0, separator);
      for (const reader of unused) {
        const found = reader(first);
        if (!found) continue;
        const others = unused.filter((each) => each !== reader);
        const rest = separator < 0 ? new Map() : read(text.slice(separator + join.length), others);
        if (rest) return new Map([...found, ...rest]);
      }
      if (separator < 0) return undefined;
    }
  };
  return (text) => (text === '' ? new Map() : read(text, readers));
}
