/** Indented JSON for readers and line-based diff tools. Every value keeps its original text. */

import { type JsonNode, readJson } from '../../json-nodes.ts';

/** A value that fits this width is written on one line. */
const MAX_LINE_LENGTH = 100;
/** Deeper values are not indented: a reader cannot follow them. */
const MAX_LEVELS = 100;
const CLOSES: Record<string, string> = { '{': '}', '[': ']' };

/**
 * The text of a JSON value on several lines, short values on one; undefined if the text is not an object or array.
 * @example indentJson('{"a":[1,2]}') // '{ "a": [1, 2] }'
 */
export function indentJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    JSON.parse(text);
    return indented(text, readJson(text), 0);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function indented(text: string, { letter, start, end, children }: JsonNode, level: number): string {
  if (level > MAX_LEVELS) throw new RangeError();
  const close = CLOSES[letter];
  if (close === undefined) return text.slice(start, end);
  const indent = '  '.repeat(level);
  let read = start;
  const items = children.map((child) => {
    // From the first to the last quote before the value.
    const [name] = (child.name !== undefined && /".*"/s.exec(text.slice(read, child.start))) || [];
    read = child.end;
    return `${name === undefined ? '' : `${name}: `}${indented(text, child, level + 1)}`;
  });
  const [padding, oneLine] = [letter === '{' && items.length > 0 ? ' ' : '', items.join(', ')];
  if (oneLine.length <= MAX_LINE_LENGTH && !oneLine.includes('\n'))
    return `${letter}${padding}${oneLine}${padding}${close}`;
  return `${letter}\n${items.map((each) => `${indent}  ${each}`).join(',\n')}\n${indent}${close}`;
}

/** The indentation of the member in the file of a lane. */
export const READABLE_INDENT = ' '.repeat(10);
const MEMBER = `\n${READABLE_INDENT}"readable": `;

/**
 * The text of a lane’s file without the indented copies: parsing them would double the time. No JSON string holds a line
 * break, so the member is found by its line.
 */
export function withoutIndentedCopy(text: string): string {
  const parts: string[] = [];
  let read = 0;
  for (let at = text.indexOf(MEMBER); at >= 0; at = text.indexOf(MEMBER, at + 1)) {
    const line = text.indexOf('\n', at + 1);
    const close = `\n${READABLE_INDENT}${CLOSES[text[at + MEMBER.length] as string]}`;
    const isShort = text[line - 1] === ',' && /[}\]]/.test(text[line - 2] as string);
    const end = isShort ? line - 1 : text.indexOf(close, line) + close.length;
    if (text[end] !== ',') continue;
    parts.push(text.slice(read, at));
    read = end + 1;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(read);
}
