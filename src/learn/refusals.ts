/** Recognises refusals that a service sends as 2xx: an error in place of what was asked for (section 7 shows no errors). */
import { isPlainObject, type PlainObject } from '../profile/plain-object.ts';
import { compileSelector } from '../profile/selector.ts';
import { firstValueAt, placesBeside, type Shown } from './binding/beside.ts';
import { memberStep, rowListsIn, scalarOf, singleNodesIn } from './binding/places.ts';
import { withoutPrefix } from './words.ts';

/** What shows that a document is a refusal. */
export interface SeenRefusal {
  /** The selector of the error, or of the word that says that there is one. */
  readonly at: string;
  /** The word; absent: the presence of a node shows it. */
  readonly is?: string;
  /** The value of every answer that is no refusal. */
  readonly isNot?: string | number;
  /** Where its code is, and the code; absent: it has none that is a status. */
  readonly code?: { readonly at: string; readonly value: string | number };
}

const ERROR = /^(errors?|faults?|problems?|exceptions?|failures?|fehler)$/i;
const WORD = /^(error|err|fail(ed|ure)?|nok|fault)$/i;
const MAX_OBJECTS = 20;
const CODE = /code|status|number|nr$|no$/i;

/** What an error is where there is none: nothing, or a code that says so. */
const isNoError = (error: PlainObject): boolean =>
  Object.values(error).every((each) => {
    const value = scalarOf(Array.isArray(each) ? each[0] : each);
    return value === null || value === '' || value === false || /^(0+|ok|success|none|no error)$/i.test(String(value));
  });

/**
 * Finds the error in a document; undefined if it has rows or no error.
 *
 * @param mayHaveState whether the document may have the state of a job, which may be “failed” without an error
 */
export function findRefusalIn(document: unknown, mayHaveState: boolean): SeenRefusal | undefined {
  for (const {
    selector,
    names,
    nodes: [node],
  } of singleNodesIn(document).slice(0, MAX_OBJECTS)) {
    if (!isPlainObject(node)) continue;
    const at = selector.replace(/\[\*\]$/, '[0]');
    if (ERROR.test(withoutPrefix(names.at(-1) ?? '')) && !isNoError(node) && !hasOtherRows(document, selector))
      return { at, ...codeIn(node, at) };
    if (mayHaveState) continue;
    for (const [name, value] of Object.entries(node)) {
      const isList = Array.isArray(value);
      const word = scalarOf(isList ? value[0] : value);
      if (/^@?(status|result|outcome)$/i.test(withoutPrefix(name)) && typeof word === 'string' && WORD.test(word))
        return { at: `${at}${memberStep(name)}${isList ? '[0]' : ''}`, is: word };
    }
  }
  return undefined;
}

/** Whether a document has lists of several nodes beside an error. */
const hasOtherRows = (document: unknown, error: string): boolean =>
  rowListsIn(document).some(
    ({ selector, nodes }) => nodes.length > 1 && !selector.startsWith(error.replace(/\[(?:0|\*)\]$/, '')),
  );

function codeIn(error: PlainObject, at: string): Pick<SeenRefusal, 'code'> {
  for (const [name, value] of Object.entries(error)) {
    const code = scalarOf(Array.isArray(value) ? value[0] : value);
    if (CODE.test(withoutPrefix(name)) && (typeof code === 'number' || (typeof code === 'string' && code !== '')))
      return { code: { at: `${at}${memberStep(name)}${Array.isArray(value) ? '[0]' : ''}`, value: code } };
  }
  return {};
}

const RESULT = /code|status|result|return|rc$|error|fehler|outcome/i;

/** Finds the value that valid answers have in common, in the body or a header, and the answer to an invalid request has not. */
export function contrastOf(valid: readonly Shown[], invalid: Shown): SeenRefusal | undefined {
  const [first, ...others] = valid;
  if (!first || others.length === 0) return undefined;
  for (const { selector, names, cells } of placesBeside([first])) {
    const [usual] = cells;
    const odd = firstValueAt(selector, invalid);
    const isCommon = others.every((each) => firstValueAt(selector, each) === usual);
    if (RESULT.test(names.at(-1) ?? '') && isCommon && odd !== undefined && odd !== null && odd !== usual)
      return { at: selector, isNot: usual as string | number };
  }
  return undefined;
}

/** Whether an answer is a refusal by a condition that another answer showed. */
export function isRefusalBy({ at, isNot }: SeenRefusal, answer: Shown): boolean {
  const value = firstValueAt(at, answer);
  return isNot !== undefined && value !== undefined && value !== null && value !== isNot;
}

/**
 * The `refusal` of a profile for the errors that were seen, those with the code of an HTTP status first. A node that valid
 * answers have, too, is no refusal by its presence.
 *
 * @param valid the documents of answers that are no refusals
 */
export function refusalConditions(seen: readonly SeenRefusal[], valid: readonly unknown[]): PlainObject[] {
  const conditions = new Map<string, PlainObject>();
  for (const { code } of seen)
    if (code && Number(code.value) >= 400 && Number(code.value) <= 599)
      conditions.set(JSON.stringify(code), { at: code.at, is: code.value, like: Number(code.value) });
  for (const { at, is, isNot } of seen)
    conditions.set(
      `${at} ${is}`,
      isNot !== undefined ? { at, isNot } : is !== undefined ? { at, is } : { at, present: true },
    );
  const isUsual = (at: string): boolean =>
    valid.some((each) => compileSelector(at).select(each, { status: 200, headers: [] }).length > 0);
  return [...conditions.values()].filter(({ at, present }) => !present || !isUsual(String(at)));
}
