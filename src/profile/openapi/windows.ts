/** Recognises delta windows in values and descriptions: 1, 4 and 13 weeks (section 8). */
import { escapeRegExp } from '../../text-patterns.ts';
import type { ResolvedSchema } from './resolved-schema.ts';

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
 * Returns the window that a value denotes, e.g. `P4W`, `LAST_13_WEEKS`, `28d`, `L4W`, `one-week`; bare numbers are weeks.
 *
 * @example windowFromName('L13W') // '13'
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

/** Returns the window that a sentence mentions, e.g. `the last 13 weeks`, `28 days`, `past week`. */
export function windowFromText(sentence: string): WindowName | undefined {
  const [, number = '', unit = ''] = /\b(\d+|one|four|thirteen)[ -]?(weeks?|wks?|days?)\b/i.exec(sentence) ?? [];
  if (unit !== '') return windowFromName(`${number}${unit}`);
  return /\b(last|past|latest|this) week\b/i.test(sentence) ? '1' : undefined;
}

/** Returns the values of the three windows, if each occurs exactly once. */
export function windowSpellings(
  values: readonly { readonly value: unknown; readonly description: string }[],
): WindowSpellings | undefined {
  const found = new Map<WindowName, string | number>();
  for (const { value, description } of values) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const windowName = windowFromName(String(value)) ?? windowFromText(description);
    if (windowName === undefined) continue;
    if (found.has(windowName) && found.get(windowName) !== value) return undefined;
    found.set(windowName, value);
  }
  const [one, four, thirteen] = WINDOW_NAMES.map((each) => found.get(each));
  if (one === undefined || four === undefined || thirteen === undefined) return undefined;
  return { '1': one, '4': four, '13': thirteen };
}

export interface DescribedWindows {
  readonly spellings: WindowSpellings;
  readonly reason: string;
}

/** Returns a parameter's values of the three windows; undefined if its schema and description do not state them. */
export function readWindows(schema: ResolvedSchema, parameterDescription: string): DescribedWindows | undefined {
  const description = `${parameterDescription} ${schema.description}`;
  const values = schema.enumValues.map((each) => ({
    value: each.value,
    description: each.description || explanationOf(description, String(each.value)),
  }));
  const listed = windowSpellings(values);
  if (listed) return { spellings: listed, reason: 'its values' };
  const numbers = schema.enumValues.map(({ value }) => Number(value));
  if ([7, 28, 91].every((each) => numbers.includes(each)))
    return { spellings: { '1': 7, '4': 28, '13': 91 }, reason: 'its values, which are days' };
  if (schema.enumValues.length > 0) return undefined;
  const tokens = [...new Set(description.match(/[\p{L}\d_-]+/gu) ?? [])];
  // Codes contain a digit or are in capitals, and are not bare numbers; other words are prose.
  const codes = tokens.filter((each) => !/^\d+$/.test(each) && (/\d/.test(each) || each === each.toUpperCase()));
  const written = windowSpellings(codes.map((value) => ({ value, description: '' })));
  if (written) return { spellings: written, reason: 'the codes in its description' };
  if (schema.type === 'integer' || schema.type === 'number') {
    if (['7', '28', '91'].every((each) => tokens.includes(each)) && /\bdays?\b/i.test(description))
      return { spellings: { '1': 7, '4': 28, '13': 91 }, reason: 'its description, which mentions days' };
    if (WINDOW_NAMES.every((each) => tokens.includes(each)) && /\bweeks?\b/i.test(description))
      return { spellings: { '1': 1, '4': 4, '13': 13 }, reason: 'its description, which mentions weeks' };
  }
  return undefined;
}

/** The explanation of one value in a description: `A = last week, B = four weeks`. */
function explanationOf(description: string, value: string): string {
  return (
    new RegExp(
      `(?<![\\p{L}\\d])[\`'"“]?${escapeRegExp(value)}[\`'"”]?\\s*(?:[:=–—-]+|is|means)\\s*([^,;.\\n|]*)`,
      'u',
    ).exec(description)?.[1] ?? ''
  );
}
