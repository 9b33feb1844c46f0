/**
 * Finds values whose name fits a field, but whose schema or description states another meaning, unit or level. A binding of
 * such a value would prove nothing, or accuse a correct service.
 */
import { type Field, SALES_FIGURES, SALES_FILTERS } from '../../contract/index.ts';
import type { DescribedValue } from './described-values.ts';
import { joinWords } from './name-words.ts';

/** `excluded`: the value has another meaning. Otherwise the reason why the binding is only a guess. */
export type MeaningDoubt = { readonly excluded: true } | { readonly unsure: string };

const EXCLUDED: MeaningDoubt = { excluded: true };

/** The parts of a divided id beside its number. */
const ID_PART = /^(series|prefix|suffix|year|month|system|region|letter|namespace|scheme|check(digit)?)$/;

interface Described {
  readonly field: Field;
  /** The last name, joined. */
  readonly name: string;
  /** The names of the objects above it. */
  readonly above: readonly string[];
  readonly text: string;
  readonly schema: DescribedValue['schema'];
  /** The names of the other members of its object, joined. */
  readonly beside: readonly string[];
}

const isIn = (list: readonly string[], field: Field): boolean => list.includes(field);

/** Fields with one value for a whole service or response. */
const MAY_BE_CONSTANT: readonly Field[] = ['market', 'asOf', 'state', 'date', 'changeKind'];

/** The result of a call, not the state of a job. */
const CALL_RESULT = /^(ok|success(ful)?|error|fail(ed|ure)?|true|false|\d{3})$/i;

/** The first condition that applies counts. */
const DOUBTS: readonly ((described: Described) => MeaningDoubt | undefined)[] = [
  // The links of HAL and JSON:API.
  ({ above }) =>
    above.some((each) => /^_?links$/.test(each))
      ? { unsure: 'it belongs to a link, whose texts are for people' }
      : undefined,
  ({ field, schema }) => (schema.enumValues.length === 1 && !MAY_BE_CONSTANT.includes(field) ? EXCLUDED : undefined),
  ({ field, text }) =>
    isIn(SALES_FIGURES, field) &&
    /\b(unit sales|units? (sold|volume)|volume|quantity|number of|share|price|average|index|forecast|budget)\b/i.test(
      text,
    ) &&
    !/\b(dollars?|usd)\b|\$/i.test(text)
      ? EXCLUDED
      : undefined,
  ({ field, text }) =>
    isIn(SALES_FIGURES, field) && /\b(EUR|GBP|CAD|JPY|euros?|pounds? sterling|local currency)\b/i.test(text)
      ? { unsure: 'its description mentions another currency than dollars' }
      : undefined,
  ({ field, text }) =>
    field === 'percentChange' && /\b(basis points?|percentage points?|index points?)\b/i.test(text)
      ? { unsure: 'its description mentions points' }
      : undefined,
  ({ field, schema }) =>
    isIn(SALES_FILTERS, field) && (schema.type === 'integer' || schema.type === 'number' || schema.format === 'uuid')
      ? { unsure: 'it is an id or a code, and filters and rows are compared by name' }
      : undefined,
  ({ field, text }) =>
    field === 'activeOn' &&
    /\b(activated|activation|since|first|created|creation|launch(ed)?|introduc\w+|listed)\b/i.test(text)
      ? EXCLUDED
      : undefined,
  ({ field, name, text }) =>
    field === 'changedOn' &&
    (/(update[ds]?|modified|modification)/.test(name) ||
      /\b(created|published|loaded|extracted|generated|indexed|synchroni[sz]ed|record)\b/i.test(text)) &&
    !/\bcharacteristics?|attributes?\b/i.test(text)
      ? { unsure: 'it may be the time at which the record was written, not the date of the change' }
      : undefined,
  ({ field, name, text }) =>
    field === 'asOf' &&
    (/re(load|fresh)/.test(name) || /\b(request|response|generated|current time|timestamp|reload|refresh)/i.test(text))
      ? { unsure: 'it may be the time of the response or of the reload, not the last day of the data' }
      : undefined,
  ({ field, schema }) =>
    field === 'state' &&
    schema.enumValues.length > 0 &&
    schema.enumValues.every(({ value }) => CALL_RESULT.test(String(value)))
      ? EXCLUDED
      : undefined,
  ({ field, schema, text }) =>
    field === 'state' && (schema.type === 'integer' || /\b(http|request|response|call)\b/i.test(text))
      ? { unsure: 'it may be the result of the call, not the state of the job' }
      : undefined,
  ({ field, name, beside }) =>
    (field === 'jobId' || field === 'id') &&
    /^(number|num|no|sequence|seq|serial|value)$/.test(name) &&
    beside.some((each) => ID_PART.test(each))
      ? {
          unsure: `it may be one part of an id, beside ${beside.filter((each) => ID_PART.test(each)).join(', ')} (append joins parts)`,
        }
      : undefined,
  ({ field, name }) =>
    field === 'jobId' && /^(requestid|handle)$/.test(name)
      ? { unsure: 'it may identify the call, not the job' }
      : undefined,
];

/** Whether a value that fits a field by its name has another meaning; undefined if nothing says so. */
export function meaningDoubt(field: Field, { names, schema, beside }: DescribedValue): MeaningDoubt | undefined {
  const [name, above] = [joinWords(names.at(-1) ?? ''), names.slice(0, -1)];
  const described = { field, name, above, text: schema.description, schema, beside: beside ?? [] };
  for (const doubt of DOUBTS) {
    const found = doubt(described);
    if (found) return found;
  }
  return undefined;
}

/** What an id or a name is of, if not of the row: another resource, or a property of the row. */
const OTHER_OWNER =
  /^(catalogue?|dimension|dim|group|hierarchy|level|attribute|measure|type|status|state|language|lang|locale|country|currency|sort|order|owner|user|tenant|account|unit|format|error|version|request|trace|correlation|next|previous|source|target|class|file|host|creator)$/;

/** Words that say nothing about what an id or a name is of. */
const NEUTRAL_OWNER =
  /^(item|member|node|entry|element|own|external|public|unique|display|full|short|long|system|internal|api|resource|filter|prospectfilter)?$/;

/**
 * Whether an id or a name is of another resource than the rows.
 * @param resource the resource of the rows, joined
 * @example ownerDoubt('catalogueid', 'level') // { excluded: true }
 */
export function ownerDoubt(name: string, resource: string): MeaningDoubt | undefined {
  const owner = name.replace(/(id|key|code|uid|uuid|identifier|name|label|title|caption|text)$/, '');
  if (owner === name || NEUTRAL_OWNER.test(owner) || owner.endsWith(resource) || resource.endsWith(owner))
    return undefined;
  return OTHER_OWNER.test(owner) ? EXCLUDED : { unsure: `it may be of another resource than ${resource}` };
}
