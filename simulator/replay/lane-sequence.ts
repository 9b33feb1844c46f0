/** One lane being replayed: its place in every sequence, and its answers ready to be sent. */

import { keyWithoutCredentials, type Matching } from '../../src/recording/format/request-key.ts';
import type { LaneAnswers, RecordedAnswer } from '../../src/recording/store/open-recording.ts';
import { FuzzyKeys } from './fuzzy-match.ts';
import { type PreparedResponse, type PrepareOptions, prepareResponse } from './prepared-response.ts';

/** The answers to one request, in turn. */
export class Sequence {
  readonly #answers: readonly RecordedAnswer[];
  readonly #prepared: PreparedResponse[] = [];
  readonly #options: PrepareOptions;
  #at = 0;

  constructor(answers: readonly RecordedAnswer[], options: PrepareOptions) {
    this.#answers = answers;
    this.#options = options;
  }

  get length(): number {
    return this.#answers.length;
  }

  /**
   * The next answer; behind the last one that again or, where that is asked for strictly, none. Rejects with a
   * SideFileError where its body is not what was recorded.
   */
  next(strict: boolean): PreparedResponse | Promise<PreparedResponse> | undefined {
    const last = this.#answers.length - 1;
    if (this.#at > last && strict) return undefined;
    const at = Math.min(this.#at, last);
    if (this.#at <= last) this.#at++;
    const ready = this.#prepared[at];
    if (ready) return ready;
    const made = prepareResponse(this.#answers[at] as RecordedAnswer, this.#options);
    if (!(made instanceof Promise)) {
      this.#prepared[at] = made;
      return made;
    }
    return made.then((served) => {
      this.#prepared[at] = served;
      return served;
    });
  }
}

export class Lane {
  readonly base: string;
  readonly #answers: LaneAnswers;
  readonly #options: Omit<PrepareOptions, 'method'>;
  readonly #sequences = new Map<string, Sequence>();
  #loose: FuzzyKeys | undefined;
  #either: ReadonlyMap<string, string> | undefined;

  constructor(answers: LaneAnswers, options: Omit<PrepareOptions, 'method'>) {
    this.base = options.base;
    this.#answers = answers;
    this.#options = options;
  }

  get keys(): Iterable<string> {
    return this.#answers.keys();
  }

  /** The recorded key that is this one but for credentials; undefined: there is none. */
  looseKey(key: string): string | undefined {
    this.#loose ??= new FuzzyKeys(this.#answers.keys());
    return this.#loose.find(key);
  }

  /** The recorded key that is this one but for whether credentials are sent; undefined: there is none. */
  eitherKey(key: string, matching: Matching): string | undefined {
    this.#either ??= new Map([...this.#answers.keys()].map((each) => [keyWithoutCredentials(each, matching), each]));
    return this.#either.get(keyWithoutCredentials(key, matching));
  }

  /** The answers to a request; undefined: it is not recorded. */
  sequence(key: string): Sequence | undefined {
    const known = this.#sequences.get(key);
    if (known) return known;
    const answers = this.#answers.get(key);
    if (!answers) return undefined;
    const made = new Sequence(answers, { ...this.#options, method: key.slice(0, key.indexOf(' ')) });
    this.#sequences.set(key, made);
    return made;
  }
}
