/** From the errors of ajv to one a reader can act on. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { sentenceOf } from './keyword-sentences.ts';
import { stepsOf } from './pointer.ts';
import type { SchemaBreach } from './types.ts';

/** What a compiled schema objects to: the first thing it meets. */
export const breachesOf = (validate: ValidateFunction, value: unknown): readonly SchemaBreach[] =>
  validate(value) ? [] : [schemaBreachOf(validate.errors ?? [])];

/** Keywords that only gather what others found. */
const CHOICES = new Set(['anyOf', 'oneOf', 'if']);
const GATHERING = new Set([...CHOICES, 'propertyNames', 'contains']);

/** The error a reader can act on: of the branches of a choice the one that got furthest, or all where none got far. */
export function schemaBreachOf(errors: readonly ErrorObject[]): SchemaBreach {
  const last = errors.at(-1) as ErrorObject;
  const depth = (error: ErrorObject) => error.instancePath.split('/').length;
  const gathered = GATHERING.has(last.keyword) ? errors.filter(({ keyword }) => !GATHERING.has(keyword)) : [];
  const deepest = CHOICES.has(last.keyword)
    ? gathered.reduce((best, each) => (depth(each) > depth(best) ? each : best), last)
    : last;
  const demands = deepest === last ? [...new Set(gathered.map(sentenceOf))] : [];
  return { path: stepsOf(deepest.instancePath), keyword: deepest.keyword, expected: expectedOf(deepest, demands) };
}

/** @param demands what the schemas below the keyword demand at the same place */
function expectedOf(error: ErrorObject, demands: readonly string[]): string {
  if (demands.length === 0 || error.keyword === 'contains') return sentenceOf(error);
  if (error.keyword === 'propertyNames') return `${sentenceOf(error)}: a name ${demands.join(' and ')}`;
  return demands.join(', or ').slice(0, 300);
}
