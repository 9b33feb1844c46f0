/** Generated ids: how they look, how they are encoded, and where they occur if no profile states it. */
import { createHash } from 'node:crypto';
import { type OperationKey, operationOf } from '../../contract/index.ts';
import { firstHeader } from '../../exchange/headers.ts';
import { looksGenerated } from '../../secrets/credential-heuristics.ts';
import type { LoadedResponse } from '../format/loaded-response.ts';
import { headerPlace, pathValuesIn, sameBut } from '../format/masks.ts';

/** Members, elements and headers that hold generated ids, if no profile states which do. */
const JOB_ID_PLACES = /(?:id|uuid|guid|job|ticket|token|handle|href|url|uri|self|location|reference)\W*$|^\$$|^word /i;
const PAGE_TOKEN_PLACES = /(?:next|cursor|continuation|(?:page|next)_?token)\W*$|\bnext\.\w+$|response\.header\.link$/i;
/** The separators of the parts of a URL. */
const URL_SEPARATORS = /[/?&=#;,<>"]+/;
/** The encodings of a value in texts and URLs. */
export const ENCODINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  encodeURIComponent,
  (value) => encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()),
  (value) => value.replaceAll('/', '\\/'),
  (value) => value.replaceAll('&', '&amp;'),
];

/** The value as part of a URL. URLs and parts of them are already encoded. */
export const inAddress = (value: string): string =>
  /^https?:\/\/|%[0-9A-F]{2}/i.test(value) ? value : encodeURIComponent(value);

const DIGITS = '0123456789';
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/^[0-9a-f-]+$/, '0123456789abcdef'],
  [/^[0-9A-F-]+$/, '0123456789ABCDEF'],
];

/** Another value of the same form: digits stay digits, hex stays hex, letters keep their case, other characters are kept. */
function sameForm(whole: string, salt: string): string {
  // In a URL, the last part.
  const [, before = '', value = ''] = /^((?:\w+:\/\/|\/).*[/?&=])?(.+)$/s.exec(whole) ?? [];
  const random = createHash('sha512').update(`${value} ${salt}`).digest();
  const [, hex] = ALPHABETS.find(([shape]) => shape.test(value)) ?? [];
  const letters = [...value].map((letter, at) => {
    const from = (alphabet: string): string => alphabet[(random[at % random.length] as number) % alphabet.length] ?? '';
    if (/\d/.test(letter)) return at === 0 ? from(DIGITS.slice(1)) : from(hex && !/^\d+$/.test(value) ? hex : DIGITS);
    if (/[a-z]/.test(letter)) return from(hex ?? 'abcdefghijklmnopqrstuvwxyz');
    if (/[A-Z]/.test(letter)) return from(hex ?? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    return letter;
  });
  return `${before}${letters.join('')}`;
}

/** How many forms are tried: all short ids may be in use. */
const MOST_TRIED = 100;

/** The value, or another value of the same form that is not in use. */
export function freeForm(value: string, taken: ReadonlySet<string>): string {
  let free = value;
  for (let tried = 1; taken.has(free); tried++)
    free = tried < MOST_TRIED ? sameForm(value, `${tried}`) : `${value}${tried}`;
  return free;
}

/** Pairs of new and former ids, found without a profile: values that changed, look generated, and have the name of an id. */
export function withoutIds(
  operation: OperationKey,
  now: LoadedResponse,
  former: LoadedResponse,
): (readonly [is: string, was: string])[] {
  const idPlaces = operationOf(operation).safety === 'read' ? PAGE_TOKEN_PLACES : JOB_ID_PLACES;
  const [a, b] = [pathValuesIn(former), pathValuesIn(now)];
  const unquoted = (value: string): string => (value.startsWith('"') ? (JSON.parse(value) as string) : value);
  const inBody =
    a && b && sameBut(a, b, new Set(a.map(({ where }) => where)))
      ? b.flatMap(({ where, value, start }, at) => {
          const was = a[at]?.value ?? '';
          return start < 0 || value === was || where.includes('[*]') || !idPlaces.test(where)
            ? []
            : [[unquoted(value), unquoted(was)] as const];
        })
      : [];
  const inHead = ['location', 'link'].flatMap((name) => {
    const [is, was] = [firstHeader(now.headers, name), firstHeader(former.headers, name)];
    if (is === undefined || was === undefined || is === was) return [];
    return idPlaces.test(headerPlace(name)) ? [[is, was] as const] : [];
  });
  return [...inBody, ...inHead]
    .flatMap(([is, was]) => [[is, was] as const, ...differingParts(is, was)])
    .filter(([is]) => looksGenerated(is));
}

/** The parts of two URLs that differ and look generated. */
export function differingParts(is: string, was: string): (readonly [string, string])[] {
  const [a, b] = [is.split(URL_SEPARATORS), was.split(URL_SEPARATORS)];
  if (a.length < 2 || a.length !== b.length) return [];
  return a.flatMap((part, at) => (part !== b[at] && looksGenerated(part) ? [[part, b[at] as string] as const] : []));
}
