/** JSON that breaks off, read as far as it goes. */

/**
 * The value of a JSON text, or of its beginning with every open list and object closed behind the last whole member.
 * Undefined where nothing can be read.
 *
 * @example parseBeginning('{"items":[{"upc":"0123"},{"up') // { items: [{ upc: '0123' }] }
 */
export function parsePartialJson(text: string): unknown {
  const whole = parse(text);
  if (whole !== undefined) return whole;
  const open: string[] = [];
  let inText = false;
  let best: { length: number; closing: string } | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inText) {
      if (char === '\\') at++;
      else if (char === '"') inText = false;
      continue;
    }
    if (char === '"') inText = true;
    else if (char === '{') open.push('}');
    else if (char === '[') open.push(']');
    else if (char === '}' || char === ']') open.pop();
    // A comma ends a whole member: what stands before it is complete once all that is open is closed.
    if (char === ',') best = { length: at, closing: open.toReversed().join('') };
  }
  return best && parse(text.slice(0, best.length) + best.closing);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
