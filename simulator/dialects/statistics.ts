/**
 * The statistics dialect: shapes of statistical offices (JSON-stat, SDMX-JSON). Products are a map by UPC, changes are
 * parallel lists, lists of metadata are tables with column names, figures are observations by position. Lists in queries
 * and forms repeat their name. Every response is 200; an error is a member of its body.
 * `src/profile/bundled/statistics.yaml` describes it.
 */
import { type Input, SALES_FILTERS } from '../../src/contract/index.ts';
import { isoDay } from '../model/clock.ts';
import type { Day, Figure, Item, ModelAnswer, PerformanceRow, ProductRow, Query, Rejected } from '../model/types.ts';
import type { Dialect, DialectRequest, DialectResponse } from './types.ts';

const API_KEY = 'observer-41';

/** `path[]=product&path[]=label`: the ids below the catalogue, in the order of the document. */
function readMetadataQuery({ operation, body }: Parameters<Dialect['read']>[0]): Query {
  const [, ...below]: readonly Input[] = operation.inputs;
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const path = form.getAll('path[]');
  const source = form.get('source');
  const named = below.map((input, at) => [input, path[at]] as const);
  return {
    ...(source !== null && { catalogueId: source }),
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
  };
}

/** `filter[]=category:Tea&filter[]=brand:Sun`; changes are filtered by the code of a category, `filter[]=code:12`. */
function readFilters(query: URLSearchParams): Query {
  const names: readonly string[] = [...SALES_FILTERS, 'categoryId'];
  const filters = query.getAll('filter[]').map((text) => {
    const colon = text.indexOf(':');
    const name = text.slice(0, colon);
    return [name === 'code' ? 'categoryId' : name, text.slice(colon + 1)] as const;
  });
  return Object.fromEntries(filters.filter(([name]) => names.includes(name)));
}

function read(request: Parameters<Dialect['read']>[0]): Query | Rejected {
  const { operation, query, upc } = request;
  if (query.get('api_key') !== API_KEY)
    return { kind: 'rejected', reason: 'unauthorized', detail: 'api_key is needed' };
  if (operation.group === 'B') return readMetadataQuery(request);
  const lag = query.get('lag');
  if (operation.name === 'updateProducts' && lag === null)
    return { kind: 'rejected', reason: 'missing', input: 'window', detail: 'lag is needed: 1, 4 or 13' };
  const ticket = query.get('ticket');
  return {
    ...readFilters(query),
    ...(lag !== null && { window: Number(lag) }),
    ...(ticket !== null && { jobId: ticket }),
    ...(upc !== undefined && { upc }),
  };
}

const reply = (body: DialectResponse['body']): DialectResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
});
const json = (value: unknown): DialectResponse => reply(JSON.stringify(value));
const failed = (code: number, title: string): DialectResponse => json({ errors: [{ code, title }] });

const dateOf = (day: Day | undefined): string | null =>
  day === undefined || !Number.isFinite(day) ? null : isoDay(day);
const header = (asOf: Day, area: string): object => ({ prepared: dateOf(asOf), area });

/** The numbers of areas (ISO 3166-1). */
const AREAS: Readonly<Record<string, number>> = { US: 840, CA: 124 };

/** Streams `{"header":{…},"products":{"UPC":{…},…}}`. */
function productMap(head: object, rows: Iterable<ProductRow>): DialectResponse {
  function* chunks() {
    yield `{"header":${JSON.stringify(head)},"products":{`;
    let separator = '';
    for (const { upc, category, categoryId, market, activeOn, changedOn } of rows) {
      const product = {
        label: category,
        code: categoryId,
        area: market === undefined ? undefined : (AREAS[market] ?? market),
        lastSold: dateOf(activeOn),
        revised: dateOf(changedOn),
      };
      yield `${separator}${JSON.stringify(String(upc ?? ''))}:${JSON.stringify(product)}`;
      separator = ',';
    }
    yield '}}';
  }
  return reply({ [Symbol.iterator]: chunks });
}

/** New, revised and withdrawn products. */
const ACTIONS: Readonly<Record<string, string>> = { new: 'N', changed: 'R', removed: 'W' };

/** Parallel lists. */
function changeColumns(head: object, rows: readonly ProductRow[]): DialectResponse {
  return json({
    header: head,
    changes: {
      gtin: rows.map(({ upc }) => upc ?? null),
      code: rows.map(({ categoryId }) => categoryId ?? null),
      date: rows.map(({ changedOn }) => dateOf(changedOn)),
      action: rows.map(({ changeKind }) => (changeKind === undefined ? null : (ACTIONS[changeKind] ?? changeKind))),
    },
  });
}

/** Amounts in cents; a value that is no number stays as it is. */
const cents = (figure: Figure): unknown => (typeof figure === 'number' ? Math.round(figure * 100) : figure);

/** Figures by the positions of their names: `"0:3": [cents, …, percent, area]`. */
function observations(head: object, rows: readonly PerformanceRow[], names: readonly (typeof SALES_FILTERS)[number][]) {
  const axes = names.map((name) => ({ name, positions: [...new Set(rows.map((row) => row[name] ?? null))] }));
  const indexes = axes.map(({ positions }) => new Map(positions.map((position, at) => [position, at])));
  const written = rows.map((row) => {
    const key = axes.map(({ name }, at) => indexes[at]?.get(row[name] ?? null)).join(':');
    const amounts = [row.sales4Weeks, row.sales12Weeks, row.sales52Weeks, row.salesLastYear].map(cents);
    return `${JSON.stringify(key)}:${JSON.stringify([...amounts, row.percentChange, row.market])}`;
  });
  const dimensions = Object.fromEntries(axes.map(({ name, positions }) => [name, { positions }]));
  return reply(
    `{"header":${JSON.stringify(head)},"dimensions":${JSON.stringify(dimensions)},"observations":{${written.join(',')}}}`,
  );
}

/** A table with the names of its columns. A refresh date is three cells. */
function table(items: readonly Item[]): DialectResponse {
  const hasDates = items.some(({ date }) => date !== undefined);
  const columns = ['code', 'label', ...(hasDates ? ['year', 'month', 'day'] : [])];
  const cells = ({ id, name, date }: Item): unknown[] => [
    id ?? null,
    name ?? null,
    ...(hasDates ? (dateOf(date)?.split('-') ?? [null, null, null]) : []),
  ];
  return json({ columns: columns.map((id) => ({ id })), rows: items.map(cells) });
}

/** `job-3-000012` as `{ series: 'job-3', number: '000012' }`. */
function ticketOf(jobId: string): object {
  const dash = jobId.lastIndexOf('-');
  return { series: jobId.slice(0, dash), number: jobId.slice(dash + 1) };
}

const CODES: Readonly<Record<Rejected['reason'], number>> = {
  missing: 400,
  malformed: 400,
  unreadable: 400,
  unauthorized: 401,
  tooLarge: 413,
};

function write(answer: ModelAnswer, { operation }: DialectRequest): DialectResponse {
  switch (answer.kind) {
    case 'products':
      return productMap(header(answer.asOf, answer.market), answer.rows);
    case 'product': {
      const { upc, category, categoryId, characteristics, changedOn } = answer.product;
      const facts = Object.fromEntries(characteristics.map(({ name, value }) => [name, value]));
      return json({ product: { gtin: upc, label: category, code: categoryId, revised: dateOf(changedOn) }, facts });
    }
    case 'deltas':
      return changeColumns(header(answer.asOf, 'US'), [...(answer.windows[0]?.rows ?? [])]);
    case 'categories':
      return json({
        header: header(answer.asOf, 'US'),
        codelist: Object.fromEntries(
          answer.categories.map(({ id, name, subCategories }) => [id ?? '', { label: name, narrower: subCategories }]),
        ),
      });
    case 'performance':
      return observations(
        header(answer.asOf, answer.market),
        answer.rows,
        operation?.name === 'brandPerformance' ? SALES_FILTERS : ['category', 'subCategory'],
      );
    case 'filterNames':
      return json({
        codelists: Object.fromEntries(
          SALES_FILTERS.map((name) => [
            name,
            Object.fromEntries(
              [...new Set(answer.rows.flatMap((row) => row[name] ?? []))].map((each, at) => [each, at]),
            ),
          ]),
        ),
      });
    case 'items':
      return table(answer.items);
    case 'jobStarted':
      return json({ ticket: ticketOf(answer.jobId) });
    case 'jobStatus':
      return json({ ticket: ticketOf(answer.jobId), state: answer.state });
    case 'savedItem':
      return json({ stored: answer.id ?? null });
    case 'serviceOk':
      return json({ available: true });
    case 'unknown':
      return failed(404, `no ${answer.input} ${JSON.stringify(answer.value.slice(0, 100))}`);
    case 'rejected':
      return failed(CODES[answer.reason], answer.detail);
    case 'internalError':
      return failed(500, answer.why);
    case 'noSuchPath':
      return failed(404, 'no such path');
    case 'wrongMethod':
      return failed(405, `use ${answer.allow.join(', ')}`);
  }
}

const expects: Dialect['expects'] = ({ group }) =>
  group === 'B' ? { body: { type: 'form', names: ['source', 'path[]'] } } : {};

export const statistics: Dialect = { name: 'statistics', statesRemovals: true, read, write, expects };
