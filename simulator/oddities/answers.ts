/** Oddities of unknown values, filters and catalogues (sections 1, 3, 4 and 7). */

import { ALL_PRODUCTS, BRAND_PERFORMANCE, CATEGORY_PERFORMANCE, SALES_FILTERS } from '../../src/contract/index.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { onAnswer, onRequest } from '../faults/hooks.ts';
import { knowing, UNKNOWN_UPC_STATED } from '../faults/lookup.ts';
import { firstRow } from '../faults/rows.ts';
import { METADATA_CATALOGUES } from '../model/metadata.ts';
import type { ModelAnswer } from '../model/types.ts';
import { WITHOUT_UNKNOWN } from './catalogues.ts';
import { always, jsonResponse, onReply } from './hooks.ts';
import type { Oddity, ReplyContext } from './types.ts';

/** Changes the reply to the look-up of an unknown UPC. */
const onUnknownUpc = (change: (reply: DialectResponse, context: ReplyContext) => DialectResponse) =>
  onReply((reply, context) =>
    context.operation?.name === 'products' && context.answer.kind === 'unknown' ? change(reply, context) : reply,
  );
const onMalformedUpc = (change: (reply: DialectResponse) => DialectResponse) =>
  onReply((reply, { operation, answer }) =>
    operation?.name === 'products' && answer.kind === 'rejected' ? change(reply) : reply,
  );
const onUnknownCatalogue = (change: (reply: DialectResponse) => DialectResponse) =>
  onReply((reply, { operation, answer }) =>
    operation?.group === 'B' && answer.kind === 'unknown' ? change(reply) : reply,
  );

const empty = (status: number): DialectResponse => ({ status, headers: {}, body: '' });

const equalIgnoringCase = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** Whether an answer is an empty list. */
function isEmptyList(answer: ModelAnswer): boolean {
  switch (answer.kind) {
    case 'products':
    case 'performance':
    case 'filterNames':
      return firstRow<unknown>(answer.rows) === undefined;
    case 'deltas':
      return answer.windows.every(({ rows }) => firstRow(rows) === undefined);
    case 'items':
      return answer.items.length === 0;
    default:
      return false;
  }
}

export const ANSWER_ODDITIES: readonly Oddity[] = [
  {
    name: 'upc-unknown-410',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'An unknown UPC is answered 410.',
    start: onUnknownUpc((reply) => ({ ...reply, status: 410 })),
  },
  {
    name: 'upc-unknown-204',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'An unknown UPC is answered 204, without a body.',
    start: onUnknownUpc(() => empty(204)),
  },
  {
    name: 'upc-unknown-400',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'An unknown UPC is answered 400, like a malformed UPC.',
    start: onUnknownUpc((reply) => ({ ...reply, status: 400 })),
  },
  {
    name: 'upc-unknown-200-empty-list',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'An unknown UPC is answered 200 with an empty list.',
    dialects: ['reference'],
    start: onUnknownUpc(() => jsonResponse(200, [])),
  },
  {
    name: 'upc-unknown-200-error',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'An unknown UPC is answered 200 with an error that repeats the requested path.',
    dialects: ['reference'],
    start: onUnknownUpc((_reply, { request }) =>
      jsonResponse(200, { success: false, error: { code: 'NOT_FOUND', message: `nothing at ${request.path}` } }),
    ),
  },
  {
    name: 'upc-malformed-404',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'A malformed UPC is answered 404, like an unknown UPC.',
    start: onMalformedUpc((reply) => ({ ...reply, status: 404 })),
  },
  {
    name: 'upc-malformed-500',
    legalBasis: 'errors',
    groups: ['C'],
    says: 'A malformed UPC is answered 500.',
    start: onMalformedUpc(() => jsonResponse(500, { error: 'NumberFormatException' })),
  },
  {
    name: 'look-up-knows-the-unknown-upc',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The look-up knows products that no list contains, such as the one whose UPC the profile calls unknown.',
    start: always(knowing((upc) => upc.startsWith('99'))),
    dialects: ['reference', 'hypermedia'],
    profile: UNKNOWN_UPC_STATED,
  },
  {
    name: 'upc-malformed-200-nothing',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'A malformed UPC is answered 200 with a product that has no characteristics.',
    dialects: ['reference'],
    start: onMalformedUpc(() => jsonResponse(200, { upc: null, characteristics: [] })),
  },
  {
    name: 'upc-malformed-html',
    legalBasis: 'errors',
    groups: ['C'],
    says: 'A malformed UPC is refused by a proxy with an HTML page, 400.',
    start: onMalformedUpc(() => ({
      status: 400,
      headers: { 'content-type': 'text/html' },
      body: '<html><head><title>400 Bad Request</title></head><body><center><h1>400 Bad Request</h1></center></body></html>\r\n',
    })),
  },
  {
    name: 'empty-list-204',
    legalBasis: 'emptiness',
    groups: ['C', 'D'],
    says: 'A list without rows is answered 204, without a body.',
    start: onReply((reply, { answer }) => (isEmptyList(answer) ? empty(204) : reply)),
  },
  {
    name: 'empty-list-404',
    legalBasis: 'emptiness',
    groups: ['C', 'D'],
    says: 'A list without rows is answered 404.',
    start: onReply((reply, { answer }) => (isEmptyList(answer) ? { ...reply, status: 404 } : reply)),
  },
  {
    name: 'filter-in-any-case',
    legalBasis: 'filters',
    groups: ['C', 'D'],
    says: 'Filters ignore case and surrounding spaces.',
    start: always({
      query(query, { world }) {
        const rows = world.sales.filterNames();
        const storedName = (field: 'category' | 'subCategory' | 'manufacturer' | 'brand') => {
          const name = query[field];
          if (name === undefined) return {};
          const stored = rows.find((row) => equalIgnoringCase(row[field] ?? '', name))?.[field];
          return { [field]: stored ?? name };
        };
        return {
          ...query,
          ...storedName('category'),
          ...storedName('subCategory'),
          ...storedName('manufacturer'),
          ...storedName('brand'),
        };
      },
    }),
  },
  {
    name: 'category-unknown-whole-list',
    legalBasis: 'filters',
    groups: ['C'],
    says: 'An unknown category is ignored: the response is the whole list.',
    start: always({
      query(query, { world, operation }) {
        if (operation.name !== 'allProducts' || query.category === undefined) return query;
        const answer = world.answer('allCategories', {});
        const known = answer.kind === 'categories' && answer.categories.some(({ name }) => name === query.category);
        const { category: _, ...unfiltered } = query;
        return known ? query : unfiltered;
      },
    }),
  },
  {
    name: 'catalogues-own-only',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Catalogues lists only the requested catalogue.',
    start: always(
      onAnswer('items', (answer, { operation, query }) =>
        operation.name === 'catalogues'
          ? { ...answer, items: answer.items.filter(({ id }) => id === query.catalogueId) }
          : answer,
      ),
    ),
  },
  {
    name: 'catalogues-alike',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'All catalogues have the same dimensions with the same contents.',
    start: always({
      ...onRequest(
        [
          'attributeValues',
          'logicalDimensions',
          'dimensionAttributes',
          'dimensionGroups',
          'dimensionHierarchies',
          'dimensionRows',
          'groupLevels',
          'groupLevelValues',
          'hierarchyLevels',
          'hierarchyLevelValues',
          'measureSharePrompts',
        ],
        (query) =>
          Object.hasOwn(METADATA_CATALOGUES, query.catalogueId ?? '') ? { ...query, catalogueId: 'CAT-RETAIL' } : query,
      ),
      // An item still names the catalogue that was requested.
      ...onAnswer('items', (answer) => ({
        ...answer,
        items: answer.items.map((item) =>
          item.parent === 'CAT-RETAIL' ? { ...item, parent: answer.echo?.catalogueId ?? item.parent } : item,
        ),
      })),
    }),
    profile: { catalogue: { distinguishing: ['POST /data-access/v1/Catalogue/RefreshDates'] } },
  },
  {
    name: 'filter-of-unknown-name-refused',
    legalBasis: 'unknown',
    groups: ['C', 'D'],
    // Requests of statistics write a category as a code, and an unknown one has none.
    dialects: ['reference', 'hypermedia', 'xml', 'tabular', 'terse', 'soap'],
    says: 'A list filtered by a name that nothing has is refused, as the profile states.',
    start: always({
      answer: (answer, { query }) => {
        const filters = SALES_FILTERS.filter((each) => query[each] !== undefined);
        const [input] = filters;
        const isEmpty =
          (answer.kind === 'products' || answer.kind === 'performance') &&
          answer.rows[Symbol.iterator]().next().done === true;
        return isEmpty && input !== undefined && filters.length === 1
          ? { kind: 'unknown', input, value: String(query[input]) }
          : answer;
      },
    }),
    profile: {
      operations: Object.fromEntries(
        [ALL_PRODUCTS, CATEGORY_PERFORMANCE, BRAND_PERFORMANCE].map((key) => [
          key,
          { statuses: { unknown: [404, 204] } },
        ]),
      ),
    },
  },
  {
    name: 'catalogue-unknown-200-empty',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'A request for something that a catalogue lacks is answered 200 with no items.',
    start: onUnknownCatalogue(() => jsonResponse(200, { items: [] })),
    profile: WITHOUT_UNKNOWN,
    dialects: ['reference'],
  },
  {
    name: 'catalogue-unknown-500',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'A request for something that a catalogue lacks is answered 500.',
    start: onUnknownCatalogue((reply) => ({ ...reply, status: 500 })),
    profile: WITHOUT_UNKNOWN,
  },
];
