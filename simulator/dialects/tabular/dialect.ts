/**
 * The tabular dialect returns files. Long lists are CSV with semicolons, decimal commas and days as DD.MM.YYYY; deltas are
 * NDJSON with gzip content coding; short lists are JSON pages; all other responses are plain text. Request bodies are forms.
 * A request for a documented path without the bearer token gets 401; any undocumented path gets 404. `src/profile/bundled/tabular.yaml` describes it.
 */
import type { Input, OperationName } from '../../../src/contract/index.ts';
import type { Query, Rejected } from '../../model/types.ts';
import type { Dialect, DialectRequest } from '../types.ts';
import { writeTabular } from './write.ts';

/** Not a secret: every user of the simulator may use it, and the profile contains it. */
const TOKEN = 'eW91IGZvdW5kIG1l.tabular-41~/+==';

const rejected = (reason: Rejected['reason'], detail: string, input?: Input): Rejected => ({
  kind: 'rejected',
  reason,
  detail,
  ...(input && { input }),
});

/** The names of form fields and query parameters. */
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

const WEEKS_BY_SPAN: Readonly<Record<string, number>> = { '1W': 1, '4W': 4, '13W': 13 };

/** Operations with JSON pages. */
const PAGED: ReadonlySet<OperationName> = new Set(['allCategories', 'performanceMetadata']);

/** Parses the form of a POST; rejects a body of another media type. */
function readForm({ headers, body }: DialectRequest): URLSearchParams | Rejected {
  if (body.byteLength === 0) return new URLSearchParams();
  if (headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return rejected('unreadable', 'the body must be a form');
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return rejected('unreadable', 'the form must be UTF-8');
  }
}

const isAbsentOrPositive = (text: string | null): boolean => text === null || /^[1-9][0-9]{0,5}$/.test(text);

/** Reads the inputs of a request; rejects one without the token, and one whose form, page or span is invalid. */
function readTabular(request: Parameters<Dialect['read']>[0]): Query | Rejected {
  const { operation, query, headers, upc } = request;
  if (!/^bearer +/i.test(headers.authorization ?? '') || headers.authorization?.replace(/^\S+ +/, '') !== TOKEN)
    return rejected('unauthorized', 'a bearer token is needed');
  const parameters = operation.method === 'POST' ? readForm(request) : query;
  if (!(parameters instanceof URLSearchParams)) return parameters;
  if (
    PAGED.has(operation.name) &&
    !(isAbsentOrPositive(query.get('page')) && isAbsentOrPositive(query.get('per_page')))
  )
    return rejected('malformed', 'page and per_page are whole numbers from 1');
  const entries = operation.inputs.flatMap((input) => {
    const value = parameters.get(WIRE_NAMES[input] ?? '');
    return value === null || value === '' ? [] : [[input, value] as const];
  });
  const inputs: Query = { ...Object.fromEntries(entries), ...(upc !== undefined && { upc }) };
  if (operation.name !== 'updateProducts') return inputs;
  // The header has precedence. The query parameter is for links, which a client follows without that header.
  const span = headers['x-span'] ?? query.get('span');
  if (span === null) return rejected('missing', 'X-Span is needed', 'window');
  const window = WEEKS_BY_SPAN[String(span)];
  return window === undefined ? rejected('malformed', 'X-Span is 1W, 4W or 13W', 'window') : { ...inputs, window };
}

export const tabular: Dialect = { name: 'tabular', statesRemovals: true, read: readTabular, write: writeTabular };
