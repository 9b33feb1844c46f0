/**
 * The terse dialect: the minimal responses that the document permits. Bare JSON arrays without a Content-Type, single
 * letters for names, rows as arrays, no as-of date, no markets, no dates except refresh dates. Unknown values and empty
 * lists are 204, errors have no body, and a wrong method is answered like an unknown path.
 * `src/profile/bundled/terse.yaml` describes it.
 */
import { type Input, SALES_FILTERS } from '../../src/contract/index.ts';
import type { Category, Day, Item, ModelAnswer, PerformanceRow, Query, Rejected, SalesNames } from '../model/types.ts';
import type { Dialect, DialectRequest, DialectResponse } from './types.ts';

/** Parses a JSON body; an empty body is undefined. Throws when the body is not JSON in UTF-8. */
function parseBody(body: Uint8Array): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  return text === '' ? undefined : JSON.parse(text);
}

/** `["CAT-RETAIL","product","label"]`: ids from the catalogue down. A catalogue id alone needs no array. */
function readMetadataQuery({ operation, body }: Parameters<Dialect['read']>[0]): Query | Rejected {
  const inputs: readonly Input[] = operation.inputs;
  try {
    const sent = parseBody(body);
    const values: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
    const named = inputs.map((input, at) => [input, values[at]] as const);
    return Object.fromEntries(named.filter(([, value]) => typeof value === 'string'));
  } catch {
    return { kind: 'rejected', reason: 'unreadable', detail: 'the body is not JSON' };
  }
}

const JOB_NUMBER = /^([1-9])([0-9]{6})$/;

/** A job id is a number on the wire: `3000012` is the job `job-3-000012`. */
const jobOf = (sent: string): string => sent.replace(JOB_NUMBER, 'job-$1-$2');

/** The wire number of a job id. Other ids stay unchanged. */
function numberOf(jobId: string): number | string {
  const [, kind, index] = /^job-([1-9])-([0-9]{6})$/.exec(jobId) ?? [];
  return kind === undefined ? jobId : Number(`${kind}${index}`);
}

/** Inputs whose wire name is their first letter. */
const ONE_LETTER_INPUTS = ['category', 'subCategory', 'manufacturer', 'brand'] as const satisfies readonly Input[];

function read(request: Parameters<Dialect['read']>[0]): Query | Rejected {
  const { operation, query, upc } = request;
  if (operation.group === 'B') return readMetadataQuery(request);
  const weeks = query.get('w');
  if (operation.name === 'updateProducts' && weeks === null)
    return { kind: 'rejected', reason: 'missing', input: 'window', detail: 'w' };
  const job = query.get('j');
  const names = ONE_LETTER_INPUTS.flatMap((name) => {
    const value = query.get(name.charAt(0));
    return value === null ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(names),
    ...(weeks !== null && { window: Number(weeks) }),
    ...(job !== null && { jobId: jobOf(job) }),
    ...(upc !== undefined && { upc }),
  };
}

const emptyReply = (status: number): DialectResponse => ({ status, headers: {}, body: '' });
const json = (value: unknown): DialectResponse => ({ ...emptyReply(200), body: JSON.stringify(value) });

/** Streams `[row,row]`; an empty list is 204. */
function list<T>(rows: Iterable<T>, write: (row: T) => unknown): DialectResponse {
  if (rows[Symbol.iterator]().next().done) return emptyReply(204);
  function* chunks() {
    let separator = '[';
    for (const row of rows) {
      yield separator + JSON.stringify(write(row) ?? null);
      separator = ',';
    }
    yield ']';
  }
  return { ...emptyReply(200), body: { [Symbol.iterator]: chunks } };
}

/** Formats a day as the number `YYYYMMDD`, or null when it is not a finite number. */
function dateNumber(day: Day): number | null {
  if (!Number.isFinite(day)) return null;
  const date = new Date(0);
  date.setUTCDate(1 + day);
  return (date.getUTCFullYear() * 100 + date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

const figures = (row: PerformanceRow): unknown[] => [
  row.sales4Weeks,
  row.sales12Weeks,
  row.sales52Weeks,
  row.salesLastYear,
  row.percentChange,
];

const categoryRow = (row: PerformanceRow): unknown[] => [row.category, row.subCategory, ...figures(row)];

/** The names under their first letters, the figures in one array. */
const brandRow = (row: PerformanceRow): object => ({
  c: row.category,
  s: row.subCategory,
  m: row.manufacturer,
  b: row.brand,
  f: figures(row),
});

/** Four lists of distinct names. */
const available = (rows: readonly SalesNames[]): object =>
  Object.fromEntries(
    SALES_FILTERS.map((name) => [name.charAt(0), [...new Set(rows.flatMap((row) => row[name] ?? []))]]),
  );

/** A filter is its name, a catalogue its id, a refresh date its id and day, any other item its id and name. */
function item({ operation }: DialectRequest): (item: Item) => unknown {
  if (operation?.group === 'A') return ({ name }) => name;
  if (operation?.name === 'catalogues') return ({ id }) => id;
  return ({ id, name, date }) => [id, date === undefined ? name : dateNumber(date)];
}

const STATUS_OF: Readonly<Record<Rejected['reason'], number>> = {
  missing: 400,
  malformed: 400,
  unreadable: 400,
  unauthorized: 401,
  tooLarge: 413,
};

function write(answer: ModelAnswer, request: DialectRequest): DialectResponse {
  switch (answer.kind) {
    case 'products':
      return list(answer.rows, ({ upc, category }) => [upc, category]);
    case 'product':
      return json(answer.product.characteristics.map(({ name, value }) => [name, value]));
    case 'deltas':
      return list(answer.windows[0]?.rows ?? [], ({ upc }) => upc);
    case 'categories':
      return list(answer.categories, ({ name }: Category) => name);
    case 'performance':
      return list(answer.rows, request.operation?.name === 'brandPerformance' ? brandRow : categoryRow);
    case 'filterNames':
      return json(available(answer.rows));
    case 'items':
      return list(answer.items, item(request));
    case 'jobStarted':
      return json(numberOf(answer.jobId));
    case 'jobStatus':
      // Plain text without quotes.
      return { ...emptyReply(200), body: answer.state ?? '' };
    case 'savedItem':
      return request.operation?.name === 'createSurvey' ? emptyReply(200) : json(answer.id ?? null);
    case 'serviceOk':
    case 'unknown':
      return emptyReply(204);
    case 'rejected':
      return emptyReply(STATUS_OF[answer.reason]);
    case 'internalError':
      return emptyReply(500);
    case 'noSuchPath':
    case 'wrongMethod':
      return emptyReply(404);
  }
}

/** Bodies are JSON values without names. */
const expects: Dialect['expects'] = ({ method }) => (method === 'POST' ? { body: { type: 'json' } } : {});

export const terse: Dialect = { name: 'terse', read, write, expects };
