/** The catalogue of a request decides which metadata is returned: sections 2 and 4.2. */
import { chainTo, type OperationKey, operationsOf } from '../../src/contract/index.ts';
import {
  CatalogueLists,
  type CatalogueResponse,
  CONTROL,
  describeResponses,
  FOREIGN,
  foreignSteps,
  haveSameItems,
} from '../../src/rule/catalogue-responses.ts';
import {
  ALL_CATALOGUES,
  CATALOGUE_LIST,
  catalogueIds,
  catalogueSteps,
  ITEMS,
  itemsOf,
  pathKey,
  walkSteps,
} from '../../src/rule/catalogue-walk.ts';
import {
  copyResponse,
  type Declarations,
  defineRule,
  describeResponse,
  type Finding,
  failed,
  findingIn,
  inconclusive,
  type Judgement,
  needsOf,
  passed,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served.ts';

/** The requests for the first two examples of an input. */
export function requestsFor(
  operation: OperationKey,
  example: 'catalogueId' | 'measure',
  more: Pick<Step, 'accepts' | 'optional'>,
) {
  const request = (nth: number): Step => {
    const inputs = { ...requiredInputs(operation), [example]: { example, nth } };
    return step({ operation, inputs, folds: { items: ITEMS }, ...more });
  };
  return { first: request(0), second: request(1) };
}

/** The requests for the first two example catalogues, if there are examples of all their ids. */
function exampleSteps(subject: OperationKey, declarations: Declarations): Steps {
  const inputs = Object.keys(requiredInputs(subject)) as (keyof ReturnType<typeof requiredInputs>)[];
  const ids = declarations.examples('catalogueId', { operation: subject }).slice(0, 2);
  const hasAll = ids.every((catalogueId) =>
    inputs.every((input) => declarations.examples(input, { operation: subject, catalogueId }).length > 0),
  );
  if (ids.length < 2 || !hasAll) return {};
  return requestsFor(subject, 'catalogueId', { accepts: 'any', optional: true });
}

/** The responses of one path in two catalogues. */
interface Comparison {
  readonly one: CatalogueResponse;
  readonly other: CatalogueResponse;
  readonly result: 'equal' | 'different' | 'unknown';
  /** Whether the other catalogue lists the ids; undefined if its lists were not read. */
  readonly isListed: boolean | undefined;
}

/** Compares each response that has items with those of the other catalogues for the same ids. */
function compareCatalogues(
  responses: readonly CatalogueResponse[],
  controls: readonly CatalogueResponse[],
  lists: CatalogueLists,
  declarations: Declarations,
): Comparison[] {
  // A refusal proves something only if both catalogues answer other requests, also afterwards.
  const isSteady = ({ catalogue }: CatalogueResponse) =>
    controls.some((control) => control.catalogue === catalogue && control.content === 'items');
  const answers = (catalogue: string) =>
    responses.some((each) => each.catalogue === catalogue && (each.content === 'items' || each.content === 'empty'));
  return responses
    .filter(({ content }) => content === 'items')
    .flatMap((one) =>
      responses.flatMap((other): Comparison[] => {
        if (other.path !== one.path || other.catalogue === one.catalogue || other.content === 'undecided') return [];
        const { operation, inputs } = one.reading;
        const isListed = lists.listsIds(other.catalogue, operation, inputs);
        // Equal items are compared once.
        if (other.content === 'items' && isListed !== false && one.catalogue > other.catalogue) return [];
        const result = (): Comparison['result'] => {
          if (other.content === 'empty') return 'different';
          if (other.content === 'refused')
            return isListed !== true && isSteady(one) && answers(other.catalogue) ? 'different' : 'unknown';
          const isSame = haveSameItems(one, other, declarations);
          return isSame === undefined ? 'unknown' : isSame ? 'equal' : 'different';
        };
        return [{ one, other, result: result(), isListed }];
      }),
    );
}

const sameRows = ({ one, other }: Comparison): Finding =>
  findingIn(
    other.reading,
    'same-rows',
    `different rows for catalogue ${other.catalogue} and catalogue ${one.catalogue}`,
    `the same ${other.rows} rows`,
  );

const rowsOfAnother = ({ one, other }: Comparison): Finding =>
  findingIn(
    other.reading,
    'rows-of-another-catalogue',
    `catalogue ${other.catalogue} does not list ${other.path}, so its response differs from that of catalogue ${one.catalogue}`,
    `the ${other.rows} rows of catalogue ${one.catalogue}`,
    { since: '0.2.0' },
  );

export const catalogueDecides = defineRule<Steps>({
  id: 'B.catalogue-decides',
  statement: 'B.catalogue-id',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation returns the metadata of the catalogue whose id the request contains.',
  how: [
    'Applies to the operations that the profile states to distinguish catalogues.',
    'The tree of each catalogue is walked from the dimensions that it lists.',
    'The responses for the example ids must differ between the first two example catalogues.',
    'An id that only one catalogue lists is sent with the other catalogue, too; the rows of its own catalogue are a failure.',
    'A refusal, an empty list and other rows prove that the catalogue decides, beside a request with the same id in its own catalogue before and after.',
    'Equal responses for ids that both catalogues list are a failure only if no response differs and all such ids were compared.',
  ],
  looksLike:
    'A server whose catalogues share a dimension returns equal rows for both, which is legal, and looks like this violation; the ids that only one of the catalogues lists tell them apart.',
  subjects: operationsOf('B'),
  needs: (subject) => [
    'distinguishing',
    'catalogueIdExamples',
    ...(requiredInputs(subject).measure ? (['measureExamples'] as const) : []),
    ...needsOf(subject, 'request', 'inputs.catalogueId', 'rows', ['fields.id', 'fields.name']),
  ],
  repeat: 'inconclusive',
  isStated: ({ distinguishesCatalogues }, subject) => distinguishesCatalogues(subject),
  probe(subject, declarations): Steps {
    const examples = exampleSteps(subject, declarations);
    if (chainTo(subject).length === 0 && !requiredInputs(subject).measure)
      return { ...examples, ...catalogueSteps(subject, declarations) };
    const walk = chainTo(subject).length === 0 ? {} : walkSteps(subject, declarations);
    const { [subject]: ofSubject, ...lists } = walk;
    const own = { ...examples, ...(ofSubject && { [subject]: { ...ofSubject, optional: true as const } }) };
    return {
      ...examples,
      ...Object.fromEntries(Object.entries(lists).map(([name, each]) => [name, { ...each, optional: true as const }])),
      ...own,
      ...foreignSteps(subject, declarations, Object.keys(own), Object.keys(lists)),
    };
  },
  counterexample({ first, second, ...others }) {
    // The walk may contain the same exchange.
    const copied = (readings: typeof second) =>
      readings?.map((each) =>
        each.exchange === second?.[0]?.exchange ? (copyResponse([each], first)[0] ?? each) : each,
      ) ?? [];
    return Object.fromEntries(Object.entries({ second, ...others }).map(([name, found]) => [name, copied(found)]));
  },
  judge(seen, { subject, declarations }): Judgement {
    const readings = Object.entries(seen).filter(([name]) => name !== CONTROL);
    const ofSubject = readings.flatMap(([, found]) => found).filter(({ operation }) => operation === subject);
    const responses = describeResponses(ofSubject, declarations);
    const controls = describeResponses(seen[CONTROL] ?? [], declarations);
    const lists = new CatalogueLists(
      readings.filter(([name]) => name !== FOREIGN).flatMap(([, found]) => found),
      declarations,
    );
    const compared = compareCatalogues(responses, controls, lists, declarations);
    const equal = compared.filter(({ result }) => result === 'equal');
    const different = compared.filter(({ result }) => result === 'different');
    const isRead = responses.some(({ reading }) => itemsOf(reading).some(({ id, name }) => (id ?? name) !== undefined));
    if (equal.length + different.length > 0 && !isRead)
      // Rows without a name are equal for every catalogue: B.metadata-listed reports them.
      return inconclusive('no row contains an id or a name, so the two responses cannot be compared');
    const examples = [seen.first?.[0], seen.second?.[0]].filter((reading) => reading !== undefined);
    const isExample = ({ reading }: CatalogueResponse) =>
      examples.some(({ exchange }) => exchange === reading.exchange);
    const findings = [
      ...equal.filter(({ one, other }) => isExample(one) && isExample(other)).map(sameRows),
      ...equal.filter(({ isListed }) => isListed === false).map(rowsOfAnother),
    ];
    if (findings.length > 0) return failed(findings);
    if (different.length > 0) {
      const looked = new Set(compared.map(({ one }) => one.path)).size;
      return passed({
        exchanges: responses.length + controls.length,
        rows: responses.reduce((sum, { rows }) => sum + rows, 0),
        distinct: new Set(different.flatMap(({ one, other }) => [one.catalogue, other.catalogue])).size,
        coverage: [{ of: 'catalogue nodes', looked, ...knownNodes(subject, lists) }],
      });
    }
    const [undecided] = describeResponses(examples, declarations).filter(({ content }) => content === 'undecided');
    if (undecided) {
      const { exchange, head, failure } = undecided.reading;
      return inconclusive(`${exchange}: ${head ? describeResponse(undecided.reading) : (failure ?? 'no response')}`);
    }
    if (equal.length > 0) {
      const listed = [...(seen[CATALOGUE_LIST] ?? []), ...(seen[ALL_CATALOGUES] ?? [])];
      const { length } = catalogueIds(declarations, listed);
      return judgeEqual(equal, isExhaustive(subject, equal, lists, length), declarations);
    }
    return untested(
      responses.length > 0 && responses.every(({ content }) => content === 'empty')
        ? 'both responses are empty'
        : 'no two catalogues could be compared: no id that one of them lists has items and gets a response of another, or their rows are equal and the responses differ, as where the profile reads an id as the name; examples.byCatalogue and examples of the operation state ids per catalogue',
    );
  },
});

/** The number of ids that the lists above an operation contain. */
const knownNodes = (subject: OperationKey, lists: CatalogueLists): { readonly known?: number } => {
  const parent = chainTo(subject).at(-1)?.parent;
  return parent ? { known: lists.count(parent) } : {};
};

/** Whether all ids that both of two catalogues list were compared. */
function isExhaustive(
  subject: OperationKey,
  equal: readonly Comparison[],
  lists: CatalogueLists,
  catalogues: number,
): boolean {
  if (chainTo(subject).length === 0) {
    const compared = new Set(equal.flatMap(({ one, other }) => [one.catalogue, other.catalogue]));
    return compared.size >= catalogues;
  }
  const paths = new Set(equal.map(({ one }) => one.path));
  return equal.every(({ one, other }) => {
    const [first, second] = [one, other].map(({ catalogue }) => lists.listedInputs(catalogue, subject)?.map(pathKey));
    return first && second?.filter((path) => first.includes(path)).every((path) => paths.has(path));
  });
}

/** Equal responses for all ids that were compared: catalogues may share some data, but not all. Depth `quick` compares few ids. */
function judgeEqual(equal: readonly Comparison[], isComplete: boolean, { depth }: Declarations): Judgement {
  if (isComplete) return failed(equal.map((each) => ({ ...sameRows(each), since: '0.2.0' as const })));
  const because = `the responses are equal for the ${equal.length} ids that were compared, which may be data that the catalogues share: set ids that exist in one catalogue only under examples.byCatalogue, or use --depth ${depth === 'quick' ? 'standard' : 'thorough'}`;
  return depth === 'quick' ? untested(because) : { verdict: 'inconclusive', because, since: '0.2.0' };
}
