/** The values of generated ids: their encodings, unused ones, and pairs found without a profile. */
import { createHash } from 'node:crypto';
import { type OperationKey, operationOf } from '../../contract/index.ts';
import { firstHeader, type HeaderLines } from '../../exchange/headers.ts';
import { looksGenerated } from '../../secrets/credential-heuristics.ts';
import type { LoadedResponse } from '../format/loaded-response.ts';
import { headerPlace, pathValuesIn, sameExcept } from '../format/masks.ts';

/** Members, elements and headers that hold generated ids, if no profile states which do. */
const JOB_ID_PLACES = /(?:id|uuid|guid|job|ticket|token|handle|href|url|uri|self|location|reference)\W*$|^\$$|^word /i;
const PAGE_TOKEN_PLACES = /(?:next|cursor|continuation|(?:page|next)_?token)\W*$|\bnext\.\w+$|response\.header\.link$/i;
/** The separators of the parts of a URL. */
const URL_SEPARATORS = /[/?&=#;,<>"]+/;
type Encode = (value: string) => string;

/** The encodings of a value outside JSON and XML: as it is, and percent-encoded. */
const PLAIN_ENCODINGS: readonly Encode[] = [(value) => value, encodeURIComponent];

/** Those of a value in any text, with percent-encoding in lower case, too. */
export const ENCODINGS: readonly Encode[] = [
  ...PLAIN_ENCODINGS,
  (value) => encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()),
  (value) => value.replaceAll('/', '\\/'),
  (value) => value.replaceAll('&', '&amp;'),
];

/** The value as part of a URL. URLs and parts of them are already encoded. */
export const encodedForUrl = (value: string): string =>
  /^https?:\/\/|%[0-9A-F]{2}/i.test(value) ? value : encodeURIComponent(value);

const DIGITS = '0123456789';
const HEX_ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/^[0-9a-f-]+$/, '0123456789abcdef'],
  [/^[0-9A-F-]+$/, '0123456789ABCDEF'],
];

/** Another value of the same form: digits stay digits, hex stays hex, letters keep their case, other characters are kept. */
function variantOf(id: string, salt: string): string {
  // Only the last part of a URL changes.
  const [, before = '', value = ''] = /^((?:\w+:\/\/|\/).*[/?&=])?(.+)$/s.exec(id) ?? [];
  const random = createHash('sha512').update(`${value} ${salt}`).digest();
  const [, hexDigits] = HEX_ALPHABETS.find(([shape]) => shape.test(value)) ?? [];
  const characters = [...value].map((character, at) => {
    const pick = (alphabet: string): string => alphabet[(random[at % random.length] as number) % alphabet.length] ?? '';
    if (/\d/.test(character))
      return at === 0 ? pick(DIGITS.slice(1)) : pick(hexDigits && !/^\d+$/.test(value) ? hexDigits : DIGITS);
    if (/[a-z]/.test(character)) return pick(hexDigits ?? 'abcdefghijklmnopqrstuvwxyz');
    if (/[A-Z]/.test(character)) return pick(hexDigits ?? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    return character;
  });
  return `${before}${characters.join('')}`;
}

/** After this number of variants a number is appended, since all ids of the same form may be in use. */
const MAX_VARIANTS = 100;

/** Returns the value, or another value of the same form if it is in use. */
export function unusedVariant(value: string, usedIds: ReadonlySet<string>): string {
  let variant = value;
  for (let number = 1; usedIds.has(variant); number++)
    variant = number < MAX_VARIANTS ? variantOf(value, `${number}`) : `${value}${number}`;
  return variant;
}

/** Pairs issued and former ids without a profile: the values that changed, look generated, and have the name of an id. */
export function pairIdsWithoutProfile(
  operation: OperationKey,
  current: LoadedResponse,
  former: LoadedResponse,
): (readonly [issued: string, former: string])[] {
  const idPlaces = operationOf(operation).safety === 'read' ? PAGE_TOKEN_PLACES : JOB_ID_PLACES;
  const [formerValues, currentValues] = [pathValuesIn(former), pathValuesIn(current)];
  const unquoted = (value: string): string => (value.startsWith('"') ? (JSON.parse(value) as string) : value);
  const inBody =
    formerValues &&
    currentValues &&
    sameExcept(formerValues, currentValues, new Set(formerValues.map(({ path }) => path)))
      ? currentValues.flatMap(({ path, value, start }, at) => {
          const formerValue = formerValues[at]?.value ?? '';
          return start < 0 || value === formerValue || path.includes('[*]') || !idPlaces.test(path)
            ? []
            : [[unquoted(value), unquoted(formerValue)] as const];
        })
      : [];
  const inHeaders = ['location', 'link'].flatMap((name) => {
    const [issuedValue, formerValue] = [firstHeader(current.headers, name), firstHeader(former.headers, name)];
    if (issuedValue === undefined || formerValue === undefined || issuedValue === formerValue) return [];
    return idPlaces.test(headerPlace(name)) ? [[issuedValue, formerValue] as const] : [];
  });
  return [...inBody, ...inHeaders]
    .flatMap(([issuedValue, formerValue]) => [
      [issuedValue, formerValue] as const,
      ...differingParts(issuedValue, formerValue),
    ])
    .filter(([issuedValue]) => looksGenerated(issuedValue));
}

/** Pairs the parts of two URLs that differ and look generated. */
export function differingParts(
  issuedValue: string,
  formerValue: string,
): (readonly [issued: string, former: string])[] {
  const [issuedParts, formerParts] = [issuedValue.split(URL_SEPARATORS), formerValue.split(URL_SEPARATORS)];
  if (issuedParts.length < 2 || issuedParts.length !== formerParts.length) return [];
  return issuedParts.flatMap((part, at) => {
    const formerPart = formerParts[at] as string;
    return part !== formerPart && looksGenerated(part) ? [[part, formerPart] as const] : [];
  });
}

/** The parts of a message in which ids are replaced: the URL of a request, headers, and the body as Latin-1. */
export interface EditableMessage {
  readonly url?: string;
  readonly headers: HeaderLines;
  readonly text: string;
}

/** Further occurrences of a short id are not tried. */
const MAX_OCCURRENCES = 24;

const isWord = (letter: string | undefined): boolean => letter !== undefined && /[A-Za-z0-9]/.test(letter);

/** The text with another word in place of one, for each place where it is a whole word. */
function* replacements(text: string, word: string, other: string): Generator<string> {
  let seen = 0;
  for (let at = text.indexOf(word); at >= 0 && seen < MAX_OCCURRENCES; at = text.indexOf(word, at + word.length)) {
    if (isWord(text[at - 1]) || isWord(text[at + word.length])) continue;
    seen++;
    yield `${text.slice(0, at)}${other}${text.slice(at + word.length)}`;
  }
}

/** The message with one occurrence of a short id, which may also be another value, replaced: the first that is `wanted`. */
export async function firstReplacement<M extends EditableMessage>(
  issued: string,
  former: string,
  message: M,
  wanted: (changed: M) => Promise<boolean>,
): Promise<M | undefined> {
  const { url = '', headers, text } = message;
  for (const encode of PLAIN_ENCODINGS) {
    const candidates = function* (): Generator<M> {
      const changes = (each: string) => replacements(each, encode(issued), encode(former));
      for (const changed of changes(url)) yield { ...message, url: changed };
      for (const changed of changes(text)) yield { ...message, text: changed };
      for (const [at, [name, value]] of headers.entries())
        for (const changed of changes(value)) yield { ...message, headers: headers.with(at, [name, changed]) };
    };
    for (const each of candidates()) if (await wanted(each)) return each;
  }
  return undefined;
}
