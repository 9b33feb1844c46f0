/** Neutral values, and writers for the values of a field. */
import { FIELDS, type Field, type OperationKey } from '../../../src/contract/index.ts';
import type { FieldBinding, ResponseProfile } from '../../../src/profile/schema.ts';
import type { Characteristic } from '../../model/types.ts';
import { DEFAULT_FORMATTERS, FORMATTERS } from './format-value.ts';
import { frameOf } from './invert-pattern.ts';

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
