/** The values that the bindings of a start read in the answers of the learner. */
import type { Field, OperationKey } from '../../contract/index.ts';
import { counted } from '../../format-values.ts';
import type { FieldBinding } from '../../profile/schema.ts';
import { flowText } from '../../profile/yaml-flow.ts';
import { bindFields, toRow, toValues } from '../../reading/cells.ts';
import type { Cell } from '../../reading/types.ts';
import type { Answer } from '../ask.ts';
import { sampled } from '../binding/places.ts';
import { shapedRows } from '../binding/shaped-lists.ts';
import type { Learner } from '../learner.ts';
import { statedRows } from './stated-binding.ts';

/** The values of a declared field: of each row, or of each response. */
export interface DeclaredColumn {
  readonly field: Field;
  readonly at: string;
  /** The binding as an author writes it. */
  readonly binding: string;
  readonly cells: readonly Cell[];
  readonly isPerRow: boolean;
  /** `5 rows of 2 responses` */
  readonly amount: string;
}

/** A node of a declared list, and the answer that has it. */
interface RowNode {
  readonly node: unknown;
  readonly answer: Answer;
}

/** A binding as an author writes it; functions have no text. */
function bindingText(binding: FieldBinding | undefined): string {
  const options = JSON.parse(
    JSON.stringify(binding ?? {}, (_, each) => (typeof each === 'function' ? 'function' : each)),
  );
  return flowText(Object.keys(options).length === 1 ? options.at : options);
}

/** The rows that the start states, or where it states none, those that the learner chooses. */
function rowsOf(learner: Learner, key: OperationKey, answers: readonly Answer[]): readonly RowNode[] {
  const { bound } = learner.operation(key);
  const list = statedRows(learner.asker, key, answers)?.list ?? bound?.chosen?.list;
  return list ? sampled(answers.flatMap((answer) => shapedRows(list, answer).map((node) => ({ node, answer })))) : [];
}

/** The columns of an operation that answered; fields of rows only if there are rows. */
export function declaredColumns(
  learner: Learner,
  key: OperationKey,
  all: readonly Answer[] = learner.operation(key).answers,
): { readonly columns: readonly DeclaredColumn[]; readonly rows: number } {
  const answers = all.filter(({ document }) => document !== undefined);
  const nodes = rowsOf(learner, key, answers);
  const { fields } = learner.asker.planOf(key, {});
  const { rowBindings, responseBindings } = bindFields(fields, 'row');
  const rows = nodes.map(({ node, answer }) => toRow(rowBindings, node, answer.head));
  const responses = counted(answers.length, 'response');
  const once = answers.map(({ document, head, lines }) =>
    toValues(responseBindings, document, { ...head, ...(lines && { lines }) }),
  );
  const column = (field: Field, cells: readonly Cell[], isPerRow: boolean): DeclaredColumn => ({
    field,
    at: String(fields[field]?.at),
    binding: bindingText(learner.asker.stated[key]?.response?.fields?.[field]),
    cells,
    isPerRow,
    amount: isPerRow ? `${counted(rows.length, 'row')} of ${responses}` : responses,
  });
  const columns = [
    ...(rows.length > 0
      ? rowBindings.fields.map(({ field }) =>
          column(
            field,
            rows.map((row) => row[field]),
            true,
          ),
        )
      : []),
    ...responseBindings.map(({ field }) => {
      const all = once.map((values) => values[field] ?? []);
      const isSingle = all.every((cells) => cells.length <= 1);
      return column(field, isSingle ? all.map(([cell]) => cell) : all.flat(), false);
    }),
  ];
  return { columns, rows: rows.length };
}
