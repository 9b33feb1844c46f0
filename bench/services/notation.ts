/** How a drawn service names and places values. */
import type { Draws } from './draws.ts';
import { STYLES, WORDS } from './words.ts';

export interface Notation {
  readonly draws: Draws;
  /** The name of a member or parameter; no two neutral names have the same one. */
  readonly word: (neutral: string) => string;
  readonly isXml: boolean;
  /** Whether a list is the whole JSON document, so that nothing is beside it. */
  readonly isBare: boolean;
  /** The notation of the long lists: that of the other responses, or one of their own. */
  readonly lists: Draws['lists'];
  /** Whether one response contains the deltas of all windows. */
  readonly isInOne: boolean;
}

export function notationOf(draws: Draws): Notation {
  const isXml = draws.media === 'xml';
  const isBare = !isXml && draws.envelope === 'bare';
  const lists = isXml ? 'same' : draws.lists;
  const isInOne = draws.delta === 'oneResponse' && !isXml && lists === 'same' && !isBare;
  return { draws, word: namesOf(draws), isXml, isBare, lists, isInOne };
}

/** Gives each neutral name a name of its own: the drawn words, or else the first that no other has. */
function namesOf(draws: Draws): Notation['word'] {
  const write = STYLES[draws.media === 'xml' && draws.style === 'prefixed' ? 'snake' : draws.style];
  const used = new Map<string, string>();
  return (neutral) => {
    const known = used.get(neutral);
    if (known) return known;
    const candidates = [draws.words[neutral] ?? neutral, ...(WORDS[neutral] ?? []), `my ${neutral.toLowerCase()}`];
    const found = candidates.map((text) => write(text.split(' '))).find((text) => ![...used.values()].includes(text));
    used.set(neutral, found as string);
    return found as string;
  };
}

/** A JSONPath step to a member. */
export const member = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`);

/** The step to a member, or to the first element of that name. */
export const step = ({ word, isXml }: Notation, neutral: string): string =>
  isXml ? `${member(word(neutral))}[0]` : member(word(neutral));

/** Where a list is. */
export function listAt(notation: Notation): string {
  const { draws, word, isXml } = notation;
  if (isXml) return `$${step(notation, 'data')}${step(notation, 'list')}${member(word('names'))}[*]`;
  const list = member(word('list'));
  switch (draws.envelope) {
    case 'bare':
      return '$[*]';
    case 'value':
      return '$.value[*]';
    case 'data':
      return `$${step(notation, 'data')}${list}[*]`;
    case 'deep':
      return `$${step(notation, 'data')}${step(notation, 'query')}${list}[*]`;
    default:
      return `$${list}[*]`;
  }
}

/** Where a value is that a response states once; undefined: nowhere. */
export function onceAt(notation: Notation, neutral: string): string | undefined {
  const { draws, isXml, isBare } = notation;
  if (isBare) return undefined;
  const holder = isXml ? 'data' : draws.envelope === 'meta' || draws.envelope === 'deep' ? 'meta' : undefined;
  return `$${holder ? step(notation, holder) : ''}${step(notation, neutral)}`;
}

const FIGURES = ['sales4Weeks', 'sales12Weeks', 'sales52Weeks', 'salesLastYear', 'percentChange'];
const DATES = ['activeOn', 'changedOn', 'firstActiveOn', 'asOf', 'date'];

/** Where a row has a field. */
export function fieldAt(notation: Notation, field: string, position: number, isList: boolean): string {
  const { draws, word, isXml } = notation;
  if (isXml) return field === 'characteristics' ? `@${member(word(field))}[*]` : `@${step(notation, field)}`;
  const suffix = field === 'characteristics' ? `[*]${member(word('value'))}` : '';
  if (draws.rows === 'positional' && isList) return `@[${position}]${suffix}`;
  if (draws.rows === 'attributes' && isList) return `@.attributes${member(word(field))}${suffix}`;
  if (draws.rows === 'nested' && FIGURES.includes(field)) return `@${step(notation, 'figures')}${member(word(field))}`;
  return `@${member(word(field))}${suffix}`;
}

/** The converter of a field; undefined: the default one. */
export function converterOf({ upc, date, percent, money }: Draws, field: string): string | undefined {
  if (field === 'upc') return upc;
  if (DATES.includes(field)) return date;
  if (field === 'percentChange') return percent;
  return FIGURES.includes(field) ? money : undefined;
}

const isLong = (key: string): boolean => /allProducts|updateProducts|Performance$/.test(key);

/** Whether an operation returns a long list in a notation of its own. */
export const isTable = ({ lists }: Notation, key: string): boolean => lists !== 'same' && isLong(key);

/** Whether one response contains the deltas of all windows. */
export const isDeltaInOne = ({ isInOne }: Notation, key: string): boolean => isInOne && key.endsWith('updateProducts');

export function isPaged(notation: Notation, key: string): boolean {
  const { paging } = notation.draws;
  const needsMember = paging === 'cursor' || paging === 'next';
  return isLong(key) && !isDeltaInOne(notation, key) && paging !== 'none' && !(needsMember && notation.isBare);
}

/** Whether errors are codes in a 200. */
export const hasCodes = ({ draws, isXml }: Notation): boolean => draws.errors === 'code' && !isXml;

/** The conditions of errors in a 200, as a code. */
export const refusalsAt = (at: string) => [400, 401, 404, 405].map((status) => ({ at, is: status, like: status }));
