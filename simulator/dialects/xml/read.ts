/** Reads XML requests: credentials, query parameters, forms and XML bodies. */
import { textOfBase64 } from '../../../src/bytes.ts';
import type { Input, OperationName, PAGING_INPUTS } from '../../../src/contract/index.ts';
import type { Query, Rejected } from '../../model/types.ts';
import { type Dialect, type DialectRequest, isRejected } from '../types.ts';
import { parseFlat } from './parse.ts';

/** The credentials of the profile; the password has a colon and a non-ASCII letter. */
const CREDENTIALS = 'simulator:s3same:öffne';

/** testService needs no credentials. Every other request does, including requests for unknown paths. */
export function isAuthorized({ headers, operation }: DialectRequest): boolean {
  const [, sent = ''] = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(headers.authorization ?? '') ?? [];
  return operation?.name === 'testService' || textOfBase64(sent) === CREDENTIALS;
}

type Named = Exclude<Input, 'upc' | 'window' | (typeof PAGING_INPUTS)[number]>;

/** Query parameters, and elements of the XML bodies of group B. */
const WIRE_NAMES: Readonly<Partial<Record<Named, string>>> = {
  category: 'flt.categoryName',
  subCategory: 'flt.sub-cat',
  manufacturer: 'mfrNm',
  brand: 'BRAND_EQ',
  jobId: 'ticket',
  catalogueId: 'CatalogueRef',
  dimension: 'Dim',
  group: 'Grp',
  hierarchy: 'Hier',
  level: 'Lvl',
  attribute: 'Attrib',
  measure: 'Msr',
};

const WEEKS: Readonly<Record<string, number>> = { LW: 1, L4W: 4, L13W: 13 };

const DEFAULT_COUNT = 20;
const MAX_COUNT = 250;

/** POSTs of group A with a form body; all others have an XML body. */
const FORMS: ReadonlySet<OperationName> = new Set(['businesscount', 'createlist', 'importLocation', 'updateLocation']);

const rejected = (reason: Rejected['reason'], detail: string, input?: Input): Rejected => ({
  kind: 'rejected',
  reason,
  detail,
  ...(input && { input }),
});

/** Parses a body by field name; an empty body has no fields. */
function bodyOf({ body, headers, operation }: DialectRequest): ReadonlyMap<string, string> | Rejected {
  if (body.byteLength === 0) return new Map();
  const expected = operation && FORMS.has(operation.name) ? 'application/x-www-form-urlencoded' : 'application/xml';
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== expected) return rejected('unreadable', `the body must be ${expected}`);
  try {
    const source = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const found = expected === 'application/xml' ? parseFlat(source) : new Map(new URLSearchParams(source));
    return found ?? rejected('unreadable', 'the body is not well-formed XML');
  } catch {
    return rejected('unreadable', 'the body must be UTF-8');
  }
}

/** The page of a list: `start` counts from 0, `count` is 20 by default and at most 250. */
function pageOf(query: URLSearchParams): Pick<Query, 'offset' | 'limit'> | Rejected {
  const start = query.get('start') ?? '0';
  const count = query.get('count') ?? String(DEFAULT_COUNT);
  if (!/^[0-9]{1,9}$/.test(start)) return rejected('malformed', 'start must be a whole number', 'offset');
  if (!/^[1-9][0-9]{0,8}$/.test(count)) return rejected('malformed', 'count must be a number from 1', 'pageSize');
  return { offset: Number(start), limit: Math.min(Number(count), MAX_COUNT) };
}

export const readXml: Dialect['read'] = (request) => {
  const { operation, query, upc } = request;
  if (!isAuthorized(request)) return rejected('unauthorized', 'basic credentials are needed');
  const sent = operation.method === 'POST' ? bodyOf(request) : query;
  if (isRejected(sent)) return sent;
  if (operation.group === 'A' && operation.method === 'POST' && [...sent.keys()].length === 0) {
    return rejected('missing', 'the parameters of the job are missing');
  }
  const inputs: readonly Input[] = operation.inputs;
  const named = inputs.flatMap((input) => {
    const name = WIRE_NAMES[input as Named];
    const value = name === undefined ? undefined : sent.get(name);
    return value === undefined || value === null || value === '' ? [] : [[input, value]];
  });
  const inputValues: Query = { ...Object.fromEntries(named), ...(upc !== undefined && { upc }) };
  const isList = ['allProducts', 'updateProducts', 'categoryPerformance', 'brandPerformance'].includes(operation.name);
  const page = isList ? pageOf(query) : {};
  if (isRejected(page)) return page;
  if (operation.name !== 'updateProducts') return { ...inputValues, ...page };
  const window = WEEKS[query.get('period') ?? ''];
  if (window === undefined) return rejected('malformed', 'period must be LW, L4W or L13W', 'window');
  return { ...inputValues, ...page, window };
};
