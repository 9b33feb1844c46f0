/** Writes hypermedia responses. */

import { type OperationName, operationNamed } from '../../../src/contract/index.ts';
import type {
  Category,
  ModelAnswer,
  PerformanceRow,
  Product,
  ProductRow,
  Rejected,
  SalesNames,
} from '../../model/types.ts';
import type { DialectRequest, DialectResponse } from '../types.ts';
import { hal, jsonDocument, nothing, problem, shuffle, VND_ERROR } from './document.ts';
import {
  API_KEY_HEADER,
  cents,
  centsText,
  cursorAt,
  epochMillis,
  epochSeconds,
  fraction,
  gtin,
  JOBS,
  usDate,
} from './format.ts';
import { isAuthenticated } from './read.ts';

/** The relative URL of a page of the requested list, including the filter. */
function pageAfter({ query }: DialectRequest, offset: number): string {
  const nextQuery = new URLSearchParams(query);
  nextQuery.set('cursor', cursorAt(offset));
  return `?${nextQuery}`;
}

const linkTo = ({ base }: DialectRequest, path: string) => ({ href: base + path });

const lookUpPath = (upc: string): string =>
  operationNamed('products').path.replace('{upc}', () => encodeURIComponent(upc));

const productOf = (row: ProductRow, request: DialectRequest) => ({
  gtin: gtin(row.upc),
  title: row.description,
  subtitle: null,
  categoryKey: row.categoryId ?? null,
  _links: { self: linkTo(request, lookUpPath(row.upc)), image: null },
});

/** A product that became active after its latest change shows only its first activity. */
const datesOf = ({ changedOn, firstActiveOn }: ProductRow) => ({
  changed: changedOn === undefined || changedOn === firstActiveOn ? null : epochSeconds(changedOn),
  since: usDate(firstActiveOn),
});

/** A header contains the cursor of the next page. */
function writeProducts(answer: Extract<ModelAnswer, { kind: 'products' }>, request: DialectRequest): DialectResponse {
  const rows = shuffle(answer.rows);
  // An empty filtered list is 404, for known and unknown categories.
  if (rows.length === 0 && request.query.has('filter'))
    return problem(404, 'Nothing found', 'no product matches the filter');
  const products = rows.map((row) => ({
    ...productOf(row, request),
    lastSold: usDate(row.activeOn),
    ...datesOf(row),
  }));
  return hal(
    {
      market: { code: answer.market },
      asOf: epochMillis(answer.asOf),
      count: products.length,
      _embedded: { 'mdwi:products': products },
    },
    answer.next === undefined ? {} : { 'X-Next-Cursor': cursorAt(answer.next) },
  );
}

/** All three windows in one response. A Link header with several links contains the URL of the next page. */
function writeDeltas(answer: Extract<ModelAnswer, { kind: 'deltas' }>, request: DialectRequest): DialectResponse {
  const windows = answer.windows.map(({ weeks, rows }) => {
    const changes = shuffle(rows).map((row) => ({
      product: productOf(row, request),
      event: row.changeKind?.toUpperCase() ?? null,
      changed: row.changedOn === undefined ? null : epochSeconds(row.changedOn),
    }));
    return { weeks, changes: changes.length === 0 ? null : changes };
  });
  const self = '<?>; rel="self"; title="this page, one of many"';
  const next = answer.next === undefined ? '' : `, <${pageAfter(request, answer.next)}>; rel="next prefetch"`;
  return hal({ asOf: usDate(answer.asOf), windows: shuffle(windows) }, { Link: self + next });
}

function writeProduct({ characteristics, ...row }: Product, request: DialectRequest): DialectResponse {
  const traits = Object.fromEntries(characteristics.map(({ name, value }) => [name, value]));
  return hal({ ...productOf(row, request), ...datesOf(row), _embedded: { traits } });
}

const writeCategories = (categories: readonly Category[]): DialectResponse =>
  hal({
    _embedded: {
      categories: shuffle(categories).map(({ id, name, subCategories }) => ({
        key: id,
        title: name,
        parent: null,
        _embedded: { segments: shuffle(subCategories).map((title) => ({ title })) },
      })),
    },
  });

/** Names are in `place`, figures have a period, and the link to the next page follows the rows. */
function writePerformance(
  answer: Extract<ModelAnswer, { kind: 'performance' }>,
  request: DialectRequest,
): DialectResponse {
  const rows = shuffle(answer.rows);
  if (rows.length === 0) return nothing(204);
  const isText = request.operation?.name === 'brandPerformance';
  const money = isText ? centsText : cents;
  const performance = rows.map((row: PerformanceRow) => ({
    place: {
      category: row.category ?? null,
      segment: row.subCategory ?? null,
      maker: row.manufacturer ?? null,
      brand: row.brand ?? null,
    },
    measures: shuffle([
      { period: 'L4W', cents: money(row.sales4Weeks) },
      { period: 'L12W', cents: money(row.sales12Weeks) },
      { period: 'L52W', cents: money(row.sales52Weeks) },
      { period: 'LY', cents: money(row.salesLastYear) },
      { period: 'L52W/LY', cents: null, change: fraction(row.percentChange) },
    ]),
    remarks: null,
  }));
  return hal({
    market: { code: 'US-TOTAL', title: answer.market },
    asOf: epochSeconds(answer.asOf),
    count: performance.length,
    total: answer.total?.() ?? performance.length,
    filter: { category: answer.echo?.category?.toUpperCase() ?? null, maker: answer.echo?.manufacturer ?? null },
    _embedded: { performance },
    _links: {
      self: linkTo(request, request.path),
      ...(answer.next !== undefined && { next: linkTo(request, request.path + pageAfter(request, answer.next)) }),
    },
  });
}

/** Two trees: categories with their sub-categories, manufacturers with their brands. */
function writeAvailable(rows: readonly SalesNames[]): DialectResponse {
  const tree = (outer: 'category' | 'manufacturer', inner: 'subCategory' | 'brand', below: string) =>
    shuffle(Map.groupBy(rows, (row) => row[outer])).map(([title, within]) => ({
      title,
      [below]: shuffle(new Set(within.map((row) => row[inner]))).map((each) => ({ title: each })),
    }));
  return hal({
    _embedded: {
      categories: tree('category', 'subCategory', 'segments'),
      makers: tree('manufacturer', 'brand', 'brands'),
    },
  });
}

const writeItems = ({ items, total, echo }: Extract<ModelAnswer, { kind: 'items' }>): DialectResponse =>
  items.length === 0
    ? nothing(204)
    : hal({
        count: total?.() ?? items.length,
        catalogue: { key: echo?.catalogueId ?? null },
        _embedded: {
          items: shuffle(items).map(({ id, name, date }) => ({
            data: { key: id ?? null, title: name ?? null, note: null },
            loaded: date === undefined ? null : epochSeconds(date),
          })),
        },
      });

/** Operations that answer 201; other job starts are 202. Both have an empty body and a Location. */
const STORED: readonly (OperationName | undefined)[] = ['createlist', 'importLocation', 'updateLocation'];

const STATUS_OF: Readonly<Record<Rejected['reason'], number>> = {
  missing: 422,
  malformed: 400,
  unreadable: 400,
  unauthorized: 401,
  tooLarge: 413,
};

export function writeHypermedia(answer: ModelAnswer, request: DialectRequest): DialectResponse {
  if (!isAuthenticated(request)) {
    const reply = problem(401, 'Unauthorized', `${API_KEY_HEADER} must contain the key`);
    return {
      ...reply,
      headers: { ...reply.headers, 'WWW-Authenticate': `ApiKey realm="mdwi", header="${API_KEY_HEADER}"` },
    };
  }
  switch (answer.kind) {
    case 'products':
      return writeProducts(answer, request);
    case 'product':
      return writeProduct(answer.product, request);
    case 'deltas':
      return writeDeltas(answer, request);
    case 'categories':
      return writeCategories(answer.categories);
    case 'performance':
      return writePerformance(answer, request);
    case 'filterNames':
      return writeAvailable(answer.rows);
    case 'items':
      return writeItems(answer);
    case 'jobStarted':
      return nothing(STORED.includes(request.operation?.name) ? 201 : 202, { Location: JOBS + answer.jobId });
    case 'jobStatus':
      return hal({
        state: { code: answer.state?.toUpperCase(), percent: null },
        _links: { self: { href: JOBS + answer.jobId } },
      });
    case 'savedItem':
      return request.method === 'POST'
        ? nothing(201, { Location: `/webservices/surveys/${answer.id}` })
        : hal({ data: { type: 'saved', id: answer.id ?? null, attributes: null } });
    case 'serviceOk':
      return nothing(204);
    case 'unknown':
      return answer.input === 'upc'
        ? jsonDocument(404, VND_ERROR, {
            logref: 'E-404',
            message: 'no such product',
            _links: { help: { href: '/help' } },
          })
        : problem(404, 'Not known', `no ${answer.input} ${JSON.stringify(answer.value.slice(0, 100))}`);
    case 'rejected':
      return problem(STATUS_OF[answer.reason], 'Not understood', answer.detail);
    case 'internalError':
      return problem(500, 'Internal error', answer.why);
    case 'noSuchPath':
      return problem(404, 'No such path');
    case 'wrongMethod':
      return problem(405, 'Method not allowed');
  }
}
