/**
 * The requests that walk the trees of several catalogues (section 2): the ids of each request come from the list above it
 * in the same catalogue. Ids belong to a catalogue, so an id of one catalogue is no example for another.
 */
import {
  type CatalogueEdge,
  chainTo,
  LOGICAL_DIMENSIONS,
  type OperationKey,
  SHARE_PROMPTS,
} from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import { catalogueSteps, ITEMS, isId, itemsOf, normaliseId, OTHER_CATALOGUES } from './catalogue-list.ts';
import { drawInTurn, sharesOf } from './draw-nodes.ts';
import { type Declarations, type Need, openingOf, type Reading, type Step, type Steps, step } from './index.ts';
import { keyOfInputs } from './replaced-values.ts';

/** The field of a listed item that the operations below the list accept. */
const keyOf = (declarations: Declarations, operation: OperationKey): 'id' | 'name' =>
  declarations.isFilled(openingOf(operation, 'fields.id')) ? 'id' : 'name';

/** The openings that a walk to an operation needs. */
export const walkNeeds = (subject: OperationKey): readonly Need[] => [
  'logicalDimensions.request',
  'logicalDimensions.rows',
  ...chainTo(subject).flatMap(({ child, parent, as }): Need[] => [
    openingOf(child, 'request'),
    openingOf(child, `inputs.${as}`),
    openingOf(parent, 'rows'),
    [openingOf(parent, 'fields.id'), openingOf(parent, 'fields.name')],
  ]),
];

/**
 * The steps along the chain to an operation in several catalogues. The step of an operation has the key of the operation
 * as its name.
 * @param subjectAccepts what the rule accepts of the operation itself
 */
export function walkSteps(
  subject: OperationKey,
  declarations: Declarations,
  subjectAccepts: Step['accepts'] = 'any',
): Steps {
  const hasExample = declarations.examples('catalogueId').length > 0;
  const steps: Record<string, Step> = {
    ...(hasExample && {
      [LOGICAL_DIMENSIONS]: step({
        operation: LOGICAL_DIMENSIONS,
        inputs: { catalogueId: { example: 'catalogueId' } },
        accepts: 'content',
        folds: { items: ITEMS },
      }),
    }),
    ...catalogueSteps(LOGICAL_DIMENSIONS, declarations, hasExample ? 1 : 0),
  };
  for (const edge of chainTo(subject)) {
    const { child, parent, as } = edge;
    const from = parent === LOGICAL_DIMENSIONS ? [...(hasExample ? [parent] : []), OTHER_CATALOGUES] : [parent];
    steps[child] = step({
      operation: child,
      each: {
        from,
        fold: 'items',
        as: { [keyOf(declarations, parent)]: as },
        max: maxItems(declarations),
        select: (lists) => selectItems(edge, lists, declarations),
        key: `walk to ${child}`,
        ...(child === subject && { of: 'catalogue nodes' }),
      },
      accepts: child === subject ? subjectAccepts : 'any',
      folds: { items: ITEMS },
    });
  }
  return steps;
}

/**
 * The steps that request an operation of group B for the ids that lists supply, in several catalogues; for measures,
 * which no operation lists, those of the profile. None if the profile leaves open what the walk needs.
 */
export function nodeSteps(subject: OperationKey, declarations: Declarations): Steps {
  if (chainTo(subject).length > 0) {
    const canWalk = walkNeeds(subject).every((need) => [need].flat().some(declarations.isFilled));
    const steps = canWalk ? walkSteps(subject, declarations) : {};
    return Object.fromEntries(
      Object.entries(steps).map(([name, each]) => [name, { ...each, accepts: 'any', optional: true }]),
    );
  }
  return subject === SHARE_PROMPTS ? measureSteps(declarations) : catalogueSteps(subject, declarations);
}

/** The name of the step of `nodeSteps` with the readings of the operation itself. */
export const nodeStepOf = (subject: OperationKey): string => (chainTo(subject).length > 0 ? subject : OTHER_CATALOGUES);

/** The requests for the example measures of each example catalogue. */
const measureSteps = (declarations: Declarations): Steps => ({
  [OTHER_CATALOGUES]: step({
    operation: SHARE_PROMPTS,
    each: {
      from: [],
      as: { id: 'measure' },
      max: maxItems(declarations),
      select: () =>
        declarations
          .examples('catalogueId', { operation: SHARE_PROMPTS })
          .flatMap((catalogueId) =>
            declarations.examplesIn('measure', SHARE_PROMPTS, catalogueId).map((measure) => ({ catalogueId, measure })),
          ),
      key: 'example measures',
    },
    accepts: 'any',
    optional: true,
    folds: { items: ITEMS },
  }),
});

const maxItems = (declarations: Declarations): number =>
  Math.min(
    Math.max(declarations.draw('catalogueItems'), declarations.draw('catalogues') + 1),
    declarations.maxSubjects,
  );

/** The ids of a request, as a key. */
export const nodeKey = ({ inputs }: Pick<Reading, 'inputs'>): string =>
  `${normaliseId(inputs.catalogueId ?? '')} ${pathKey(inputs)}`;

const pathKeys = new WeakMap<Inputs, string>();

/** The ids of a request without the catalogue, as a key. */
export function pathKey(inputs: Inputs): string {
  const { catalogueId: _, ...ids } = inputs;
  const key = pathKeys.get(inputs) ?? keyOfInputs(ids);
  pathKeys.set(inputs, key);
  return key;
}

/** The field of the items of lists that an operation accepts: examples that are names of listed items show that it accepts names. */
export function sentField(
  { as, parent }: CatalogueEdge,
  lists: readonly Reading[],
  declarations: Declarations,
): 'id' | 'name' {
  // The examples may be those of one catalogue, but what an operation accepts is the same in all.
  const has = (field: 'id' | 'name') =>
    lists.some((list) => {
      const examples = declarations.examples(as, { catalogueId: list.inputs.catalogueId }).map(String);
      return itemsOf(list).some((row) => examples.includes(String(row[field])));
    });
  const key = keyOf(declarations, parent);
  return key === 'id' && !has('id') && has('name') ? 'name' : key;
}

/** The inputs of the requests for the items of lists, in the order of their draw. */
export function requestsForItems(
  { as }: CatalogueEdge,
  sent: 'id' | 'name',
  lists: readonly Reading[],
  declarations: Declarations,
  start: 'first' | 'last',
) {
  const byList = lists.map((list) =>
    itemsOf(list).flatMap((row): Inputs[] => (isId(row[sent]) ? [{ ...list.inputs, [as]: row[sent] }] : [])),
  );
  return drawInTurn(byList, pathKey, declarations.seed, start);
}

/** Selects items of each catalogue, and of each but the first at least one that both have and one of its own. */
function selectItems(edge: CatalogueEdge, lists: readonly Reading[], declarations: Declarations): Inputs[] {
  const sent = sentField(edge, lists, declarations);
  const byCatalogue = [...Map.groupBy(lists, ({ inputs }) => String(inputs.catalogueId)).values()]
    .map((ofCatalogue, at) => requestsForItems(edge, sent, ofCatalogue, declarations, at === 0 ? 'first' : 'last'))
    .filter(({ length }) => length > 0);
  const shares = sharesOf(
    byCatalogue.map(({ length }) => length),
    Math.min(declarations.draw('catalogueItems'), declarations.maxSubjects),
  );
  const [first = [], ...others] = byCatalogue;
  const chosen = first.slice(0, shares[0]);
  const [isChosen, isInFirst] = [new Set(chosen.map(pathKey)), new Set(first.map(pathKey))];
  return [
    ...chosen,
    ...others.flatMap((requests, at) => {
      const shared = requests.find((each) => isChosen.has(pathKey(each)));
      const own = requests.find((each) => !isInFirst.has(pathKey(each)));
      const preferred = [shared, own].filter((each) => each !== undefined);
      return [...new Set([...preferred, ...requests])].slice(0, shares[at + 1]);
    }),
  ];
}
