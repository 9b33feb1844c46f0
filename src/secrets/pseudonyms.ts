/** One placeholder for each secret of a recording, the same wherever and in whatever form it stands. */
import { createHash } from 'node:crypto';
import { OPERATIONS } from '../contract/index.ts';
import { isDistinctive, isSearchable, looksGenerated } from './credential-heuristics.ts';
import { normalisedName, type SecretKind } from './credential-names.ts';
import { formsOf, SHORTEST } from './forms.ts';
import type { MatchPlace } from './match.ts';
import { type Bounds, MultiSearch } from './multi-search.ts';
import type { MessageSide } from './patterns.ts';
import {
  isJwtPlaceholder,
  isPlainPlaceholder,
  looksLikePlaceholder,
  plainPlaceholder,
  shapedPlaceholder,
} from './placeholders.ts';
import { PublicHandles } from './public-handles.ts';
import type { ReceivedCredential } from './received.ts';

/** A value known to be secret before anything was seen. */
export interface DeclaredSecret {
  /** What it is, never what it says: `bearer token`, `secret`. Its placeholder is made of it, so it survives rotation. */
  readonly name: string;
  readonly value: string;
  /** It is a credential by its place in the profile or by its owner’s word, whatever it looks like. */
  readonly sworn?: boolean;
}

/** A secret found in traffic. */
export interface FoundSecret {
  readonly name: string;
  readonly value: string;
  readonly kind: SecretKind;
}

/** Why a secret is hidden where it stands under its name, yet neither sought elsewhere nor scanned for. */
export type NotSearched =
  | 'shorter than 4 characters'
  | 'a word of the interface or of recordings'
  | 'a value the profile shows'
  | 'looks like data: left where the interface answers with data';

export interface KnownSecret {
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly declared: boolean;
  /** Where it is replaced, in every form: `nowhere` but in the places of credentials. */
  readonly sought: 'everywhere' | 'outside of data' | 'nowhere';
}

/** Where a secret was found. */
export interface SecretOrigin {
  readonly side: MessageSide;
  /**
   * Which answer minted it, the lane first: `main POST /login`. Its number is made of this, so that recording a part anew, or in another order, gives the
   * same placeholders. Absent: numbers count up.
   */
  readonly minted?: string;
}

/** More secrets than these are hidden where they stand under their name and not sought elsewhere: memory has its limit. */
const MOST_SOUGHT = 4000;
/** More are none: handles of the rows of a list, which stay as they are. */
const MOST_FOUND = 100_000;

/** Words recordings are made of: a secret that is part of one cannot be kept out, and gives nothing away. */
const COMMON = [
  ...OPERATIONS.map(({ key }) => key),
  'log version creator name entries request response headers cookies queryString postData mimeType params text',
  'content size comment encoding redirectURL status statusText bodySize headersSize httpVersion HTTP/1.1 cache timings',
  'startedDateTime 1970-01-01T00:00:00.000Z blocked connect receive send wait _recordingName _mdwi _order requestHeaders',
  'responseHeaders reason requestBody responseBody file bodies sha256- coding failure kind message operation true false null',
  'application/json text/html charset=utf-8 content-type content-length http://upstream.invalid undefined localhost',
  'authorization password Bearer Basic token secret session default admin user test none xxxxxxxxxxxx 00000000 5ec4e700',
]
  .join('\n')
  .toLowerCase();

export interface PseudonymOptions {
  readonly declared?: readonly DeclaredSecret[];
  /** Values known to be public, e.g. the examples of a profile: never taken for a secret by their look. */
  readonly open?: readonly string[];
  /** Names of parameters, headers and members that carry inputs: what clients send under them is no credential. */
  readonly inputs?: readonly string[];
  /** What the profile says of requests and answers: a word of it cannot be hidden in them. */
  readonly spoken?: string;
  /**
   * For looking recordings up: placeholders the client was given stay.
   */
  readonly lookup?: boolean;
}

/**
 * The secrets of one recording. Placeholders are made of names and of the order in which secrets of a name were met,
 * so recording anew with other credentials gives the same ones.
 * @example new Pseudonyms({ declared: [{ name: 'bearer token', value: 's3cret' }] }).known()[0].placeholder // 'mdwiBearerToken'
 */
export class Pseudonyms {
  /** Every form of every secret that is sought everywhere. */
  readonly needles = new MultiSearch<MatchPlace<KnownSecret>>();
  /** Those and what is sought outside of data. */
  readonly #all = new MultiSearch<MatchPlace<KnownSecret>>();
  /** What the service said openly. */
  readonly delivered = new PublicHandles();
  readonly #byValue = new Map<string, KnownSecret>();
  readonly #placeholders = new Set<string>();
  readonly #numbers = new Map<string, number>();
  readonly #open: ReadonlySet<string>;
  readonly #inputs: ReadonlySet<string>;
  readonly #spoken: string;
  readonly #lookup: boolean;
  readonly #unsought = new Map<string, NotSearched>();
  #overflow = 0;
  #sought = 0;

  constructor({ declared = [], open = [], inputs = [], spoken = '', lookup = false }: PseudonymOptions = {}) {
    this.#open = new Set(open);
    this.#inputs = new Set(inputs.map(normalisedName));
    this.#spoken = spoken;
    this.#lookup = lookup;
    for (const each of declared) this.declare(each);
  }

  /** Adds a value that is known to be secret. Of two names for one value the first stays. */
  declare({ name, value: given, sworn = false }: DeclaredSecret): void {
    // As headers carry it: a file it came from may have ended in a line break.
    const value = given.trim();
    if (value === '' || this.#byValue.has(value)) return;
    const plain = plainPlaceholder(name);
    const number = this.#next(`declared ${plain}`);
    const why = this.#whyUnsought(value, plain, sworn);
    if (why) this.#unsought.set(`${name}${number > 1 ? ` ${number}` : ''}`, why);
    const placeholder = number > 1 ? plainPlaceholder(name, number) : plain;
    this.#remember({ name, value, placeholder, declared: true, sought: placesFor(why) });
  }

  /**
   * Adds a credential that the client was given, as by a token endpoint. It is hidden like a declared one; all of a name
   * share a placeholder, so that the number of renewals does not show.
   */
  receive({ name, value }: ReceivedCredential): void {
    if (value === '' || this.#byValue.has(value)) return;
    const placeholder = plainPlaceholder(name);
    const why = this.#whyUnsought(value, placeholder, true);
    this.#remember({ name, value, placeholder, declared: true, sought: placesFor(why) });
  }

  #whyUnsought(value: string, placeholder: string, isSworn: boolean): NotSearched | undefined {
    const why = unsought(value, placeholder);
    if (why || isDistinctive(value)) return why;
    if (this.#open.has(value)) return 'a value the profile shows';
    if (isSworn && isSearchable(value) && !this.#spoken.includes(value)) return undefined;
    return 'looks like data: left where the interface answers with data';
  }

  /**
   * The placeholder of a secret found in traffic; undefined where the value is public or a placeholder already. What
   * clients bring shares one placeholder a name, for it may be another one next time; what services mint is numbered.
   */
  found({ name, value, kind }: FoundSecret, { side, minted }: SecretOrigin): string | undefined {
    // A value that looks like any other says nothing beyond its own place: `1` in a cookie is not the key `1`.
    const spread = looksGenerated(value) && !unsought(value);
    const key = spread ? value : `${name}\0${value}`;
    const known = this.#byValue.get(value) ?? this.#byValue.get(key);
    if (known) return known.placeholder;
    if (this.#open.has(value) || this.#isPlaceholder(value)) return undefined;
    const brought = side === 'request';
    if (brought && this.#isInput(name, value, kind)) return undefined;
    const isFull = this.#byValue.size >= MOST_FOUND;
    const sought = spread && this.#sought < MOST_SOUGHT ? 'everywhere' : 'nowhere';
    if (isFull || (spread && sought === 'nowhere')) this.#overflow++;
    if (isFull && !brought) return undefined;
    const placeholder = brought ? plainPlaceholder(name) : this.#mint(name, value, minted);
    if (!isFull) this.#remember({ name, value, placeholder, declared: false, sought }, key);
    return placeholder;
  }

  /** Whether what a client sends is no credential: an input by its name, or a handle that the service gave openly. */
  #isInput(name: string, value: string, kind: SecretKind): boolean {
    return this.#inputs.has(normalisedName(name)) || (kind === 'handle' && this.delivered.has(value));
  }

  #mint(name: string, value: string, minted: string | undefined): string {
    const place = minted === undefined ? plainPlaceholder(name) : `${minted}\n${name}`;
    const first = minted === undefined ? 1 : numberOf(place, value);
    for (;;) {
      const placeholder = shapedPlaceholder(name, first - 1 + this.#next(place), value);
      if (!this.#placeholders.has(placeholder)) return placeholder;
    }
  }

  #isPlaceholder(value: string): boolean {
    if (this.#placeholders.has(value) || isPlainPlaceholder(value) || isJwtPlaceholder(value)) return true;
    return this.#lookup && looksLikePlaceholder(value);
  }

  #next(key: string): number {
    const number = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, number);
    return number;
  }

  #remember(secret: KnownSecret, key = secret.value): void {
    this.#byValue.set(key, secret);
    this.#placeholders.add(secret.placeholder);
    if (secret.sought === 'nowhere') return;
    this.#sought++;
    for (const { form, bytes, spell } of formsOf(secret.value, secret.placeholder)) {
      const place: MatchPlace<KnownSecret> = { secret, form, spell };
      const bounds = form === 'raw' ? boundsOf(secret) : 'none';
      this.#all.add(bytes, place, bounds);
      if (secret.sought === 'everywhere') this.needles.add(bytes, place, bounds);
    }
  }

  /** What is sought in a text. @param isData whether the interface answers or is asked with it */
  needlesFor(isData: boolean): MultiSearch<MatchPlace<KnownSecret>> {
    return isData ? this.needles : this.#all;
  }

  known(): readonly KnownSecret[] {
    return [...this.#byValue.values()];
  }

  /** By name, the declared secrets that are not sought everywhere, and why. */
  unsought(): Readonly<Record<string, NotSearched>> {
    return Object.fromEntries(this.#unsought);
  }

  /** How many secrets were found beyond those that can be remembered. */
  get overflow(): number {
    return this.#overflow;
  }
}

const placesFor = (why: NotSearched | undefined): KnownSecret['sought'] =>
  why === undefined ? 'everywhere' : why.startsWith('looks') ? 'outside of data' : 'nowhere';

/** From this length on a secret has room for six digits, so that hardly two answers draw the same number. */
const ROOMY = 24;

/** A number of four or six digits that the answer alone decides. */
function numberOf(minted: string, { length }: string): number {
  const least = length < ROOMY ? 1000 : 100_000;
  return least + (createHash('sha256').update(minted).digest().readUInt32BE(0) % (9 * least));
}

/** What is declared is hidden even within a word, for safety comes first; digits alone would be found in any UPC. */
function boundsOf({ declared, value, sought }: KnownSecret): Bounds {
  if (!declared || sought === 'outside of data') return 'word';
  return /^\d+$/.test(value) ? 'digits' : 'none';
}

/** Whether a text is part of a word that stands in every recording. */
export const isCommonWord = (value: string): boolean => COMMON.includes(value.toLowerCase());

function unsought(value: string, placeholder = ''): NotSearched | undefined {
  if (value.length < SHORTEST) return 'shorter than 4 characters';
  return isCommonWord(value) || placeholder.toLowerCase().includes(value.toLowerCase())
    ? 'a word of the interface or of recordings'
    : undefined;
}
