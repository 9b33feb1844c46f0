/** Rows that are lost, repeated, or shown where they do not belong. */
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  type OperationKey,
  operationOf,
  PERFORMANCE_OPERATIONS,
} from '../../contract/index.ts';
import type { Row } from '../../reading/types.ts';
import { insertRow, type ListChange, removeRows } from '../changes.ts';
import { identityOf, type List, type RecordedWorld, type Selected } from '../world.ts';
import { at, later, PER_LIST, site } from './sites.ts';
import type { LegalSite, Operator, Site } from './types.ts';

/** Removes the row of an identity from a list, and what the list says about its length. */
export function withoutRows(list: List, ids: readonly string[]): ListChange {
  return {
    list,
    edit(document) {
      const rows = [...document.rows.keys()].filter((row) =>
        ids.includes(identityOf(list, document.rows[row] as Row) ?? ''),
      );
      return removeRows(document, rows, ids.length);
    },
  };
}

/** The rows of a list that can be removed: of several pages those of the last one, so that no page becomes short. */
const lastRows = ({ pages }: List): readonly Row[] => pages.at(-1)?.rows ?? [];

const idsIn = (list: List): Set<string> => new Set(list.rows.flatMap((row) => identityOf(list, row) ?? []));

/** Pairs of lists of one group of operations, each whole with its rows in the part and outside of it. */
function pairsOf(world: RecordedWorld, names: readonly string[]): Selected[] {
  return world.selected().filter(({ part }) => names.includes(operationOf(part.operation).name));
}

const PRODUCTS = ['allProducts'];
const DELTAS = ['updateProducts'];
const SALES = PERFORMANCE_OPERATIONS.map((key) => operationOf(key).name);

/** The whole list lacks a row that one of its selections has. */
const lostFromWhole = (names: readonly string[]) => (world: RecordedWorld) =>
  pairsOf(world, names).flatMap(({ part, whole }): Site[] => {
    const ids = idsIn(part);
    const rows = lastRows(whole).filter((row) => ids.has(identityOf(whole, row) ?? ''));
    return world
      .draw(rows, PER_LIST)
      .map((row) => site(whole, at(whole, row), [withoutRows(whole, [identityOf(whole, row) as string])]));
  });

/** A selection lacks a row that it has to contain, as the whole list shows. */
const heldBack = (names: readonly string[]) => (world: RecordedWorld) =>
  pairsOf(world, names).flatMap(({ part, whole, selects }): Site[] => {
    const ids = new Set(
      whole.rows.filter((row) => selects(row) === true).flatMap((row) => identityOf(whole, row) ?? []),
    );
    const rows = lastRows(part).filter((row) => ids.has(identityOf(part, row) ?? ''));
    return world
      .draw(rows, PER_LIST)
      .map((row) => site(part, at(part, row), [withoutRows(part, [identityOf(part, row) as string])]));
  });

/** A selection contains a row of the whole list that it must not contain. */
const letThrough = (names: readonly string[]) => (world: RecordedWorld) =>
  pairsOf(world, names).flatMap(({ part, whole, selects }): Site[] => {
    const own = idsIn(part);
    const foreign = whole.pages.flatMap((page) =>
      page.rows.flatMap((row, index) =>
        selects(row) === false && !own.has(identityOf(whole, row) ?? '') ? [{ page, row, index }] : [],
      ),
    );
    if (part.rows.length === 0) return [];
    return world.draw(foreign, PER_LIST).map(({ page, row, index }) =>
      site(part, at(part, row), [
        {
          list: part,
          edit: (document) => (isLastPage(part, document) ? insertRow(document, page, index) : undefined),
        },
      ]),
    );
  });

/** Whether a document has the rows of the last page of its list. */
const isLastPage = (list: List, { rows }: { readonly rows: readonly Row[] }): boolean => {
  const last = list.pages.at(-1)?.rows.at(-1);
  const own = rows.at(-1);
  return last !== undefined && own !== undefined && identityOf(list, last) === identityOf(list, own);
};

/** A list contains one of its rows twice. */
const repeated = (isMeant: (list: List, world: RecordedWorld) => boolean) => (world: RecordedWorld) =>
  world.lists
    .filter((list) => list.isWhole && isMeant(list, world))
    .flatMap((list): Site[] => {
      const rows = list.pages.flatMap((page) => page.rows.map((row, index) => ({ page, row, index })));
      return world.draw(rows, PER_LIST).flatMap(({ page, row, index }) =>
        identityOf(list, row) === undefined
          ? []
          : [
              site(list, at(list, row), [
                {
                  list,
                  edit: (document) => (isLastPage(list, document) ? insertRow(document, page, index) : undefined),
                },
              ]),
            ],
      );
    });

/** A later call lacks a row of the first one, although both state one as-of date. */
const lostLater = (groups: string) => (world: RecordedWorld) =>
  world.lists.flatMap((list): (Site | LegalSite)[] => {
    const { group, kind } = operationOf(list.operation);
    if (!groups.includes(group) || !world.isRepeated(list) || kind === 'item') return [];
    if (list.asOf === undefined)
      return [
        {
          operation: list.operation,
          otherWorld: 'the data are reloaded between the calls: no as-of date says that they are not',
        },
      ];
    const rows = lastRows(list).filter((row) => identityOf(list, row) !== undefined);
    return world
      .draw(rows, 1)
      .map((row) => later(site(list, at(list, row), [withoutRows(list, [identityOf(list, row) as string])])));
  });

/** A product of the bulk list is in no list any more, although a delta shows it. */
const lostEverywhere = (world: RecordedWorld) => {
  const whole = world.unfiltered(ALL_PRODUCTS);
  if (!whole) return [];
  const otherWorld: LegalSite = {
    operation: ALL_PRODUCTS,
    otherWorld:
      'the product was not active in the last 52 weeks, and no promise says that the bulk list has each product of a delta',
  };
  if (world.profile.data.delta?.withinBulk !== true) return [otherWorld];
  const changed = new Set(
    world
      .of('updateProducts')
      .flatMap(({ rows }) => rows.flatMap((row) => (isPresent(world, row.changeKind) ? [row.upc] : []))),
  );
  return world
    .draw(
      lastRows(whole).filter(({ upc }) => changed.has(upc)),
      PER_LIST,
    )
    .map((row) => {
      const id = row.upc as string;
      const lists = world.of('allProducts').filter((each) => idsIn(each).has(id));
      return site(
        whole,
        at(whole, row),
        lists.map((each) => withoutRows(each, [id])),
        'everywhere',
      );
    });
};

/** Whether a row of a delta shows a product that is not removed. */
const isPresent = (world: RecordedWorld, kind: Row['changeKind']): boolean => {
  const { kinds, statesNoRemovals } = world.declarations.delta;
  if (statesNoRemovals) return true;
  return kinds !== undefined && [...kinds.new, ...kinds.changed].map(String).includes(String(kind));
};

/** A list of names lacks one that rows of other lists have. */
const nameLost =
  (
    lists: string,
    users: readonly string[],
    fields: readonly ('category' | 'subCategory' | 'manufacturer' | 'brand')[],
  ) =>
  (world: RecordedWorld) =>
    world.of(lists).flatMap((list): Site[] => {
      if (!list.isWhole) return [];
      const rows = world.of(...users).flatMap((each) => each.rows);
      const used = fields.flatMap((field) => {
        const names = new Set(rows.map((row) => row[field]).filter((name) => typeof name === 'string'));
        return [...names].map((name) => ({ field, name }));
      });
      const lost = used.flatMap(({ field, name }) => {
        const ids = list.rows.filter((row) => row[field] === name).flatMap((row) => identityOf(list, row) ?? []);
        const isOnLastPage = lastRows(list).filter((row) => row[field] === name).length === ids.length;
        return ids.length > 0 && isOnLastPage ? [{ field, name, ids }] : [];
      });
      return world
        .draw(lost, 2 * PER_LIST)
        .map(({ field, name, ids }) => site(list, `${field} ${name}`, [withoutRows(list, ids)]));
    });

/** A list of group B lacks an item that another list shows to exist. */
const itemLost = (world: RecordedWorld) =>
  world.lists.flatMap((list): (Site | LegalSite)[] => {
    const { group } = operationOf(list.operation);
    if (group !== 'B' || !list.isWhole || list.rows.length < 2) return [];
    const isTree = world.declarations.parentItems(list.operation) === 'list';
    const parents = new Set(
      list.rows.flatMap(({ parentItem }) => (typeof parentItem === 'string' ? [parentItem] : [])),
    );
    const named = isTree
      ? lastRows(list).filter(({ id, name: own }) => parents.has(String(id)) || parents.has(String(own)))
      : [];
    return named.length > 0
      ? world
          .draw(named, 1)
          .map((row) => site(list, at(list, row), [withoutRows(list, [identityOf(list, row) as string])]))
      : [{ operation: list.operation, otherWorld: 'there is no such item: no other one names it' }];
  });

const isOf = (key: OperationKey, names: readonly string[]): boolean => names.includes(operationOf(key).name);

export const ROW_OPERATORS: readonly Operator[] = [
  {
    name: 'product lost from the whole list',
    statement: 'C.bulk',
    says: 'The bulk list lacks a product of a filtered list.',
    sites: lostFromWhole(PRODUCTS),
  },
  {
    name: 'product held back by a filter',
    statement: 'C.category-filter',
    says: 'A filtered list lacks a product of its category.',
    sites: heldBack(PRODUCTS),
  },
  {
    name: 'product let through a filter',
    statement: 'C.category-filter',
    says: 'A filtered list contains a product of another category.',
    sites: letThrough(PRODUCTS),
  },
  {
    name: 'product repeated',
    statement: 'C.bulk',
    says: 'A bulk list contains a product twice.',
    sites: repeated((list) => isOf(list.operation, PRODUCTS)),
  },
  {
    name: 'product lost everywhere',
    statement: 'C.bulk',
    promise: 'delta.withinBulk',
    says: 'No bulk list has a product that the delta shows.',
    sites: lostEverywhere,
  },
  {
    name: 'change lost from a larger window',
    statement: 'C.delta-windows',
    says: 'A larger window lacks a change of a smaller one.',
    sites: lostFromWhole(DELTAS),
  },
  {
    name: 'new change lost',
    statement: 'C.delta-windows',
    says: 'A window lacks a change whose date is within it.',
    sites: heldBack(DELTAS),
  },
  {
    name: 'old change kept',
    statement: 'C.delta-windows',
    says: 'A window contains a change whose date is before it.',
    sites: letThrough(DELTAS),
  },
  {
    name: 'sales row lost from the whole result',
    statement: 'D.filters',
    says: 'The unfiltered result lacks a row of a filtered one.',
    sites: lostFromWhole(SALES),
  },
  {
    name: 'sales row held back by a filter',
    statement: 'D.filters',
    says: 'A filtered result lacks a row with its names.',
    sites: heldBack(SALES),
  },
  {
    name: 'sales row let through a filter',
    statement: 'D.filters',
    says: 'A filtered result contains a row with another name.',
    sites: letThrough(SALES),
  },
  {
    name: 'sales row repeated',
    statement: 'D.brand-performance',
    says: 'A result contains the record of a brand twice.',
    sites: repeated(
      (list, world) =>
        isOf(list.operation, ['brandPerformance']) &&
        world.declarations.binds(
          list.operation,
          'fields.category',
          'fields.subCategory',
          'fields.manufacturer',
          'fields.brand',
        ),
    ),
  },
  {
    name: 'item repeated',
    statement: 'B.metadata',
    promise: 'catalogue.itemsOnce',
    says: 'A list of a catalogue contains an item twice.',
    sites: repeated((list, world) => world.declarations.itemsOnce(list.operation)),
  },
  {
    name: 'item above lost',
    statement: 'B.graph',
    promise: 'catalogue.parentItems',
    says: 'A list lacks the item that another of its rows names as the one above it.',
    sites: itemLost,
  },
  {
    name: 'category lost',
    statement: 'C.categories',
    says: 'allCategories lacks a category that products have.',
    sites: nameLost(operationOf(ALL_CATEGORIES).name, PRODUCTS, ['category']),
  },
  {
    name: 'available name lost',
    statement: 'D.metadata',
    says: 'The metadata lacks a name that rows have.',
    sites: nameLost('performanceMetadata', SALES, ['category', 'subCategory', 'manufacturer', 'brand']),
  },
  {
    name: 'product lost later',
    statement: 'C.delta-weekly',
    says: 'A list of products lacks a row when it is requested again.',
    sites: lostLater('C'),
  },
  {
    name: 'sales row lost later',
    statement: 'D.windows',
    says: 'Performance lacks a row when it is requested again.',
    sites: lostLater('D'),
  },
  {
    name: 'item lost later',
    statement: 'B.catalogue-id',
    says: 'The metadata of a catalogue lacks an item when it is requested again.',
    sites: lostLater('B'),
  },
];
