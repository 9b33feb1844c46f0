/**
 * Regular expressions of a profile, its schemas and selectors, applied to text of others: none of them can hang the
 * process, whatever the text. See docs/decisions/re2js.md.
 */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { type Analysis, analyse } from './analyse.ts';
import { findWithin, type Places, type TextSpan } from './time-limit.ts';

export type { Places, TextSpan } from './time-limit.ts';

export interface Pattern {
  /** @throws PatternLimitError */
  test(text: string): boolean;
  /** Where the first match and its groups stand in the text. @throws PatternLimitError */
  find(text: string): Places | undefined;
  /** The first group of the first match where it took part, else the match. @throws PatternLimitError */
  cut(text: string): string | undefined;
  /** `/source/flags` */
  toString(): string;
}

/** A pattern takes too long on a text: nothing can be said of that text. */
export class PatternLimitError extends Error {}

export interface PatternOptions {
  /** Default: `u`. */
  readonly flags?: string;
  /** Where the pattern stands, for messages, e.g. `response.fields.jobId.match`. */
  readonly key: string;
  /** How long it may take on one text in ms, where no engine takes linear time; default 1000. */
  readonly limitMs?: number;
}

/** Steps a backtracking engine may take on one text of any length, and on one of its characters. */
const STEPS = 100_000;
const STEPS_PER_CHARACTER = 300;
/** Characters × length of the pattern up to which the linear engine is fast enough to run in this thread. */
const LINEAR_WORK = 50_000_000;

const load = createRequire(import.meta.url);

/** By all that was said of them: a pattern that was given up stays so, whichever body it is compiled for next. */
const known = new Map<string, Pattern>();
/** Patterns may stand in answers, too, so that there may be many. */
const MOST_KNOWN = 500;

/**
 * Makes a pattern safe. It has the semantics of ECMAScript; the engine depends on pattern and text: the native one where
 * it provably takes few steps, re2js where the pattern has an equal there, else the native one in a thread with a time
 * limit. After its first excess the pattern is not tried again.
 *
 * @throws SyntaxError where the source is no regular expression
 * @example compilePattern('^job (\\S+) is', { key: 'response.fields.jobId.match' }).cut('job 4711 is done') // '4711'
 */
export function compilePattern(source: string, { flags = 'u', key, limitMs = 1000 }: PatternOptions): Pattern {
  const name = JSON.stringify([source, flags, key, limitMs]);
  const pattern = known.get(name) ?? createPattern(source, flags, key, limitMs);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, pattern);
  return pattern;
}

function createPattern(source: string, flags: string, key: string, limitMs: number): Pattern {
  const native = new RegExp(source, flags);
  const analysis = analyse(source, flags);
  const longest = analysis ? longestNative(analysis) : -1;
  let linear: RE2JS | null | undefined;
  let indexed: RegExp | undefined;
  let hasFailed = false;

  /** The linear engine for a text; undefined where the answers may differ, or the text is too long. */
  function linearFor(text: string, samePlace: boolean): RE2JS | undefined {
    if (analysis?.linear === undefined || (samePlace && !analysis.samePlace)) return undefined;
    // The engines differ in where a character beyond U+FFFF, or half of one, begins.
    if (text.length * source.length > LINEAR_WORK || /[\ud800-\udfff]/.test(text)) return undefined;
    linear ??= compileLinear(analysis.linear);
    return linear ?? undefined;
  }

  function findLimited(text: string): Places | undefined {
    const found = hasFailed ? undefined : findWithin(limitMs, source, flags, text);
    if (found !== undefined) return found ?? undefined;
    hasFailed = true;
    throw new PatternLimitError(
      `the pattern ${source.slice(0, 80)} of ${key} takes longer than ${limitMs / 1000} s on a text: write it without repetitions inside repetitions`,
    );
  }

  function find(text: string): Places | undefined {
    if (text.length <= longest) {
      indexed ??= new RegExp(source, `${flags}d`);
      return indexed.exec(text)?.indices as Places | undefined;
    }
    const matcher = linearFor(text, true)?.matcher(text);
    if (!matcher) return findLimited(text);
    if (!matcher.find()) return undefined;
    const places = Array.from({ length: matcher.groupCount() + 1 }, (_, group): TextSpan | undefined =>
      matcher.start(group) < 0 ? undefined : [matcher.start(group), matcher.end(group)],
    );
    return places as unknown as Places;
  }

  return {
    test(text) {
      if (text.length <= longest) return native.test(text);
      const engine = linearFor(text, false);
      return engine ? engine.matcher(text).find() : findLimited(text) !== undefined;
    },
    find,
    cut(text) {
      if (text.length <= longest) {
        const found = native.exec(text);
        return found ? (found[1] ?? found[0]) : undefined;
      }
      const places = find(text);
      return places && text.slice(...(places[1] ?? places[0]));
    },
    toString: () => native.toString(),
  };
}

/** The longest text on which the native engine takes few steps; -1 for none. */
function longestNative({ factor, degree }: Analysis): number {
  if (degree === 0 ? factor <= STEPS : degree === 1 && factor <= STEPS_PER_CHARACTER) return Number.POSITIVE_INFINITY;
  return degree === 0 ? -1 : Math.floor((STEPS / factor) ** (1 / degree)) - 1;
}

/** Null where the engine refuses it, e.g. for a repetition beyond 1000. */
function compileLinear(source: string): RE2JS | null {
  const { RE2JS: engine } = load('re2js') as typeof import('re2js');
  try {
    return engine.compile(source);
  } catch {
    return null;
  }
}
