/** Replaces secrets by placeholders in texts and bodies. */
import { LONGEST_SECRET } from './credential-heuristics.ts';
import { KEYWORDS } from './credential-names.ts';
import { type Match, type MatchForm, replacementFor, splice, withoutOverlaps } from './match.ts';
import { MultiSearch } from './multi-search.ts';
import { type FindOptions, findByPattern } from './patterns.ts';
import type { KnownSecret, PlaceholderRegistry, SecretSource } from './placeholder-registry.ts';
import { allMatches, maxEncodedLength } from './search.ts';

/** Texts up to this size are always searched by pattern; longer ones only where they contain a keyword. */
export const THOROUGH_BYTES = 64 * 1024;
/** The longest text between the name of a secret and its value. */
const MAX_NAME_DISTANCE = 8 * 1024;
const keywordSearch = new MultiSearch<true>(true);
for (const each of KEYWORDS) keywordSearch.add(Buffer.from(each), true);

/** How a text is searched. */
export interface ReplaceOptions extends FindOptions, SecretSource {
  /** The text is data of the interface: secrets that look like ordinary values are not replaced in it. */
  readonly isInterfaceData?: boolean;
}

/** A replacement of bytes. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly placeholder: Buffer;
  readonly secret?: KnownSecret;
}

/** A secret found by its name or format. */
interface Span extends Edit {
  readonly matchStart: number;
}

/** Bytes that are searched together. */
interface SearchWindow {
  readonly bytes: Buffer;
  /** The start of the bytes to process; the bytes before it are context. */
  readonly windowStart: number;
  /** Whether more bytes follow: then the last bytes are left to the next window, because a secret may continue there. */
  readonly continues: boolean;
}

/** How many bytes after the name of a secret have to be available. */
export const bytesAfterOf = (registry: PlaceholderRegistry): number =>
  MAX_NAME_DISTANCE + Math.max(LONGEST_SECRET, maxEncodedLength(registry.needlesFor(false)));

/** Secrets from here on are left to the next window. */
const windowEnd = ({ bytes, windowStart, continues }: SearchWindow, registry: PlaceholderRegistry): number =>
  continues ? Math.max(windowStart, bytes.length - bytesAfterOf(registry)) : bytes.length;

/** What follows a keyword that is within a value, not a name: the brand `Secret`, or `Asian`, which begins like `ASIA`. */
const IN_VALUE =
  /^[\w.&' -]{0,64}(?:"\s*[}\]]|"\s*,(?!\s*\\*"value)|"\s*\/?>|"\s+(?!value)[\w:-]+\s*=|<\/|[,|;\t\r\n])/i;
/** Beginnings of tokens. A token has further characters, unlike `Asian` and `Basic Foods`. */
const BEGINS_TOKEN = /^(?:\.eyj|akia|asia|gh[a-z]_|github_pat_|glpat-|aiza|[sr]k_live_|xox|bearer |basic )/i;
const IS_TOKEN = /^(?:[^\s"'<>,]{12}|(?:bearer|basic) [\w.~+/=-]{16})/i;
/** How many bytes from a keyword on decide whether it is a name or a token. */
const KEYWORD_CONTEXT = 96;

const isNameOrToken = (text: string): boolean => (BEGINS_TOKEN.test(text) ? IS_TOKEN.test(text) : !IN_VALUE.test(text));

/** Whether the bytes contain a keyword that may be a name or a token. */
export function hasKeyword(bytes: Buffer): boolean {
  for (
    let hit = keywordSearch.find(bytes, 0, bytes.length);
    hit;
    hit = keywordSearch.find(bytes, hit.end, bytes.length)
  )
    if (isNameOrToken(bytes.toString('latin1', hit.start, hit.start + KEYWORD_CONTEXT))) return true;
  return false;
}

/** Secrets found by name or format whose match starts in this window. */
function patternSpans(window: SearchWindow, registry: PlaceholderRegistry, options: ReplaceOptions): Span[] {
  const { bytes, windowStart } = window;
  if (bytes.length > THOROUGH_BYTES && !hasKeyword(bytes)) return [];
  const spans: Span[] = [];
  const until = windowEnd(window, registry);
  for (const match of findByPattern(bytes.toString('latin1'), options)) {
    // Earlier ones were processed with the previous window.
    if (match.matchStart >= until || match.matchStart < windowStart) continue;
    const placeholder = registry.placeholderFor(match, options);
    if (placeholder !== undefined) spans.push({ ...match, placeholder: Buffer.from(placeholder) });
  }
  return spans;
}

const WHITE_SPACE = [0x20, 0x09, 0x0a, 0x0d];
const BEFORE_NUMBER = [...'[:,'].map((each) => each.charCodeAt(0));
const AFTER_NUMBER = [...',]}'].map((each) => each.charCodeAt(0));

/** Whether digits are a number of JSON, which only a number may replace. */
function isBareNumber(bytes: Buffer, start: number, end: number): boolean {
  let [before, after] = [start - 1, end];
  while (before >= 0 && WHITE_SPACE.includes(bytes[before] as number)) before--;
  while (after < bytes.length && WHITE_SPACE.includes(bytes[after] as number)) after++;
  return BEFORE_NUMBER.includes(bytes[before] as number) && AFTER_NUMBER.includes(bytes[after] as number);
}

/** A placeholder for a number: derived from the placeholder. It has 13 digits, so that it is no UPC. */
const numericPlaceholderFor = ({ placeholder }: KnownSecret): string =>
  `90909${String([...placeholder].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1e8, 7)).padStart(8, '0')}`;

export type SecretForm = MatchForm<KnownSecret>;

function placeholderFor(match: Match<KnownSecret>, bytes: Buffer): Buffer {
  const { secret, form, start, end } = match;
  const isNumber = form === 'raw' && /^\d+$/.test(secret.value) && !/^\d+$/.test(secret.placeholder);
  if (isNumber && isBareNumber(bytes, start, end)) return Buffer.from(numericPlaceholderFor(secret));
  return replacementFor(match, bytes);
}

/** Replaces the secrets of a window. @returns the new bytes, and where the next window begins */
export function replaceWindow(window: SearchWindow, registry: PlaceholderRegistry, options: ReplaceOptions) {
  const { bytes, windowStart } = window;
  const all = patternSpans(window, registry, options);
  // The new secrets may have longer encoded forms than all known ones.
  const until = windowEnd(window, registry);
  const spans = all.filter((each) => each.matchStart < until);
  const needles = registry.needlesFor(options.isInterfaceData ?? false);
  const known = allMatches(bytes, needles)
    .filter(({ start }) => start >= windowStart && start < until)
    .map((each) => ({ ...each, placeholder: placeholderFor(each, bytes) }));
  // A known secret may begin or end within what a pattern found.
  const edits = withoutOverlaps<Edit>([...spans, ...known]);
  const pieces = splice(bytes, edits, windowStart, until);
  return { pieces, end: Math.max(edits.at(-1)?.end ?? 0, until), isSame: edits.length === 0 };
}

/**
 * Replaces every secret; returns the same buffer where there is none.
 * @param options `side`: who sent the bytes; `form`: the bytes are a query or form from the first character on
 */
export function replaceBytes(bytes: Buffer, registry: PlaceholderRegistry, options: ReplaceOptions): Buffer {
  const { pieces, isSame } = replaceWindow({ bytes, windowStart: 0, continues: false }, registry, options);
  return isSame ? bytes : Buffer.concat(pieces);
}

/**
 * `replaceBytes` for a text.
 * @example replaceText('{"access_token":"a1b2c3d4e5"}', new PlaceholderRegistry(), { side: 'response' })
 */
export function replaceText(text: string, registry: PlaceholderRegistry, options: ReplaceOptions): string {
  const bytes = Buffer.from(text, 'utf8');
  const replaced = replaceBytes(bytes, registry, options);
  return replaced === bytes ? text : replaced.toString('utf8');
}
