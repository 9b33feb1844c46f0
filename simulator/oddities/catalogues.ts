/** Oddities of catalogues and their ids (section 4.2): formats of ids, shared data and rights are not shown. */
import { type OperationName, operationsOf } from '../../src/contract/index.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { WITHOUT_IDS } from '../faults/catalogue.ts';
import { onAnswer, onItems, onRequest } from '../faults/hooks.ts';
import type { ProfilePatch } from '../faults/types.ts';
import { METADATA_CATALOGUES } from '../model/metadata.ts';
import type { Item, Query } from '../model/types.ts';
import { always, bytesOf, jsonIn, jsonResponse, onReply } from './hooks.ts';
import type { Oddity, ReplyContext, UnroutedRequest } from './types.ts';

/** The operations that list the items which another operation accepts, with the input of that operation. */
const LISTS = {
  logicalDimensions: 'dimension',
  dimensionAttributes: 'attribute',
  dimensionGroups: 'group',
  dimensionHierarchies: 'hierarchy',
  groupLevels: 'level',
  hierarchyLevels: 'level',
} as const satisfies { readonly [N in OperationName]?: keyof Query };

const WITHIN_CATALOGUE = Object.values(LISTS);

/** The inputs of a query, with those within a catalogue changed. */
const withInputs = (query: Query, change: (id: string) => string): Query =>
  Object.fromEntries(
    Object.entries(query).map(([input, value]) => [
      input,
      (WITHIN_CATALOGUE as readonly string[]).includes(input) ? change(String(value)) : value,
    ]),
  ) as Query;

/** Changes every listed id, and changes it back in requests. Items name their parent as the request does. */
const withIds = (write: (id: string, query: Query) => string, read: (query: Query) => Query) => () => {
  let requested: Query = {};
  return {
    query: (query: Query) => {
      requested = query;
      return read(query);
    },
    ...onAnswer('items', (answer, { operation, query }) => ({
      ...answer,
      items: answer.items.map((item): Item => {
        const parent = Object.values(requested).findLast((each) => decode(String(each)) === item.parent);
        const isListed = operation.name in LISTS && item.id !== undefined;
        return {
          ...item,
          ...(isListed && { id: write(item.id ?? '', query) }),
          ...(item.parent !== undefined && { parent: String(parent ?? item.parent) }),
        };
      }),
    })),
  };
};

/** Examples of the dialects are the plain ids, which these servers accept as well. */
const decode = (id: string): string => id.replace(/^.*[/&?=+ ]/, '');

/** The operations below nodes that may have no children, and such a node. */
const CHILDLESS: { readonly [name: string]: string } = {
  attributeValues: 'label',
  groupLevels: 'new-items',
  hierarchyLevels: 'custom',
};

/** Replaces the counts of a row for some operations. */
const recount = ({ counts, ...item }: Item, change: (operation: string) => number | undefined): Item => ({
  ...item,
  ...(counts && {
    counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, change(name) ?? count])),
  }),
});

const isChildless = (name: string, { attribute, group, hierarchy }: Query): boolean =>
  CHILDLESS[name] !== undefined && CHILDLESS[name] === (attribute ?? group ?? hierarchy);

const PAGE_ITEMS = 2;

/** A profile that reads the lists of group B in pages, whose number is a member of the body. */
const PAGED_LISTS: ProfilePatch = {
  operations: Object.fromEntries(
    operationsOf('B').map((key) => [
      key,
      { request: { json: { page: '{page}' } }, response: { paging: { style: 'page', first: 1 } } },
    ]),
  ),
};

/** Sends the lists of the reference dialect in pages. */
const inPages = (cut: (items: readonly unknown[], from: number) => readonly unknown[]) => () => {
  let page = 1;
  return {
    before({ body }: UnroutedRequest) {
      page = Number((jsonIn(body) as { page?: number | string } | null | undefined)?.page ?? 1);
      return undefined;
    },
    finish(reply: DialectResponse, { operation }: ReplyContext): DialectResponse {
      if (operation?.group !== 'B' || reply.status !== 200) return reply;
      const list = jsonIn(bytesOf(reply)) as { readonly items: readonly unknown[] } | undefined;
      if (list === undefined) return reply;
      return { ...reply, body: JSON.stringify({ ...list, items: cut(list.items, (page - 1) * PAGE_ITEMS) }) };
    },
  };
};

/** The dimensions of all catalogues, and the one that only this catalogue has. */
const SHARED = ['product', 'period'];
const OWN_DIMENSIONS: { readonly [catalogue: string]: string } = Object.fromEntries(
  Object.entries(METADATA_CATALOGUES).map(([id, { dimension }]) => [id, dimension]),
);

/** The first node that lists the same ids as its siblings. */
const FIRST_PARENTS: { readonly [N in OperationName]?: string } = {
  groupLevels: 'top-sellers',
  groupLevelValues: 'level-1',
  hierarchyLevels: 'standard',
  hierarchyLevelValues: 'level-1',
};

/** The same statement of a profile about each operation of the group. */
const statusesOfAll = (statuses: ProfilePatch | null): ProfilePatch => ({
  operations: Object.fromEntries(operationsOf('B').map((key) => [key, { statuses }])),
});
/** A profile that does not state what an unknown id gets. */
export const WITHOUT_UNKNOWN = statusesOfAll(null);

const EARLIER_ID = 'CAT-RETAIL-2025';

export const CATALOGUE_ODDITIES: readonly Oddity[] = [
  {
    name: 'catalogue-ids-reserved',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Ids of the catalogue contain reserved characters.',
    start: withIds(
      (id) => `n/a & b?=+ ${id}`,
      (query) => withInputs(query, decode),
    ),
  },
  {
    name: 'catalogue-ids-per-catalogue',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Each catalogue has ids of its own; a request with an id of another catalogue returns nothing of it.',
    start: withIds(
      (id, { catalogueId }) => `${catalogueId}/${id}`,
      (query) => {
        const foreign = Object.entries(query).some(
          ([input, value]) =>
            (WITHIN_CATALOGUE as readonly string[]).includes(input) &&
            String(value).includes('/') &&
            !String(value).startsWith(`${query.catalogueId}/`),
        );
        const own = withInputs(query, decode);
        return foreign ? { ...own, dimension: 'none' } : own;
      },
    ),
  },
  {
    name: 'catalogue-id-any-case',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'The id of a catalogue is compared without regard to case, and Catalogues lists the ids in lower case.',
    start: always({
      query: (query) =>
        query.catalogueId === undefined ? query : { ...query, catalogueId: query.catalogueId.toUpperCase() },
      ...onAnswer('items', (answer, { operation }) =>
        operation.name === 'catalogues'
          ? { ...answer, items: answer.items.map((item) => ({ ...item, id: item.id?.toLowerCase() ?? '' })) }
          : answer,
      ),
    }),
  },
  {
    name: 'catalogue-shares-dimensions',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Catalogues share the dimensions that all of them have, with equal contents.',
    start: always(
      onRequest(
        [
          'attributeValues',
          'dimensionAttributes',
          'dimensionGroups',
          'dimensionHierarchies',
          'dimensionRows',
          'groupLevels',
          'groupLevelValues',
          'hierarchyLevels',
          'hierarchyLevelValues',
        ],
        (query) =>
          SHARED.includes(query.dimension ?? '') && OWN_DIMENSIONS[query.catalogueId ?? ''] !== undefined
            ? { ...query, catalogueId: 'CAT-RETAIL' }
            : query,
      ),
    ),
    // The examples of the dialects are ids that catalogues share here.
    profile: { examples: { dimension: null, attribute: null, group: null, hierarchy: null, level: null } },
    weakestOutcome: 'partial',
  },
  {
    name: 'catalogue-answers-its-own',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'A request for a dimension that the catalogue does not have is answered, and says that it is, for the products.',
    start: always({
      query: (query) => {
        const own = OWN_DIMENSIONS[query.catalogueId ?? ''];
        return own !== undefined && query.dimension !== undefined && ![...SHARED, own].includes(query.dimension)
          ? { ...query, dimension: 'product' }
          : query;
      },
      ...onAnswer('items', (answer, { query: { dimension } }) =>
        answer.echo && dimension !== undefined ? { ...answer, echo: { ...answer.echo, dimension } } : answer,
      ),
    }),
    // Legal only without the statement that an unknown dimension is refused.
    profile: WITHOUT_UNKNOWN,
  },
  {
    name: 'catalogue-known-beyond-the-list',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'A catalogue that no list contains is known: the first id that nobody else knows is one of another platform.',
    start: () => {
      let hidden: string | undefined;
      return {
        query: (query) => {
          const { catalogueId } = query;
          if (catalogueId === undefined || OWN_DIMENSIONS[catalogueId] !== undefined) return query;
          hidden ??= catalogueId;
          return catalogueId === hidden ? { ...query, catalogueId: 'CAT-RETAIL' } : query;
        },
      };
    },
  },
  {
    name: 'unknown-id-has-no-format',
    legalBasis: 'unknown',
    groups: ['B'],
    says: 'An id of another length than the known ones, or with other letters, is refused with 400.',
    start: onReply((reply, { answer, operation }) =>
      answer.kind === 'unknown' && operation?.group === 'B' ? jsonResponse(400, { title: 'no id' }) : reply,
    ),
    weakestOutcome: 'partial',
  },
  {
    name: 'catalogue-of-another-form-410',
    legalBasis: 'unknown',
    groups: ['B'],
    says: 'The id of a catalogue of another form than the known ones gets 410, which the profile does not state for unknown ones.',
    start: onReply((reply, { answer }) =>
      answer.kind === 'unknown' && answer.input === 'catalogueId' && !/^CAT-[A-Z]+$/.test(answer.value)
        ? { ...reply, status: 410 }
        : reply,
    ),
  },
  {
    name: 'unknown-id-lists-nothing',
    legalBasis: 'unknown',
    groups: ['B'],
    says: 'A request with an unknown id gets an empty list, as the profile states.',
    start: always({
      answer: (answer, { operation }) =>
        answer.kind === 'unknown' && operation.group === 'B' ? { kind: 'items', items: [] } : answer,
    }),
    profile: statusesOfAll({ unknown: [200, 204] }),
  },
  {
    name: 'share-prompts-without-ids',
    legalBasis: 'shapes',
    groups: ['B'],
    says: 'The rows of SharePrompts have no id, and the profile reads nothing in them.',
    start: always(onItems(['measureSharePrompts'], (items) => items.map(({ id: _, ...item }) => item))),
    profile: WITHOUT_IDS,
    dialects: ['reference'],
  },
  {
    name: 'catalogue-dimension-needs-rights',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'One listed dimension of each catalogue needs other rights: requests for it are answered 403.',
    start: () => {
      let isForbidden = false;
      return {
        query: (query) => {
          isForbidden = ['market', 'household', 'outlet'].includes(query.dimension ?? '');
          return query;
        },
        finish: (reply) => {
          const forbidden = isForbidden;
          isForbidden = false;
          return forbidden ? jsonResponse(403, { title: 'forbidden', status: 403 }) : reply;
        },
      };
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'catalogue-list-of-one',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Catalogues lists the requested catalogue only; without an id also one of another platform, which no operation knows.',
    start: always({
      query: (query, { operation }) =>
        operation.name === 'catalogues' && query.catalogueId === undefined
          ? { ...query, catalogueId: 'CAT-RETAIL', dimension: 'all' }
          : query,
      ...onAnswer('items', (answer, { operation, query }) =>
        operation.name !== 'catalogues'
          ? answer
          : query.dimension === 'all'
            ? { ...answer, items: [...answer.items, { id: 'CAT-FOREIGN', name: 'Of another platform' }] }
            : { ...answer, items: answer.items.filter(({ id }) => id === query.catalogueId) },
      ),
    }),
    profile: {
      catalogue: { connected: true },
      operations: { 'POST /data-access/v1/Catalogues': { statuses: { missing: null } } },
    },
  },
  {
    name: 'catalogue-nodes-without-children',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'The first attribute and the last group and hierarchy of each dimension have nothing below them: 204 for one dimension, an empty list for others.',
    start: () => {
      let hasNoContent = false;
      return {
        query: (query, { operation: { name } }) => {
          hasNoContent = isChildless(name, query) && query.dimension === 'product';
          return query;
        },
        ...onAnswer('items', (answer, { operation: { name }, query }) =>
          isChildless(name, query)
            ? { ...answer, items: [] }
            : {
                ...answer,
                items: answer.items.map((item) =>
                  recount(item, (child) => (CHILDLESS[child] === item.id ? 0 : undefined)),
                ),
              },
        ),
        finish: (reply) => {
          const isReplaced = hasNoContent;
          hasNoContent = false;
          return isReplaced ? { status: 204, headers: {}, body: '' } : reply;
        },
      };
    },
    profile: { catalogue: { neverEmpty: null } },
    weakestOutcome: 'partial',
  },
  {
    name: 'catalogue-nodes-without-children-404',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'A request for what is below the first attribute and the last group and hierarchy of each dimension is answered 404: they have nothing below them.',
    start: always(
      onAnswer('items', (answer, { operation: { name }, query }) =>
        isChildless(name, query) ? { kind: 'unknown', input: 'level', value: 'none' } : answer,
      ),
    ),
    // Legal only without the promise that each listed item is accepted.
    profile: {
      catalogue: { neverEmpty: null, connected: null },
      examples: { attribute: null, group: null, hierarchy: null, level: null },
    },
    weakestOutcome: 'partial',
  },
  {
    name: 'catalogue-lists-in-pages',
    legalBasis: 'limits',
    groups: ['B'],
    says: 'Every list of group B has pages of two items; a page after the last one is empty.',
    start: inPages((items, from) => items.slice(from, from + PAGE_ITEMS)),
    profile: PAGED_LISTS,
    dialects: ['reference'],
  },
  {
    name: 'catalogue-lists-in-clamped-pages',
    legalBasis: 'limits',
    groups: ['B'],
    says: 'Every list of group B has pages of two items; a page after the last one is the last one again.',
    start: inPages((items, from) => {
      const lastPage = Math.floor(Math.max(0, items.length - 1) / PAGE_ITEMS) * PAGE_ITEMS;
      const start = Math.min(from, lastPage);
      return items.slice(start, start + PAGE_ITEMS);
    }),
    profile: PAGED_LISTS,
    dialects: ['reference'],
  },
  {
    name: 'hierarchies-with-the-same-total',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Hierarchies have levels with ids of their own; the only value of the first level of each is the same total.',
    start: () => {
      const ids = withIds(
        (id, { hierarchy }) => (hierarchy === undefined ? id : `${hierarchy}/${id}`),
        (query) => withInputs(query, decode),
      )();
      const values = onAnswer('items', (answer, { operation: { name }, query }) => {
        if (name === 'hierarchyLevels') {
          const ofTotal = (item: Item) => (item.id === 'level-1' ? recount(item, () => 1) : item);
          return { ...answer, items: answer.items.map(ofTotal) };
        }
        if (name !== 'hierarchyLevelValues') return answer;
        const place = `${query.dimension} ${query.hierarchy} ${query.level}`;
        const items = answer.items.map((item) => ({
          ...item,
          name: `${item.name} ${place}`,
          ...(query.level === 'level-2' && { parentItem: 'total' }),
        }));
        const total = { ...items[0], id: 'total', name: `Total of ${query.catalogueId}` };
        return { ...answer, items: query.level === 'level-1' ? [total] : items };
      });
      return {
        ...ids,
        answer: (answer, context) => ids.answer?.(values.answer?.(answer, context) ?? answer, context) ?? answer,
      };
    },
    profile: {
      catalogue: {
        distinguishes: {
          hierarchy: ['POST /data-access/v1/Catalogue/Hierarchy/Level/Values'],
          level: ['POST /data-access/v1/Catalogue/Hierarchy/Level/Values'],
        },
      },
    },
  },
  {
    name: 'catalogue-empty',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'One catalogue has no dimensions.',
    start: always(
      onAnswer('items', (answer, { operation, query }) =>
        operation.name === 'logicalDimensions' && query.catalogueId === 'CAT-AUDIT'
          ? { ...answer, items: [] }
          : {
              ...answer,
              items: answer.items.map((item) =>
                item.id === 'CAT-AUDIT'
                  ? recount(item, (child) => (child === 'logicalDimensions' ? 0 : undefined))
                  : item,
              ),
            },
      ),
    ),
  },
  {
    name: 'catalogue-of-two-ids',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Catalogues lists the first catalogue a second time, under an id of an earlier release that still works.',
    start: always({
      query: (query) => (query.catalogueId === EARLIER_ID ? { ...query, catalogueId: 'CAT-RETAIL' } : query),
      ...onAnswer('items', (answer, { operation }) => {
        const named = answer.items.map((item) =>
          item.parent === 'CAT-RETAIL' ? { ...item, parent: answer.echo?.catalogueId ?? item.parent } : item,
        );
        const items =
          operation.name === 'catalogues' ? [...named, { id: EARLIER_ID, name: 'Retail Sales 2025' }] : named;
        return { ...answer, items };
      }),
    }),
  },
  {
    name: 'trees-below-one-root',
    legalBasis: 'catalogues',
    groups: ['B'],
    dialects: ['reference', 'soap'],
    says: 'The roots of a tree name 0 as the item above them, which no list contains, or themselves, or the dimension.',
    start: always(
      onItems(['dimensionRows', 'groupLevelValues', 'hierarchyLevelValues'], (items, { query }) =>
        items.map((item) => {
          const { dimension = '', level } = query;
          const root = { product: '0', period: item.id }[dimension] ?? dimension;
          return item.parentItem === undefined && (level === undefined || level === 'level-1')
            ? { ...item, parentItem: root }
            : item;
        }),
      ),
    ),
  },
  {
    name: 'trees-by-name',
    legalBasis: 'catalogues',
    groups: ['B'],
    dialects: ['reference'],
    says: 'Rows name the row above them by its name.',
    start: always(
      onItems(['dimensionRows'], (items) =>
        items.map((item) => {
          const name = items.find(({ id }) => id === item.parentItem)?.name;
          return { ...item, ...(name !== undefined && { parentItem: name }) };
        }),
      ),
    ),
  },
  {
    name: 'trees-that-skip-levels',
    legalBasis: 'catalogues',
    groups: ['B'],
    dialects: ['reference'],
    says: 'Values of the lowest level are below values of any level, or below none of the list; the profile does not state where.',
    start: always(
      onItems(['hierarchyLevelValues'], (items, { query }) =>
        items.map((item, at) => ({
          ...item,
          id: `${query.level}/${item.id}`,
          ...(query.level === 'level-3' && { parentItem: ['level-1/value-1', 'level-2/value-2', 'outside'][at] ?? '' }),
        })),
      ),
    ),
    profile: { catalogue: { parentItems: { 'POST /data-access/v1/Catalogue/Hierarchy/Level/Values': null } } },
  },
  {
    name: 'items-in-two-languages',
    legalBasis: 'rows',
    groups: ['B'],
    dialects: ['reference', 'soap'],
    says: 'Each row of a dimension is listed once for each of two languages; the profile does not state that it occurs once.',
    start: always(
      onItems(['dimensionRows'], (items) => items.flatMap((item) => [item, { ...item, name: `${item.name} (es)` }])),
    ),
    profile: { catalogue: { itemsOnce: false } },
  },
  {
    name: 'items-of-two-parents',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Groups and hierarchies share their levels; a level names the first of those that list it as its parent.',
    start: always(
      onAnswer('items', (answer, { operation }) => ({
        ...answer,
        items: answer.items.map((item) => {
          const first = FIRST_PARENTS[operation.name];
          return item.parent === undefined || first === undefined ? item : { ...item, parent: first };
        }),
      })),
    ),
    weakestOutcome: 'undetermined',
  },
];
