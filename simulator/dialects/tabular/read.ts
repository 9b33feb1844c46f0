/** The questions of the tabular dialect: forms, query parameters and one header. */
import { type Input, OPEN_PARTS, type OperationName } from '../../../src/contract/index.ts';
import type { Query, Refused } from '../../model/types.ts';
import type { Dialect, DialectRequest } from '../types.ts';

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

/** Lists in JSON envelopes. */
const PAGED: ReadonlySet<OperationName> = new Set(['allCategories', 'performanceMetadata']);

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

export function readTabular(request: Parameters<Dialect['read']>[0]): Query | Refused {
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
