/** Patterns that cut a value out of a text turned round: a text they cut that value out of. */
import { compilePattern } from '../../../src/profile/pattern/index.ts';

type Frame = readonly [before: string, after: string];

/** The text a pattern itself writes around its group, where it is nothing but text: `^job (\S+) is` → `job `, ` is`. */
function ownFrame(match: string): Frame | undefined {
  const [, before = '', after = ''] =
    /^\^?((?:[^()\\]|\\.)*)\((?:[^()\\]|\\.)*\)((?:[^()\\]|\\.)*?)\$?$/s.exec(match) ?? [];
  const isText = (part: string): boolean => !/[[\]{}*+?.|^$]|\\\w/.test(part.replace(/\\\W/g, ''));
  const plain = (part: string): string => part.replace(/\\(\W)/g, '$1');
  return (before !== '' || after !== '') && isText(before) && isText(after) ? [plain(before), plain(after)] : undefined;
}

/** What a reference to a thing looks like, when nothing else is known of it. */
const FRAMES: readonly Frame[] = [
  ['', ''],
  ['/', ''],
];

/**
 * How values are put where a pattern finds them; undefined when no simple text does.
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
