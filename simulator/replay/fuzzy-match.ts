/** Finds a recorded request that differs from the sent one only in undeclared credentials. */
import { escapePattern } from '../../src/recording/format/stream-splitter.ts';
import { CLIENT_SIDE } from '../../src/secrets/placeholders.ts';

/** What matches a credential: one JSON string, or one part of a URL. */
const IN_QUOTES = '(?:[^"\\\\\\n]|\\\\.)*';
const IN_URL = '[^\\n&/?#"]+?';

/** Matches all keys that differ only in the credentials between these parts. */
function patternOf(parts: readonly string[]): RegExp {
  const source = parts.reduce((prefix, part, at) => {
    const wildcard = parts[at - 1]?.endsWith('"') && part.startsWith('"') ? IN_QUOTES : IN_URL;
    return `${prefix}${at === 0 ? '' : wildcard}${escapePattern(part)}`;
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
export class FuzzyKeys {
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
