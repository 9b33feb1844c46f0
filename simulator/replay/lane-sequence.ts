/** The state of one replayed lane: the position in each sequence, and the prepared responses. */

import { keyWithoutCredentials, type Matching } from '../../src/recording/format/request-key.ts';
import type { LaneResponses, ReplayableResponse } from '../../src/recording/store/open-recording.ts';
import { CLIENT_SIDE } from '../../src/secrets/placeholders.ts';
import { escapeRegExp } from '../../src/text-patterns.ts';
import { type PreparedResponse, type PrepareOptions, prepareResponse } from './prepared-response.ts';

/** What matches a credential: one JSON string, or one part of a URL. */
const IN_QUOTES = '(?:[^"\\\\\\n]|\\\\.)*';
const IN_URL = '[^\\n&/?#"]+?';

/** Matches all keys that differ only in the credentials between these parts. */
function patternOf(parts: readonly string[]): RegExp {
  const source = parts.reduce((prefix, part, at) => {
    const wildcard = parts[at - 1]?.endsWith('"') && part.startsWith('"') ? IN_QUOTES : IN_URL;
    return `${prefix}${at === 0 ? '' : wildcard}${escapeRegExp(part)}`;
  }, '');
  return new RegExp(`^${source}$`, 's');
}

interface Pattern {
  readonly key: string;
  /** The text before the first credential: a cheap test that excludes most keys. */
  readonly prefix: string;
  readonly pattern: RegExp;
}

/** The keys of a lane that contain credentials of clients: a request may send other ones in their place. */
class FuzzyKeys {
  readonly #patterns: readonly Pattern[];

  constructor(keys: Iterable<string>) {
    this.#patterns = [...keys].flatMap((key) => {
      const parts = key.split(CLIENT_SIDE);
      const [prefix = ''] = parts;
      return parts.length === 1 ? [] : [{ key, prefix, pattern: patternOf(parts) }];
    });
  }

  /** Returns the recorded key that equals this one except for its credentials. @param key without placeholders */
  find(key: string): string | undefined {
    return this.#patterns.find(({ prefix, pattern }) => key.startsWith(prefix) && pattern.test(key))?.key;
  }
}

/** The responses to one request, in order. */
export class Sequence {
  readonly #responses: readonly ReplayableResponse[];
  readonly #prepared: PreparedResponse[] = [];
  readonly #options: PrepareOptions;
  #position = 0;

  constructor(responses: readonly ReplayableResponse[], options: PrepareOptions) {
    this.#responses = responses;
    this.#options = options;
  }

  get length(): number {
    return this.#responses.length;
  }

  /**
   * Returns the next response. After the last one it returns that one again or, with `strict`, undefined.
   * Rejects with a SideFileError where the body file changed since the recording.
   */
  next(strict: boolean): PreparedResponse | Promise<PreparedResponse> | undefined {
    const last = this.#responses.length - 1;
    if (this.#position > last && strict) return undefined;
    const at = Math.min(this.#position, last);
    if (this.#position <= last) this.#position++;
    const cached = this.#prepared[at];
    if (cached) return cached;
    const prepared = prepareResponse(this.#responses[at] as ReplayableResponse, this.#options);
    if (!(prepared instanceof Promise)) {
      this.#prepared[at] = prepared;
      return prepared;
    }
    return prepared.then((each) => {
      this.#prepared[at] = each;
      return each;
    });
  }
}

/** One lane of a recording. */
export class Lane {
  readonly base: string;
  readonly #responses: LaneResponses;
  readonly #options: Omit<PrepareOptions, 'method'>;
  readonly #sequences = new Map<string, Sequence>();
  #fuzzyKeys: FuzzyKeys | undefined;
  #keysWithoutCredentials: ReadonlyMap<string, string> | undefined;

  constructor(responses: LaneResponses, options: Omit<PrepareOptions, 'method'>) {
    this.base = options.base;
    this.#responses = responses;
    this.#options = options;
  }

  get keys(): Iterable<string> {
    return this.#responses.keys();
  }

  /** The recorded key that equals this one except for credentials in its values; undefined: there is none. */
  fuzzyKey(key: string): string | undefined {
    this.#fuzzyKeys ??= new FuzzyKeys(this.#responses.keys());
    return this.#fuzzyKeys.find(key);
  }

  /** The recorded key that equals this one except for whether credentials are sent; undefined: there is none. */
  keyWithOrWithoutCredentials(key: string, matching: Matching): string | undefined {
    this.#keysWithoutCredentials ??= new Map(
      [...this.#responses.keys()].map((each) => [keyWithoutCredentials(each, matching), each]),
    );
    return this.#keysWithoutCredentials.get(keyWithoutCredentials(key, matching));
  }

  /** The responses to a request; undefined: it is not recorded. */
  sequence(key: string): Sequence | undefined {
    const known = this.#sequences.get(key);
    if (known) return known;
    const responses = this.#responses.get(key);
    if (!responses) return undefined;
    const created = new Sequence(responses, { ...this.#options, method: key.slice(0, key.indexOf(' ')) });
    this.#sequences.set(key, created);
    return created;
  }
}
