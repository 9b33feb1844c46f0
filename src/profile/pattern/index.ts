/**
 * Applies the regular expressions of a profile, its schemas and selectors to untrusted text: none of them can block the
 * process. See docs/decisions/re2js.md.
 */

import type { RE2JS } from 're2js';
import { isNode, requireFrom } from '../../builtin-module.ts';
import { type Analysis, analyse } from './analyse.ts';
import { findWithin, type MatchSpans, type TextSpan } from './time-limit.ts';

export type { MatchSpans, TextSpan } from './time-limit.ts';

export interface Pattern {
  /** @throws PatternLimitError */
  test(text: string): boolean;
  /** The positions of the first match and its groups. @throws PatternLimitError */
  find(text: string): MatchSpans | undefined;
  /** The first group of the first match if it matched, else the whole match. @throws PatternLimitError */
  extract(text: string): string | undefined;
  /** `/source/flags` */
  toString(): string;
}

/** A pattern takes too long on a text, so whether the text matches is undecided. */
export class PatternLimitError extends Error {}

export interface PatternOptions {
  /** Default: `u`. */
  readonly flags?: string;
  /** The location of the pattern, for messages, e.g. `response.fields.jobId.match`. */
  readonly key: string;
  /** Time limit per text in ms, if no engine takes linear time; default 1000. */
  readonly limitMs?: number;
}

/** Maximum steps of the backtracking engine per text, and per character. */
const STEPS = 100_000;
const STEPS_PER_CHARACTER = 300;
/** Maximum text length × pattern length for the linear engine in this thread. */
const LINEAR_WORK = 50_000_000;

/** Compiled patterns by source and options: a pattern that exceeded its limit is not tried again. */
const cache = new Map<string, Pattern>();
/** Responses may contain patterns too, so the cache is limited. */
const CACHE_SIZE = 500;

/**
 * Compiles a safe pattern with ECMAScript semantics. The engine depends on pattern and text: the native one if
 * it provably takes few steps, re2js if it has an equivalent pattern, else the native one in a thread with a time
 * limit. After the first timeout the pattern is not tried again.
 *
 * @throws SyntaxError if the source is not a regular expression
 * @example compilePattern('^job (\\S+) is', { key: 'response.fields.jobId.match' }).extract('job 4711 is done') // '4711'
 */
export function compilePattern(source: string, { flags = 'u', key, limitMs = 1000 }: PatternOptions): Pattern {
  const name = JSON.stringify([source, flags, key, limitMs]);
  const pattern = cache.get(name) ?? createPattern(source, flags, key, limitMs);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(name, pattern);
  return pattern;
}

function createPattern(source: string, flags: string, key: string, limitMs: number): Pattern {
  const native = new RegExp(source, flags);
  const analysis = analyse(source, flags);
  const longest = analysis ? longestNative(analysis) : -1;
  let linear: RE2JS | null | undefined;
  let indexed: RegExp | undefined;
  let hasFailed = false;

  /** The linear engine for a text; undefined if its result may differ, or the text is too long. */
  function linearFor(text: string, { samePosition }: { readonly samePosition: boolean }): RE2JS | undefined {
    // A browser runs the patterns of the page’s own developer with the native engine, and without a limit.
    if (!isNode() || analysis?.linear === undefined || (samePosition && !analysis.samePosition)) return undefined;
    // The engines count characters beyond U+FFFF and lone surrogates differently.
    if (text.length * source.length > LINEAR_WORK || /[\ud800-\udfff]/.test(text)) return undefined;
    linear ??= compileLinear(analysis.linear);
    return linear ?? undefined;
  }

  function findLimited(text: string): MatchSpans | undefined {
    if (!isNode()) return findNative(text);
    const found = hasFailed ? undefined : findWithin(limitMs, source, flags, text);
    if (found !== undefined) return found ?? undefined;
    hasFailed = true;
    throw new PatternLimitError(
      `the pattern ${source.slice(0, 80)} of ${key} takes longer than ${limitMs / 1000} s on a text: rewrite it without nested repetitions`,
    );
  }

  function findNative(text: string): MatchSpans | undefined {
    indexed ??= new RegExp(source, `${flags}d`);
    return indexed.exec(text)?.indices as MatchSpans | undefined;
  }

  function find(text: string): MatchSpans | undefined {
    if (text.length <= longest) return findNative(text);
    const matcher = linearFor(text, { samePosition: true })?.matcher(text);
    if (!matcher) return findLimited(text);
    if (!matcher.find()) return undefined;
    const spans = Array.from({ length: matcher.groupCount() + 1 }, (_, group): TextSpan | undefined =>
      matcher.start(group) < 0 ? undefined : [matcher.start(group), matcher.end(group)],
    );
    return spans as unknown as MatchSpans;
  }

  return {
    test(text) {
      if (text.length <= longest) return native.test(text);
      const engine = linearFor(text, { samePosition: false });
      return engine ? engine.matcher(text).find() : findLimited(text) !== undefined;
    },
    find,
    extract(text) {
      if (text.length <= longest) {
        const found = native.exec(text);
        return found ? (found[1] ?? found[0]) : undefined;
      }
      const spans = find(text);
      return spans && text.slice(...(spans[1] ?? spans[0]));
    },
    toString: () => native.toString(),
  };
}

/** The maximum text length for the native engine; -1 for none. */
function longestNative({ factor, degree }: Analysis): number {
  if (degree === 0 ? factor <= STEPS : degree === 1 && factor <= STEPS_PER_CHARACTER) return Number.POSITIVE_INFINITY;
  return degree === 0 ? -1 : Math.floor((STEPS / factor) ** (1 / degree)) - 1;
}

/** Null if the engine rejects it, e.g. for a repetition beyond 1000. */
function compileLinear(source: string): RE2JS | null {
  const { RE2JS: engine } = requireFrom(import.meta.url, 're2js') as typeof import('re2js');
  try {
    return engine.compile(source);
  } catch {
    return null;
  }
}
