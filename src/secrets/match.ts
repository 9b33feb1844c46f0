/** A secret found in bytes, in whatever encoding, and what is put in its place. */

/** A line break within what an encoding wraps: it stays. */
export interface Break {
  /** So many bytes of the placeholder stand before it. */
  readonly after: number;
  readonly start: number;
  readonly end: number;
}

/** A secret in one form. */
export interface MatchPlace<T = unknown> {
  readonly secret: T;
  /** E.g. `raw`, `escaped`, `base64`, `sha256`. */
  readonly form: string;
  /** The placeholder in the same form, padded so many times. */
  spell(padding?: number): Buffer;
}

export interface Match<T = unknown> extends MatchPlace<T> {
  readonly start: number;
  readonly end: number;
  readonly breaks: readonly Break[];
}

/** What takes the place of a match. @param bytes those it was found in @param padding of the placeholder */
export function replacementFor(match: Match, bytes: Buffer, padding = 0): Buffer {
  const text = match.spell(padding);
  if (match.breaks.length === 0) return text;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { after, start, end } of match.breaks) {
    const until = Math.max(at, Math.min(after, text.length));
    pieces.push(text.subarray(at, until), bytes.subarray(start, end));
    at = until;
  }
  return Buffer.concat([...pieces, text.subarray(at)]);
}

/** An interval of bytes, which is what is covered of a match. */
type Covered = Pick<Match, 'start' | 'end'> & { readonly secret?: unknown };

const isLonger = (match: Covered, other: Covered): boolean => match.end - match.start > other.end - other.start;

/**
 * Matches in order, none over another. Of two that overlap the longer one stays: of two readings of one secret the shorter
 * begins or ends amid an escape. Of two secrets it takes in what the other has besides.
 */
export function withoutOverlaps<T extends Covered>(matches: readonly T[]): T[] {
  const kept: T[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (!last || match.start >= last.end) kept.push(match);
    else if (match.secret === last.secret) {
      if (isLonger(match, last)) kept[kept.length - 1] = match;
    } else {
      const longer = isLonger(match, last) ? match : last;
      kept[kept.length - 1] = { ...longer, start: last.start, end: Math.max(last.end, match.end) };
    }
  }
  return kept;
}
