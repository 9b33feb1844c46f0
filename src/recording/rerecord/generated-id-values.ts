/** What minted values look like, how they are spelled, and where they stand when no profile says so. */
import { createHash } from 'node:crypto';
import { type OperationKey, operationOf } from '../../contract/index.ts';
import { firstHeader } from '../../exchange/headers.ts';
import { looksGenerated } from '../../secrets/credential-heuristics.ts';
import type { LoadedResponse } from '../format/loaded-response.ts';
import { headerPlace, pathValuesIn, sameBut } from '../format/masks.ts';

/** Members, elements and headers that hold such values where no profile says which do. */
const MINTED_BY_JOBS = /(?:id|uuid|guid|job|ticket|token|handle|href|url|uri|self|location|reference)\W*$|^\$$|^word /i;
const MINTED_BY_LISTS = /(?:next|cursor|continuation|(?:page|next)_?token)\W*$|\bnext\.\w+$|response\.header\.link$/i;
/** What parts of an address are parted by. */
const IN_ADDRESSES = /[/?&=#;,<>"]+/;
/** The spellings of a value in texts and addresses. */
export const ENCODINGS: readonly ((value: string) => string)[] = [
  (value) => value,
  encodeURIComponent,
  (value) => encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()),
  (value) => value.replaceAll('/', '\\/'),
  (value) => value.replaceAll('&', '&amp;'),
];

/** Addresses, and what was cut out of one, are spelled already. */
export const inAddress = (value: string): string =>
  /^https?:\/\/|%[0-9A-F]{2}/i.test(value) ? value : encodeURIComponent(value);

const DIGITS = '0123456789';
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/^[0-9a-f-]+$/, '0123456789abcdef'],
  [/^[0-9A-F-]+$/, '0123456789ABCDEF'],
];

/** Another value of the same form: digits stay digits, hex stays hex, letters keep their case, all else stays. */
function sameForm(whole: string, salt: string): string {
  // Of an address, what stands last.
  const [, before = '', value = ''] = /^((?:\w+:\/\/|\/).*[/?&=])?(.+)$/s.exec(whole) ?? [];
  const drawn = createHash('sha512').update(`${value} ${salt}`).digest();
  const [, hex] = ALPHABETS.find(([shape]) => shape.test(value)) ?? [];
  const letters = [...value].map((letter, at) => {
    const from = (alphabet: string): string => alphabet[(drawn[at % drawn.length] as number) % alphabet.length] ?? '';
    if (/\d/.test(letter)) return at === 0 ? from(DIGITS.slice(1)) : from(hex && !/^\d+$/.test(value) ? hex : DIGITS);
    if (/[a-z]/.test(letter)) return from(hex ?? 'abcdefghijklmnopqrstuvwxyz');
    if (/[A-Z]/.test(letter)) return from(hex ?? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    return letter;
  });
  return `${before}${letters.join('')}`;
}

/** So many forms are tried: short ids may all be taken. */
const MOST_TRIED = 100;

/** The value, or another one of its form that is not taken. */
export function freeForm(value: string, taken: ReadonlySet<string>): string {
  let free = value;
  for (let tried = 1; taken.has(free); tried++)
    free = tried < MOST_TRIED ? sameForm(value, `${tried}`) : `${value}${tried}`;
  return free;
}

/** Without a profile: what differs from before, cannot be data by its looks, and stands under a telling name. */
export function withoutIds(
  operation: OperationKey,
  now: LoadedResponse,
  former: LoadedResponse,
): (readonly [is: string, was: string])[] {
  const telling = operationOf(operation).safety === 'read' ? MINTED_BY_LISTS : MINTED_BY_JOBS;
  const [a, b] = [pathValuesIn(former), pathValuesIn(now)];
  const bare = (value: string): string => (value.startsWith('"') ? (JSON.parse(value) as string) : value);
  const inBody =
    a && b && sameBut(a, b, new Set(a.map(({ where }) => where)))
      ? b.flatMap(({ where, value, start }, at) => {
          const was = a[at]?.value ?? '';
          return start < 0 || value === was || where.includes('[*]') || !telling.test(where)
            ? []
            : [[bare(value), bare(was)] as const];
        })
      : [];
  const inHead = ['location', 'link'].flatMap((sought) => {
    const [is, was] = [firstHeader(now.headers, sought), firstHeader(former.headers, sought)];
    if (is === undefined || was === undefined || is === was) return [];
    return telling.test(headerPlace(sought)) ? [[is, was] as const] : [];
  });
  return [...inBody, ...inHead]
    .flatMap(([is, was]) => [[is, was] as const, ...differingParts(is, was)])
    .filter(([is]) => looksGenerated(is));
}

/** What differs between two addresses, part by part, as far as it cannot be anything else. */
export function differingParts(is: string, was: string): (readonly [string, string])[] {
  const [a, b] = [is.split(IN_ADDRESSES), was.split(IN_ADDRESSES)];
  if (a.length < 2 || a.length !== b.length) return [];
  return a.flatMap((part, at) => (part !== b[at] && looksGenerated(part) ? [[part, b[at] as string] as const] : []));
}
