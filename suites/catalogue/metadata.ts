/** Each operation returns the metadata that its name states: sections 1 and 2. */
import { chainTo, operationsOf } from '../../src/contract/index.ts';
import { ITEMS, normaliseId } from '../../src/rule/catalogue-list.ts';
import { CatalogueLists, describeResponses } from '../../src/rule/catalogue-responses.ts';
import { nodeStepOf, nodeSteps } from '../../src/rule/catalogue-walk.ts';
import {
  defineRule,
  editAll,
  emptied,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  type JudgeContext,
  openingOf,
  passed,
  type Seen,
  type Steps,
  step,
  type Tally,
  tally,
  untested,
} from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

export const all = operationsOf('B');

const CATALOGUES = 'POST /data-access/v1/Catalogues';

export const cataloguesKnown = defineRule({
  id: 'B.catalogues-list-known',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'Catalogues lists the example catalogues of the profile.',
  how: 'The operation is requested with each example id, and its list must contain that id.',
  subjects: [CATALOGUES],
  needs: () => ['catalogueIdExamples', 'catalogues.request', 'catalogues.rows', 'catalogues.fields.id'],
  repeat: 'inconclusive',
  probe: (_subject, declarations) =>
    Object.fromEntries(
      declarations
        .examples('catalogueId')
        .slice(0, 3)
        .map((id, at) => [
          `list${at}`,
          step({
            operation: CATALOGUES,
            inputs: { catalogueId: { value: id } },
            accepts: 'content',
            folds: { items: ITEMS },
          }),
        ]),
    ),
  counterexample: ({ list0 }) => ({ list0: editAll(list0, { id: 'another' }) }),
  judge(seen) {
    const readings = Object.values(seen).flat();
    const missing = readings.filter(({ folds, inputs: { catalogueId = '' } }) =>
      folds.items.rows.every(({ id }) => normaliseId(String(id)) !== normaliseId(catalogueId)),
    );
    if (readings.every((reading) => reading.observation?.rows === 0)) return untested('no catalogue is listed');
    if (missing.length === 0)
      return passed({ exchanges: readings.length, rows: readings.length, distinct: readings.length });
    return failed(
      missing.map((reading) => ({
        kind: 'not-listed',
        expected: `catalogue ${reading.inputs.catalogueId} is listed`,
        actual: `missing from the ${reading.observation?.rows} listed catalogues`,
        exchange: reading.exchange,
      })),
    );
  },
});

/** The example catalogues in which every list of an operation was read and is empty. */
function withoutMetadata(seen: Seen<Steps>, { subject, declarations }: JudgeContext): readonly Finding[] {
  const lists = new CatalogueLists(Object.values(seen).flat(), declarations);
  const examples = new Set(declarations.examples('catalogueId').map(String));
  const responses = describeResponses(seen[nodeStepOf(subject)] ?? [], declarations);
  return [...Map.groupBy(responses, ({ catalogue }) => catalogue)].flatMap(([catalogue, ofCatalogue]): Finding[] => {
    const known = chainTo(subject).length === 0 ? 1 : lists.listedInputs(catalogue, subject)?.length;
    const isComplete = known !== undefined && ofCatalogue.length >= known;
    if (!isComplete || !examples.has(catalogue) || ofCatalogue.some(({ content }) => content !== 'empty')) return [];
    return [
      {
        kind: 'empty',
        expected: `at least one row in the lists of catalogue ${catalogue}`,
        actual: known === 1 ? 'an empty list' : `${known} empty lists`,
        exchange: ofCatalogue[0]?.reading.exchange ?? '',
        since: '0.2.0',
      },
    ];
  });
}

export const notEmpty = defineRule<Steps>({
  id: 'B.metadata-not-empty',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The example catalogues of the profile have metadata of each kind.',
  how: 'The list for the example ids must have a row, with an id or name where the profile reads one. If the walk through an example catalogue reads all lists of the operation, one of them must have a row. Advisory: an empty list is legal.',
  subjects: all,
  needs: (subject) => [openingOf(subject, 'request'), openingOf(subject, 'rows')],
  repeat: 'inconclusive',
  probe: (subject, declarations) => {
    const nodes = nodeSteps(subject, declarations);
    return {
      list: step({
        operation: subject,
        inputs: requiredInputs(subject),
        accepts: 'content',
        ...(Object.keys(nodes).length > 0 && { optional: true }),
        folds: { id: tally('id'), name: tally('name') },
      }),
      ...nodes,
    };
  },
  counterexample: (seen, { subject }) => ({
    ...(seen.list?.length && { list: emptied(seen.list) }),
    [nodeStepOf(subject)]: emptied(seen[nodeStepOf(subject)] ?? []),
  }),
  judge(seen, context) {
    const { subject, declarations } = context;
    const lists = seen.list ?? [];
    const nodes = seen[nodeStepOf(subject)] ?? [];
    const findings: Finding[] = lists
      .filter(({ observation }) => (observation?.rows ?? 0) === 0)
      .map(({ exchange }) => ({ kind: 'empty', expected: 'at least one row', actual: 'an empty list', exchange }));
    const more = findings.length > 0 ? [] : withoutMetadata(seen, context);
    if (findings.length + more.length > 0) return failed([...findings, ...more]);
    const isRead = (['id', 'name'] as const).some((field) =>
      declarations.isFilled(openingOf(subject, `fields.${field}`)),
    );
    // Rows without a value are no metadata.
    const nameless = lists.find(({ folds }) => (folds.id as Tally).values + (folds.name as Tally).values === 0);
    if (isRead && nameless)
      return inconclusive(`none of ${nameless.observation?.rows} rows contains the id or name that the profile reads`);
    const judged = [...lists, ...nodes].filter(({ observation }) => (observation?.rows ?? 0) > 0);
    if (judged.length === 0) return untested('no list was read');
    return passed({ ...evidenceOf(lists.length > 0 ? lists : judged) });
  },
});
