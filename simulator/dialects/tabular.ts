/**
 * The tabular dialect: what a service says that grew out of file transfers. Lists are CSV as European spreadsheets write it,
 * changes are NDJSON in gzip, short lists come page by page in JSON, the rest is plain text; bodies are forms; a bearer
 * token, without which documented paths answer 401 and others 404. `src/profile/bundled/tabular.yaml` describes it.
 */
import { gzipSync } from 'node:zlib';
import { type Input, OPEN_PARTS, type OperationName } from '../../src/contract/index.ts';
import type { Answer, Category, Day, Figure, Item, PerformanceRow, Product, Query, Refused } from '../model/types.ts';
import type { Chunk, Dialect, DialectRequest, Reply } from './types.ts';

/** Not a secret: everybody who starts a simulator may use it, and its profile names it. */
const TOKEN = 'eW91IGZvdW5kIG1l.tabular-41~/+==';

const refused = (reason: Refused['reason'], detail: string, input?: Input): Refused => ({
  kind: 'refused',
  reason,
  detail,
  ...(input && { input }),
});

/** Columns, form fields and query parameters, by one name each. */
const WIRE_NAMES: Readonly<Partial<Record<Input, string>>> = {
  category: 'cat',
  subCategory: 'sub cat',
  manufacturer: 'mfr',
  brand: 'brand[]',
  catalogueId: 'catalogue.id',
  dimension: 'dim',
  group: 'grp',
  hierarchy: 'hier',
  level: 'lvl',
  attribute: 'attr',
  measure: 'msr',
  jobId: 'job',
};

const SPANS: Readonly<Record<string, number>> = { '1W': 1, '4W': 4, '13W': 13 };

/** Lists in JSON envelopes, and how many rows a page of them holds where the request does not say. */
const PAGED: ReadonlySet<OperationName> = new Set(['allCategories', 'performanceMetadata']);
const PAGE_ROWS = 10;
const MOST_PAGE_ROWS = 50;

/** The form of a POST; refused where the body is anything else. */
function readForm({ headers, body }: DialectRequest): URLSearchParams | Refused {
  if (body.byteLength === 0) return new URLSearchParams();
  if (headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return refused('unreadable', 'the body must be a form');
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return refused('unreadable', 'the form must be UTF-8');
  }
}

const isCount = (text: string | null): boolean => text === null || /^[1-9][0-9]{0,5}$/.test(text);

function read(request: Parameters<Dialect['read']>[0]): Query | Refused {
  const { operation, query, headers, upc } = request;
  if (!/^bearer +/i.test(headers.authorization ?? '') || headers.authorization?.replace(/^\S+ +/, '') !== TOKEN)
    return refused('unauthorized', 'a bearer token is needed');
  const sent = operation.method === 'POST' ? readForm(request) : query;
  if (!(sent instanceof URLSearchParams)) return sent;
  if (PAGED.has(operation.name) && !(isCount(query.get('page')) && isCount(query.get('per_page'))))
    return refused('malformed', 'page and per_page are whole numbers from 1');
  const named = (OPEN_PARTS[operation.name].inputs as readonly Input[]).flatMap((input) => {
    const value = sent.get(WIRE_NAMES[input] ?? '');
    return value === null || value === '' ? [] : [[input, value] as const];
  });
  const asked: Query = { ...Object.fromEntries(named), ...(upc !== undefined && { upc }) };
  if (operation.name !== 'updateProducts') return asked;
  // The header is what is meant; the query is there for those who follow a link.
  const span = headers['x-span'] ?? query.get('span');
  if (span === null) return refused('missing', 'X-Span is needed', 'window');
  const window = SPANS[String(span)];
  return window === undefined ? refused('malformed', 'X-Span is 1W, 4W or 13W', 'window') : { ...asked, window };
}

/** `14.11.2026`; a day that is none is empty. */
function europeanDay(day: Day | undefined): string {
  if (day === undefined || !Number.isFinite(day)) return '';
  const date = new Date(0);
  date.setUTCDate(day + 1);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(date.getUTCDate())}.${two(date.getUTCMonth() + 1)}.${date.getUTCFullYear()}`;
}

/** `1.234,50`; what a fault put in place of a figure stands as it is, and none is an empty cell. */
function money(figure: Figure): string {
  if (typeof figure !== 'number') return figure ?? '';
  const [whole = '', cents = ''] = Math.abs(figure).toFixed(2).split('.');
  return `${figure < 0 ? '-' : ''}${whole.replace(/\B(?=(...)+$)/g, '.')},${cents}`;
}

/** `-12,5 %`. */
const percent = (figure: Figure): string =>
  typeof figure === 'number' ? `${String(figure).replace('.', ',')} %` : (figure ?? '');

/** A number has no leading zeros; what is no UPC stands as the text it is. */
const upcNumber = (upc: string): number | string => (/^[0-9]{12}$/.test(upc) ? Number(upc) : upc);

type Cells = readonly (string | undefined)[];

/** Lines that end in CRLF, all but the last; cells that hold a delimiter, a quote or a line break are quoted. */
function* lines(delimiter: string, header: Cells, rows: Iterable<Cells>): Generator<string> {
  const line = (cells: Cells): string =>
    cells
      .map((cell = '') => (/["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(delimiter);
  yield line(header);
  for (const row of rows) yield `\r\n${line(row)}`;
}

/** Walked anew each time it is sent. */
const body = (walk: () => Generator<Chunk>): Reply['body'] => ({ [Symbol.iterator]: walk });

function* mapped<T>(rows: Iterable<T>, write: (row: T) => Cells): Generator<Cells> {
  for (const row of rows) yield write(row);
}

const asOfHeader = (asOf: Day): Record<string, string> => ({ 'X-Data-Date': europeanDay(asOf) });

/** With a byte-order mark, as spreadsheets want it; the title breaks over two lines. */
function bulk({ rows, asOf }: Extract<Answer, { kind: 'products' }>): Reply {
  const header = ['Title', 'UPC', 'Category "Key"', 'Market', 'Last Sold'];
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
        mapped(rows, ({ brand, description, upc, categoryId, market, activeOn }) => [
          `${brand};\r\n"${description}"`,
          upc,
          categoryId,
          market,
          europeanDay(activeOn),
        ]),
      );
    }),
  };
}

/** How many rows one member of the gzip file holds: a file of several members is a file (RFC 1952, section 2.2). */
const MEMBER_ROWS = 100;

/** One JSON object a line; compressed piece by piece, so that a million rows need no more memory than a few. */
function changes({ windows, asOf }: Extract<Answer, { kind: 'deltas' }>): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip', ...asOfHeader(asOf) },
    body: body(function* () {
      let held: string[] = [];
      for (const { upc, category, changedOn } of windows[0]?.rows ?? []) {
        held.push(`${JSON.stringify({ upc: upcNumber(upc), cat: category, changed: europeanDay(changedOn) })}\n`);
        if (held.length < MEMBER_ROWS) continue;
        yield gzipSync(held.join(''));
        held = [];
      }
      yield gzipSync(held.join(''));
    }),
  };
}

/** A page of rows in an envelope, as `page` and `per_page` ask; behind the last page there is an empty one. */
function paged<T>(rows: readonly T[], { query }: DialectRequest): Reply {
  const page = Number(query.get('page') ?? 1);
  const size = Math.min(Number(query.get('per_page') ?? PAGE_ROWS), MOST_PAGE_ROWS);
  const results = rows.slice((page - 1) * size, page * size);
  const envelope = { page, per_page: size, pages: Math.ceil(rows.length / size), results };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(envelope) };
}

const categoryRows = (categories: readonly Category[]) =>
  categories.flatMap(({ id, name, subCategories }) => subCategories.map((sub) => ({ key: id, name, sub })));

/** One line for each characteristic, in tabs. */
const product = ({ upc, categoryId, characteristics }: Product): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/tab-separated-values; charset=utf-8' },
  body: body(() =>
    lines(
      '\t',
      ['UPC', 'Category Key', 'Characteristic', 'Value'],
      mapped(characteristics, ({ name, value }) => [upc, categoryId, name, value]),
    ),
  ),
});

const FIGURES = ['Sales 4 W', 'Sales 12 W', 'Sales 52 W', 'Sales LY', 'Change'];
const figures = (row: PerformanceRow): Cells => [
  ...[row.sales4Weeks, row.sales12Weeks, row.sales52Weeks, row.salesLastYear].map(money),
  percent(row.percentChange),
];

/** In the code page of old spreadsheets; a letter it lacks is a question mark. Each line bears the market and the date. */
function performance({ rows, asOf }: Extract<Answer, { kind: 'performance' }>, brands: boolean): Reply {
  const header = ['Market', 'Week ending', 'Category', 'Sub-Category', ...(brands ? ['Mfr', 'Brand'] : []), ...FIGURES];
  const cells = (row: PerformanceRow): Cells => [
    row.market,
    europeanDay(asOf),
    row.category,
    row.subCategory,
    ...(brands ? [row.manufacturer, row.brand] : []),
    ...figures(row),
  ];
  return {
    status: 200,
    headers: { 'content-type': 'text/csv; charset=windows-1252' },
    body: body(function* () {
      for (const line of lines(';', header, mapped(rows, cells)))
        yield Buffer.from(line.replace(/[^\p{ASCII}\xa0-\xff]/gu, '?'), 'latin1');
    }),
  };
}

const plain = (status: number, text: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=us-ascii', ...headers },
  body: `${text}\n`,
});

/** What is listed for groups and hierarchies comes as text with bars, though it is a table as well. */
function items(list: readonly Item[], { operation }: DialectRequest): Reply {
  const isText = /group|hierarch/i.test(operation?.name ?? '');
  const hasDates = list.some(({ date }) => date !== undefined);
  const cells = ({ id, name, date }: Item): Cells => [id, name, ...(hasDates ? [europeanDay(date)] : [])];
  return {
    status: 200,
    headers: { 'content-type': isText ? 'text/plain' : 'text/csv' },
    body: body(() => lines(isText ? '|' : ';', ['ID', 'Name', ...(hasDates ? ['Loaded'] : [])], mapped(list, cells))),
  };
}

const STATUS_OF: Readonly<Record<Refused['reason'], number>> = {
  missing: 400,
  malformed: 400,
  unreadable: 415,
  unauthorized: 401,
  tooLarge: 413,
};

function write(answer: Answer, request: DialectRequest): Reply {
  switch (answer.kind) {
    case 'products':
      return bulk(answer);
    case 'product':
      return product(answer.product);
    case 'deltas':
      return changes(answer);
    case 'categories':
      return paged(categoryRows(answer.categories), request);
    case 'performance':
      return performance(answer, request.operation?.name === 'brandPerformance');
    case 'available':
      return paged(answer.rows, request);
    case 'items':
      return items(answer.items, request);
    case 'jobStarted':
      return plain(202, answer.jobId);
    case 'jobStatus':
      return plain(200, `job ${answer.jobId} is ${answer.state ?? ''}`);
    case 'thing':
      return plain(200, answer.id ?? '');
    case 'working':
      return plain(200, 'OK');
    case 'unknown':
      return plain(404, `unknown ${answer.input}`);
    case 'refused':
      return plain(
        STATUS_OF[answer.reason],
        answer.detail,
        answer.reason === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="tabular"' } : {},
      );
    case 'broken':
      return plain(500, answer.why);
    case 'noSuchPath':
      return plain(404, 'no such path');
    case 'wrongMethod':
      return plain(405, 'no such method');
  }
}

export const tabular: Dialect = { name: 'tabular', read, write };
