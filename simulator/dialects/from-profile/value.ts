/** Neutral values, and writers for the values of a field. */
import { FIELDS, type Field } from '../../../src/contract/index.ts';
import type { FieldBinding, ResponseProfile } from '../../../src/profile/schema.ts';
import type { Characteristic } from '../../model/types.ts';
import { DEFAULT_FORMATTERS, FORMATTERS } from './format-value.ts';
import { frameOf } from './invert-pattern.ts';

export type ResponseMedia = NonNullable<ResponseProfile['media']>;
export type Value = string | number | null | undefined | readonly Characteristic[];
/** The values of a row, or of the whole body, by field. */
export type NeutralRow = { readonly [F in Field]?: Value };

/** A binding with what the simulator writes for a code. */
export type WrittenBinding = FieldBinding & {
  /** The code of each meaning, if the profile contains the table. */
  readonly codeOf?: ReadonlyMap<string, string>;
  /** The field whose value is the code, if an operation lists the table. */
  readonly from?: Field;
};

/** Returns the writer of a field. The type in the sample decides when the converter reads several types. */
export function writerOf(
  field: Field,
  binding: WrittenBinding,
  media: ResponseMedia,
  sample: unknown,
): (value: Value) => unknown {
  const { as, match, codeOf } = binding;
  const framed = match === undefined ? undefined : matchedBy(field, match, as);
  const { kind } = FIELDS[field];
  if (kind === 'list') return (value) => value;
  const name = as === undefined || as === 'list' ? DEFAULT_FORMATTERS[kind] : as;
  const isText = media !== 'json' && media !== 'ndjson';
  const numeric = typeof sample === 'number' && (name === 'upcOrNumber' || as === undefined) && kind === 'upc';
  const format = FORMATTERS[numeric ? 'upcNumber' : name];
  return (value) => {
    // A CSV row has every column.
    if (value === undefined || value === null) return media === 'csv' ? '' : isText ? undefined : value;
    const wire = format(codeOf?.get(String(value)) ?? (value as string | number));
    if (framed) return framed(String(wire));
    return isText || typeof sample === 'string' ? String(wire) : wire;
  };
}

/** Returns a function that puts a value where the pattern of its field finds it; undefined when none is found. */
export function matchedBy(
  field: Field,
  match: string,
  as: FieldBinding['as'],
): ((value: string) => string) | undefined {
  const { kind } = FIELDS[field];
  if (kind === 'list') return undefined;
  const ids = ['jobId', 'id', 'state'].includes(field) ? ['job-1-000001', 'done'] : ['Tea & Infusions', '12" Pizza'];
  const format = FORMATTERS[as === undefined || as === 'list' ? DEFAULT_FORMATTERS[kind] : as];
  return frameOf(
    match,
    kind === 'text' || kind === 'id' ? ids : [String(format(kind === 'upc' ? '042100000177' : 20_771))],
  );
}
