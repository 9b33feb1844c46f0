/** Reads requests of the SOAP dialect: credentials per group, uploads, forms with lists, envelopes and queries. */
import { textOfUtf8 } from '../../../src/bytes.ts';
import type { Group, Input, OperationName } from '../../../src/contract/index.ts';
import type { Query, Rejected } from '../../model/types.ts';
import type { Dialect, DialectRequest } from '../types.ts';

const NAME = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
const TOKEN = new RegExp(
  [
    '<!--(?:(?!--)[^])*-->',
    String.raw`<\?(?:(?!\?>)[^])*\?>`,
    String.raw`<!\[CDATA\[(?<cdata>(?:(?!\]\]>)[^])*)\]\]>`,
    String.raw`<\/(?<close>${NAME})\s*>`,
    String.raw`<(?<open>${NAME})(?:${ATTRIBUTE})*\s*(?<empty>\/?)>`,
    '(?<text>[^<]+)',
  ].join('|'),
  'y',
);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves the references of a text; undefined when one is invalid. */
function resolveReferences(raw: string): string | undefined {
  let valid = true;
  const plain = raw.replace(/&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|(\w+))?;?/g, (whole, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
    const known = name === undefined ? code <= 0x10ffff : Object.hasOwn(ENTITIES, name);
    valid &&= known && whole.endsWith(';');
    if (!known) return '';
    return name === undefined ? String.fromCodePoint(code) : (ENTITIES[name] as string);
  });
  return valid ? plain : undefined;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * The trimmed texts of the elements at a depth, by local name; undefined when the document is not well-formed.
 *
 * @param depth the number of elements around them; by default only the root element
 * @example parseFlat('<q:Ask xmlns:q="urn:q"><q:Id>7</q:Id></q:Ask>') // Map { 'Id' => '7' }
 */
export function parseFlat(source: string, depth = 1): ReadonlyMap<string, string> | undefined {
  const texts = new Map<string, string>();
  const openNames: string[] = [];
  let roots = 0;
  let content = '';
  const close = (name: string): void => {
    if (openNames.length === depth) texts.set(localName(name), content.trim());
    content = '';
  };
  TOKEN.lastIndex = 0;
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(source)?.groups;
    // A token without groups is a comment or an instruction; without a token the text is not XML.
    if (TOKEN.lastIndex === 0) return undefined;
    if (!groups) continue;
    const { open: startName, close: endName, empty, cdata, text = '' } = groups;
    if (startName !== undefined) {
      if (openNames.length === 0 && ++roots > 1) return undefined;
      content = '';
      if (empty) close(startName);
      else openNames.push(startName);
    } else if (endName !== undefined) {
      if (openNames.pop() !== endName) return undefined;
      close(endName);
    } else {
      const plain = cdata ?? resolveReferences(text);
      if (plain === undefined || (openNames.length === 0 && text.trim() !== '')) return undefined;
      content += plain;
    }
  }
  return openNames.length === 0 && roots === 1 ? texts : undefined;
}

/** Whether a request has the credentials of its group. */
const AUTHORIZED: Readonly<Record<Group, (request: DialectRequest) => boolean>> = {
  A: ({ headers, operation }) => operation?.name === 'testService' || headers['x-service-token'] === 'jobs-41',
  B: ({ headers }) => headers.authorization === 'Bearer master-41',
  C: ({ headers }) => headers.authorization === `Basic ${btoa('products:p-41')}`,
  D: ({ query }) => query.get('key') === 'sales-41',
};

/** Elements of the envelopes of group B, and parameters of queries. */
const WIRE_NAMES: Readonly<Partial<Record<Input, string>>> = {
  category: 'CategoryName',
  categoryId: 'CategoryCode',
  subCategory: 'SubCategoryName',
  manufacturer: 'ManufacturerName',
  brand: 'BrandName',
  jobId: 'JobNumber',
  catalogueId: 'Catalogue',
  dimension: 'Dimension',
  group: 'Group',
  hierarchy: 'Hierarchy',
  level: 'Level',
  attribute: 'Attribute',
  measure: 'Measure',
};

/** Durations of XML Schema. */
export const PERIODS: Readonly<Record<string, number>> = { P7D: 1, P28D: 4, P91D: 13 };
const PAGE_SIZE = 40;
/** Starts of jobs whose body is a form with a list of states; the other POSTs of group A upload a file. */
const FORMS: ReadonlySet<OperationName> = new Set(['businesscount', 'createlist']);

const rejected = (reason: Rejected['reason'], detail: string, input?: Input): Rejected => ({
  kind: 'rejected',
  reason,
  detail,
  ...(input && { input }),
});

function checkUpload({ headers, body, operation }: DialectRequest): Rejected | undefined {
  const type = headers['content-type'] ?? '';
  const sent = textOfUtf8(body);
  if (operation && FORMS.has(operation.name)) {
    if (!type.startsWith('application/x-www-form-urlencoded')) return rejected('unreadable', 'the body must be a form');
    return new URLSearchParams(sent).has('state[]') ? undefined : rejected('missing', 'state[] is needed');
  }
  const [, boundary] = /^multipart\/form-data\s*;.*boundary="?([^";]+)"?/i.exec(type) ?? [];
  if (boundary === undefined) return rejected('unreadable', 'the body must be multipart/form-data');
  const hasFile = sent.split(`--${boundary}`).some((part) => /;\s*filename=.*\r\n(?:.+\r\n)*\r\n./.test(part));
  return hasFile ? undefined : rejected('missing', 'a file is needed');
}

/** The elements in the request element of an envelope; an empty body has none. */
function readEnvelope({ body }: DialectRequest): ReadonlyMap<string, string> | Rejected {
  if (body.byteLength === 0) return new Map();
  try {
    const source = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return parseFlat(source, 3) ?? rejected('unreadable', 'the envelope is not well-formed XML');
  } catch {
    return rejected('unreadable', 'the envelope must be UTF-8');
  }
}

/** The page of a list of sales: the number after `after-`. */
function readPage(query: URLSearchParams): Query | Rejected {
  const [, offset] = /^after-([0-9]{1,9})$/.exec(query.get('Continue') ?? 'after-0') ?? [];
  if (offset === undefined) return rejected('malformed', 'Continue is not one of a response', 'cursor');
  return { offset: Number(offset), limit: PAGE_SIZE };
}

export const readSoap: Dialect['read'] = (request) => {
  const { operation, query, upc } = request;
  const { group, kind, method, name, inputs } = operation;
  if (!AUTHORIZED[group](request)) return rejected('unauthorized', `the credentials of group ${group} are needed`);
  if (group === 'A' && method === 'POST') return checkUpload(request) ?? {};
  const sent = group === 'B' ? readEnvelope(request) : query;
  if ('kind' in sent) return sent;
  const named = inputs.flatMap((input) => {
    const value = sent.get(WIRE_NAMES[input] ?? '');
    return value ? [[input, value]] : [];
  });
  const values: Query = { ...Object.fromEntries(named), ...(upc !== undefined && { upc }) };
  if (name === 'updateProducts') {
    const window = PERIODS[query.get('Period') ?? ''];
    if (window === undefined) return rejected('malformed', 'Period must be P7D, P28D or P91D', 'window');
    return { ...values, window };
  }
  if (kind !== 'performance') return values;
  const page = readPage(query);
  return 'kind' in page ? page : { ...values, ...page };
};
