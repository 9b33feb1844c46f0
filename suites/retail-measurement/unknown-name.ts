/** A name that no row has as a filter, where the profile states what a request with it gets (section 7: not shown). */
import { type Input, PERFORMANCE_OPERATIONS, SALES_FILTERS } from '../../src/contract/index.ts';
import { seededHash } from '../../src/rule/draws.ts';
import { collect, needsOf, type Row, step } from '../../src/rule/index.ts';
import { unknownValueRule } from '../../src/rule/unknown-value-rule.ts';

const items = collect(SALES_FILTERS, 20_000);
const ALL_ROWS = 'all rows';

export const unknownName = unknownValueRule({
  id: 'D.unknown-name',
  statement: 'D.filters',
  demands:
    'The performance filtered by a name that no row has gets a status that the profile states in the statuses.unknown of the operation itself.',
  how: [
    'In a filtered response that has rows, the name is replaced by one of the same form that no row has: one filter at a time.',
    'The rule fails if two such names get rows or an error that the profile does not state, or if the names of all filters get empty lists.',
    'A refusal of the format and an overload prove nothing.',
  ],
  looksLike: [
    'A server that filters by the beginning of a name, or knows names without sales, is legal and looks like this violation; two random names that both get rows tell them apart.',
    'A server that returns an empty list is legal, too; its profile states 200.',
  ],
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => needsOf(subject, 'request', 'rows'),
  inputs: (subject, { binds, seed }) =>
    SALES_FILTERS.filter((each) => binds(subject, `inputs.${each}`, `fields.${each}`))
      .map((input) => ({ input, hash: seededHash(`${subject} ${input}`, seed) }))
      .sort((x, y) => x.hash - y.hash)
      .map(({ input }): Input => input),
  draw: 'unknownNames',
  requests: (subject, { binds }) => ({
    lists: { [ALL_ROWS]: step({ operation: subject, accepts: 'any', folds: { items } }) },
    listed: step({
      operation: subject,
      each: {
        from: ALL_ROWS,
        fold: 'items',
        as: { category: 'category' },
        max: SALES_FILTERS.length,
        select(lists) {
          const rows = lists.flatMap(({ folds }) => (folds.items as { readonly rows: readonly Row[] }).rows);
          return SALES_FILTERS.filter((each) => binds(subject, `inputs.${each}`)).flatMap((input) => {
            const name = rows.find((row) => typeof row[input] === 'string')?.[input];
            return typeof name === 'string' ? [{ [input]: name }] : [];
          });
        },
        key: `a name of each filter of ${subject}`,
      },
      accepts: 'any',
      folds: { items },
    }),
  }),
});
