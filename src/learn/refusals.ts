/** Recognises refusals that a service sends as 2xx: an error in place of what was asked for (section 7 shows no errors). */
import { isPlainObject, type PlainObject } from '../profile/plain-object.ts';
import { listsIn, memberStep, scalarOf } from './places.ts';
import { withoutPrefix } from './words.ts';

/** What shows that a document is a refusal. */
export interface SeenRefusal {
  /** The selector of the error, or of the word that says that there is one. */
  readonly at: string;
  /** The word; absent: the presence of a node shows it. */
  readonly is?: string;
  /** Where its code is, and the code; absent: it has none that is a status. */
  readonly code?: { readonly at: string; readonly value: string | number };
}

const ERROR = /^(errors?|faults?|problems?|exceptions?|failures?|fehler)$/i;
const WORD = /^(error|err|fail(ed|ure)?|nok|fault)$/i;
const CODE = /code|status|number|nr$|no$/i;

/** Finds the error in a document; undefined if it has rows or no error. */
export function findRefusalIn(document: unknown): SeenRefusal | undefined {
  const [root, start] = rootOf(document);
  if (!root) return undefined;
  for (const [name, value] of Object.entries(root)) {
    const plain = withoutPrefix(name);
    const node = Array.isArray(value) ? value[0] : value;
    const at = `${start}${memberStep(name)}${Array.isArray(value) ? '[0]' : ''}`;
    if (ERROR.test(plain) && isPlainObject(node) && !hasOtherRows(root, name)) return { at, ...codeIn(node, at) };
    const word = scalarOf(node);
    if (/^(status|result|state|outcome)$/i.test(plain) && typeof word === 'string' && WORD.test(word))
      return { at, is: word };
  }
  return undefined;
}

/** The object of a JSON document, or the root element of an XML document. */
function rootOf(document: unknown): [PlainObject | undefined, string] {
  if (!isPlainObject(document)) return [undefined, '$'];
  const entries = Object.entries(document);
  const [[name, value] = ['', undefined]] = entries;
  const element =
    Array.isArray(value) && entries.length === 1 && value.length === 1 && !ERROR.test(name) ? value[0] : undefined;
  return isPlainObject(element) ? [element, `$${memberStep(name)}[0]`] : [document, '$'];
}

const hasOtherRows = (root: PlainObject, error: string): boolean =>
  listsIn(Object.fromEntries(Object.entries(root).filter(([name]) => name !== error))).length > 0;

function codeIn(error: PlainObject, at: string): Pick<SeenRefusal, 'code'> {
  for (const [name, value] of Object.entries(error)) {
    const code = scalarOf(Array.isArray(value) ? value[0] : value);
    if (CODE.test(withoutPrefix(name)) && (typeof code === 'number' || (typeof code === 'string' && code !== '')))
      return { code: { at: `${at}${memberStep(name)}${Array.isArray(value) ? '[0]' : ''}`, value: code } };
  }
  return {};
}

/** The `refusal` of a profile for the errors that were seen, those with the code of an HTTP status first. */
export function refusalConditions(seen: readonly SeenRefusal[]): PlainObject[] {
  const conditions = new Map<string, PlainObject>();
  for (const { code } of seen)
    if (code && Number(code.value) >= 400 && Number(code.value) <= 599)
      conditions.set(JSON.stringify(code), { at: code.at, is: code.value, like: Number(code.value) });
  for (const { at, is } of seen) conditions.set(`${at} ${is}`, is === undefined ? { at, present: true } : { at, is });
  return [...conditions.values()];
}
