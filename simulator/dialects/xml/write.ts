/** Writes XML responses. A missing name or a null figure is an empty element; an absent figure has no element. */
import { MARKET_NAMES } from '../../../src/contract/index.ts';
import { lengthOf } from '../../model/page.ts';
import type {
  Category,
  Item,
  ListStatement,
  ModelAnswer,
  PerformanceRow,
  Product,
  ProductRow,
  Rejected,
  SalesNames,
} from '../../model/types.ts';
import type { Dialect, DialectRequest, DialectResponse } from '../types.ts';
import { compactDay, dashedUpc, dollars, isoWeek, numericUpc, spacedUpc, xmlPercent } from './format.ts';
import { cdata, document, element, type Markup, openTag, text } from './markup.ts';
import { isAuthorized } from './read.ts';

const MARKET = 'US TOTAL';
const WRITTEN_MARKETS: Readonly<Record<string, string>> = {
  [MARKET_NAMES.performance]: MARKET,
  [MARKET_NAMES.products]: MARKET,
};
const market = (name: string): string => WRITTEN_MARKETS[name] ?? name;

const textElement = (name: string, value: string | undefined): Markup => element(name, {}, text(value ?? ''));

/** Streams `<wrapper …>row row …</wrapper>`; an empty list is an empty element. */
function* wrapped<T>(before: Markup, name: string, rows: Iterable<T>, write: (row: T) => Markup, after: Markup) {
  yield before;
  let hasRows = false;
  for (const row of rows) {
    yield `${hasRows ? '' : `${openTag(name)}>`}\n  ${write(row)}`;
    hasRows = true;
  }
  yield hasRows ? `\n</${name}>\n` : element(name, {});
  yield `${after}\n`;
}

/** A product without a change within a year has no such attribute. */
const changeOf = ({ changedOn }: Pick<ProductRow, 'changedOn'>) =>
  changedOn === undefined ? {} : { changed: compactDay(changedOn) };

const productRow = (row: ProductRow): Markup =>
  element(
    'p:Product',
    {
      cat: row.categoryId,
      code: dashedUpc(row.upc),
      mkt: market(row.market),
      lastSold: compactDay(row.activeOn),
      ...changeOf(row),
    },
    element('Title', {}, cdata(row.description)),
    element('p:Brand', {}, text(row.brand)),
  );

/** The UPC contains a comment and a reference to a space, which a parser must resolve. */
const changedRow = ({ upc, category, changedOn }: ProductRow): Markup =>
  element(
    'd:Changed',
    { 'xml:lang': 'en' },
    element('d:Upc', {}, text(spacedUpc(upc)).replace(' ', '&#32;<!-- company, then item -->')),
    changedOn === undefined ? '' : textElement('d:On', compactDay(changedOn)),
    element('Cat', {}, '\n    ', cdata(category ?? ''), '\n  '),
  );

const product = ({ upc, categoryId, category, characteristics, ...row }: Product): Markup =>
  element(
    'Product',
    { upc: numericUpc(upc), ...changeOf(row) },
    element('Cat', { key: categoryId }, text(category ?? '')),
    ...characteristics.map(({ name, value }) => element('Attr', { value, name })),
  );

const categoryRows = (categories: readonly Category[]) =>
  categories.flatMap(({ id, name, subCategories }) => subCategories.map((subCategory) => ({ id, name, subCategory })));

const categoryRow = ({ id, name, subCategory }: ReturnType<typeof categoryRows>[number]): Markup =>
  element('c:Category', { 'c:sub': subCategory, key: id }, cdata(name ?? ''));

const NAME_TAGS = { category: 'Cat', subCategory: 'SubCat', manufacturer: 'Mfr', brand: 'Brand' } as const;

/** Four figures with the same element name and different attributes. */
function performanceRow(row: PerformanceRow): Markup {
  const names = (Object.keys(NAME_TAGS) as (keyof typeof NAME_TAGS)[]).filter((name) => name in row);
  const sales = (value: PerformanceRow['sales4Weeks'], attributes: Record<string, string>): Markup =>
    value === undefined ? '' : element('r:Sales', attributes, text(dollars(value)));
  return element(
    'r:Line',
    { mkt: market(row.market) },
    ...names.map((name) => textElement(NAME_TAGS[name], row[name])),
    sales(row.salesLastYear, { prior: 'yes', wk: '52' }),
    sales(row.sales52Weeks, { wk: '52' }),
    sales(row.sales12Weeks, { wk: '12' }),
    sales(row.sales4Weeks, { wk: '4' }),
    row.percentChange === undefined ? '' : textElement('r:Chg', xmlPercent(row.percentChange)),
  );
}

/** Two trees: categories with their sub-categories, manufacturers with their brands. */
function* available(rows: readonly SalesNames[]): Generator<Markup> {
  const tree = (outer: keyof SalesNames, inner: keyof SalesNames, tag: string, leafTag: string): Markup =>
    [...Map.groupBy(rows, (row) => row[outer] ?? '')]
      .map(([name, within]) =>
        element(
          tag,
          { n: name },
          ...[...new Set(within.map((row) => row[inner] ?? ''))].map((each) => element(leafTag, {}, cdata(each))),
        ),
      )
      .join('\n  ');
  yield `${openTag('r:Dictionary', { 'xmlns:r': 'urn:example:measurement' })}>`;
  yield element('r:Shelves', {}, tree('category', 'subCategory', 'Cat', 'Sub'));
  yield element('r:Makers', {}, tree('manufacturer', 'brand', 'Mfr', 'r:Brand'));
  yield '</r:Dictionary>';
}

const entry = ({ id, name, parent, date }: Item): Markup =>
  element(
    'm:Entry',
    { of: parent },
    textElement('Id', id),
    textElement('m:Name', name),
    date === undefined ? '' : textElement('When', isoWeek(date)),
  );

const WS = { 'xmlns:ws': 'urn:example:webservices' };

const filters = (items: readonly Item[]): Markup =>
  element('ws:Filters', WS, ...items.map(({ id, name }) => element('ws:Filter', { key: id }, text(name ?? ''))));

const STATE_WORDS = { queued: 'ENQUEUED', running: 'WORKING', done: 'FINISHED', failed: 'FAILED' } as const;

const STATUS_OF: Readonly<Record<Rejected['reason'], number>> = {
  missing: 400,
  malformed: 422,
  unreadable: 415,
  unauthorized: 401,
  tooLarge: 413,
};

function fault(status: number, code: string, reason: string): DialectResponse {
  const body = element('Fault', { xmlns: 'urn:example:fault', code }, element('Reason', {}, text(reason)));
  const reply = document('utf8', [body], status);
  if (status !== 401) return reply;
  return { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Basic realm="example", charset="UTF-8"' } };
}

/** The number of rows of all pages. */
const totalOf = ({ rows, total = () => lengthOf(rows) }: ListStatement & { readonly rows: Iterable<unknown> }) =>
  String(total());

const NOT_FOUND_PRODUCT = element('Products', { xmlns: 'urn:example:product' });

export const writeXml: Dialect['write'] = (answer: ModelAnswer, request: DialectRequest): DialectResponse => {
  const one = (root: Markup): DialectResponse => document('utf8', [root, '\n']);
  // Clients without credentials must not learn which paths exist.
  if (!isAuthorized(request)) return fault(401, 'auth', 'basic credentials are needed');
  switch (answer.kind) {
    case 'products': {
      const before = `${openTag('p:Page', { 'xmlns:p': 'urn:example:products', asOf: compactDay(answer.asOf), total: totalOf(answer) })}>\n`;
      return document('latin1', wrapped(before, 'p:Products', answer.rows, productRow, '</p:Page>'));
    }
    case 'deltas': {
      const [delta] = answer.windows;
      const before = `${openTag('d:Delta', { 'xmlns:d': 'urn:example:delta', weeks: String(answer.echo?.window ?? delta?.weeks) })}>`;
      const asOf = textElement('d:AsOf', compactDay(answer.asOf));
      return document('utf8', wrapped(before + asOf, 'd:Changes', delta?.rows ?? [], changedRow, '</d:Delta>'));
    }
    case 'product':
      return document('latin1', [element('Products', { xmlns: 'urn:example:product' }, product(answer.product))]);
    case 'categories': {
      const rows = categoryRows(answer.categories);
      const before = `${openTag('c:Reply', { 'xmlns:c': 'urn:example:categories' })}>`;
      return document('latin1', wrapped(before, 'c:Categories', rows, categoryRow, '</c:Reply>'));
    }
    case 'performance': {
      const before = `${openTag('r:Report', { 'xmlns:r': 'urn:example:measurement', 'r:dated': compactDay(answer.asOf), lines: totalOf(answer) })}>`;
      return document('marked', wrapped(before, 'r:Lines', answer.rows, performanceRow, '</r:Report>'));
    }
    case 'filterNames':
      return document('marked', available(answer.rows));
    case 'items': {
      if (request.operation?.group === 'A') return one(filters(answer.items));
      const before = `${openTag('m:Reply', { 'xmlns:m': 'urn:example:metadata', for: answer.echo?.catalogueId })}>`;
      return document('latin1', wrapped(before, 'm:Entries', answer.items, entry, '</m:Reply>'));
    }
    case 'jobStarted':
      return one(element('ws:Ticket', WS, '\n  ', element('ws:Id', {}, '\n    ', text(answer.jobId), '\n  '), '\n'));
    case 'jobStatus':
      return one(
        element(
          'ws:Job',
          { ...WS, id: answer.jobId },
          element('ws:State', {}, cdata(STATE_WORDS[answer.state] ?? answer.state ?? '')),
        ),
      );
    case 'savedItem':
      return one(element('ws:Saved', WS, textElement('ws:Id', answer.id)));
    case 'serviceOk':
      return one(element('ws:Pong', WS));
    case 'unknown':
      // The response to an unknown product is an empty list.
      if (answer.input === 'upc') return document('latin1', [NOT_FOUND_PRODUCT]);
      return fault(404, `unknown-${answer.input}`, `there is no ${answer.value.slice(0, 100)}`);
    case 'rejected':
      return fault(STATUS_OF[answer.reason], answer.reason, answer.detail);
    case 'internalError':
      return fault(500, 'internal', answer.why);
    case 'noSuchPath':
      return fault(404, 'path', 'no such path');
    case 'wrongMethod':
      return fault(405, 'method', 'no such method');
  }
};
