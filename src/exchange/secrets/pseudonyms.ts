/** One placeholder for each secret of a recording, the same wherever and in whatever form it stands. */
import { OPERATIONS } from '../../contract/index.ts';
import { isDistinct } from './distinct.ts';
import { formsOf, SHORTEST } from './forms.ts';
import type { SecretKind } from './names.ts';
import { type Bounds, Needles } from './needles.ts';
import type { Side } from './patterns.ts';
import {
  isJwtPlaceholder,
  isPlainPlaceholder,
  looksLikePlaceholder,
  plainPlaceholder,
  shapedPlaceholder,
} from './placeholders.ts';

/** A value known to be secret before anything was seen. */
export interface DeclaredSecret {
  /** What it is, never what it says: `bearer token`, `secret`. Its placeholder is made of it, so it survives rotation. */
  readonly name: string;
  readonly value: string;
}

/** A secret found in traffic. */
export interface FoundSecret {
  readonly name: string;
  readonly value: string;
  readonly kind: SecretKind;
}

/** Why a secret is hidden where it stands under its name, yet neither sought elsewhere nor scanned for. */
export type Unsought = 'shorter than 4 characters' | 'a word of the interface or of recordings';

export interface KnownSecret {
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly declared: boolean;
  /** Whether it is replaced wherever it stands, in every form. */
  readonly spread: boolean;
}

export interface Place {
  readonly secret: KnownSecret;
  readonly form: string;
  readonly placeholder: Buffer;
}

/** More secrets than these are hidden where they stand under their name and not sought elsewhere: memory has its limit. */
const MOST_FOUND = 4000;

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
  /**
   * For looking recordings up: a client’s credentials get the placeholder that was recorded for others of that name,
   * nothing is remembered, and placeholders the client was given stay.
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
  readonly needles = new Needles<Place>();
  readonly #byValue = new Map<string, KnownSecret>();
  readonly #placeholders = new Set<string>();
  readonly #numbers = new Map<string, number>();
  readonly #open: ReadonlySet<string>;
  readonly #lookup: boolean;
  readonly #unsought = new Map<string, Unsought>();
  #overflow = 0;

  constructor({ declared = [], open = [], lookup = false }: PseudonymOptions = {}) {
    this.#open = new Set(open);
    this.#lookup = lookup;
    for (const each of declared) this.declare(each);
  }

  /** Adds a value that is known to be secret. Of two names for one value the first stays. */
  declare({ name, value }: DeclaredSecret): void {
    if (value === '' || this.#byValue.has(value)) return;
    const plain = plainPlaceholder(name);
    const number = this.#next(`declared ${plain}`);
    const why = unsought(value, plain);
    if (why) this.#unsought.set(`${name}${number > 1 ? ` ${number}` : ''}`, why);
    const placeholder = number > 1 ? plainPlaceholder(name, number) : plain;
    this.#remember({ name, value, placeholder, declared: true, spread: why === undefined });
  }

  /**
   * The placeholder of a secret found in traffic; undefined where the value is public or a placeholder already.
   * @param side who sent it: credentials clients bring share one placeholder a name, what services mint is numbered
   */
  found({ name, value, kind }: FoundSecret, side: Side): string | undefined {
    // A value that looks like any other says nothing beyond its own place: `1` in a cookie is not the key `1`.
    const spread = isDistinct(value) && !unsought(value);
    const key = spread ? value : `${name}\0${value}`;
    const known = this.#byValue.get(value) ?? this.#byValue.get(key);
    if (known) return known.placeholder;
    if (this.#open.has(value) || this.#isPlaceholder(value)) return undefined;
    const brought = side === 'request' && kind !== 'handle';
    if (this.#lookup) return brought ? plainPlaceholder(name) : shapedPlaceholder(name, 1, value);
    const placeholder = brought
      ? plainPlaceholder(name)
      : shapedPlaceholder(name, this.#next(plainPlaceholder(name)), value);
    if (this.#byValue.size >= MOST_FOUND) this.#overflow++;
    else this.#remember({ name, value, placeholder, declared: false, spread }, key);
    return placeholder;
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
    if (!secret.spread) return;
    for (const { form, bytes, placeholder } of formsOf(secret.value, secret.placeholder))
      this.needles.add(bytes, { secret, form, placeholder }, form === 'raw' ? boundsOf(secret) : 'none');
  }

  known(): readonly KnownSecret[] {
    return [...this.#byValue.values()];
  }

  /** By name, the declared secrets that are not sought everywhere, and why. */
  unsought(): Readonly<Record<string, Unsought>> {
    return Object.fromEntries(this.#unsought);
  }

  /** How many secrets were found beyond those that can be remembered. */
  get overflow(): number {
    return this.#overflow;
  }
}

/** What is declared is hidden even within a word, for safety comes first; digits alone would be found in any UPC. */
function boundsOf({ declared, value }: KnownSecret): Bounds {
  if (!declared) return 'word';
  return /^\d+$/.test(value) ? 'digits' : 'none';
}

function unsought(value: string, placeholder = ''): Unsought | undefined {
  if (value.length < SHORTEST) return 'shorter than 4 characters';
  return `${COMMON}\n${placeholder.toLowerCase()}`.includes(value.toLowerCase())
    ? 'a word of the interface or of recordings'
    : undefined;
}
