/** Putting placeholders in the place of secrets, in texts and in bodies that pass by in chunks. */
import { Transform } from 'node:stream';
import { LONGEST_SECRET } from './credential-heuristics.ts';
import { ANCHORS } from './credential-names.ts';
import { type MatchPlace, replacementFor, withoutOverlaps } from './match.ts';
import { MultiSearch } from './multi-search.ts';
import { type FindOptions, findByPattern } from './patterns.ts';
import type { KnownSecret, Pseudonyms, SecretOrigin } from './pseudonyms.ts';
import { BACK, encodedMatches, lookBackFrom, mayHide, reachOf } from './search.ts';

/** Texts up to this size are always looked at closely; of longer ones the stretches in which a telling word stands. */
const CLOSELY = 64 * 1024;
/** Bytes of a stream that are looked at together. */
const STRETCH = 256 * 1024;
/** How much of what announces a secret may stand before it. */
const ANNOUNCEMENT = 8 * 1024;
const anchors = new MultiSearch<true>(true);
for (const each of ANCHORS) anchors.add(Buffer.from(each), true);

/** How a text is looked at. */
export interface ReplaceOptions extends FindOptions, SecretOrigin {
  /** The interface answers or is asked with it: secrets that look like data are not sought there. */
  readonly data?: boolean;
}

interface Span {
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly placeholder: Buffer;
}

interface Stretch {
  readonly bytes: Buffer;
  /** Where what is to be replaced begins; before it stands what was dealt with. */
  readonly from: number;
  /** Whether more bytes follow, which then are left to the next stretch as far as a secret may reach into them. */
  readonly goesOn: boolean;
}

/** How much must be seen behind the place where a secret begins to be announced. */
const aheadOf = (pseudonyms: Pseudonyms): number =>
  ANNOUNCEMENT + Math.max(LONGEST_SECRET, reachOf(pseudonyms.needlesFor(false)));

/** What begins here or later is left to the next stretch. */
const untilOf = ({ bytes, from, goesOn }: Stretch, pseudonyms: Pseudonyms): number =>
  goesOn ? Math.max(from, bytes.length - aheadOf(pseudonyms)) : bytes.length;

/** What follows a telling word where it is all or the end of a value: `Secret` is a brand, and food may be Asian. */
const IN_VALUE =
  /^[\w.&' -]{0,64}(?:"\s*[}\]]|"\s*,(?!\s*\\*"value)|"\s*\/?>|"\s+(?!value)[\w:-]+\s*=|<\/|[,|;\t\r\n])/i;
/** Beginnings of tokens, which announce themselves: a token goes on, while `Asian` and `Basic Foods` do not. */
const BEGINS_TOKEN = /^(?:\.eyj|akia|asia|gh[a-z]_|github_pat_|glpat-|aiza|[sr]k_live_|xox|bearer |basic )/i;
const IS_TOKEN = /^(?:[^\s"'<>,]{12}|(?:bearer|basic) [\w.~+/=-]{16})/i;
/** How much of the text behind it tells. */
const TELLS = 96;

const announces = (text: string): boolean => (BEGINS_TOKEN.test(text) ? IS_TOKEN.test(text) : !IN_VALUE.test(text));

/** Whether a telling word stands anywhere where it may be a name. */
function isWorthALook(bytes: Buffer): boolean {
  for (let hit = anchors.find(bytes, 0, bytes.length); hit; hit = anchors.find(bytes, hit.end, bytes.length))
    if (announces(bytes.toString('latin1', hit.start, hit.start + TELLS))) return true;
  return false;
}

/** Secrets that give themselves away by name or shape and begin to be announced in this stretch. */
function announced(stretch: Stretch, pseudonyms: Pseudonyms, options: ReplaceOptions): Span[] {
  const { bytes, from } = stretch;
  if (bytes.length > CLOSELY && !isWorthALook(bytes)) return [];
  const spans: Span[] = [];
  const until = untilOf(stretch, pseudonyms);
  for (const find of findByPattern(bytes.toString('latin1'), options)) {
    // Those announced before were dealt with in the stretch before.
    if (find.from >= until || find.from < from) continue;
    const placeholder = pseudonyms.found(find, options);
    if (placeholder !== undefined) spans.push({ ...find, placeholder: Buffer.from(placeholder) });
  }
  return spans;
}

const BLANK = [0x20, 0x09, 0x0a, 0x0d];
const BEFORE_NUMBER = [...'[:,'].map((each) => each.charCodeAt(0));
const BEHIND_NUMBER = [...',]}'].map((each) => each.charCodeAt(0));

/** Whether a stretch of digits is a number of JSON, in whose place a text would break it. */
function isBareNumber(bytes: Buffer, start: number, end: number): boolean {
  let [before, behind] = [start - 1, end];
  while (before >= 0 && BLANK.includes(bytes[before] as number)) before--;
  while (behind < bytes.length && BLANK.includes(bytes[behind] as number)) behind++;
  return BEFORE_NUMBER.includes(bytes[before] as number) && BEHIND_NUMBER.includes(bytes[behind] as number);
}

/** A number in place of one. */
const numberFor = ({ placeholder }: KnownSecret): string =>
  `90909${String([...placeholder].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1e8, 7)).padStart(8, '0')}`;

type SecretPlace = MatchPlace<KnownSecret>;

function placeholderFor({ secret, form, spell }: SecretPlace, bytes: Buffer, start: number, end: number): Buffer {
  const isNumber = form === 'raw' && /^\d+$/.test(secret.value) && !/^\d+$/.test(secret.placeholder);
  return isNumber && isBareNumber(bytes, start, end) ? Buffer.from(numberFor(secret)) : spell();
}

/** Bytes to be replaced. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly placeholder: Buffer;
  readonly secret?: KnownSecret;
}

/** What stands in a stretch as it is, and what announces itself, in order. */
function plainEdits(
  bytes: Buffer,
  from: number,
  until: number,
  spans: readonly Span[],
  needles: MultiSearch<SecretPlace>,
) {
  const edits: Edit[] = [];
  let at = from;
  let next = 0;
  for (;;) {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++;
    const span = spans[next];
    const limit = span ? span.start + 1 : until;
    const hit = at < limit ? needles.find(bytes, at, limit) : undefined;
    // What announces itself may be seen in part only: the credentials of a scheme end where base64 does.
    if (hit && !(span && hit.start === span.start && hit.end <= span.end)) {
      // What announced itself goes with the one it overlaps.
      const end = span && hit.end > span.start ? Math.max(hit.end, span.end) : hit.end;
      const placeholder = placeholderFor(hit.value, bytes, hit.start, hit.end);
      edits.push({ start: hit.start, end, placeholder, secret: hit.value.secret });
      at = end;
    } else if (span) {
      edits.push({ ...span, start: Math.max(at, span.start) });
      at = span.end;
    } else return edits;
  }
}

/** The bytes of a stretch with placeholders, and where the next one begins. */
function replaceStretch(stretch: Stretch, pseudonyms: Pseudonyms, options: ReplaceOptions) {
  const { bytes, from } = stretch;
  const all = announced(stretch, pseudonyms, options);
  // What was found may be longer in other forms than all before.
  const until = untilOf(stretch, pseudonyms);
  const spans = all.filter((each) => each.from < until);
  const needles = pseudonyms.needlesFor(options.data ?? false);
  const encoded = encodedMatches(bytes, needles)
    .filter(({ start }) => start >= from && start < until)
    .map((each): Edit => ({ ...each, placeholder: replacementFor(each, bytes) }));
  const pieces: Buffer[] = [];
  let at = from;
  const edits = withoutOverlaps([...plainEdits(bytes, from, until, spans, needles), ...encoded]);
  for (const { start, end, placeholder } of edits) {
    if (start > at) pieces.push(bytes.subarray(at, start));
    pieces.push(placeholder);
    at = end;
  }
  if (at < until) pieces.push(bytes.subarray(at, until));
  return { pieces, end: Math.max(at, until), isSame: edits.length === 0 };
}

/**
 * The bytes with every secret replaced; the very same bytes where there is none.
 * @param options who sent them; `form`: they are a query or form from the first letter on
 */
export function replaceBytes(bytes: Buffer, pseudonyms: Pseudonyms, options: ReplaceOptions): Buffer {
  const { pieces, isSame } = replaceStretch({ bytes, from: 0, goesOn: false }, pseudonyms, options);
  return isSame ? bytes : Buffer.concat(pieces);
}

/**
 * The same for a text.
 * @example replaceText('{"access_token":"a1b2c3d4e5"}', new Pseudonyms(), { side: 'response' })
 */
export function replaceText(text: string, pseudonyms: Pseudonyms, options: ReplaceOptions): string {
  const bytes = Buffer.from(text, 'utf8');
  const replaced = replaceBytes(bytes, pseudonyms, options);
  return replaced === bytes ? text : replaced.toString('utf8');
}

/** Bytes behind a telling word that say whether it tells, and some for the word. */
const SEAM = 256;

/**
 * Whether nothing in these chunks is a secret or tells of one. They are looked at where they lie: most long bodies hold
 * none, and putting them together would cost as much again.
 */
function areQuiet(chunks: readonly Buffer[], seam: number, needles: MultiSearch<SecretPlace>): boolean {
  const isQuiet = (bytes: Buffer): boolean =>
    !isWorthALook(bytes) && needles.find(bytes, 0, bytes.length) === undefined && !mayHide(bytes, needles);
  /** What lies between two chunks that are looked at by themselves, and the ends of these. */
  let between: Buffer[] = [];
  for (const chunk of chunks) {
    if (chunk.length < seam) {
      between.push(chunk);
      continue;
    }
    if (between.length > 0 && !isQuiet(Buffer.concat([...between, chunk.subarray(0, seam)]))) return false;
    if (!isQuiet(chunk)) return false;
    between = [chunk.subarray(-seam)];
  }
  return isQuiet(Buffer.concat(between));
}

/**
 * The same for bodies of any size: a function from chunk to chunks, called without one at the end. Holds back what a
 * secret may need to be seen whole, under half a megabyte; secrets above 32 KiB are not found by name in it.
 */
export function replaceStream(pseudonyms: Pseudonyms, options: ReplaceOptions): (chunk?: Uint8Array) => Uint8Array[] {
  let waiting: Buffer[] = [];
  let held = 0;
  /** Bytes at the beginning that were passed on and are looked back at. */
  let back = 0;
  let first = true;
  /** Whether something in what waits tells of a secret. */
  let loud = false;
  /** Goes on behind this many bytes of what waits; a copy, so that what was passed on is not kept alive. */
  const goOn = (last: Buffer, rest: number, looked: number): void => {
    first = false;
    loud = false;
    back = looked;
    waiting = [Buffer.from(last.subarray(rest))];
    held = last.length - rest;
  };
  return (chunk) => {
    if (chunk && chunk.length > 0) {
      waiting.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      held += chunk.length;
    }
    if (chunk && held <= CLOSELY) return [];
    const needles = pseudonyms.needlesFor(options.data ?? false);
    const seam = SEAM + needles.longest;
    if (chunk && !loud) {
      loud = !areQuiet(waiting, seam, needles);
      if (!loud) {
        let last = waiting.pop() as Buffer;
        while (last.length < seam + BACK) last = Buffer.concat([waiting.pop() as Buffer, last]);
        const end = last.length - seam;
        const passed = [...waiting, last.subarray(0, end)];
        passed[0] = (passed[0] as Buffer).subarray(back);
        goOn(last, end - BACK, BACK);
        return passed.filter((each) => each.length > 0);
      }
    }
    if (chunk && held < STRETCH + aheadOf(pseudonyms)) return [];
    const bytes = Buffer.concat(waiting);
    const { form = false } = options;
    const stretch = { bytes, from: back, goesOn: chunk !== undefined };
    const { pieces, end } = replaceStretch(stretch, pseudonyms, { ...options, form: form && first });
    const rest = lookBackFrom(bytes, end);
    goOn(bytes, rest, end - rest);
    return pieces.filter((each) => each.length > 0);
  };
}

/** `replaceStream` as a stream of Node. */
export function replaceTransform(pseudonyms: Pseudonyms, options: ReplaceOptions): Transform {
  const replace = replaceStream(pseudonyms, options);
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      for (const each of replace(chunk)) this.push(each);
      done();
    },
    flush(done) {
      for (const each of replace()) this.push(each);
      done();
    },
  });
}
