/** The catalogues that the responses list, and the requests for each of them (sections 2 and 4.2). */
import { CATALOGUES, type Field, type OperationKey } from '../contract/index.ts';
import type { InputValue } from '../profile/template.ts';
import { drawOrder } from './draw-nodes.ts';
import { collect, type Declarations, type Reading, type Row, type Steps, step } from './index.ts';

/** The items of a list of group B. */
export const ITEMS = collect(['id', 'name', 'date', 'grain'], 10_000);

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
  (['catalogues.request', 'catalogues.rows', 'catalogues.fields.id'] as const).every(declarations.isFilled) &&
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
  const list = { operation: CATALOGUES, accepts: 'any', optional: true, folds: { items: ITEMS } } as const;
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
      accepts: 'any',
      optional: true,
      folds: { items: ITEMS },
    }),
  };
}
