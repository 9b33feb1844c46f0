/** Assigns a placeholder to each secret of a recording, the same in every place and encoding. */
import { createHash } from 'node:crypto';
import { OPERATIONS } from '../contract/index.ts';
import { isDistinctive, isSearchable, looksGenerated } from './credential-heuristics.ts';
import { normalisedName, type SecretKind } from './credential-names.ts';
import { addForms, SHORTEST } from './forms.ts';
import type { MatchForm } from './match.ts';
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

/** A value that is known to be secret from the beginning. */
export interface DeclaredSecret {
  /** The kind of secret, e.g. `bearer token`. The placeholder contains it, so that a rotated secret has the same one. */
  readonly name: string;
  readonly value: string;
  /** The profile or the user declares it as a credential, whatever its format. */
  readonly isCredential?: boolean;
}

/** A secret found in traffic. */
export interface FoundSecret {
  readonly name: string;
  readonly value: string;
  readonly kind: SecretKind;
}

/** Why a secret is hidden only under its name, and neither searched elsewhere nor scanned for. */
export type SearchExclusion =
  | 'shorter than 4 characters'
  | 'a word of the interface or of recordings'
  | 'a value the profile shows'
  | 'looks like ordinary data: not replaced in response data';

export interface KnownSecret {
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly declared: boolean;
  /** Where it is replaced, in every form; `nowhere`: only in the places of credentials. */
  readonly searchScope: 'everywhere' | 'outside of data' | 'nowhere';
}

/** Where a secret was found. */
export interface SecretSource {
  readonly side: MessageSide;
  /**
   * The response that issued it, the lane first: `main POST /login`. Its number is derived from this, so that recording a
   * part again, or in another order, gives the same placeholders. If absent, placeholders are numbered consecutively.
   */
  readonly issuedBy?: string;
}

/** Further secrets are hidden under their name only and not searched elsewhere, to limit memory. */
const MAX_SEARCHED = 4000;
/** More found values than this must be ids of list rows, so further ones are not replaced. */
const MAX_FOUND = 100_000;

/** Words in every recording: a secret that is part of one cannot be removed, and discloses nothing. */
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

export interface PlaceholderOptions {
  readonly declared?: readonly DeclaredSecret[];
  /** Values known to be public, e.g. the examples of a profile: their format never makes them secrets. */
  readonly publicValues?: readonly string[];
  /** Names of parameters, headers and members that contain inputs: their values in requests are not credentials. */
  readonly inputs?: readonly string[];
  /**
   * The profile’s declarations of requests and responses: a secret equal to a word in them is not replaced, because the
   * profile could no longer read the traffic.
   */
  readonly profileText?: string;
  /** For a replay: placeholders that the client received are not replaced. */
  readonly keepPlaceholders?: boolean;
}

/**
 * The secrets of one recording. A placeholder consists of the name and of a number per name, in the order of occurrence,
 * so that recording again with other credentials gives the same ones.
 * @example new PlaceholderRegistry({ declared: [{ name: 'bearer token', value: 's3cret' }] }).known()[0].placeholder // 'mdwiBearerToken'
 */
export class PlaceholderRegistry {
  /** Every form of every secret that is searched everywhere. */
  readonly needles = new MultiSearch<MatchForm<KnownSecret>>();
  /** These, and the secrets that are searched outside of data. */
  readonly #all = new MultiSearch<MatchForm<KnownSecret>>();
  /** Handles that the service publishes. */
  readonly publicHandles = new PublicHandles();
  readonly #byValue = new Map<string, KnownSecret>();
  readonly #placeholders = new Set<string>();
  readonly #numbers = new Map<string, number>();
  readonly #publicValues: ReadonlySet<string>;
  readonly #inputs: ReadonlySet<string>;
  readonly #profileText: string;
  readonly #keepPlaceholders: boolean;
  readonly #searchExclusions = new Map<string, SearchExclusion>();
  #overflow = 0;
  #searchedCount = 0;

  constructor({
    declared = [],
    publicValues = [],
    inputs = [],
    profileText = '',
    keepPlaceholders = false,
  }: PlaceholderOptions = {}) {
    this.#publicValues = new Set(publicValues);
    this.#inputs = new Set(inputs.map(normalisedName));
    this.#profileText = profileText;
    this.#keepPlaceholders = keepPlaceholders;
    for (const each of declared) this.declare(each);
  }

  /** Adds a value that is known to be secret. Of two names for one value the first is used. */
  declare({ name, value: untrimmed, isCredential = false }: DeclaredSecret): void {
    // Headers contain it trimmed; the file it comes from may end with a line break.
    const value = untrimmed.trim();
    if (value === '' || this.#byValue.has(value)) return;
    const plain = plainPlaceholder(name);
    const number = this.#next(`declared ${plain}`);
    const why = this.#exclusionOf(value, plain, { isCredential });
    if (why) this.#searchExclusions.set(`${name}${number > 1 ? ` ${number}` : ''}`, why);
    const placeholder = number > 1 ? plainPlaceholder(name, number) : plain;
    this.#remember({ name, value, placeholder, declared: true, searchScope: scopeFor(why) });
  }

  /**
   * Adds a credential that the client received, e.g. from a token endpoint. It is hidden like a declared one. All
   * credentials with the same name share a placeholder, so that the recording does not depend on the number of renewals.
   */
  receive({ name, value }: ReceivedCredential): void {
    if (value === '' || this.#byValue.has(value)) return;
    const placeholder = plainPlaceholder(name);
    const why = this.#exclusionOf(value, placeholder, { isCredential: true });
    this.#remember({ name, value, placeholder, declared: true, searchScope: scopeFor(why) });
  }

  #exclusionOf(
    value: string,
    placeholder: string,
    { isCredential }: { readonly isCredential: boolean },
  ): SearchExclusion | undefined {
    const why = generalExclusionOf(value, placeholder);
    if (why || isDistinctive(value)) return why;
    if (this.#publicValues.has(value)) return 'a value the profile shows';
    if (isCredential && isSearchable(value) && !this.#profileText.includes(value)) return undefined;
    return 'looks like ordinary data: not replaced in response data';
  }

  /**
   * Records a secret found in traffic and returns its placeholder. Returns undefined if the value is public, is a
   * placeholder or an input of a request, or if the registry is full. Secrets of clients share one placeholder per name,
   * because they may change; secrets that services issue are numbered.
   */
  placeholderFor({ name, value, kind }: FoundSecret, { side, issuedBy }: SecretSource): string | undefined {
    // An ordinary value is a secret in its own place only: `1` in a cookie is not the key `1`.
    const isSearchableEverywhere = looksGenerated(value) && !generalExclusionOf(value);
    const key = isSearchableEverywhere ? value : `${name}\0${value}`;
    const known = this.#byValue.get(value) ?? this.#byValue.get(key);
    if (known) return known.placeholder;
    if (this.#publicValues.has(value) || this.#isPlaceholder(value)) return undefined;
    const isFromClient = side === 'request';
    if (isFromClient && this.#isInput(name, value, kind)) return undefined;
    const isFull = this.#byValue.size >= MAX_FOUND;
    const searchScope = isSearchableEverywhere && this.#searchedCount < MAX_SEARCHED ? 'everywhere' : 'nowhere';
    if (isFull || (isSearchableEverywhere && searchScope === 'nowhere')) this.#overflow++;
    if (isFull && !isFromClient) return undefined;
    const placeholder = isFromClient ? plainPlaceholder(name) : this.#generatePlaceholder(name, value, issuedBy);
    if (!isFull) this.#remember({ name, value, placeholder, declared: false, searchScope }, key);
    return placeholder;
  }

  /** Whether a value from a client is not a credential: an input by its name, or a handle that the service publishes. */
  #isInput(name: string, value: string, kind: SecretKind): boolean {
    return this.#inputs.has(normalisedName(name)) || (kind === 'handle' && this.publicHandles.has(value));
  }

  #generatePlaceholder(name: string, value: string, issuedBy: string | undefined): string {
    const counterKey = issuedBy === undefined ? plainPlaceholder(name) : `${issuedBy}\n${name}`;
    const first = issuedBy === undefined ? 1 : numberOf(counterKey, value);
    for (;;) {
      const placeholder = shapedPlaceholder(name, first - 1 + this.#next(counterKey), value);
      if (!this.#placeholders.has(placeholder)) return placeholder;
    }
  }

  #isPlaceholder(value: string): boolean {
    if (this.#placeholders.has(value) || isPlainPlaceholder(value) || isJwtPlaceholder(value)) return true;
    return this.#keepPlaceholders && looksLikePlaceholder(value);
  }

  #next(key: string): number {
    const number = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, number);
    return number;
  }

  #remember(secret: KnownSecret, key = secret.value): void {
    this.#byValue.set(key, secret);
    this.#placeholders.add(secret.placeholder);
    if (secret.searchScope === 'nowhere') return;
    this.#searchedCount++;
    const needles = secret.searchScope === 'everywhere' ? [this.#all, this.needles] : [this.#all];
    addForms(needles, secret, secret, boundsOf(secret));
  }

  /** The secrets to search in a text. @param isData whether the text is data of the interface */
  needlesFor(isData: boolean): MultiSearch<MatchForm<KnownSecret>> {
    return isData ? this.needles : this.#all;
  }

  /** All known secrets. */
  known(): readonly KnownSecret[] {
    return [...this.#byValue.values()];
  }

  /** By name, why a declared secret is not searched everywhere. */
  searchExclusions(): Readonly<Record<string, SearchExclusion>> {
    return Object.fromEntries(this.#searchExclusions);
  }

  /** How many secrets were found beyond the limits. */
  get overflow(): number {
    return this.#overflow;
  }
}

const scopeFor = (why: SearchExclusion | undefined): KnownSecret['searchScope'] =>
  why === undefined ? 'everywhere' : why.startsWith('looks') ? 'outside of data' : 'nowhere';

/** From this length on a placeholder has six digits, so that two issuers rarely have the same number. */
const SIX_DIGITS_LENGTH = 24;

/** A number of four or six digits, derived from the issuer. */
function numberOf(issuedBy: string, { length }: string): number {
  const least = length < SIX_DIGITS_LENGTH ? 1000 : 100_000;
  return least + (createHash('sha256').update(issuedBy).digest().readUInt32BE(0) % (9 * least));
}

/** Declared secrets are hidden even within a word, to be safe; digits alone are not, because they occur in UPCs. */
function boundsOf({ declared, value, searchScope }: KnownSecret): Bounds {
  if (!declared || searchScope === 'outside of data') return 'word';
  return /^\d+$/.test(value) ? 'digits' : 'none';
}

/** Whether a text is part of a word in every recording. */
export const isCommonWord = (value: string): boolean => COMMON.includes(value.toLowerCase());

function generalExclusionOf(value: string, placeholder = ''): SearchExclusion | undefined {
  if (value.length < SHORTEST) return 'shorter than 4 characters';
  return isCommonWord(value) || placeholder.toLowerCase().includes(value.toLowerCase())
    ? 'a word of the interface or of recordings'
    : undefined;
}
