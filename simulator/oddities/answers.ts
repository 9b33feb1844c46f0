/** Oddities of unknown values, filters and catalogues (sections 1, 3, 4 and 7). */
import { drop, salesFiltersOf } from '../deviations/changes.ts';
import { firstRow, onAnswer, onItems, onRequest, PERFORMANCE_NAMES, stating } from '../deviations/places.ts';
import { empty, jsonResponse, onReply, onReplyTo, withStatus } from '../deviations/replies.ts';
import { OF_CATALOGUES } from '../faults/catalogue.ts';
import { knowing, UNKNOWN_UPC_STATED } from '../faults/lookup.ts';
import { METADATA_CATALOGUES } from '../model/metadata.ts';
import { rowsOfAnswer } from '../model/page.ts';
import type { ModelAnswer } from '../model/types.ts';
import { namedAsRequested, WITHOUT_UNKNOWN } from './catalogues.ts';
import { type Oddity, oddity } from './oddity.ts';

type ReplyChange = Parameters<typeof onReplyTo>[1];
/** The look-up of an unknown UPC is answered in another way. */
const unknownUpc = (name: string, what: string, change: ReplyChange, dialects?: Oddity['dialects']): Oddity =>
  oddity(`upc-unknown-${name}`, 'unknown', 'C', {
    says: `An unknown UPC is answered ${what}.`,
    hooks: onReplyTo({ operation: 'products', kind: 'unknown' }, change),
    dialects,
  });
const onMalformedUpc = (change: ReplyChange) => onReplyTo({ operation: 'products', kind: 'rejected' }, change);
const malformedUpc = (
  name: string,
  basis: 'unknown' | 'errors',
  what: string,
  change: ReplyChange,
  dialects?: Oddity['dialects'],
): Oddity =>
  oddity(`upc-malformed-${name}`, basis, 'C', {
    says: `A malformed UPC is answered ${what}.`,
    hooks: onMalformedUpc(change),
    dialects,
  });
const onUnknownId = (change: ReplyChange) => onReplyTo({ group: 'B', kind: 'unknown' }, change);

const equalIgnoringCase = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** Whether an answer is an empty list. */
function isEmptyList(answer: ModelAnswer): boolean {
  const rows = rowsOfAnswer(answer);
  return rows !== undefined && firstRow(rows) === undefined;
}

export const ANSWER_ODDITIES: readonly Oddity[] = [
  unknownUpc('410', '410', withStatus(410)),
  unknownUpc('204', '204, without a body', () => empty(204)),
  unknownUpc('400', '400, like a malformed UPC', withStatus(400)),
  unknownUpc('200-empty-list', '200 with an empty list', () => jsonResponse(200, []), ['reference']),
  unknownUpc(
    '200-error',
    '200 with an error that repeats the requested path',
    (_reply, { request }) =>
      jsonResponse(200, { success: false, error: { code: 'NOT_FOUND', message: `nothing at ${request.path}` } }),
    ['reference'],
  ),
  malformedUpc('404', 'unknown', '404, like an unknown UPC', withStatus(404)),
  malformedUpc('500', 'errors', '500', () => jsonResponse(500, { error: 'NumberFormatException' })),
  oddity('look-up-knows-the-unknown-upc', 'relations', 'C', {
    says: 'The look-up knows products that no list contains, such as the one whose UPC the profile calls unknown.',
    hooks: knowing((upc) => upc.startsWith('99')),
    dialects: ['reference', 'hypermedia'],
    profile: UNKNOWN_UPC_STATED,
  }),
  malformedUpc(
    '200-nothing',
    'unknown',
    '200 with a product that has no characteristics',
    () => jsonResponse(200, { upc: null, characteristics: [] }),
    ['reference'],
  ),
  oddity('upc-malformed-html', 'errors', 'C', {
    says: 'A malformed UPC is refused by a proxy with an HTML page, 400.',
    hooks: onMalformedUpc(() => ({
      status: 400,
      headers: { 'content-type': 'text/html' },
      body: '<html><head><title>400 Bad Request</title></head><body><center><h1>400 Bad Request</h1></center></body></html>\r\n',
    })),
  }),
  oddity('empty-list-204', 'emptiness', 'CD', {
    says: 'A list without rows is answered 204, without a body.',
    hooks: onReply((reply, { answer }) => (isEmptyList(answer) ? empty(204) : reply)),
  }),
  oddity('empty-list-404', 'emptiness', 'CD', {
    says: 'A list without rows is answered 404.',
    hooks: onReply((reply, { answer }) => (isEmptyList(answer) ? { ...reply, status: 404 } : reply)),
  }),
  oddity('filter-in-any-case', 'filters', 'CD', {
    says: 'Filters ignore case and surrounding spaces.',
    hooks: onRequest(undefined, (query, { world }) => {
      const rows = world.sales.filterNames();
      const stored = salesFiltersOf({ query }).map((field) => {
        const name = query[field] ?? '';
        return [field, rows.find((row) => equalIgnoringCase(row[field] ?? '', name))?.[field] ?? name];
      });
      return Object.fromEntries(stored);
    }),
  }),
  oddity('category-unknown-whole-list', 'filters', 'C', {
    says: 'An unknown category is ignored: the response is the whole list.',
    hooks: onRequest(['allProducts'], ({ category }, { world }) => {
      const answer = world.answer('allCategories', {});
      const isKnown = answer.kind === 'categories' && answer.categories.some(({ name }) => name === category);
      return !isKnown && { category: undefined };
    }),
  }),
  oddity('catalogues-own-only', 'catalogues', 'B', {
    says: 'Catalogues lists only the requested catalogue.',
    hooks: onItems(
      ['catalogues'],
      drop(({ id }, { query }) => id !== query.catalogueId),
    ),
  }),
  oddity('catalogues-alike', 'catalogues', 'B', {
    says: 'All catalogues have the same dimensions with the same contents.',
    hooks: {
      ...onRequest(
        OF_CATALOGUES.filter((name) => name !== 'catalogues' && name !== 'refreshDates'),
        ({ catalogueId = '' }) => Object.hasOwn(METADATA_CATALOGUES, catalogueId) && { catalogueId: 'CAT-RETAIL' },
      ),
      // An item still names the catalogue that was requested.
      ...onAnswer('items', namedAsRequested),
    },
    profile: { catalogue: { distinguishing: ['POST /data-access/v1/Catalogue/RefreshDates'] } },
  }),
  oddity('filter-of-unknown-name-refused', 'unknown', 'CD', {
    // Requests of statistics write a category as a code, and an unknown one has none.
    dialects: ['reference', 'hypermedia', 'xml', 'tabular', 'terse', 'soap'],
    says: 'A list filtered by a name that nothing has is refused, as the profile states.',
    hooks: {
      answer(answer, context) {
        const [input, ...others] = salesFiltersOf(context);
        const isEmpty = (answer.kind === 'products' || answer.kind === 'performance') && isEmptyList(answer);
        return isEmpty && input !== undefined && others.length === 0
          ? { kind: 'unknown', input, value: String(context.query[input]) }
          : answer;
      },
    },
    profile: stating(['allProducts', ...PERFORMANCE_NAMES], { statuses: { unknown: [404, 204] } }),
  }),
  oddity('catalogue-unknown-200-empty', 'catalogues', 'B', {
    says: 'A request for something that a catalogue lacks is answered 200 with no items.',
    hooks: onUnknownId(() => jsonResponse(200, { items: [] })),
    profile: WITHOUT_UNKNOWN,
    dialects: ['reference'],
  }),
  oddity('catalogue-unknown-500', 'catalogues', 'B', {
    says: 'A request for something that a catalogue lacks is answered 500.',
    hooks: onUnknownId(withStatus(500)),
    profile: WITHOUT_UNKNOWN,
  }),
];
