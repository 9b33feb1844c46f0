/** Neutral values, and how a field’s are written. */
import { FIELDS, type Field } from '../../../src/contract/index.ts';
import type { FieldBinding, ResponseProfile } from '../../../src/profile/schema.ts';
import type { Characteristic } from '../../model/types.ts';
import { DEFAULT_FORMATTERS, FORMATTERS } from './format-value.ts';
import { frameOf } from './invert-pattern.ts';

export type ResponseMedia = NonNullable<ResponseProfile['media']>;
export type Value = string | number | null | undefined | readonly Characteristic[];
/** A row, or what stands once, in neutral words. */
export type NeutralRow = { readonly [F in Field]?: Value };

/** How a field’s values are written; the sample’s own type decides where a reader takes several. */
export function writerOf(
  field: Field,
  binding: FieldBinding,
  media: ResponseMedia,
  sample: unknown,
): (value: Value) => unknown {
  const { as, match } = binding;
  const framed = match === undefined ? undefined : matchedBy(field, match, as);
  const { kind } = FIELDS[field];
  if (kind === 'list') return (value) => value;
  const name = as === undefined || as === 'list' ? DEFAULT_FORMATTERS[kind] : as;
  const isText = media !== 'json' && media !== 'ndjson';
  const numeric = typeof sample === 'number' && (name === 'upcOrNumber' || as === undefined) && kind === 'upc';
  const spell = FORMATTERS[numeric ? 'upcNumber' : name];
  return (value) => {
    // In CSV a column stays, whatever a row lacks.
    if (value === undefined || value === null) return media === 'csv' ? '' : isText ? undefined : value;
    const wire = spell(value as string | number);
    if (framed) return framed(String(wire));
    return isText || typeof sample === 'string' ? String(wire) : wire;
  };
}

/** How a field’s values are put where its pattern finds them; undefined when that cannot be told. */
export function matchedBy(
  field: Field,
  match: string,
  as: FieldBinding['as'],
): ((value: string) => string) | undefined {
  const { kind } = FIELDS[field];
  if (kind === 'list') return undefined;
  const ids = ['jobId', 'id', 'state'].includes(field) ? ['job-1-000001', 'done'] : ['Tea & Infusions', '12" Pizza'];
  const spell = FORMATTERS[as === undefined || as === 'list' ? DEFAULT_FORMATTERS[kind] : as];
  return frameOf(match, kind === 'text' ? ids : [String(spell(kind === 'upc' ? '042100000177' : 20_771))]);
}
