/** Matches the values of a response with neutral fields, by name, location, format and description. */
import { FIELDS, type Field, type OperationKey, SALES_FIGURES } from '../../contract/index.ts';
import { isScalar } from '../plain-object.ts';
import type { DescribedValue } from './described-values.ts';
import type { Confidence } from './draft-notes.ts';
import { figureFromName } from './figures.ts';
import { meaningDoubt, ownerDoubt } from './meaning-doubts.ts';
import { joinWords, quoteText } from './name-words.ts';
import { FIELD_WORDS, matchScore } from './vocabulary.ts';

export interface FieldMatch {
  readonly describedValue: DescribedValue;
  readonly confidence: Confidence;
  readonly reason: string;
}

/** The candidates of one field: one value, or several that match equally. */
export type FieldCandidates = { readonly match: FieldMatch } | { readonly candidates: readonly DescribedValue[] };

export interface Scored {
  readonly describedValue: DescribedValue;
  readonly score: number;
  readonly reason: string;
  /** Its meaning is a guess; the binding is not active. */
  readonly isUnsure?: boolean;
}

/** Wrapper objects of a row: a name in them has the same meaning as a name in the row. */
const WRAPPER =
  /^(product|item|data|row|record|info|information|detail|details|key|keys|identity|identifiers?|names?|labels?|dimensions?|attributes|meta|metadata|header|job|result|status|catalogue|figures?|facts|dates?|classification)$/;

/** The resource of an operation's rows: `level` for …/Group/Levels. */
function resourceOf(key: OperationKey): string {
  const last = key.split('/').at(-1) ?? '';
  return joinWords(last.replace(/ies$/, 'y').replace(/s$/, ''));
}

function fits(field: Field, { schema }: DescribedValue): boolean {
  const { type } = schema;
  const { kind } = FIELDS[field];
  if (kind === 'list')
    return (
      type === 'array' || schema.additionalProperties !== undefined || (type === 'object' && schema.members.size > 0)
    );
  if (type === 'array' || type === 'object' || schema.members.size > 0) return false;
  if (type === 'boolean') return false;
  if (kind === 'money' || kind === 'percent') return schema.format !== 'date' && schema.format !== 'date-time';
  if (kind === 'text' || kind === 'id')
    return schema.format !== 'date' && schema.format !== 'date-time' && schema.format !== 'uri';
  return true;
}

/** The match score of a value and a field, lower if its schema or description makes the meaning doubtful. */
export function scoreField(field: Field, key: OperationKey, describedValue: DescribedValue): Scored | undefined {
  const scored = scoreOfName(field, key, describedValue);
  if (!scored) return undefined;
  const owner = field === 'id' || field === 'name';
  const doubt =
    meaningDoubt(field, describedValue) ??
    (owner ? ownerDoubt(joinWords(describedValue.names.at(-1) ?? ''), resourceOf(key)) : undefined);
  if (!doubt) return scored;
  if ('excluded' in doubt) return undefined;
  return {
    ...scored,
    score: Math.min(scored.score, 10 - describedValue.names.length),
    reason: `${scored.reason}; ${doubt.unsure}`,
    isUnsure: true,
  };
}

/** The match score of a value and a field by name and description; undefined for no match, higher for a better match. */
function scoreOfName(field: Field, key: OperationKey, describedValue: DescribedValue): Scored | undefined {
  if (!fits(field, describedValue)) return undefined;
  const last = joinWords(describedValue.names.at(-1) ?? '');
  const parent = describedValue.names.length > 1 ? joinWords(describedValue.names.at(-2) ?? '') : '';
  const path = describedValue.names.join('.');
  const found = (points: number): Scored => ({
    describedValue,
    score: points * 10 - describedValue.names.length,
    reason:
      points === 1
        ? `the description of ${path}: ${quoteText(describedValue.schema.description)}`
        : path === ''
          ? 'the row itself'
          : `the name ${path}`,
  });
  if ((SALES_FIGURES as readonly string[]).includes(field)) {
    const meant = figureFromName(describedValue.names);
    if (meant) return meant.figure === field ? found(meant.fit) : undefined;
    const figure = figureFromName([describedValue.schema.description]);
    return figure?.figure === field && figure.fit === 3 ? found(1) : undefined;
  }
  const words = FIELD_WORDS[field];
  if (matchScore(FIELD_WORDS.category, last) > 0 && looksLikeId(describedValue)) {
    if (field === 'category') return undefined;
    if (field === 'categoryId') return found(2);
  }
  if (/^(parent|old|previous|former|replaced)/.test(last) || /^(parent|old|previous|former|replaced)/.test(parent))
    return undefined;
  if (field === 'id' || field === 'name') {
    const resource = resourceOf(key);
    const own = field === 'id' ? ['id', 'key', 'code'] : ['name', 'label', 'title'];
    if (own.some((each) => last === `${resource}${each}`)) return found(3);
    if (field === 'name' && /(user|file|host|owner|creator)name$/.test(last)) return undefined;
  }
  // JSON:API has the members of a resource in `attributes`.
  const depth = describedValue.names.filter((name) => name !== 'attributes').length;
  if (key.endsWith('/allCategories') && depth === 1) {
    // A row of this list is a category, so the names of its members may omit “category”.
    if (field === 'category' && /^(name|label|title|displayname)$/.test(last)) return found(2);
    if (field === 'categoryId' && /^(id|key|code)$/.test(last)) return found(2);
  }
  const together = parent === '' ? 0 : matchScore(words, `${parent}${last}`);
  const alone = matchScore(words, last);
  const near = parent === '' || WRAPPER.test(parent);
  const fit = Math.max(together, near ? alone : Math.min(alone, field === 'id' || field === 'name' ? 0 : 2));
  if (fit > 0) return found(fit);
  if (field === 'upc' && /^\^(\\d|\[0-9\])\{12\}\$$/.test(describedValue.schema.pattern ?? ''))
    return { ...found(2), reason: `pattern ${describedValue.schema.pattern} of ${path}` };
  const compatible = FIELDS[field].kind !== 'date' || isDated(describedValue);
  return compatible && words?.inDescription?.test(describedValue.schema.description)
    ? { ...found(1), isUnsure: true }
    : undefined;
}

const isDated = ({ schema }: DescribedValue): boolean =>
  schema.format === 'date' || schema.format === 'date-time' || /date|day|week|\bon\b/i.test(schema.description);

/** Whether a value called category is an id: a number, a UUID, a code that ends in digits. */
export function looksLikeId({ schema }: Pick<DescribedValue, 'schema'>): boolean {
  if (schema.type === 'integer' || schema.type === 'number' || schema.format === 'uuid') return true;
  if (/\b(category )?(id|key|code|identifier)\b/i.test(schema.description) && !/\bname\b/i.test(schema.description))
    return true;
  const samples = [...schema.examples, ...schema.enumValues.map(({ value }) => value)].filter(isScalar);
  return samples.length > 0 && samples.every((each) => /^[A-Za-z]{0,6}[-_.]?\d+$/.test(String(each)));
}

/** Returns the value of each field of an operation, if there is one. A value matches one field only. */
export function matchFields(
  fields: readonly Field[],
  key: OperationKey,
  values: readonly DescribedValue[],
): Map<Field, FieldCandidates> {
  const result = new Map<Field, FieldCandidates>();
  const taken = new Set<DescribedValue>();
  const ranked = fields
    .map((field) => {
      const scored = values
        .flatMap((describedValue) => scoreField(field, key, describedValue) ?? [])
        .sort((x, y) => y.score - x.score);
      return { field, scored };
    })
    .sort((x, y) => (y.scored[0]?.score ?? 0) - (x.scored[0]?.score ?? 0));
  for (const { field, scored } of ranked) {
    const free = scored.filter(({ describedValue }) => !taken.has(describedValue));
    const [best] = free;
    if (!best) continue;
    const equal = free.filter((each) => each.score === best.score);
    if (equal.length > 1) {
      result.set(field, { candidates: equal.map(({ describedValue }) => describedValue) });
      continue;
    }
    taken.add(best.describedValue);
    result.set(field, {
      match: {
        describedValue: best.describedValue,
        confidence: best.isUnsure ? 'unsure' : 'likely',
        reason: best.reason,
      },
    });
  }
  return result;
}

/** The names of the values that no field matches. If there are none, the fields without a value are absent. */
export const unmatchedNames = (
  values: readonly DescribedValue[],
  matched: ReadonlyMap<Field, FieldCandidates>,
): string[] => {
  const used = new Set(
    [...matched.values()].flatMap((each) => ('match' in each ? [each.match.describedValue.selector] : [])),
  );
  return values
    .filter((describedValue) => !used.has(describedValue.selector) && describedValue.schema.members.size === 0)
    .map((describedValue) => describedValue.names.join('.'));
};
