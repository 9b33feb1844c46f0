/** Inverts patterns that extract a value from a text: finds a text from which they extract the value. */
import { compilePattern } from '../../../src/profile/pattern/index.ts';

type Frame = readonly [before: string, after: string];

/**
 * The pattern with the first of the characters or alternatives that it allows around the group, and with as little white space
 * as possible: `[?&]id=(.+)` → `?id=(.+)`, `is\s+(\S+)\s*$` → `is (\S+)$`.
 */
const withFirstChoices = (patternSource: string): string =>
  patternSource
    .replace(/(?<!\\)\\s[*?]/g, '')
    .replace(/(?<!\\)\\s\+?/g, ' ')
    .replace(/(?<!\\)\[([^\\\]^])[^\]\\]*\](?![*+?{])/g, (_, first: string) => first.replace(/\W/, '\\$&'))
    .replace(/\(\?:([^()|]*)(?:\|[^()]*)?\)(?![*+?{])/g, (_, first: string) => first.replace(/^\^|\$$/g, ''));

/** The literal text around the group of a pattern, if there is only literal text: `^job (\S+) is` → `job `, ` is`. */
function ownFrame(patternSource: string): Frame | undefined {
  const [, before = '', after = ''] =
    /^\^?((?:[^()\\]|\\.)*)\((?:[^()\\]|\\.)*\)((?:[^()\\]|\\.)*?)\$?$/s.exec(withFirstChoices(patternSource)) ?? [];
  const isText = (part: string): boolean => !/[[\]{}*+?.|^$]|\\\w/.test(part.replace(/\\\W/g, ''));
  const plain = (part: string): string => part.replace(/\\(\W)/g, '$1');
  return (before !== '' || after !== '') && isText(before) && isText(after) ? [plain(before), plain(after)] : undefined;
}

/** Text around a value when the pattern has no literal text. */
const FRAMES: readonly Frame[] = [
  ['', ''],
  ['/', ''],
];

/**
 * Returns a function that puts a value where the pattern finds it; undefined when no simple text matches.
 *
 * @param testValues values of the kind that will be written
 * @example frameOf('^job (\\S+) is', ['4711'])?.('4711') // 'job 4711 is'
 */
export function frameOf(patternSource: string, testValues: readonly string[]): ((value: string) => string) | undefined {
  const pattern = compilePattern(patternSource, { key: 'match' });
  const own = ownFrame(patternSource);
  const frame = [...(own ? [own] : []), ...FRAMES].find(([before, after]) =>
    testValues.every((value) => pattern.extract(before + value + after) === value),
  );
  return frame && ((value) => frame[0] + value + frame[1]);
}
