/** From the errors of ajv to one a reader can act on. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { stepsOf } from './pointer.ts';
import type { SchemaBreach } from './types.ts';

/** What a compiled schema objects to: the first thing it meets. */
export const breachesOf = (validate: ValidateFunction, value: unknown): readonly SchemaBreach[] =>
  validate(value) ? [] : [breachOf(validate.errors ?? [])];

/** Keywords that only gather what others found. */
const GATHERING = new Set(['anyOf', 'oneOf', 'if', 'propertyNames', 'contains']);

/** The error a reader can act on: of the branches of a choice the one that got furthest, or all where none got far. */
export function breachOf(errors: readonly ErrorObject[]): SchemaBreach {
  const last = errors.at(-1) as ErrorObject;
  const depth = (error: ErrorObject) => error.instancePath.split('/').length;
  const gathered = GATHERING.has(last.keyword) ? errors.filter(({ keyword }) => !GATHERING.has(keyword)) : [];
  const deepest = gathered.reduce((best, each) => (depth(each) > depth(best) ? each : best), last);
  const branches = deepest === last ? [...new Set(gathered.map(sentenceOf))] : [];
  return {
    path: stepsOf(deepest.instancePath),
    keyword: deepest.keyword,
    expected: `${sentenceOf(deepest)}${branches.length > 0 ? `: ${branches.join(', or ')}` : ''}`.slice(0, 200),
  };
}

const sentenceOf = (error: ErrorObject): string => `${error.message ?? 'must fit'}${detailOf(error)}`;

/** What ajv’s sentence leaves out. */
function detailOf({ params }: ErrorObject): string {
  const { allowedValues, allowedValue, additionalProperty, unevaluatedProperty } = params as Record<string, unknown>;
  if (Array.isArray(allowedValues))
    return `: ${allowedValues
      .slice(0, 12)
      .map((each) => JSON.stringify(each))
      .join(', ')}`;
  if (allowedValue !== undefined) return `: ${JSON.stringify(allowedValue)}`;
  const extra = additionalProperty ?? unevaluatedProperty;
  return typeof extra === 'string' ? ` (“${extra.slice(0, 24)}”)` : '';
}
