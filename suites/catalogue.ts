/** Demands on group B, catalogue metadata: sections 1, 2 and 4.2. That all of it is POST stands in every-operation.ts. */
import { type OpeningId, type OperationKey, operationOf, operationsOf } from '../src/contract/index.ts';
import {
  defineRule,
  failed,
  type InputSource,
  nothingSeen,
  passed,
  quoteSelector,
  type Reading,
  type Rule,
  type Steps,
  step,
  tally,
} from '../src/rule/index.ts';
import { requiredInputs } from './every-operation.ts';

const one = <R extends Reading>(readings: readonly R[]): R => readings[0] as R;
const opening = (subject: OperationKey, part: string): OpeningId => `${operationOf(subject).name}.${part}` as OpeningId;
const all = operationsOf('B');

const listed = defineRule({
  id: 'B.metadata-listed',
  statement: 'B.metadata',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation returns the metadata it is named for.',
  how: 'Each row must carry the id or name the profile binds; a field the profile marks required must stand in every row. An empty list proves nothing.',
  subjects: all,
  needs: (subject) => [
    opening(subject, 'request'),
    opening(subject, 'inputs.catalogueId'),
    opening(subject, 'rows'),
    [opening(subject, 'fields.id'), opening(subject, 'fields.name')],
  ],
  repeat: 'inconclusive',
  probe: (subject) => ({
    list: step({
      operation: subject,
      inputs: requiredInputs(subject),
      wants: 'content',
      folds: { id: tally('id'), name: tally('name'), date: tally('date') },
    }),
  }),
  judge(seen, { subject, declares }) {
    const list = one(seen.list);
    const rows = list.observation?.rows ?? 0;
    if (rows === 0) return nothingSeen('the list is empty');
    const fields = (['id', 'name', 'date'] as const).filter((each) => declares.selector(subject, each) !== undefined);
    for (const field of fields) {
      const { values, nulls, missing, firstGaps } = list.folds[field];
      const expected = `${field} at ${quoteSelector(subject, declares.selector(subject, field))}`;
      if (values === 0 && field !== 'date' && fields.every((each) => list.folds[each].values === 0)) {
        return failed([{ expected, actual: `none in ${rows} rows`, exchange: list.exchange }], 'profile');
      }
      if (declares.required(subject, field) && nulls + missing > 0) {
        return failed(
          firstGaps.map((gap) => ({
            expected: `${expected}, in every row`,
            actual: gap.message,
            exchange: list.exchange,
            row: gap.index,
          })),
          'profile',
        );
      }
    }
    return passed({ exchanges: 1, rows, distinct: Math.max(...fields.map((each) => list.folds[each].distinct)) });
  },
});

const catalogueDecides = defineRule({
  id: 'B.catalogue-decides',
  statement: 'B.catalogue-id',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation answers for the catalogue whose id it is given.',
  how: 'The same request is sent for two catalogues the profile names; where the profile says the operation distinguishes catalogues, the two answers must differ.',
  subjects: all,
  needs: (subject) => [
    'distinguishing',
    'catalogueIdExamples',
    opening(subject, 'request'),
    opening(subject, 'inputs.catalogueId'),
    opening(subject, 'rows'),
    [opening(subject, 'fields.id'), opening(subject, 'fields.name')],
  ],
  repeat: 'inconclusive',
  probe(subject, declares): Steps {
    const [, second] = declares.examples('catalogueId');
    if (second === undefined || !declares.distinguishesCatalogues(subject)) return {};
    const ask = (catalogueId: InputSource) =>
      step({ operation: subject, inputs: { ...requiredInputs(subject), catalogueId }, wants: 'whole' });
    return { first: ask({ example: 'catalogueId', nth: 0 }), second: ask({ example: 'catalogueId', nth: 1 }) };
  },
  judge(seen) {
    const [first, second] = [one(seen.first ?? []), one(seen.second ?? [])];
    if (first.observation?.rows === 0 && second.observation?.rows === 0) return nothingSeen('both answers are empty');
    if (first.observation?.digest !== second.observation?.digest)
      return passed({
        exchanges: 2,
        rows: (first.observation?.rows ?? 0) + (second.observation?.rows ?? 0),
        distinct: 2,
      });
    return failed([
      {
        expected: `another answer for catalogue ${second.inputs.catalogueId} than for ${first.inputs.catalogueId}`,
        actual: `the same ${first.observation?.rows} rows`,
        exchange: second.exchange,
      },
    ]);
  },
});

export const catalogue: readonly Rule[] = [listed, catalogueDecides];
