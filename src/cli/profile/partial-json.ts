/** Parses truncated JSON. */

/**
 * Returns the value of a JSON text. Truncated text is read up to its last complete member. Undefined if nothing can be read.
 *
 * @example parsePartialJson('{"items":[{"upc":"0123"},{"up') // { items: [{ upc: '0123' }] }
 */
export function parsePartialJson(text: string): unknown {
  const complete = parse(text);
  if (complete !== undefined) return complete;
  const closers: string[] = [];
  let inText = false;
  let lastMember: { length: number; closing: string } | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inText) {
      if (char === '\\') at++;
      else if (char === '"') inText = false;
      continue;
    }
    if (char === '"') inText = true;
    else if (char === '{') closers.push('}');
    else if (char === '[') closers.push(']');
    else if (char === '}' || char === ']') closers.pop();
    // A comma ends a complete member: the text before it is valid once all open lists and objects are closed.
    if (char === ',') lastMember = { length: at, closing: closers.toReversed().join('') };
  }
  return lastMember && parse(text.slice(0, lastMember.length) + lastMember.closing);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
