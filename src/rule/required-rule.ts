/** The template of rules about values that the profile marks required. */
import {
  type Field,
  type ObservableStatementId,
  type OpeningId,
  type OperationKey,
  operationOf,
} from '../contract/index.ts';
import {
  combine,
  defineRule,
  editRow,
  fieldDemand,
  judgeTally,
  type Need,
  type Rule,
  type Step,
  type Steps,
  step,
  type Tally,
  tally,
  unfiltered,
  untested,
} from './index.ts';

interface RequiredRule {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly demands: string;
  readonly subjects: readonly OperationKey[];
  readonly fields: readonly Field[];
  /** The inputs of each request, by step; default: one request without inputs. */
  readonly requests?: { readonly [name: string]: NonNullable<Step['inputs']> };
}

/** A rule: every row of the unfiltered response contains the fields that the profile marks required. */
export function requiredRule({
  id,
  statement,
  demands,
  subjects,
  fields,
  requests = { list: {} },
}: RequiredRule): Rule {
  const needs = (subject: OperationKey): Need[] => {
    const opening = (part: string) => `${operationOf(subject).name}.${part}` as OpeningId;
    return [opening('request'), opening('rows'), fields.map((field) => opening(`required.${field}`))];
  };
  return defineRule({
    id,
    statement,
    since: '0.1.0',
    demands,
    how: 'In every row, a field that the profile marks required must be present and not null.',
    subjects,
    needs,
    probe(subject, declarations): Steps {
      const required = fields.filter((field) => declarations.required(subject, field));
      const list = (inputs: NonNullable<Step['inputs']>) =>
        step({
          operation: subject,
          inputs,
          alsoMatches: unfiltered,
          accepts: 'content',
          folds: Object.fromEntries(required.map((field) => [field, tally(field)])),
        });
      return Object.fromEntries(Object.entries(requests).map(([name, inputs]) => [name, list(inputs)]));
    },
    counterexample(seen) {
      const [name = '', list] = Object.entries(seen).find(([, [first]]) => first && first.rows.length > 0) ?? [];
      return { [name]: editRow(list, Object.fromEntries(fields.map((field) => [field, null]))) };
    },
    judge(seen, context) {
      const lists = Object.values(seen)
        .flat()
        .filter(({ observation }) => observation?.rows !== 0);
      if (lists.length === 0) return untested('the list has no rows');
      return combine(
        lists.flatMap((list) =>
          Object.entries(list.folds as Record<string, Tally>).map(([field, found]) =>
            judgeTally(
              list,
              found,
              fieldDemand(context, field as Field, `${field} in every row, as the profile states`),
            ),
          ),
        ),
      );
    },
  });
}
