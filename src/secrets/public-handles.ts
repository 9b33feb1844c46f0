/**
 * What the service said openly, under names that announce no secret: a cursor or the id of a job. When a client sends such
 * a value back as `token` or `session` it is a handle that everybody may see, and has to stay what it was.
 */
import { looksGenerated } from './credential-heuristics.ts';

/** So much of the beginning and of the end of a body is looked at: that is where cursors and ids stand. */
export const SEARCHED_BYTES = 64 * 1024;
const MOST = 50_000;
/** With and without what base64 and paths have besides. */
const WORDS = [/[A-Za-z0-9_.~%+/=-]{8,512}/g, /[A-Za-z0-9_-]{8,512}/g];

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The texts that look like handles; when there are too many the oldest are forgotten. */
export class PublicHandles {
  readonly #seen = new Set<string>();

  has(value: string): boolean {
    return this.#seen.has(value);
  }

  /** Takes a text in which all secrets were replaced, as Latin-1. */
  note(text: string): void {
    for (const words of WORDS) {
      for (const [word] of text.replaceAll('\\/', '/').matchAll(words)) {
        const value = word.includes('%') ? decoded(word) : word;
        if (!looksGenerated(value)) continue;
        this.#seen.delete(value);
        this.#seen.add(value);
      }
    }
    for (const oldest of this.#seen) {
      if (this.#seen.size <= MOST) break;
      this.#seen.delete(oldest);
    }
  }
}
