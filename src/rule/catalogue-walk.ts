/**
 * The requests that walk the trees of several catalogues (section 2): the ids of each request come from the list above it
 * in the same catalogue. Ids belong to a catalogue, so an id of one catalogue is no example for another.
 */
import type { Field, OperationKey } from '../contract/index.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import { CATALOGUES, type CatalogueEdge, chainTo, LOGICAL_DIMENSIONS } from './catalogue-graph.ts';
import { collect, type Declarations, openingOf, type Reading, type Row, type Step, type Steps, step } from './index.ts';

/** The items of a list of group B. */
export const ITEMS = collect(['id', 'name', 'date'], 10_000);

/** The step that lists the catalogues. */
export const CATALOGUE_LIST = 'list of catalogues';

/** The step that lists the dimensions of several catalogues. */
const OTHER_CATALOGUES = 'other catalogues';

/** The field of a listed item that the operations below the list accept. */
const keyOf = (declarations: Declarations, operation: OperationKey): 'id' | 'name' =>
  declarations.isFilled(openingOf(operation, 'fields.id')) ? 'id' : 'name';

/** The rows of a list; empty if the response has none. */
export const itemsOf = ({ head, folds }: Reading): readonly Row[] =>
  head && head.status >= 200 && head.status < 300
    ? ((folds.items as { rows: readonly Row[] } | undefined)?.rows ?? [])
    : [];

const isId = (cell: Row[Field]): cell is string | number => typeof cell === 'string' || typeof cell === 'number';

/** Catalogue ids that differ only in case or blanks may name one catalogue. */
export const normaliseId = (id: InputValue): string => String(id).trim().toLowerCase();

/** Whether a run can take the ids of catalogues from the list of the catalogues. */
const canListCatalogues = (declarations: Declarations): boolean =>
  (['catalogues.request', 'catalogues.rows', 'catalogues.fields.id'] as const).every(declarations.isFilled) &&
  (declarations.examples('catalogueId').length > 0 || !declarations.isFilled('catalogues.inputs.catalogueId'));

/** The ids of the catalogues: the examples, and those that Catalogues lists. */
export function catalogueIds(declarations: Declarations, lists: readonly Reading[]): readonly InputValue[] {
  const examples = declarations.examples('catalogueId');
  const listed = lists.flatMap(itemsOf).flatMap(({ id }) => (isId(id) ? [id] : []));
  const known = new Set(listed.map(normaliseId));
  // An example that is not listed may be another name of a listed catalogue, which would then be compared with itself.
  const more = examples.every((each) => known.has(normaliseId(each))) ? listed : [];
  const all = [...examples, ...more];
  return all.filter((id, at) => all.findIndex((other) => normaliseId(other) === normaliseId(id)) === at);
}

/**
 * The steps that list the catalogues and send a request of an operation without further ids for each of them.
 * @param requested the number of example catalogues that other steps request
 */
export function catalogueSteps(operation: OperationKey, declarations: Declarations, requested = 0): Steps {
  const from = canListCatalogues(declarations) ? [CATALOGUE_LIST] : [];
  const [example] = declarations.examples('catalogueId', { operation: CATALOGUES });
  const max = declarations.draw('catalogues');
  return {
    ...(from.length > 0 && {
      [CATALOGUE_LIST]: step({
        operation: CATALOGUES,
        each: {
          from: [],
          as: { id: 'catalogueId' },
          max: 1,
          select: () => [example === undefined ? {} : { catalogueId: example }],
          key: 'catalogues',
        },
        accepts: 'any',
        optional: true,
        folds: { items: ITEMS },
      }),
    }),
    [OTHER_CATALOGUES]: step({
      operation,
      each: {
        from,
        ...(from.length > 0 && { fold: 'items' }),
        as: { id: 'catalogueId' },
        max,
        select: (lists) =>
          catalogueIds(declarations, lists)
            .slice(requested, max)
            .map((catalogueId) => ({ catalogueId })),
        key: `each catalogue of ${operation} but ${requested}`,
      },
      accepts: 'any',
      optional: true,
      folds: { items: ITEMS },
    }),
  };
}

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

const maxItems = (declarations: Declarations): number =>
  Math.min(
    declarations.draw('catalogueItems') +
      (declarations.draw('walkedCatalogues') - 1) * declarations.draw('otherCatalogueItems'),
    declarations.maxSubjects,
  );

/** The ids of a request without the catalogue, as a key. */
export const pathKey = ({ catalogueId: _, ...ids }: Inputs): string =>
  JSON.stringify(
    Object.entries(ids)
      .map(([input, value]) => [input, String(value)])
      .sort(),
  );

/** The inputs of the requests for the items of a list, those of different lists in turn. */
function requestsFor({ as, parent }: CatalogueEdge, lists: readonly Reading[], declarations: Declarations): Inputs[] {
  const key = keyOf(declarations, parent);
  const byList = lists.map((list) => {
    const rows = itemsOf(list);
    const { catalogueId } = list.inputs;
    // Examples that are names of listed items show that the operation accepts names.
    const examples = declarations.examples(as, { catalogueId }).map(String);
    const has = (field: 'id' | 'name') => rows.some((row) => examples.includes(String(row[field])));
    const sent = key === 'id' && !has('id') && has('name') ? 'name' : key;
    return rows.flatMap((row) => (isId(row[sent]) ? [{ ...list.inputs, [as]: row[sent] }] : []));
  });
  const longest = Math.max(0, ...byList.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) => byList.flatMap((list) => list.slice(at, at + 1))).flat();
  return [...new Map(inTurn.map((inputs) => [`${inputs.catalogueId} ${pathKey(inputs)}`, inputs])).values()];
}

/** Selects items of each catalogue: many of the first, and of each other one items that both have and items of its own. */
function selectItems(edge: CatalogueEdge, lists: readonly Reading[], declarations: Declarations): Inputs[] {
  const byCatalogue = Map.groupBy(lists, ({ inputs }) => String(inputs.catalogueId));
  const [first = [], ...others] = [...byCatalogue.values()]
    .map((ofCatalogue) => requestsFor(edge, ofCatalogue, declarations))
    .filter(({ length }) => length > 0)
    .slice(0, declarations.draw('walkedCatalogues'));
  const chosen = first.slice(0, declarations.draw('catalogueItems'));
  const [isChosen, isInFirst] = [new Set(chosen.map(pathKey)), new Set(first.map(pathKey))];
  return [
    ...chosen,
    ...others.flatMap((requests) => {
      const shared = requests.filter((each) => isChosen.has(pathKey(each)));
      const own = requests.filter((each) => !isInFirst.has(pathKey(each)));
      const preferred = [...shared.slice(0, 1), ...own, ...shared.slice(1)];
      return [...new Set([...preferred, ...requests])].slice(0, declarations.draw('otherCatalogueItems'));
    }),
  ];
}
