/** Selects the most useful error of ajv, and describes it as the end of a sentence that begins with the location. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { stepsOf } from './pointer.ts';
import type { SchemaBreach } from './types.ts';

type Params = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const shortened = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
const quoted = (name: unknown): string => `“${shortened(String(name), 60)}”`;
const formatValue = (value: unknown): string => shortened(JSON.stringify(value) ?? String(value), 60);
const formatValues = (values: readonly unknown[]): string =>
  `${values.slice(0, 12).map(formatValue).join(', ')}${values.length > 12 ? ` or ${values.length - 12} others` : ''}`;

const typesOf = (type: unknown): string =>
  [type]
    .flat()
    .map((each) => TYPES[String(each)] ?? String(each))
    .join(' or ');
const count = (limit: unknown, one: string, many = `${one}s`): string => `${limit} ${limit === 1 ? one : many}`;
const COMPARED: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '>': 'greater than',
  '<=': 'at most',
  '<': 'less than',
};
const compared = ({ comparison, limit }: Params): string =>
  `must be ${COMPARED[String(comparison)] ?? String(comparison)} ${formatValue(limit)}`;

const mustHave = ({ deps, missingProperty, property }: Params): string =>
  property === undefined
    ? `must have the member ${quoted(missingProperty)}`
    : `must have ${quoted(deps ?? missingProperty)} if it has ${quoted(property)}`;
const mustNotHave = (member: unknown): string => `must not have the member ${quoted(member)}`;
const noMoreElements = ({ limit, len }: Params): string => `must not have more than ${count(limit ?? len, 'element')}`;

/** Sentences by keyword, from the parameters of the error. */
export const SENTENCES: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) => `must be ${typesOf(type)}`,
  nullable: ({ type }) => `must be ${typesOf(type)}`,
  enum: ({ allowedValues }) =>
    `must be one of ${formatValues((allowedValues as readonly unknown[] | undefined) ?? [])}`,
  const: ({ allowedValue }) => `must be ${formatValue(allowedValue)}`,
  minimum: compared,
  maximum: compared,
  exclusiveMinimum: compared,
  exclusiveMaximum: compared,
  formatMinimum: compared,
  formatMaximum: compared,
  formatExclusiveMinimum: compared,
  formatExclusiveMaximum: compared,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: ({ limit }) => `must have at least ${count(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}`,
  pattern: ({ pattern }) => `must match the pattern ${quoted(pattern)}`,
  format: ({ format }) => `must have the format ${quoted(format)}`,
  minItems: ({ limit }) => `must have at least ${count(limit, 'element')}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, 'element')}`,
  uniqueItems: ({ i, j }) =>
    `must not have equal elements, such as those at ${Math.min(Number(i), Number(j))} and ${Math.max(Number(i), Number(j))}`,
  contains: ({ minContains = 1, maxContains }) =>
    `must have at least ${count(minContains, 'element')}${maxContains === undefined ? '' : ` and at most ${maxContains}`} that match the schema in contains`,
  items: noMoreElements,
  prefixItems: noMoreElements,
  additionalItems: noMoreElements,
  unevaluatedItems: noMoreElements,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'member')}`,
  maxProperties: ({ limit }) => `must have at most ${count(limit, 'member')}`,
  required: mustHave,
  dependencies: mustHave,
  dependentRequired: mustHave,
  additionalProperties: ({ additionalProperty }) => mustNotHave(additionalProperty),
  unevaluatedProperties: ({ unevaluatedProperty }) => mustNotHave(unevaluatedProperty),
  propertyNames: ({ propertyName }) => `must not have a member with the name ${quoted(propertyName)}`,
  anyOf: () => 'must match one of the schemas in anyOf',
  oneOf: ({ passingSchemas }) =>
    Array.isArray(passingSchemas)
      ? `must match exactly one schema in oneOf, but matches those at ${passingSchemas.join(' and ')}`
      : 'must match one of the schemas in oneOf',
  not: () => 'must not match the schema in not',
  if: ({ failingKeyword }) => `must match the schema in ${failingKeyword}`,
  'false schema': () => 'must be absent, because its schema is false',
  discriminator: ({ tag }) => `must name one of the alternatives in the member ${quoted(tag)}`,
};

/** Formats an ajv error as a sentence; an unknown keyword is named. */
const sentenceOf = ({ keyword, params }: ErrorObject): string =>
  SENTENCES[keyword]?.(params) ?? `must match the keyword ${quoted(keyword)}`;

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
