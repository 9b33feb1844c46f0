/**
 * The reference dialect. It is our own choice, because the document shows no formats. Plain JSON in camel case, query
 * parameters with neutral names, JSON bodies for POST, no credentials, errors as problem details (RFC 9457).
 * `src/profile/bundled/reference.yaml` describes it.
 */
import type { Input, Operation } from '../../src/contract/index.ts';
import { isoDay } from '../model/clock.ts';
import type {
  Category,
  Item,
  ListStatement,
  ModelAnswer,
  PerformanceRow,
  ProductRow,
  Query,
  Rejected,
} from '../model/types.ts';
import type { Dialect, DialectResponse, ExpectedRequest } from './types.ts';

/** Parses a JSON object of inputs. Returns an empty object for an empty body, and undefined for a body that is no object. */
function parseBody(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = text === '' ? {} : JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const wireName = (input: Input): string => (input === 'window' ? 'weeks' : input);

function read({ operation, query, upc, body }: Parameters<Dialect['read']>[0]): Query | Rejected {
  const isPost = operation.method === 'POST';
  const sent = isPost ? parseBody(body) : {};
  if (!sent) return { kind: 'rejected', reason: 'unreadable', detail: 'the body must be a JSON object in UTF-8' };
  const inputs: readonly Input[] = operation.inputs;
  const result: Query = Object.fromEntries(
    inputs.flatMap((input) => {
      const name = wireName(input);
      const value = input === 'upc' ? upc : isPost ? sent[name] : query.get(name);
      if (typeof value !== 'string' && typeof value !== 'number') return [];
      return [[input, input === 'window' ? Number(value) : String(value)]];
    }),
  );
  if (operation.name === 'updateProducts' && result.window === undefined) {
    return { kind: 'rejected', reason: 'missing', input: 'window', detail: 'weeks is needed: 1, 4 or 13' };
  }
  return result;
}

const json = (value: unknown): DialectResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

function problem(status: number, title: string, detail?: string): DialectResponse {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ type: 'about:blank', title, status, detail }),
  };
}

/**
 * Streams `{…head, "query": {…}, "key": [row, row, …], "total": n}`. The total is last, so that the list is iterated once.
 */
function list<T>(
  head: object,
  key: string,
  rows: Iterable<T>,
  writeRow: (row: T) => unknown,
  { echo: query, total: countAll }: ListStatement = {},
): DialectResponse {
  function* chunks() {
    let total = 0;
    // The rows precede the last two characters, `]}`.
    yield JSON.stringify({ ...head, query, [key]: [] }).slice(0, -2);
    for (const row of rows) {
      yield (total === 0 ? '' : ',') + JSON.stringify(writeRow(row));
      total += 1;
    }
    yield `],"total":${countAll?.() ?? total}}`;
  }
  return { status: 200, headers: { 'content-type': 'application/json' }, body: { [Symbol.iterator]: chunks } };
}

/** The dates of a product; `changedOn` is absent if the product did not change within a year. */
const datesOf = ({ changedOn, firstActiveOn }: ProductRow) => ({
  changedOn: changedOn === undefined ? undefined : isoDay(changedOn),
  firstActiveOn: isoDay(firstActiveOn),
});

const product = (row: ProductRow) => ({ ...row, activeOn: isoDay(row.activeOn), ...datesOf(row) });

/** The members with the numbers of items below an item. */
const COUNTS: Readonly<Record<string, string>> = {
  logicalDimensions: 'dimensionCount',
  refreshDates: 'refreshDateCount',
  dimensionAttributes: 'attributeCount',
  dimensionGroups: 'groupCount',
  dimensionHierarchies: 'hierarchyCount',
  dimensionRows: 'rowCount',
  groupLevels: 'levelCount',
  hierarchyLevels: 'levelCount',
  attributeValues: 'valueCount',
  groupLevelValues: 'valueCount',
  hierarchyLevelValues: 'valueCount',
};

const item = ({ date, counts = {}, ...names }: Item) => ({
  ...names,
  ...(date !== undefined && { date: isoDay(date) }),
  ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [COUNTS[name], count])),
});

const categoryRows = (categories: readonly Category[]) =>
  categories.flatMap(({ id, name, subCategories, products }) =>
    subCategories.map((subCategory) => ({ category: name, categoryId: id, subCategory, products: products?.() })),
  );

const STATUS_OF: Readonly<Record<Rejected['reason'], number>> = {
  missing: 400,
  malformed: 400,
  unreadable: 400,
  unauthorized: 401,
  tooLarge: 413,
};

function write(answer: ModelAnswer): DialectResponse {
  switch (answer.kind) {
    case 'products':
      return list({ asOf: isoDay(answer.asOf) }, 'products', answer.rows, product, answer);
    case 'product': {
      const { upc, description, category, categoryId, subCategory, characteristics } = answer.product;
      return json({
        upc,
        description,
        category,
        categoryId,
        subCategory,
        ...datesOf(answer.product),
        characteristics,
        asOf: isoDay(answer.asOf),
      });
    }
    case 'deltas': {
      const [delta] = answer.windows;
      return list(
        { asOf: isoDay(answer.asOf), weeks: answer.echo?.window ?? delta?.weeks },
        'products',
        delta?.rows ?? [],
        product,
        answer,
      );
    }
    case 'categories':
      return list({ asOf: isoDay(answer.asOf) }, 'categories', categoryRows(answer.categories), (row) => row, answer);
    case 'performance':
      return list({ asOf: isoDay(answer.asOf) }, 'rows', answer.rows, (row: PerformanceRow) => row, answer);
    case 'filterNames':
      return list({ asOf: isoDay(answer.asOf) }, 'rows', answer.rows, (row) => row, answer);
    case 'items':
      return list(answer.asOf === undefined ? {} : { asOf: isoDay(answer.asOf) }, 'items', answer.items, item, answer);
    case 'jobStarted':
      return { ...json({ jobId: answer.jobId }), status: 202 };
    case 'jobStatus':
      return json({ jobId: answer.jobId, state: answer.state });
    case 'savedItem':
      return json({ id: answer.id });
    case 'serviceOk':
      return json({ status: 'ok' });
    case 'unknown':
      return problem(404, 'Not known', `no ${answer.input} ${JSON.stringify(answer.value.slice(0, 100))}`);
    case 'rejected':
      return problem(STATUS_OF[answer.reason], 'Bad request', answer.detail);
    case 'internalError':
      return problem(500, 'Internal error', answer.why);
    case 'noSuchPath':
      return problem(404, 'No such path');
    case 'wrongMethod':
      return problem(405, 'Method not allowed');
  }
}

/** Group B has its inputs in a JSON object; the bodies of group A have any content. */
const expects = ({ group, method, inputs: names }: Operation): ExpectedRequest => {
  if (method !== 'POST') return {};
  if (group !== 'B') return { body: { type: 'json' } };
  const places = Object.fromEntries(names.map((each) => [each, { name: each, part: 'in the JSON body' }]));
  return { body: { type: 'json', names }, places };
};

export const reference: Dialect = { name: 'reference', statesRemovals: true, read, write, expects };
