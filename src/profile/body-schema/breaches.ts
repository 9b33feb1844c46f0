/** Selects the most useful error of ajv. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { sentenceOf } from './keyword-sentences.ts';
import { stepsOf } from './pointer.ts';
import type { SchemaBreach } from './types.ts';

/** Returns the first error of a compiled schema. */
export const breachesOf = (validate: ValidateFunction, value: unknown): readonly SchemaBreach[] =>
  validate(value) ? [] : [schemaBreachOf(validate.errors ?? [])];

/** Keywords whose errors only summarise the errors of others. */
const CHOICES = new Set(['anyOf', 'oneOf', 'if']);
const APPLICATORS = new Set([...CHOICES, 'propertyNames', 'contains']);

/** The most useful error: that of the branch that matched furthest, or all if no branch matched further. */
export function schemaBreachOf(errors: readonly ErrorObject[]): SchemaBreach {
  const last = errors.at(-1) as ErrorObject;
  const depth = (error: ErrorObject) => error.instancePath.split('/').length;
  const subErrors = APPLICATORS.has(last.keyword) ? errors.filter(({ keyword }) => !APPLICATORS.has(keyword)) : [];
  const deepest = CHOICES.has(last.keyword)
    ? subErrors.reduce((best, each) => (depth(each) > depth(best) ? each : best), last)
    : last;
  const alternatives = deepest === last ? [...new Set(subErrors.map(sentenceOf))] : [];
  return {
    path: stepsOf(deepest.instancePath),
    keyword: deepest.keyword,
    demand: demandOf(stepsOf(deepest.instancePath), [
      deepest.keyword,
      ...Object.entries(deepest.params).flatMap(([name, value]) => (name === 'missingProperty' ? String(value) : [])),
    ]),
    expected: expectedOf(deepest, alternatives),
  };
}

/**
 * Identifies a demand: where in the body, without indices and keys that are data, such as a UPC, and what.
 * @param what the keyword, and what else distinguishes it
 * @example demandOf(['items', 0, 'upc'], ['pattern']) // items, *, upc and pattern, separated by slashes
 */
export const demandOf = (path: readonly (string | number)[], what: readonly string[]): string =>
  [...path.map((step) => (/^(?![0-9]+$)[\w$-]{1,40}$/.test(String(step)) ? step : '*')), ...what].join('/');

/** @param alternatives the errors of the subschemas at the same location */
function expectedOf(error: ErrorObject, alternatives: readonly string[]): string {
  if (alternatives.length === 0 || error.keyword === 'contains') return sentenceOf(error);
  if (error.keyword === 'propertyNames') return `${sentenceOf(error)}: a name ${alternatives.join(' and ')}`;
  return alternatives.join(', or ').slice(0, 300);
}
