/** Oddities of catalogues and their ids (section 4.2): formats of ids, shared data and rights are not shown. */
import type { OperationName } from '../../src/contract/index.ts';
import { onAnswer, onRequest } from '../faults/hooks.ts';
import type { Item, Query } from '../model/types.ts';
import { always, jsonResponse } from './hooks.ts';
import type { Oddity } from './types.ts';

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

/** Changes every listed id, and changes it back in requests. */
const withIds = (write: (id: string, query: Query) => string, read: (id: string) => string) =>
  always({
    query: (query) =>
      Object.fromEntries(
        Object.entries(query).map(([input, value]) => [
          input,
          (WITHIN_CATALOGUE as readonly string[]).includes(input) ? read(String(value)) : value,
        ]),
      ) as Query,
    ...onAnswer('items', (answer, { operation, query }) =>
      operation.name in LISTS
        ? {
            ...answer,
            items: answer.items.map(
              (item): Item => (item.id === undefined ? item : { ...item, id: write(item.id, query) }),
            ),
          }
        : answer,
    ),
  });

/** Examples of the dialects are the plain ids, which these servers accept as well. */
const decode = (id: string): string => id.replace(/^.*[/&?=+ ]/, '');

/** The dimensions of all catalogues, and the one that only this catalogue has. */
const SHARED = ['product', 'period'];
const OWN_DIMENSIONS: { readonly [catalogue: string]: string } = {
  'CAT-RETAIL': 'market',
  'CAT-PANEL': 'household',
  'CAT-AUDIT': 'outlet',
};

const EARLIER_ID = 'CAT-RETAIL-2025';

export const CATALOGUE_ODDITIES: readonly Oddity[] = [
  {
    name: 'catalogue-ids-reserved',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Ids of the catalogue contain reserved characters.',
    start: withIds((id) => `n/a & b?=+ ${id}`, decode),
  },
  {
    name: 'catalogue-ids-per-catalogue',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Each catalogue has ids of its own; a request with an id of another catalogue returns nothing of it.',
    start: always({
      query: (query) => {
        const foreign = Object.entries(query).some(
          ([input, value]) =>
            (WITHIN_CATALOGUE as readonly string[]).includes(input) &&
            String(value).includes('/') &&
            !String(value).startsWith(`${query.catalogueId}/`),
        );
        const own = Object.fromEntries(
          Object.entries(query).map(([input, value]) => [
            input,
            (WITHIN_CATALOGUE as readonly string[]).includes(input) ? decode(String(value)) : value,
          ]),
        ) as Query;
        return foreign ? { ...own, dimension: 'none' } : own;
      },
      ...onAnswer('items', (answer, { operation, query }) =>
        operation.name in LISTS
          ? { ...answer, items: answer.items.map((item) => ({ ...item, id: `${query.catalogueId}/${item.id}` })) }
          : answer,
      ),
    }),
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
          query.dimension === 'product' || query.dimension === 'period'
            ? { ...query, catalogueId: query.catalogueId === undefined ? undefined : 'CAT-RETAIL' }
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
    name: 'catalogue-empty',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'One catalogue has no dimensions.',
    start: always(
      onAnswer('items', (answer, { operation, query }) =>
        operation.name === 'logicalDimensions' && query.catalogueId === 'CAT-AUDIT' ? { ...answer, items: [] } : answer,
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
];
