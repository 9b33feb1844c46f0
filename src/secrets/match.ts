/** A secret found in bytes, in any encoding, and its replacement. */

/** A line break within a wrapped match: it stays. */
export interface Break {
  /** The number of bytes of the placeholder before it. */
  readonly after: number;
  readonly start: number;
  readonly end: number;
}

/** A secret in one form. */
export interface MatchForm<T = unknown> {
  readonly secret: T;
  /** E.g. `raw`, `escaped`, `base64`, `sha256`. */
  readonly form: string;
  /** The placeholder in the same form, padded so many times. */
  encodePlaceholder(padding?: number): Buffer;
}

export interface Match<T = unknown> extends MatchForm<T> {
  readonly start: number;
  readonly end: number;
  readonly breaks: readonly Break[];
}

/** The replacement of a match. @param bytes those it was found in @param padding of the placeholder */
export function replacementFor(match: Match, bytes: Buffer, padding = 0): Buffer {
  const text = match.encodePlaceholder(padding);
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

/** The interval of bytes that a match covers. */
type Covered = Pick<Match, 'start' | 'end'> & { readonly secret?: unknown };

const isLonger = (match: Covered, other: Covered): boolean => match.end - match.start > other.end - other.start;

/**
 * Returns matches in order, without overlaps. Of two overlapping matches the longer one stays: of one secret, the shorter
 * match begins or ends within an escape; of two secrets, the longer match is extended to cover both.
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

/** Bytes from `from` to `until` in pieces, some replaced; the intervals are in order and begin there. */
export function splice(
  bytes: Buffer,
  edits: readonly (Pick<Match, 'start' | 'end'> & { readonly placeholder: Buffer })[],
  from = 0,
  until = bytes.length,
): Buffer[] {
  const pieces: Buffer[] = [];
  let at = from;
  for (const { start, end, placeholder } of edits) {
    pieces.push(bytes.subarray(at, start), placeholder);
    at = end;
  }
  return [...pieces, bytes.subarray(at, Math.max(at, until))].filter((each) => each.length > 0);
}
