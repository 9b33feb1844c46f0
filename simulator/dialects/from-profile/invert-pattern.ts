/** Inverts patterns that extract a value from a text: finds a text from which they extract the value. */
import { compilePattern } from '../../../src/profile/pattern/index.ts';

type Frame = readonly [before: string, after: string];

/** The literal text around the group of a pattern, if there is only literal text: `^job (\S+) is` → `job `, ` is`. */
function ownFrame(match: string): Frame | undefined {
  const [, before = '', after = ''] =
    /^\^?((?:[^()\\]|\\.)*)\((?:[^()\\]|\\.)*\)((?:[^()\\]|\\.)*?)\$?$/s.exec(match) ?? [];
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
 * @param trials values of the kind that will be written
 * @example frameOf('^job (\\S+) is', ['4711'])?.('4711') // 'job 4711 is'
 */
export function frameOf(match: string, trials: readonly string[]): ((value: string) => string) | undefined {
  const pattern = compilePattern(match, { key: 'match' });
  const own = ownFrame(match);
  const frame = [...(own ? [own] : []), ...FRAMES].find(([before, after]) =>
    trials.every((value) => pattern.cut(before + value + after) === value),
  );
  return frame && ((value) => frame[0] + value + frame[1]);
}
