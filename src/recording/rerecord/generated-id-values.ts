/** Generated ids: how they look, how they are encoded, and where they occur if no profile states it. */
import { createHash } from 'node:crypto';
import { type OperationKey, operationOf } from '../../contract/index.ts';
import { firstHeader } from '../../exchange/headers.ts';
import { looksGenerated } from '../../secrets/credential-heuristics.ts';
import type { LoadedResponse } from '../format/loaded-response.ts';
import { headerPlace, pathValuesIn, sameExcept } from '../format/masks.ts';

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
export const encodedForUrl = (value: string): string =>
  /^https?:\/\/|%[0-9A-F]{2}/i.test(value) ? value : encodeURIComponent(value);

const DIGITS = '0123456789';
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/^[0-9a-f-]+$/, '0123456789abcdef'],
  [/^[0-9A-F-]+$/, '0123456789ABCDEF'],
];

/** Another value of the same form: digits stay digits, hex stays hex, letters keep their case, other characters are kept. */
function variantOf(id: string, salt: string): string {
  // In a URL, the last part.
  const [, before = '', value = ''] = /^((?:\w+:\/\/|\/).*[/?&=])?(.+)$/s.exec(id) ?? [];
  const random = createHash('sha512').update(`${value} ${salt}`).digest();
  const [, hex] = ALPHABETS.find(([shape]) => shape.test(value)) ?? [];
  const letters = [...value].map((letter, at) => {
    const pick = (alphabet: string): string => alphabet[(random[at % random.length] as number) % alphabet.length] ?? '';
    if (/\d/.test(letter)) return at === 0 ? pick(DIGITS.slice(1)) : pick(hex && !/^\d+$/.test(value) ? hex : DIGITS);
    if (/[a-z]/.test(letter)) return pick(hex ?? 'abcdefghijklmnopqrstuvwxyz');
    if (/[A-Z]/.test(letter)) return pick(hex ?? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    return letter;
  });
  return `${before}${letters.join('')}`;
}

/** How many forms are tried: all short ids may be in use. */
const MAX_TRIED = 100;

/** The value, or another value of the same form that is not in use. */
export function unusedVariant(value: string, usedIds: ReadonlySet<string>): string {
  let variant = value;
  for (let tried = 1; usedIds.has(variant); tried++)
    variant = tried < MAX_TRIED ? variantOf(value, `${tried}`) : `${value}${tried}`;
  return variant;
}

/** Pairs of new and former ids, found without a profile: values that changed, look generated, and have the name of an id. */
export function pairIdsWithoutProfile(
  operation: OperationKey,
  now: LoadedResponse,
  former: LoadedResponse,
): (readonly [issued: string, former: string])[] {
  const idPlaces = operationOf(operation).safety === 'read' ? PAGE_TOKEN_PLACES : JOB_ID_PLACES;
  const [a, b] = [pathValuesIn(former), pathValuesIn(now)];
  const unquoted = (value: string): string => (value.startsWith('"') ? (JSON.parse(value) as string) : value);
  const inBody =
    a && b && sameExcept(a, b, new Set(a.map(({ path: where }) => where)))
      ? b.flatMap(({ path: where, value, start }, at) => {
          const formerValue = a[at]?.value ?? '';
          return start < 0 || value === formerValue || where.includes('[*]') || !idPlaces.test(where)
            ? []
            : [[unquoted(value), unquoted(formerValue)] as const];
        })
      : [];
  const inHead = ['location', 'link'].flatMap((name) => {
    const [issuedValue, formerValue] = [firstHeader(now.headers, name), firstHeader(former.headers, name)];
    if (issuedValue === undefined || formerValue === undefined || issuedValue === formerValue) return [];
    return idPlaces.test(headerPlace(name)) ? [[issuedValue, formerValue] as const] : [];
  });
  return [...inBody, ...inHead]
    .flatMap(([issuedValue, formerValue]) => [
      [issuedValue, formerValue] as const,
      ...differingParts(issuedValue, formerValue),
    ])
    .filter(([issuedValue]) => looksGenerated(issuedValue));
}

/** The parts of two URLs that differ and look generated. */
export function differingParts(issuedValue: string, formerValue: string): (readonly [string, string])[] {
  const [a, b] = [issuedValue.split(URL_SEPARATORS), formerValue.split(URL_SEPARATORS)];
  if (a.length < 2 || a.length !== b.length) return [];
  return a.flatMap((part, at) => (part !== b[at] && looksGenerated(part) ? [[part, b[at] as string] as const] : []));
}
