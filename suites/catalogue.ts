/** Demands on group B, catalogue metadata: sections 1, 2 and 4.2. That all of it is POST stands in every-operation.ts. */
import { type Input, type OpeningId, type OperationKey, operationOf, operationsOf } from '../src/contract/index.ts';
import {
  answerLike,
  answerWith,
  anything,
  collect,
  type Declarations,
  defineRule,
  editAll,
  emptied,
  failed,
  type InputSource,
  isOk,
  type Need,
  nothingSeen,
  passed,
  quoteSelector,
  type Reading,
  type Rule,
  type Step,
  type Steps,
  step,
  type Tally,
  tally,
  tellAnswer,
  texts,
  undecided,
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
  how: 'Each row must carry the id or name the profile binds; a field the profile marks required must stand in every row, and a value must be what its converter reads. An empty list proves nothing.',
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
      observes: anything,
      wants: 'content',
      folds: { id: tally('id'), name: tally('name'), date: tally('date') },
    }),
  }),
  counterexample: ({ list }) => ({ list: editAll(list, { id: null, name: null }) }),
  judge(seen, { subject, declares }) {
    const list = one(seen.list);
    const rows = list.observation?.rows ?? 0;
    if (rows === 0) return nothingSeen('the list is empty');
    const fields = (['id', 'name', 'date'] as const).filter((each) => declares.selector(subject, each) !== undefined);
    for (const field of fields) {
      const { values, unconverted, firstGaps, firstUnconverted } = list.folds[field];
      const expected = `${field} at ${quoteSelector(subject, declares.selector(subject, field))}`;
      const declared = declares.converter(subject, field) !== undefined;
      if (unconverted > 0 && values === 0 && !declared) {
        return undecided(
          `no ${expected} could be understood (${firstUnconverted[0]?.message}): name its converter with \`as\``,
        );
      }
      if (values === 0 && field !== 'date' && fields.every((each) => list.folds[each].values === 0)) {
        return failed([{ expected, actual: `none in ${rows} rows`, exchange: list.exchange }], 'profile');
      }
      const spots = [...(declares.required(subject, field) ? firstGaps : []), ...firstUnconverted];
      if (spots.length > 0) {
        return failed(
          spots.map((spot) => ({
            expected: `${expected}, in every row`,
            actual: spot.message,
            exchange: list.exchange,
            row: spot.index,
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
      step({
        operation: subject,
        inputs: { ...requiredInputs(subject), catalogueId },
        wants: 'whole',
        folds: { id: tally('id'), name: tally('name') },
      });
    return { first: ask({ example: 'catalogueId', nth: 0 }), second: ask({ example: 'catalogueId', nth: 1 }) };
  },
  counterexample: ({ first, second }) => ({ second: answerLike(second, first) }),
  judge(seen) {
    const [first, second] = [one(seen.first ?? []), one(seen.second ?? [])];
    if (first.observation?.rows === 0 && second.observation?.rows === 0) return nothingSeen('both answers are empty');
    if (first.observation?.digest !== second.observation?.digest)
      return passed({
        exchanges: 2,
        rows: (first.observation?.rows ?? 0) + (second.observation?.rows ?? 0),
        distinct: 2,
      });
    // Rows without a name are alike everywhere: B.metadata-listed tells that, and here nothing can be told.
    const { id, name } = first.folds as Record<string, Tally>;
    if ((id?.values ?? 0) + (name?.values ?? 0) === 0)
      return undecided('no row carries an id or a name, so the two answers cannot be told apart');
    return failed([
      {
        expected: `another answer for catalogue ${second.inputs.catalogueId} than for ${first.inputs.catalogueId}`,
        actual: `the same ${first.observation?.rows} rows`,
        exchange: second.exchange,
      },
    ]);
  },
});

const CATALOGUES = 'POST /data-access/v1/Catalogues';
const cataloguesKnown = defineRule({
  id: 'B.catalogues-list-known',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'Catalogues lists the catalogues the profile says the service knows.',
  how: 'The example ids are looked for among the ids listed for each of them.',
  subjects: [CATALOGUES],
  needs: () => ['catalogueIdExamples', 'catalogues.request', 'catalogues.rows', 'catalogues.fields.id'],
  repeat: 'inconclusive',
  probe: (_subject, declares) =>
    Object.fromEntries(
      declares
        .examples('catalogueId')
        .slice(0, 3)
        .map((id, at) => [
          `asked${at}`,
          step({
            operation: CATALOGUES,
            inputs: { catalogueId: { value: id } },
            wants: 'content',
            folds: { ids: texts('id') },
          }),
        ]),
    ),
  counterexample: ({ asked0 }) => ({ asked0: editAll(asked0, { id: 'another' }) }),
  judge(seen) {
    const readings = Object.values(seen).flat();
    const missing = readings.filter((reading) => !reading.folds.ids.counts.has(String(reading.inputs.catalogueId)));
    if (readings.every((reading) => reading.observation?.rows === 0)) return nothingSeen('no catalogue is listed');
    if (missing.length === 0)
      return passed({ exchanges: readings.length, rows: readings.length, distinct: readings.length });
    return failed(
      missing.map((reading) => ({
        expected: `catalogue ${reading.inputs.catalogueId} is listed`,
        actual: `not among ${reading.observation?.rows} catalogues`,
        exchange: reading.exchange,
      })),
    );
  },
});

const notEmpty = defineRule({
  id: 'B.metadata-not-empty',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'There is metadata of each kind for the catalogue the profile names.',
  how: 'The list must have a row, with an id or name where the profile reads one. An empty one is legal, so this only advises.',
  subjects: all,
  needs: (subject) => [opening(subject, 'request'), opening(subject, 'rows')],
  repeat: 'inconclusive',
  probe: (subject) => ({
    list: step({
      operation: subject,
      inputs: requiredInputs(subject),
      wants: 'content',
      folds: { id: tally('id'), name: tally('name') },
    }),
  }),
  counterexample: ({ list }) => ({ list: emptied(list) }),
  judge(seen, { subject, declares }) {
    const list = one(seen.list);
    const rows = list.observation?.rows ?? 0;
    if (rows === 0) return failed([{ expected: 'at least one row', actual: 'an empty list', exchange: list.exchange }]);
    const isRead = (['id', 'name'] as const).some((field) => declares.isFilled(opening(subject, `fields.${field}`)));
    // Rows that hold nothing are no metadata.
    if (isRead && list.folds.id.values + list.folds.name.values === 0)
      return undecided(`none of ${rows} rows carries the id or name the profile reads`);
    return passed({ exchanges: 1, rows });
  },
});

/** What stands above each operation in the graph of section 2, from the logical dimensions down. */
const PARENTS = [
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Attributes',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Groups',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Hierarchies',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Rows',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Attribute/Values',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Attributes',
    as: 'attribute',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Group/Levels',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Groups',
    as: 'group',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Hierarchy/Levels',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Hierarchies',
    as: 'hierarchy',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Group/Level/Values',
    parent: 'POST /data-access/v1/Catalogue/Group/Levels',
    as: 'level',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Hierarchy/Level/Values',
    parent: 'POST /data-access/v1/Catalogue/Hierarchy/Levels',
    as: 'level',
  },
] as const satisfies readonly { child: OperationKey; parent: OperationKey; as: Input }[];

/** The chain of operations from the logical dimensions down to one. */
function chainTo(child: OperationKey): (typeof PARENTS)[number][] {
  const edge = PARENTS.find((each) => each.child === child);
  return edge ? [...chainTo(edge.parent), edge] : [];
}

const key = (declares: Declarations, operation: OperationKey): 'id' | 'name' =>
  declares.isFilled(opening(operation, 'fields.id')) ? 'id' : 'name';

const graph = defineRule({
  id: 'B.graph',
  statement: 'B.graph',
  basis: 'plausible',
  since: '0.1.0',
  demands:
    'What one operation lists, the operation below it knows: dimensions, their groups and hierarchies, levels, values.',
  how: 'From the logical dimensions of the first example catalogue downwards, each item listed is asked about at the operation below; an answer other than 2xx is reported, and gates where the profile says `catalogue.connected`.',
  subjects: PARENTS.map((each) => each.child),
  needs: (subject) => [
    'logicalDimensions.request',
    'logicalDimensions.rows',
    ...chainTo(subject).flatMap(({ child, parent, as }): Need[] => [
      opening(child, 'request'),
      opening(child, `inputs.${as}`),
      opening(parent, 'rows'),
      [opening(parent, 'fields.id'), opening(parent, 'fields.name')],
    ]),
  ],
  repeat: 'inconclusive',
  probe(subject, declares): Steps {
    const root = 'POST /data-access/v1/Catalogue/LogicalDimensions';
    const steps: Record<string, Step> = {
      [root]: step({
        operation: root,
        inputs: { catalogueId: { example: 'catalogueId' } },
        wants: 'content',
        folds: { items: collect(['id', 'name'], 1000) },
      }),
    };
    for (const { child, parent, as } of chainTo(subject)) {
      steps[child] = step({
        operation: child,
        each: { from: parent, fold: 'items', as: { [key(declares, parent)]: as }, max: 12 },
        wants: child === subject ? 'answer' : 'content',
        folds: { items: collect(['id', 'name'], 1000) },
      });
    }
    return steps;
  },
  counterexample: (seen, { subject }) => ({ [subject]: answerWith(seen[subject]) }),
  judge(seen, { subject, declares }) {
    const children = seen[subject] ?? [];
    const refused = children.filter((reading) => !isOk(reading));
    // A server that fails does not say that it does not know: every.sound-answer asks what fails again.
    const unknown = refused.filter(({ head }) => head !== undefined && head.status < 500);
    const [failing] = refused;
    if (failing && unknown.length === 0) return undecided(`an item was asked about in vain: ${tellAnswer(failing)}`);
    const isRead = declares.isFilled(opening(subject, 'rows'));
    // An empty answer may say “unknown” as well as “known, and nothing below it”.
    if (unknown.length === 0 && isRead && children.every(({ observation }) => observation?.rows === 0))
      return nothingSeen('nothing is listed below any of the items');
    if (unknown.length === 0)
      return passed({ exchanges: children.length, rows: children.length, distinct: children.length });
    return failed(
      unknown.slice(0, 5).map((reading) => ({
        expected: `an answer for ${JSON.stringify(reading.inputs)}, which the operation above lists`,
        actual: tellAnswer(reading),
        exchange: reading.exchange,
      })),
      declares.catalogueConnected ? 'profile' : undefined,
    );
  },
});

export const catalogue: readonly Rule[] = [listed, catalogueDecides, cataloguesKnown, notEmpty, graph];
