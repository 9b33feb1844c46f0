/** Neutral values, and writers for the values of a field. */
import { FIELDS, type Field, type OperationKey } from '../../../src/contract/index.ts';
import { compilePattern } from '../../../src/profile/pattern/index.ts';
import type { FieldBinding, ResponseProfile } from '../../../src/profile/schema.ts';
import type { Characteristic } from '../../model/types.ts';
import { DEFAULT_FORMATTERS, FORMATTERS } from './format-value.ts';

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

export type ResponseMedia = NonNullable<ResponseProfile['media']>;
export type Value = string | number | null | undefined | readonly Characteristic[];
/** The values of a row, or of the whole body, by field. */
export type NeutralRow = { readonly [F in Field]?: Value } & {
  /** How many rows other operations return for the row; counted when a profile reads it. */
  readonly counts?: () => { readonly [O in OperationKey]?: number | undefined };
};

/** A binding with what the simulator writes for a code. */
export type WrittenBinding = FieldBinding & {
  /** The code of a meaning; undefined: it has none. */
  readonly codeOf?: (meaning: string) => string | undefined;
  /** The field whose value is the code, if an operation lists the table. */
  readonly from?: Field;
  /** Values that the field has, in place of the usual ones: its pattern must find them. */
  readonly values?: readonly string[];
};

/** Returns the writer of a field. The type in the sample decides when the converter reads several types. */
export function writerOf(
  field: Field,
  binding: WrittenBinding,
  media: ResponseMedia,
  sample: unknown,
): (value: Value) => unknown {
  const { codeOf, as } = binding;
  const framed = matchedBy(field, binding);
  const { kind } = FIELDS[field];
  if (kind === 'list') return (value) => value;
  const name = as === undefined || as === 'list' ? DEFAULT_FORMATTERS[kind] : as;
  const isText = media !== 'json' && media !== 'ndjson';
  const numeric = typeof sample === 'number' && (name === 'upcOrNumber' || as === undefined) && kind === 'upc';
  const format = FORMATTERS[numeric ? 'upcNumber' : name];
  return (value) => {
    // A CSV row has every column.
    if (value === undefined || value === null) return media === 'csv' ? '' : isText ? undefined : value;
    const wire = format(codeOf?.(String(value)) ?? (value as string | number));
    if (framed) return framed(String(wire));
    return isText || typeof sample === 'string' ? String(wire) : wire;
  };
}

/** Only the digits of a value: `map-000001` as `000001`. */
const digitsOf = (value: string): string => value.replace(/\D+/g, '');

/** Returns a function that puts a value where the pattern of its field finds it; undefined when none is found. */
export function matchedBy(
  field: Field,
  { match, as, values }: Pick<WrittenBinding, 'match' | 'as' | 'values'>,
): ((value: string) => string) | undefined {
  const { kind } = FIELDS[field];
  if (kind === 'list' || match === undefined) return undefined;
  const format = FORMATTERS[as === undefined || as === 'list' ? DEFAULT_FORMATTERS[kind] : as];
  if (kind !== 'text' && kind !== 'id')
    return frameOf(match, [String(format(kind === 'upc' ? '042100000177' : 20_771))]);
  if (values) return frameOf(match, values);
  const isId = ['jobId', 'id', 'state'].includes(field);
  const frame = frameOf(match, isId ? ['job-1-000001', 'done'] : ['Tea & Infusions', '12" Pizza']);
  // Ids of the simulator end in numbers, and some patterns find nothing else.
  const ofDigits = frame || !isId ? undefined : frameOf(match, ['000001', '3000012']);
  return frame ?? (ofDigits && ((value) => ofDigits(digitsOf(value))));
}
