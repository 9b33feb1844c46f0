/** Indented JSON for readers and line-based diff tools. Every value keeps its original text. */

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
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
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKEN) ?? [];
  let index = 0;
  let isTooDeep = false;
  const value = (indent: string): string => {
    const token = tokens[index++] as string;
    const end = CLOSES[token];
    isTooDeep ||= indent.length > 2 * MAX_LEVELS;
    if (end === undefined || isTooDeep) return token;
    const items: string[] = [];
    while (tokens[index] !== end && !isTooDeep) {
      const name = token === '{' ? `${tokens[index]}: ` : '';
      if (token === '{') index += 2;
      items.push(`${name}${value(`${indent}  `)}`);
      if (tokens[index] === ',') index++;
    }
    index++;
    const [padding, oneLine] = [token === '{' && items.length > 0 ? ' ' : '', items.join(', ')];
    if (oneLine.length <= MAX_LINE_LENGTH && !oneLine.includes('\n'))
      return `${token}${padding}${oneLine}${padding}${end}`;
    return `${token}\n${items.map((each) => `${indent}  ${each}`).join(',\n')}\n${indent}${end}`;
  };
  const indented = value('');
  return isTooDeep ? undefined : indented;
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
