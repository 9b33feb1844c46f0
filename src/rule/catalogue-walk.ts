/**
 * The lists of catalogues, and the requests that walk their trees: the ids of each request come from the list above it in the
 * same catalogue (sections 2 and 4.2). Ids belong to a catalogue, so an id of one catalogue is no example for another.
 */
import {
  CATALOGUES,
  type CatalogueEdge,
  chainTo,
  type Field,
  LOGICAL_DIMENSIONS,
  type OperationKey,
  SHARE_PROMPTS,
} from '../contract/index.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import { drawInTurn, drawOrder, inTurn, sharesOf } from './draws.ts';
import {
  collect,
  type Declarations,
  isOk,
  type Need,
  needsOf,
  type Reading,
  type Row,
  type Step,
  type Steps,
  step,
} from './index.ts';

/** The items of a list of group B. */
export const ITEMS = collect(['id', 'name', 'date', 'grain'], 10_000);

/** How a list of items is read where any response shows something. */
export const ANY_ITEMS = { accepts: 'any', optional: true, folds: { items: ITEMS } } as const;

/** The step that lists the catalogues. */
export const CATALOGUE_LIST = 'list of catalogues';

/** The step that lists the catalogues without naming one, if the list for one catalogue contains no other. */
export const ALL_CATALOGUES = 'list of all catalogues';

/** The step that requests an operation for several catalogues. */
export const OTHER_CATALOGUES = 'other catalogues';

/** The rows of a list; empty if the response has none. */
export const itemsOf = ({ head, folds }: Reading): readonly Row[] =>
  head && head.status >= 200 && head.status < 300
    ? ((folds.items as { rows: readonly Row[] } | undefined)?.rows ?? [])
    : [];

/** Whether a cell can be the id of a request. */
export const isId = (cell: Row[Field]): cell is string | number => typeof cell === 'string' || typeof cell === 'number';

/** Catalogue ids that differ only in case or blanks may name one catalogue. */
export const normaliseId = (id: InputValue): string => String(id).trim().toLowerCase();

/** Whether a run can take the ids of catalogues from the list of the catalogues. */
const canListCatalogues = (declarations: Declarations): boolean =>
  declarations.binds(CATALOGUES, 'request', 'rows', 'fields.id') &&
  (declarations.examples('catalogueId').length > 0 || !declarations.isFilled('catalogues.inputs.catalogueId'));

/** The ids of the catalogues: the examples, and of those that Catalogues lists the first, the last, the middle and others. */
export function catalogueIds(declarations: Declarations, lists: readonly Reading[]): readonly InputValue[] {
  const examples = declarations.examples('catalogueId');
  const listed = lists.flatMap(itemsOf).flatMap(({ id }) => (isId(id) ? [id] : []));
  const known = new Set(listed.map(normaliseId));
  // An example that is not listed may be another name of a listed catalogue, which would then be compared with itself.
  const more = examples.every((each) => known.has(normaliseId(each))) ? listed : [];
  const all = [...examples, ...drawOrder(more, normaliseId, declarations.seed)];
  return [...Map.groupBy(all, normaliseId).values()].flatMap((same) => same.slice(0, 1));
}

/** The steps that list the catalogues; none if the profile cannot read the list. */
function catalogueListSteps(declarations: Declarations): Steps {
  if (!canListCatalogues(declarations)) return {};
  const [example] = declarations.examples('catalogueId', { operation: CATALOGUES });
  const list = { ...ANY_ITEMS, operation: CATALOGUES } as const;
  const as = { id: 'catalogueId' } as const;
  const select = () => [example === undefined ? {} : { catalogueId: example }];
  return {
    [CATALOGUE_LIST]: step({ ...list, each: { from: [], as, max: 1, select, key: 'catalogues' } }),
    // A list for one catalogue may contain only that one.
    ...(example !== undefined &&
      declarations.isFilled('catalogues.inputs.catalogueId') && {
        [ALL_CATALOGUES]: step({
          ...list,
          mayBeUnknown: true,
          each: {
            from: [CATALOGUE_LIST],
            as,
            max: 1,
            select: (lists) => (lists.flatMap(itemsOf).length === 1 ? [{}] : []),
            key: 'all catalogues',
          },
        }),
      }),
  };
}

/**
 * The steps that list the catalogues and send a request of an operation without further ids for each of them.
 * @param requested the number of example catalogues that other steps request
 */
export function catalogueSteps(operation: OperationKey, declarations: Declarations, requested = 0): Steps {
  const lists = catalogueListSteps(declarations);
  const max = declarations.draw('catalogues');
  return {
    ...lists,
    [OTHER_CATALOGUES]: step({
      ...ANY_ITEMS,
      operation,
      each: {
        from: Object.keys(lists),
        ...(Object.keys(lists).length > 0 && { fold: 'items' }),
        as: { id: 'catalogueId' },
        max,
        select: (readings) =>
          catalogueIds(declarations, readings)
            .slice(requested, max)
            .map((catalogueId) => ({ catalogueId })),
        key: `each catalogue of ${operation} but ${requested}`,
      },
    }),
  };
}

/** The field of a listed item that the operations below the list accept. */
const keyOf = (declarations: Declarations, operation: OperationKey): 'id' | 'name' =>
  declarations.binds(operation, 'fields.id') ? 'id' : 'name';

/** The openings that a walk to an operation needs. */
export const walkNeeds = (subject: OperationKey): readonly Need[] => [
  'logicalDimensions.request',
  'logicalDimensions.rows',
  ...chainTo(subject).flatMap(({ child, parent, as }): Need[] => [
    ...needsOf(child, 'request', `inputs.${as}`),
    ...needsOf(parent, 'rows', ['fields.id', 'fields.name']),
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
    ...ANY_ITEMS,
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
  }),
});

const maxItems = (declarations: Declarations): number =>
  Math.min(
    Math.max(declarations.draw('catalogueItems'), declarations.draw('catalogues') + 1),
    declarations.maxSubjects,
  );

/** The inputs of a request, as a key. */
export const keyOfInputs = (inputs: Inputs): string =>
  JSON.stringify(
    Object.entries(inputs)
      .map(([input, value]) => [input, String(value)])
      .sort(),
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
function sentField(
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
function requestsForItems(
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

/** The operation that lists the levels whose values an operation lists; undefined for other operations. */
export function levelsListOf(subject: OperationKey): OperationKey | undefined {
  const edge = chainTo(subject).at(-1);
  return edge?.as === 'level' ? edge.parent : undefined;
}

/** The most levels of a group or hierarchy. */
const MAX_LEVELS = 20;

/**
 * The step that requests the values of all levels of the first nodes that `walk` lists levels of.
 * @param walk the steps of `nodeSteps`, which contain the lists of levels
 */
export function levelTreeSteps(subject: OperationKey, walk: Steps, declarations: Declarations): Steps {
  const edge = chainTo(subject).at(-1);
  if (!edge || levelsListOf(subject) === undefined || !(edge.parent in walk)) return {};
  const nodes = declarations.draw('levelTrees');
  return {
    'all levels': step({
      operation: subject,
      each: {
        from: [edge.parent],
        fold: 'items',
        as: { id: edge.as },
        max: Math.min(nodes * MAX_LEVELS, declarations.maxSubjects),
        select(lists) {
          const sent = sentField(edge, lists, declarations);
          const several = lists.filter((each) => isOk(each) && (each.observation?.rows ?? 0) > 1);
          return inTurn([...Map.groupBy(several, ({ inputs }) => String(inputs.catalogueId)).values()])
            .slice(0, nodes)
            .flatMap((list) => requestsForItems(edge, sent, [list], declarations, 'first'));
        },
        key: `all levels of ${subject}`,
      },
      accepts: 'any',
      optional: true,
    }),
  };
}
