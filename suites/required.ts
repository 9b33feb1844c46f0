/** Values that the profile says every row carries, for statements about what rows are. */
import {
  type Field,
  type ObservableStatementId,
  type OpeningId,
  type OperationKey,
  operationOf,
} from '../src/contract/index.ts';
import {
  combine,
  defineRule,
  editRow,
  judgeTally,
  type Need,
  nothingSeen,
  quoteSelector,
  type Rule,
  type Steps,
  step,
  type Tally,
  tally,
} from '../src/rule/index.ts';

interface RequiredRule {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly demands: string;
  readonly subject: OperationKey;
  readonly fields: readonly Field[];
}

/** A rule that the fields the profile marks required stand in every row of the unfiltered answer. */
export function requiredRule({ id, statement, demands, subject, fields }: RequiredRule): Rule {
  const { name } = operationOf(subject);
  const opening = (part: string) => `${name}.${part}` as OpeningId;
  const needs: Need[] = [opening('request'), opening('rows'), fields.map((field) => opening(`fields.${field}`))];
  return defineRule({
    id,
    statement,
    basis: 'profile',
    since: '0.1.0',
    demands,
    how: 'Every row is looked at; a field the profile marks required may be neither absent nor null in any of them.',
    subjects: [subject],
    needs: () => needs,
    probe(_subject, declares): Steps {
      const required = fields.filter((field) => declares.required(subject, field));
      if (required.length === 0) return {};
      return {
        list: step({
          operation: subject,
          wants: 'content',
          folds: Object.fromEntries(required.map((field) => [field, tally(field)])),
        }),
      };
    },
    counterexample: ({ list }) => ({ list: editRow(list, Object.fromEntries(fields.map((field) => [field, null]))) }),
    judge(seen, { declares }) {
      const list = seen.list?.[0];
      if (!list || list.observation?.rows === 0) return nothingSeen('the list has no rows');
      return combine(
        Object.entries(list.folds as Record<string, Tally>).map(([field, found]) =>
          judgeTally(list, found, {
            field: field as Field,
            expected: `${field} in every row, as the profile says`,
            declared: declares.converter(subject, field as Field) !== undefined,
            selector: quoteSelector(subject, declares.selector(subject, field as Field)),
            nullable: false,
          }),
        ),
      );
    },
  });
}
