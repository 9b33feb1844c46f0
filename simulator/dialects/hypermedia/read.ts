/** Reads hypermedia requests into neutral queries. */
import type { Input, OperationName } from '../../../src/contract/index.ts';
import type { Query, Rejected } from '../../model/types.ts';
import type { Dialect, DialectRequest } from '../types.ts';
import { ANONYMOUS, API_KEY, API_KEY_HEADER, FILTER_NAMES, JOBS, offsetOf, PAGE_ROWS } from './format.ts';

/** Whether a request has the API key or needs none. */
export const isAuthenticated = ({ headers, operation }: DialectRequest): boolean =>
  headers[API_KEY_HEADER] === API_KEY || (operation !== undefined && ANONYMOUS.includes(operation.name));

const rejected = (reason: Rejected['reason'], detail: string): Rejected => ({ kind: 'rejected', reason, detail });

const CLAUSE = /([A-Za-z]+) eq '((?:[^']|'')*)'( and |$)/y;

/** Parses `category eq 'Baker''s Goods' and brand eq 'Sun'`. Values may contain any text, even `and`. */
function readFilter(text: string): Query | Rejected {
  const inputs: Record<string, string> = {};
  CLAUSE.lastIndex = 0;
  for (let at = 0, more = text !== ''; more; at = CLAUSE.lastIndex) {
    const [, name = '', value = '', join = ''] = CLAUSE.exec(text) ?? [];
    if (!Object.hasOwn(FILTER_NAMES, name)) {
      const names = Object.keys(FILTER_NAMES).join(', ');
      return rejected(
        'malformed',
        `the filter is invalid at character ${at}; write NAME eq '…' with a NAME of ${names}`,
      );
    }
    inputs[FILTER_NAMES[name as keyof typeof FILTER_NAMES]] = value.replaceAll("''", "'");
    more = join !== '';
  }
  return inputs;
}

/** The page of a paged list. */
function readPage(name: OperationName, query: URLSearchParams): Query | Rejected {
  if (!Object.hasOwn(PAGE_ROWS, name)) return {};
  const limit = PAGE_ROWS[name as keyof typeof PAGE_ROWS];
  const cursor = query.get('cursor');
  if (cursor === null) return { limit };
  const offset = offsetOf(cursor);
  return offset === undefined ? rejected('malformed', 'the cursor is invalid') : { limit, offset };
}

/** A nested member of a JSON value, or undefined. */
const member = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((node, name) => (node as Readonly<Record<string, unknown>> | null | undefined)?.[name], value);

/** `{"data": {"relationships": {"catalogue": {"data": {"id": "…"}}, …}}}`; a header may name the catalogue instead. */
function readMetadataQuery({ operation, headers, body }: Parameters<Dialect['read']>[0]): Query | Rejected {
  let document: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    document = text === '' ? {} : JSON.parse(text);
  } catch {
    return rejected('unreadable', 'the body must be JSON in UTF-8');
  }
  const inputs: Record<string, string> = {};
  for (const input of operation.inputs as readonly Input[]) {
    const relation = input === 'catalogueId' ? 'catalogue' : input;
    const id =
      (input === 'catalogueId' ? headers['x-catalogue'] : undefined) ??
      member(document, 'data', 'relationships', relation, 'data', 'id');
    if (typeof id === 'string' || typeof id === 'number') inputs[input] = String(id);
  }
  return inputs;
}

/** The job URI, in a header or in the query. */
function readJob({ headers, query }: DialectRequest): Query {
  const uri = headers['x-job'] ?? query.get('job');
  return typeof uri === 'string' ? { jobId: uri.startsWith(JOBS) ? uri.slice(JOBS.length) : uri } : {};
}

export function readHypermedia(request: Parameters<Dialect['read']>[0]): Query | Rejected {
  if (!isAuthenticated(request)) return rejected('unauthorized', `${API_KEY_HEADER} must contain the key`);
  const { operation, query, upc } = request;
  if (operation.group === 'B') return readMetadataQuery(request);
  if (operation.group === 'A') return readJob(request);
  const filter = readFilter(query.get('filter') ?? '');
  if ('reason' in filter) return filter;
  const page = readPage(operation.name, query);
  return 'reason' in page ? page : { ...filter, ...page, ...(upc !== undefined && { upc }) };
}
