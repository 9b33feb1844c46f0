/**
 * Records handles that the service publishes under names that do not denote a secret, e.g. a cursor or the id of a job.
 * When a client sends such a value back as `token` or `session`, it is public and must stay.
 */
import { decodePercent } from '../exchange/url.ts';
import { looksGenerated } from './credential-heuristics.ts';

/** How many bytes at the beginning and at the end of a body are searched: cursors and ids are there. */
export const SEARCHED_BYTES = 64 * 1024;
const MAX_HANDLES = 50_000;
/** With and without the special characters of base64 and paths. */
const WORDS = [/[A-Za-z0-9_.~%+/=-]{8,512}/g, /[A-Za-z0-9_-]{8,512}/g];

/** The values with the format of handles; beyond a limit the oldest are removed. */
export class PublicHandles {
  readonly #seen = new Set<string>();

  /** Whether the service published a value. */
  has(value: string): boolean {
    return this.#seen.has(value);
  }

  /** Records the handles in a text, which is Latin-1 and has all its secrets replaced. */
  note(text: string): void {
    for (const words of WORDS) {
      for (const [word] of text.replaceAll('\\/', '/').matchAll(words)) {
        const value = word.includes('%') ? decodePercent(word, word) : word;
        if (!looksGenerated(value)) continue;
        this.#seen.delete(value);
        this.#seen.add(value);
      }
    }
    for (const oldest of this.#seen) {
      if (this.#seen.size <= MAX_HANDLES) break;
      this.#seen.delete(oldest);
    }
  }
}
