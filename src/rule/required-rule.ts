/** The template of rules about values that the profile marks required. */
import type { Field } from '../contract/index.ts';
import {
  combine,
  defineRule,
  editRow,
  fieldDemand,
  judgeTally,
  needsOf,
  plainInputs,
  type Rule,
  type RuleLiteral,
  type Steps,
  step,
  type Tally,
  tally,
  unfiltered,
  untested,
} from './index.ts';

interface RequiredRule extends Pick<RuleLiteral<Steps>, 'id' | 'statement' | 'demands' | 'subjects'> {
  readonly fields: readonly Field[];
}

/** A rule: every row of the unfiltered response contains the fields that the profile marks required. */
export const requiredRule = ({ fields, ...rule }: RequiredRule): Rule =>
  defineRule<Steps>({
    ...rule,
    since: '0.1.0',
    how: 'In every row, a field that the profile marks required must be present and not null.',
    needs: (subject) =>
      needsOf(
        subject,
        'request',
        'rows',
        fields.map((field) => `required.${field}`),
      ),
    probe(operation, declarations) {
      const required = fields.filter((field) => declarations.required(operation, field));
      const folds = Object.fromEntries(required.map((field) => [field, tally(field)]));
      const list = { operation, alsoMatches: unfiltered, accepts: 'content', folds } as const;
      return Object.fromEntries(
        Object.entries(plainInputs(operation)).map(([name, inputs]) => [name, step({ ...list, inputs })]),
      );
    },
    counterexample(seen) {
      const [name = '', list] = Object.entries(seen).find(([, [first]]) => first && first.rows.length > 0) ?? [];
      return { [name]: editRow(list, Object.fromEntries(fields.map((field) => [field, null]))) };
    },
    judge(seen, context) {
      const lists = Object.values(seen).flatMap((all) => all.filter(({ observation }) => observation?.rows !== 0));
      if (lists.length === 0) return untested('the list has no rows');
      const demand = (field: string) =>
        fieldDemand(context, field as Field, `${field} in every row, as the profile states`);
      return combine(
        lists.flatMap((list) =>
          Object.entries(list.folds as Record<string, Tally>).map(([field, found]) =>
            judgeTally(list, found, demand(field)),
          ),
        ),
      );
    },
  });
