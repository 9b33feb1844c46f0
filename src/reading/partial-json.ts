/** Parses truncated JSON. */
import { Allow, parse } from 'partial-json';

/**
 * Returns the value of a JSON text. Of truncated text, lists and objects end with their last complete member; the last
 * ones may be empty. Undefined if nothing can be read.
 *
 * @example parsePartialJson('{"items":[{"upc":"0123"},{"up') // { items: [{ upc: '0123' }, {}] }
 */
export function parsePartialJson(text: string): unknown {
  return parsed(JSON.parse, text) ?? parsed((each) => parse(each, Allow.ARR | Allow.OBJ), text);
}

function parsed(by: (text: string) => unknown, text: string): unknown {
  try {
    return by(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
