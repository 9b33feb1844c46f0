/** Writes tabular responses. */
import { builtinModule, isNode } from '../../../src/builtin-module.ts';
import { latin1, utf8 } from '../../../src/bytes.ts';
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  JOB_STATUS,
  type OperationKey,
  operationOf,
  type PerformanceOperation,
  type SALES_FILTERS,
} from '../../../src/contract/index.ts';
import type {
  Category,
  Day,
  Item,
  ListStatement,
  ModelAnswer,
  PerformanceRow,
  Product,
  Rejected,
} from '../../model/types.ts';
import type { Chunk, DialectRequest, DialectResponse } from '../types.ts';
import { type Cells, europeanDay, formatPercent, lines, money, upcNumber } from './format.ts';

/** A body that is generated each time it is sent. */
const body = (generate: () => Generator<Chunk>): DialectResponse['body'] => ({ [Symbol.iterator]: generate });

function* mapped<T>(rows: Iterable<T>, write: (row: T) => Cells): Generator<Cells> {
  for (const row of rows) yield write(row);
}

const asOfHeader = (asOf: Day): Record<string, string> => ({ 'X-Data-Date': europeanDay(asOf) });

/** The bulk list as CSV with a byte-order mark, which spreadsheets need. The title has two lines. */
function bulk({ rows, asOf }: Extract<ModelAnswer, { kind: 'products' }>): DialectResponse {
  const header = ['Title', 'UPC', 'Category "Key"', 'Market', 'Last Sold', 'Changed'];
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="products.csv"',
      ...asOfHeader(asOf),
    },
    body: body(function* () {
      yield '\ufeff';
      yield* lines(
        ';',
        header,
        mapped(rows, ({ brand, description, upc, categoryId, market, activeOn, changedOn }) => [
          `${brand};\r\n"${description}"`,
          upc,
          categoryId,
          market,
          europeanDay(activeOn),
          europeanDay(changedOn),
        ]),
      );
    }),
  };
}

/** Adds, updates and deletions. */
const KIND_LETTERS: Readonly<Record<string, string>> = { new: 'A', changed: 'U', removed: 'D' };

/** The rows per gzip member; a gzip file may have several members (RFC 1952, section 2.2). */
const MEMBER_ROWS = 100;

/** One JSON object per line, compressed in pieces, so that a million rows need constant memory. In a browser, which shows pages no coding, it is not compressed. */
function changes({ windows, asOf }: Extract<ModelAnswer, { kind: 'deltas' }>): DialectResponse {
  const compress = isNode() ? builtinModule('node:zlib').gzipSync : utf8;
  const coding = isNode() && { 'content-encoding': 'gzip' };
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson', ...coding, ...asOfHeader(asOf) },
    body: body(function* () {
      let buffered: string[] = [];
      for (const { upc, category, changedOn, changeKind } of windows[0]?.rows ?? []) {
        const kind = changeKind === undefined ? undefined : (KIND_LETTERS[changeKind] ?? changeKind);
        buffered.push(
          `${JSON.stringify({ upc: upcNumber(upc), cat: category, kind, changed: europeanDay(changedOn) })}\n`,
        );
        if (buffered.length < MEMBER_ROWS) continue;
        yield compress(buffered.join(''));
        buffered = [];
      }
      yield compress(buffered.join(''));
    }),
  };
}

/** The default and the maximum number of rows per page. */
const PAGE_ROWS = 10;
const MAX_PAGE_ROWS = 50;

/**
 * The requested page of rows in an envelope; pages after the last one are empty. Rows are sorted, because pages need a
 * stable order.
 */
function paged(
  rows: readonly object[],
  { query }: DialectRequest,
  { total = () => rows.length }: ListStatement,
): DialectResponse {
  const page = Number(query.get('page') ?? 1);
  const size = Math.min(Number(query.get('per_page') ?? PAGE_ROWS), MAX_PAGE_ROWS);
  const sorted = rows.map((row) => JSON.stringify(row)).sort();
  const results = sorted.slice((page - 1) * size, page * size).join();
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: `{"page":${page},"per_page":${size},"pages":${Math.ceil(rows.length / size)},"total":"${total()}","results":[${results}]}`,
  };
}

const categoryRows = (categories: readonly Category[]) =>
  categories.flatMap(({ id, name, subCategories }) => subCategories.map((sub) => ({ key: id, name, sub })));

/** One tab-separated line per characteristic. */
const product = ({ upc, categoryId, changedOn, characteristics }: Product): DialectResponse => ({
  status: 200,
  headers: { 'content-type': 'text/tab-separated-values; charset=utf-8' },
  body: body(() =>
    lines(
      '\t',
      ['UPC', 'Category Key', 'Changed', 'Characteristic', 'Value'],
      mapped(characteristics, ({ name, value }) => [upc, categoryId, europeanDay(changedOn), name, value]),
    ),
  ),
});

const FIGURES = ['Sales 4 W', 'Sales 12 W', 'Sales 52 W', 'Sales LY', 'Change'];
const figures = (row: PerformanceRow): Cells => [
  ...[row.sales4Weeks, row.sales12Weeks, row.sales52Weeks, row.salesLastYear].map(money),
  formatPercent(row.percentChange),
];

/** CSV in windows-1252; other characters become question marks. Each line has the market and the date. */
/** The columns with names, by operation: their titles and fields. */
const NAMES: Readonly<Record<PerformanceOperation, { readonly [title: string]: (typeof SALES_FILTERS)[number] }>> = {
  [CATEGORY_PERFORMANCE]: { Category: 'category', 'Sub-Category': 'subCategory' },
  [BRAND_PERFORMANCE]: { Category: 'category', 'Sub-Category': 'subCategory', Mfr: 'manufacturer', Brand: 'brand' },
};

function performance({ rows, asOf }: Extract<ModelAnswer, { kind: 'performance' }>, of: OperationKey): DialectResponse {
  const names = NAMES[of as PerformanceOperation];
  const header = ['Market', 'Week ending', ...Object.keys(names), ...FIGURES];
  const cells = (row: PerformanceRow): Cells => [
    row.market,
    europeanDay(asOf),
    ...Object.values(names).map((field) => row[field]),
    ...figures(row),
  ];
  return {
    status: 200,
    headers: { 'content-type': 'text/csv; charset=windows-1252' },
    body: body(function* () {
      for (const line of lines(';', header, mapped(rows, cells)))
        yield latin1(line.replace(/[^\p{ASCII}\xa0-\xff]/gu, '?'));
    }),
  };
}

/** The address of the status of a job, relative to the base address of the service. */
const statusAddress = ({ jobId, jobKind }: Extract<ModelAnswer, { kind: 'jobStarted' }>): string =>
  `${operationOf(JOB_STATUS[jobKind]).path}?job=${encodeURIComponent(jobId)}`;

const plain = (status: number, text: string, headers: Record<string, string> = {}): DialectResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=us-ascii', ...headers },
  body: `${text}\n`,
});

/** Items as CSV; items of groups and hierarchies are plain text with bars as delimiters. */
function items(list: readonly Item[], { operation }: DialectRequest): DialectResponse {
  const isText = /group|hierarch/i.test(operation?.name ?? '');
  const hasDates = list.some(({ date }) => date !== undefined);
  const cells = ({ id, name, date }: Item): Cells => [id, name, ...(hasDates ? [europeanDay(date)] : [])];
  return {
    status: 200,
    headers: { 'content-type': isText ? 'text/plain' : 'text/csv' },
    body: body(() => lines(isText ? '|' : ';', ['ID', 'Name', ...(hasDates ? ['Loaded'] : [])], mapped(list, cells))),
  };
}

const STATUS_OF: Readonly<Record<Rejected['reason'], number>> = {
  missing: 400,
  malformed: 400,
  unreadable: 415,
  unauthorized: 401,
  tooLarge: 413,
};

export function writeTabular(answer: ModelAnswer, request: DialectRequest): DialectResponse {
  switch (answer.kind) {
    case 'products':
      return bulk(answer);
    case 'product':
      return product(answer.product);
    case 'deltas':
      return changes(answer);
    case 'categories':
      return paged(categoryRows(answer.categories), request, answer);
    case 'performance':
      return performance(answer, request.operation?.key ?? CATEGORY_PERFORMANCE);
    case 'filterNames':
      return paged(answer.rows, request, answer);
    case 'items':
      return items(answer.items, request);
    case 'jobStarted':
      return plain(202, answer.jobId, { location: statusAddress(answer) });
    case 'jobStatus':
      return plain(200, `job ${answer.jobId} is ${answer.state ?? ''}`);
    case 'savedItem':
      return plain(200, answer.id ?? '');
    case 'serviceOk':
      return plain(200, 'OK');
    case 'unknown':
      return plain(404, `unknown ${answer.input}`);
    case 'rejected':
      return plain(
        STATUS_OF[answer.reason],
        answer.detail,
        answer.reason === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="tabular"' } : {},
      );
    case 'internalError':
      return plain(500, answer.why);
    case 'noSuchPath':
      return plain(404, 'no such path');
    case 'wrongMethod':
      return plain(405, 'no such method');
  }
}
