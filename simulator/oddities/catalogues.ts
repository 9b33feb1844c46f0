/** Oddities of catalogues and their ids (section 4.2): formats of ids, shared data and rights are not shown. */
import { type OperationName, operationNamed } from '../../src/contract/index.ts';
import { combineHooks } from '../behaviors/combine-hooks.ts';
import { add, every } from '../deviations/changes.ts';
import { type AnswerOf, onAnswer, onItems, onRequest, stating } from '../deviations/places.ts';
import { bytesOf, empty, jsonIn, jsonResponse, onReplyTo, replacingReply } from '../deviations/replies.ts';
import type { Hooks, ReplyContext, UnroutedRequest } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { distinguishing, OF_CATALOGUES, WITHOUT_IDS } from '../faults/catalogue.ts';
import { METADATA_CATALOGUES } from '../model/metadata.ts';
import type { Item, Query } from '../model/types.ts';
import { type Oddity, oddity, partialOddity, undeterminedOddity } from './oddity.ts';

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

/** Items name the catalogue that was requested as their parent. */
export const namedAsRequested = (answer: AnswerOf<'items'>): AnswerOf<'items'> => ({
  ...answer,
  items: answer.items.map((item) =>
    item.parent === 'CAT-RETAIL' ? { ...item, parent: answer.echo?.catalogueId ?? item.parent } : item,
  ),
});

/** Changes every listed id, and changes it back in requests. Items name their parent as the request does. */
const withIds = (write: (id: string, query: Query) => string, read: (query: Query) => Query) => (): Hooks => {
  let requested: Query = {};
  return {
    query: (query) => {
      requested = query;
      return read(query);
    },
    ...onItems(
      undefined,
      every(({ id, parent: own }, { operation, query }) => {
        const parent = Object.values(requested).findLast((each) => decode(String(each)) === own);
        return {
          ...(operation.name in LISTS && id !== undefined && { id: write(id, query) }),
          ...(own !== undefined && { parent: String(parent ?? own) }),
        };
      }),
    ),
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
const PAGED_LISTS = stating(OF_CATALOGUES, {
  request: { json: { page: '{page}' } },
  response: { paging: { style: 'page', first: 1 } },
});

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

/** A profile that does not state what an unknown id gets. */
export const WITHOUT_UNKNOWN = stating(OF_CATALOGUES, { statuses: null });

const EARLIER_ID = 'CAT-RETAIL-2025';

export const CATALOGUE_ODDITIES: readonly Oddity[] = [
  oddity('catalogue-ids-reserved', 'catalogues', 'B', {
    says: 'Ids of the catalogue contain reserved characters.',
    hooks: withIds(
      (id) => `n/a & b?=+ ${id}`,
      (query) => withInputs(query, decode),
    ),
  }),
  oddity('catalogue-ids-per-catalogue', 'catalogues', 'B', {
    says: 'Each catalogue has ids of its own; a request with an id of another catalogue returns nothing of it.',
    hooks: withIds(
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
  }),
  oddity('catalogue-id-any-case', 'catalogues', 'B', {
    says: 'The id of a catalogue is compared without regard to case, and Catalogues lists the ids in lower case.',
    hooks: {
      ...onRequest(undefined, ({ catalogueId }) => catalogueId && { catalogueId: catalogueId.toUpperCase() }),
      ...onItems(
        ['catalogues'],
        every(({ id = '' }) => ({ id: id.toLowerCase() })),
      ),
    },
  }),
  partialOddity('catalogue-shares-dimensions', 'catalogues', 'B', {
    says: 'Catalogues share the dimensions that all of them have, with equal contents.',
    hooks: onRequest(
      OF_CATALOGUES.filter(
        (name) => !['catalogues', 'logicalDimensions', 'measureSharePrompts', 'refreshDates'].includes(name),
      ),
      ({ dimension = '', catalogueId = '' }) =>
        SHARED.includes(dimension) && OWN_DIMENSIONS[catalogueId] !== undefined && { catalogueId: 'CAT-RETAIL' },
    ),
    // The examples of the dialects are ids that catalogues share here.
    profile: { examples: { dimension: null, attribute: null, group: null, hierarchy: null, level: null } },
  }),
  oddity('catalogue-answers-its-own', 'catalogues', 'B', {
    says: 'A request for a dimension that the catalogue does not have is answered, and says that it is, for the products.',
    hooks: {
      ...onRequest(undefined, ({ catalogueId = '', dimension }) => {
        const own = OWN_DIMENSIONS[catalogueId];
        return own && dimension !== undefined && ![...SHARED, own].includes(dimension) && { dimension: 'product' };
      }),
      ...onAnswer(
        'items',
        ({ echo, ...answer }, { query: { dimension } }) =>
          echo && dimension !== undefined && { ...answer, echo: { ...echo, dimension } },
      ),
    },
    // Legal only without the statement that an unknown dimension is refused.
    profile: WITHOUT_UNKNOWN,
  }),
  oddity('catalogue-known-beyond-the-list', 'catalogues', 'B', {
    says: 'A catalogue that no list contains is known: the first id that nobody else knows is one of another platform.',
    hooks: () => {
      let hidden: string | undefined;
      return onRequest(undefined, ({ catalogueId }) => {
        if (catalogueId === undefined || OWN_DIMENSIONS[catalogueId] !== undefined) return undefined;
        hidden ??= catalogueId;
        return catalogueId === hidden && { catalogueId: 'CAT-RETAIL' };
      });
    },
  }),
  partialOddity('unknown-id-has-no-format', 'unknown', 'B', {
    says: 'An id of another length than the known ones, or with other letters, is refused with 400.',
    hooks: onReplyTo({ group: 'B', kind: 'unknown' }, () => jsonResponse(400, { title: 'no id' })),
  }),
  oddity('catalogue-of-another-form-410', 'unknown', 'B', {
    says: 'The id of a catalogue of another form than the known ones gets 410, which the profile does not state for unknown ones.',
    hooks: onReplyTo({ kind: 'unknown' }, (reply, { answer }) =>
      answer.kind === 'unknown' && answer.input === 'catalogueId' && !/^CAT-[A-Z]+$/.test(answer.value)
        ? { ...reply, status: 410 }
        : reply,
    ),
  }),
  oddity('unknown-id-lists-nothing', 'unknown', 'B', {
    says: 'A request with an unknown id gets an empty list, as the profile states.',
    hooks: onAnswer('unknown', () => ({ kind: 'items', items: [] }), OF_CATALOGUES),
    profile: stating(OF_CATALOGUES, { statuses: { unknown: [200, 204] } }),
  }),
  oddity('share-prompts-without-ids', 'shapes', 'B', {
    says: 'The rows of SharePrompts have no id, and the profile reads nothing in them.',
    hooks: onItems(['measureSharePrompts'], every({ id: undefined })),
    profile: WITHOUT_IDS,
    dialects: ['reference'],
  }),
  undeterminedOddity('catalogue-dimension-needs-rights', 'catalogues', 'B', {
    says: 'One listed dimension of each catalogue needs other rights: requests for it are answered 403.',
    hooks: () =>
      replacingReply(
        () => jsonResponse(403, { title: 'forbidden', status: 403 }),
        (_answer, { query }) => ['market', 'household', 'outlet'].includes(query.dimension ?? ''),
      ),
  }),
  oddity('catalogue-list-of-one', 'catalogues', 'B', {
    says: 'Catalogues lists the requested catalogue only; without an id also one of another platform, which no operation knows.',
    hooks: {
      ...onRequest(
        ['catalogues'],
        ({ catalogueId }) => catalogueId === undefined && { catalogueId: 'CAT-RETAIL', dimension: 'all' },
      ),
      ...onItems(['catalogues'], (items, { query }) =>
        query.dimension === 'all'
          ? [...items, { id: 'CAT-FOREIGN', name: 'Of another platform' }]
          : items.filter(({ id }) => id === query.catalogueId),
      ),
    },
    profile: {
      catalogue: { connected: true },
      ...stating(['catalogues'], { statuses: { missing: null } }),
    },
  }),
  partialOddity('catalogue-nodes-without-children', 'catalogues', 'B', {
    says: 'The first attribute and the last group and hierarchy of each dimension have nothing below them: 204 for one dimension, an empty list for others.',
    hooks: () =>
      combineHooks([
        replacingReply(
          () => empty(204),
          (_answer, { operation: { name }, query }) => isChildless(name, query) && query.dimension === 'product',
        ),
        onItems(undefined, (items, { operation: { name }, query }) =>
          isChildless(name, query)
            ? []
            : items.map((item) => recount(item, (child) => (CHILDLESS[child] === item.id ? 0 : undefined))),
        ),
      ]),
    profile: { catalogue: { neverEmpty: null } },
  }),
  partialOddity('catalogue-nodes-without-children-404', 'catalogues', 'B', {
    says: 'A request for what is below the first attribute and the last group and hierarchy of each dimension is answered 404: they have nothing below them.',
    hooks: onAnswer(
      'items',
      (_, { operation: { name }, query }) =>
        isChildless(name, query) && { kind: 'unknown', input: 'level', value: 'none' },
    ),
    // Legal only without the promise that each listed item is accepted.
    profile: {
      catalogue: { neverEmpty: null, connected: null },
      examples: { attribute: null, group: null, hierarchy: null, level: null },
    },
  }),
  oddity('catalogue-lists-in-pages', 'limits', 'B', {
    says: 'Every list of group B has pages of two items; a page after the last one is empty.',
    hooks: inPages((items, from) => items.slice(from, from + PAGE_ITEMS)),
    profile: PAGED_LISTS,
    dialects: ['reference'],
  }),
  oddity('catalogue-lists-in-clamped-pages', 'limits', 'B', {
    says: 'Every list of group B has pages of two items; a page after the last one is the last one again.',
    hooks: inPages((items, from) => {
      const lastPage = Math.floor(Math.max(0, items.length - 1) / PAGE_ITEMS) * PAGE_ITEMS;
      const start = Math.min(from, lastPage);
      return items.slice(start, start + PAGE_ITEMS);
    }),
    profile: PAGED_LISTS,
    dialects: ['reference'],
  }),
  oddity('hierarchies-with-the-same-total', 'catalogues', 'B', {
    says: 'Hierarchies have levels with ids of their own; the only value of the first level of each is the same total.',
    hooks: () => {
      const ids = withIds(
        (id, { hierarchy }) => (hierarchy === undefined ? id : `${hierarchy}/${id}`),
        (query) => withInputs(query, decode),
      )();
      const levels = onItems(['hierarchyLevels'], (items) =>
        items.map((item) => (item.id === 'level-1' ? recount(item, () => 1) : item)),
      );
      const values = onItems(['hierarchyLevelValues'], (items, { query }) => {
        const { catalogueId, dimension, hierarchy, level } = query;
        if (level === 'level-1') return [{ ...items[0], id: 'total', name: `Total of ${catalogueId}` }];
        return items.map((item) => ({
          ...item,
          name: `${item.name} ${dimension} ${hierarchy} ${level}`,
          ...(level === 'level-2' && { parentItem: 'total' }),
        }));
      });
      return combineHooks([levels, values, ids]);
    },
    profile: distinguishing('hierarchyLevelValues', 'hierarchy', 'level'),
  }),
  oddity('catalogue-empty', 'catalogues', 'B', {
    says: 'One catalogue has no dimensions.',
    hooks: onItems(undefined, (items, { operation, query }) =>
      operation.name === 'logicalDimensions' && query.catalogueId === 'CAT-AUDIT'
        ? []
        : items.map((item) =>
            recount(item, (child) => (item.id === 'CAT-AUDIT' && child === 'logicalDimensions' ? 0 : undefined)),
          ),
    ),
  }),
  oddity('catalogue-of-two-ids', 'catalogues', 'B', {
    says: 'Catalogues lists the first catalogue a second time, under an id of an earlier release that still works.',
    hooks: combineHooks([
      onRequest(OF_CATALOGUES, ({ catalogueId }) => catalogueId === EARLIER_ID && { catalogueId: 'CAT-RETAIL' }),
      onAnswer('items', namedAsRequested),
      onItems(
        ['catalogues'],
        add(() => [{ id: EARLIER_ID, name: 'Retail Sales 2025' }]),
      ),
    ]),
  }),
  oddity('trees-below-one-root', 'catalogues', 'B', {
    says: 'The roots of a tree name 0 as the item above them, which no list contains, or themselves, or the dimension.',
    dialects: ['reference', 'soap'],
    hooks: onItems(
      ['dimensionRows', 'groupLevelValues', 'hierarchyLevelValues'],
      every(({ id, parentItem }, { query: { dimension = '', level = 'level-1' } }) =>
        parentItem === undefined && level === 'level-1'
          ? { parentItem: { product: '0', period: id }[dimension] ?? dimension }
          : {},
      ),
    ),
  }),
  oddity('trees-by-name', 'catalogues', 'B', {
    says: 'Rows name the row above them by its name.',
    dialects: ['reference'],
    hooks: onItems(['dimensionRows'], (items) =>
      items.map((item) => ({
        ...item,
        parentItem: items.find(({ id }) => id === item.parentItem)?.name ?? item.parentItem,
      })),
    ),
  }),
  oddity('trees-that-skip-levels', 'catalogues', 'B', {
    says: 'Values of the lowest level are below values of any level, or below none of the list; the profile does not state where.',
    dialects: ['reference'],
    hooks: onItems(['hierarchyLevelValues'], (items, { query }) =>
      items.map((item, at) => ({
        ...item,
        id: `${query.level}/${item.id}`,
        ...(query.level === 'level-3' && { parentItem: ['level-1/value-1', 'level-2/value-2', 'outside'][at] ?? '' }),
      })),
    ),
    profile: { catalogue: { parentItems: { [operationNamed('hierarchyLevelValues').key]: null } } },
  }),
  oddity('items-in-two-languages', 'rows', 'B', {
    says: 'Each row of a dimension is listed once for each of two languages; the profile does not state that it occurs once.',
    dialects: ['reference', 'soap'],
    hooks: onItems(['dimensionRows'], (items) =>
      items.flatMap((item) => [item, { ...item, name: `${item.name} (es)` }]),
    ),
    profile: { catalogue: { itemsOnce: false } },
  }),
  undeterminedOddity('items-of-two-parents', 'catalogues', 'B', {
    says: 'Groups and hierarchies share their levels; a level names the first of those that list it as its parent.',
    hooks: onItems(
      undefined,
      every(({ parent }, { operation }) => parent && { parent: FIRST_PARENTS[operation.name] ?? parent }),
    ),
  }),
];
