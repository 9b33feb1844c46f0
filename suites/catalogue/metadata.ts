/** The catalogues that are listed, and that those of the profile have metadata: sections 1 and 2. */
import { CATALOGUES, chainTo, operationsOf } from '../../src/contract/index.ts';
import { CatalogueLists, describeResponses } from '../../src/rule/catalogue-responses.ts';
import { ITEMS, nodeStepOf, nodeSteps, normaliseId } from '../../src/rule/catalogue-walk.ts';
import {
  decide,
  defineRule,
  editAll,
  emptied,
  evidenceOf,
  type Finding,
  failed,
  findingIn,
  inconclusive,
  type JudgeContext,
  listNeeds,
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

export const cataloguesKnown = defineRule({
  id: 'B.catalogues-list-known',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'Catalogues lists the example catalogues of the profile.',
  how: 'The operation is requested with each example id, and its list must contain that id.',
  subjects: [CATALOGUES],
  needs: (subject) => ['catalogueIdExamples', ...listNeeds(subject, 'id')],
  repeat: 'inconclusive',
  probe(operation, declarations) {
    const list = { operation, accepts: 'content', folds: { items: ITEMS } } as const;
    const ids = declarations.examples('catalogueId').slice(0, 3);
    return Object.fromEntries(
      ids.map((value, at) => [`list${at}`, step({ ...list, inputs: { catalogueId: { value } } })]),
    );
  },
  counterexample: ({ list0 }) => ({ list0: editAll(list0, { id: 'another' }) }),
  judge(seen) {
    const lists = Object.values(seen).flat();
    const findings = lists
      .filter(({ folds, inputs: { catalogueId = '' } }) =>
        folds.items.rows.every(({ id }) => normaliseId(String(id)) !== normaliseId(catalogueId)),
      )
      .map((list) => {
        const actual = `missing from the ${list.observation?.rows} listed catalogues`;
        return findingIn(list, 'not-listed', `catalogue ${list.inputs.catalogueId} is listed`, actual);
      });
    if (lists.every(({ observation }) => observation?.rows === 0)) return untested('no catalogue is listed');
    const { length } = lists;
    return decide({ compared: length, findings }, { nothing: '', evidence: { exchanges: length, rows: length } });
  },
});

/** The example catalogues in which every list of an operation was read and is empty. */
function withoutMetadata(seen: Seen<Steps>, { subject, declarations }: JudgeContext): readonly Finding[] {
  const lists = new CatalogueLists(Object.values(seen).flat(), declarations);
  const examples = new Set(declarations.examples('catalogueId').map(String));
  const responses = describeResponses(seen[nodeStepOf(subject)] ?? [], declarations);
  return [...Map.groupBy(responses, ({ catalogue }) => catalogue)].flatMap(
    ([catalogue, [first, ...more]]): Finding[] => {
      const known = chainTo(subject).length === 0 ? 1 : lists.listedInputs(catalogue, subject)?.length;
      const isComplete = first && known !== undefined && more.length + 1 >= known;
      if (!isComplete || !examples.has(catalogue) || [first, ...more].some(({ content }) => content !== 'empty'))
        return [];
      const expected = `at least one row in the lists of catalogue ${catalogue}`;
      const actual = known === 1 ? 'an empty list' : `${known} empty lists`;
      return [findingIn(first.reading, 'empty', expected, actual, { since: '0.2.0' })];
    },
  );
}

export const notEmpty = defineRule<Steps>({
  id: 'B.metadata-not-empty',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The example catalogues of the profile have metadata of each kind.',
  how: [
    'The list for the example ids must have a row, with an id or name where the profile reads one.',
    'If the walk through an example catalogue reads all lists of the operation, one of them must have a row.',
    'Advisory: an empty list is legal.',
  ],
  subjects: operationsOf('B'),
  needs: (subject) => listNeeds(subject),
  repeat: 'inconclusive',
  probe(operation, declarations) {
    const nodes = nodeSteps(operation, declarations);
    const isOptional = Object.keys(nodes).length > 0 && ({ optional: true } as const);
    const folds = { id: tally('id'), name: tally('name') };
    return {
      list: step({ operation, inputs: requiredInputs(operation), accepts: 'content', ...isOptional, folds }),
      ...nodes,
    };
  },
  counterexample: (seen, { subject }) => ({
    ...(seen.list?.length && { list: emptied(seen.list) }),
    [nodeStepOf(subject)]: emptied(seen[nodeStepOf(subject)] ?? []),
  }),
  judge(seen, context) {
    const { subject, declarations } = context;
    const { list: lists = [], [nodeStepOf(subject)]: nodes = [] } = seen;
    const empty = lists.filter(({ observation }) => (observation?.rows ?? 0) === 0);
    const findings =
      empty.length > 0
        ? empty.map((each) => findingIn(each, 'empty', 'at least one row', 'an empty list'))
        : withoutMetadata(seen, context);
    if (findings.length > 0) return failed(findings);
    const isRead = (['id', 'name'] as const).some((each) =>
      declarations.isFilled(openingOf(subject, `fields.${each}`)),
    );
    // Rows without a value are no metadata.
    const nameless = lists.find(({ folds }) => (folds.id as Tally).values + (folds.name as Tally).values === 0);
    if (isRead && nameless)
      return inconclusive(`none of ${nameless.observation?.rows} rows contains the id or name that the profile reads`);
    const judged = [...lists, ...nodes].filter(({ observation }) => (observation?.rows ?? 0) > 0);
    return judged.length === 0 ? untested('no list was read') : passed(evidenceOf(lists.length > 0 ? lists : judged));
  },
});
