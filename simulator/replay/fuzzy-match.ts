/** Finding a recorded request that differs from the one asked only in credentials nobody declared. */
import { escapePattern } from '../../src/recording/format/word-finder.ts';
import { CLIENT_SIDE } from '../../src/secrets/placeholders.ts';

/** What may stand in place of a credential: never more than one value, of JSON or of an address. */
const IN_QUOTES = '(?:[^"\\\\\\n]|\\\\.)*';
const IN_ADDRESS = '[^\\n&/?#"]+?';

/** A pattern of all keys that differ from one in its credentials alone. */
function patternOf(parts: readonly string[]): RegExp {
  const joined = parts.reduce((before, part, at) => {
    const any = parts[at - 1]?.endsWith('"') && part.startsWith('"') ? IN_QUOTES : IN_ADDRESS;
    return `${before}${at === 0 ? '' : any}${escapePattern(part)}`;
  }, '');
  return new RegExp(`^${joined}$`, 's');
}

interface Pattern {
  readonly key: string;
  /** What stands before the first credential: most keys are told apart by it. */
  readonly before: string;
  readonly pattern: RegExp;
}

/** The keys of a lane in which credentials stood that clients brought along: other ones may stand in their place. */
export class FuzzyKeys {
  readonly #patterns: readonly Pattern[];

  constructor(keys: Iterable<string>) {
    this.#patterns = [...keys].flatMap((key) => {
      const parts = key.split(CLIENT_SIDE);
      const [before = ''] = parts;
      return parts.length === 1 ? [] : [{ key, before, pattern: patternOf(parts) }];
    });
  }

  /** The recorded key that this one is, its credentials aside. @param key nothing in it hidden */
  find(key: string): string | undefined {
    return this.#patterns.find(({ before, pattern }) => key.startsWith(before) && pattern.test(key))?.key;
  }
}
