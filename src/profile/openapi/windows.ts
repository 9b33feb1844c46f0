/** Delta windows as implementers spell them: 1, 4 and 13 weeks (section 8). */
import type { SchemaShape } from './shape.ts';

export const WINDOW_NAMES = ['1', '4', '13'] as const;
export type WindowName = (typeof WINDOW_NAMES)[number];
export type WindowSpellings = Readonly<Record<WindowName, string | number>>;

const WORDS: Readonly<Record<string, WindowName>> = {
  LW: '1',
  LASTWEEK: '1',
  WEEK: '1',
  WEEKLY: '1',
  ONE: '1',
  FOUR: '4',
  THIRTEEN: '13',
};

/**
 * The window a spelling means by itself, e.g. `P4W`, `LAST_13_WEEKS`, `28d`, `L4W`, `one-week`; bare numbers are weeks.
 *
 * @example windowMeant('L13W') // '13'
 */
export function windowFromName(spelling: string): WindowName | undefined {
  const text = spelling.toUpperCase().replace(/[\s_.-]+/g, '');
  const [, word = '', unit] = /^(?:P|L|LAST|PAST|PREVIOUS|DELTA)?(ONE|FOUR|THIRTEEN)(W|WK|WEEK)S?$/.exec(text) ?? [];
  if (unit) return WORDS[word];
  if (Object.hasOwn(WORDS, text)) return WORDS[text];
  const [, before, number, behind] =
    /^(P|L|LAST|PAST|PREV|PREVIOUS|DELTA|W|WK|WEEK|WEEKS|D|DAYS)?0*(\d+)(W|WK|WKS|WEEK|WEEKS|D|DAY|DAYS)?$/.exec(
      text,
    ) ?? [];
  if (number === undefined) return undefined;
  const days = behind?.startsWith('D') || (behind === undefined && before?.startsWith('D') && before !== 'DELTA');
  const weeks = days ? Number(number) / 7 : Number(number);
  return WINDOW_NAMES.find((each) => Number(each) === weeks);
}

/** The window a sentence speaks of, e.g. `the last 13 weeks`, `28 days`, `past week`. */
export function windowFromText(sentence: string): WindowName | undefined {
  const [, number = '', unit = ''] = /\b(\d+|one|four|thirteen)[ -]?(weeks?|wks?|days?)\b/i.exec(sentence) ?? [];
  if (unit !== '') return windowFromName(`${number}${unit}`);
  return /\b(last|past|latest|this) week\b/i.test(sentence) ? '1' : undefined;
}

/** The spellings among some values, when all three windows are among them, each once. */
export function windowSpellings(
  values: readonly { readonly value: unknown; readonly says: string }[],
): WindowSpellings | undefined {
  const found = new Map<WindowName, string | number>();
  for (const { value, says } of values) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const means = windowFromName(String(value)) ?? windowFromText(says);
    if (means === undefined) continue;
    if (found.has(means) && found.get(means) !== value) return undefined;
    found.set(means, value);
  }
  const [one, four, thirteen] = WINDOW_NAMES.map((each) => found.get(each));
  if (one === undefined || four === undefined || thirteen === undefined) return undefined;
  return { '1': one, '4': four, '13': thirteen };
}

export interface WindowReading {
  readonly spellings: WindowSpellings;
  readonly from: string;
}

/** How a parameter spells the three windows; undefined when its schema and description do not say it. */
export function readWindows(shape: SchemaShape, about: string): WindowReading | undefined {
  const description = `${about} ${shape.description}`;
  const values = shape.values.map(({ value, says }) => ({ value, says: says || told(description, String(value)) }));
  const listed = windowSpellings(values);
  if (listed) return { spellings: listed, from: 'its values' };
  const numbers = shape.values.map(({ value }) => Number(value));
  if ([7, 28, 91].every((each) => numbers.includes(each)))
    return { spellings: { '1': 7, '4': 28, '13': 91 }, from: 'its values, which are days' };
  if (shape.values.length > 0) return undefined;
  const tokens = [...new Set(description.match(/[\p{L}\d_-]+/gu) ?? [])];
  // A word of prose is no spelling: codes hold a digit, or are written in capitals, and are no bare number.
  const codes = tokens.filter((each) => !/^\d+$/.test(each) && (/\d/.test(each) || each === each.toUpperCase()));
  const spelled = windowSpellings(codes.map((value) => ({ value, says: '' })));
  if (spelled) return { spellings: spelled, from: 'the codes its description names' };
  if (shape.type === 'integer' || shape.type === 'number') {
    if (['7', '28', '91'].every((each) => tokens.includes(each)) && /\bdays?\b/i.test(description))
      return { spellings: { '1': 7, '4': 28, '13': 91 }, from: 'its description, which speaks of days' };
    if (WINDOW_NAMES.every((each) => tokens.includes(each)) && /\bweeks?\b/i.test(description))
      return { spellings: { '1': 1, '4': 4, '13': 13 }, from: 'its description, which speaks of weeks' };
  }
  return undefined;
}

/** What a description says of one value: `A = last week, B = four weeks`. */
function told(description: string, value: string): string {
  const escaped = value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return (
    new RegExp(`(?<![\\p{L}\\d])[\`'"“]?${escaped}[\`'"”]?\\s*(?:[:=–—-]+|is|means)\\s*([^,;.\\n|]*)`, 'u').exec(
      description,
    )?.[1] ?? ''
  );
}
