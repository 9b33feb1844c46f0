/** How a drawn service writes a response of the reference profile. */
import {
  converterOf,
  fieldAt,
  hasCodes,
  isDeltaInOne,
  isPaged,
  isTable,
  listAt,
  member,
  type Notation,
  onceAt,
  refusalsAt,
  step,
} from './notation.ts';

type Node = Record<string, unknown>;

/** The response of an operation in the reference profile. */
export interface ReferenceResponse {
  readonly rows?: unknown;
  readonly fields?: Readonly<Record<string, string | Node>>;
  readonly counts?: readonly Node[];
  readonly echoes?: Node;
}

interface Written {
  readonly response: Node;
  /** The openings of the response that the service does not fill. */
  readonly lacks: readonly string[];
}

export function responseOf(notation: Notation, key: string, reference: ReferenceResponse): Written {
  const { draws, isXml } = notation;
  if (!isXml && key.includes('JobStatus') && draws.jobStatus !== 'same') return textStatus(notation);
  const { fields, lacks, position } = fieldsOf(notation, key, reference);
  const response = isTable(notation, key)
    ? tableOf(notation, key, fields, reference)
    : isDeltaInOne(notation, key)
      ? { rows: rowsByWindow(notation), fields }
      : documentOf(notation, key, fields, reference, position);
  return { response, lacks };
}

/** The state of a job as a sentence, or as one word. */
function textStatus({ draws }: Notation): Written {
  if (draws.jobStatus === 'word')
    return { response: { media: 'text', rows: '$', fields: { state: '@' } }, lacks: ['fields.jobId'] };
  const fields = { jobId: { at: '@', match: '^job (\\S+) is' }, state: { at: '@', match: 'is (.+?)\\s*$' } };
  return { response: { media: 'text', rows: '$', fields }, lacks: [] };
}

const isList = ({ rows }: ReferenceResponse): boolean => typeof rows === 'string' && rows.endsWith('[*]');

/** Places the fields; `position` is that of the next value of a positional row. */
function fieldsOf(notation: Notation, key: string, reference: ReferenceResponse) {
  const { draws, isXml, isBare } = notation;
  const fields: Node = {};
  const lacks: string[] = [];
  let position = 0;
  for (const [field, stated] of Object.entries(reference.fields ?? {})) {
    const { at, as: _, ...rest } = typeof stated === 'string' ? { at: stated } : (stated as Node);
    const isOnce = String(at).startsWith('$') || (draws.jobAt === 'once' && field === 'jobId' && !isXml && !isBare);
    const own = tableAt(notation, key, field, isOnce);
    const place = own ?? (isOnce ? onceAt(notation, field) : fieldAt(notation, field, position++, isList(reference)));
    const converter = converterOf(draws, field);
    if (place === undefined) lacks.push(`fields.${field}`);
    else if (field === 'jobId' && key.startsWith('POST') && draws.jobIn === 'location')
      fields[field] = { at: '$response.header.Location', match: '/([^/?]+)$', ...rest };
    else fields[field] = { at: place, ...(converter && { as: converter }), ...rest };
  }
  return { fields, lacks, position };
}

/** Where a table has a field in a place of its own; undefined: where the other responses have it. */
function tableAt(notation: Notation, key: string, field: string, isOnce: boolean): string | undefined {
  const { lists, word } = notation;
  if (!isTable(notation, key)) return undefined;
  if (lists === 'csv') return isOnce ? `$response.line['#${word(field)}'][0]` : `@['${word(field)}']`;
  return isOnce ? '$response.header.X-Data-Date' : undefined;
}

function tableOf(notation: Notation, key: string, fields: Node, { counts }: ReferenceResponse): Node {
  const isCsv = notation.lists === 'csv';
  return {
    media: notation.lists,
    ...(isCsv && { csv: { delimiter: ';', comment: '#' } }),
    rows: '$[*]',
    fields,
    ...(isPaged(notation, key) && { paging: { style: 'link', rel: 'next' } }),
    ...(hasCodes(notation) && !isCsv && { refusal: refusalsAt('$[0].errors[0].code') }),
    ...(counts &&
      notation.draws.totals === 'header' && { counts: [{ at: '$response.header.X-Total-Count', of: 'list' }] }),
  };
}

const rowsByWindow = (notation: Notation) =>
  Object.fromEntries([1, 4, 13].map((weeks) => [weeks, `$${step(notation, 'data')}.w${weeks}[*]`]));

/** A response that is one JSON or XML document. */
function documentOf(
  notation: Notation,
  key: string,
  fields: Node,
  reference: ReferenceResponse,
  position: number,
): Node {
  const { word, isXml } = notation;
  const row = isXml ? `$${member(word(key.includes('{upc}') ? 'data' : 'job'))}[*]` : '$';
  const rows = isList(reference) ? listAt(notation) : row;
  const counts = countsOf(notation, reference, position);
  const echoes = echoesOf(notation, reference);
  return {
    rows,
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(isXml && { media: 'xml' }),
    ...(counts.length > 0 && { counts }),
    ...(echoes && !key.endsWith('/Metadata') && { echoes }),
    ...(isPaged(notation, key) && { paging: pagingOf(notation) }),
  };
}

function countsOf(notation: Notation, { counts = [] }: ReferenceResponse, position: number): Node[] {
  const { draws, isXml } = notation;
  const ofRow = (counted: string, nth: number): string => {
    if (!isXml && draws.rows === 'positional') return `@[${position + nth}]`;
    if (isXml) return `@.${counted}[0]`;
    return draws.rows === 'attributes' ? `@.attributes.${counted}` : `@.${counted}`;
  };
  const totalAt = (): string | undefined => {
    if (draws.totals === 'header') return '$response.header.X-Total-Count';
    return draws.totals === 'member' ? onceAt(notation, 'total') : undefined;
  };
  let nth = 0;
  return counts.flatMap((count) => {
    const [isOfRow, counted = ''] = /^@\.(\w+)/.exec(String(count.at)) ?? [];
    const at = isOfRow ? ofRow(counted, nth++) : totalAt();
    return at ? { ...count, at } : [];
  });
}

function echoesOf(notation: Notation, { echoes }: ReferenceResponse): Node | undefined {
  const { draws, isXml, isBare } = notation;
  if (!echoes || !draws.echoes || isBare || isXml) return undefined;
  return Object.fromEntries(
    Object.keys(echoes).map((input) => {
      const at = `${onceAt(notation, 'query')}${step(notation, input)}`;
      return [input, input === 'window' && draws.window ? { at, spellings: draws.window } : at];
    }),
  );
}

function pagingOf(notation: Notation): Node {
  const { paging, pageSize: size } = notation.draws;
  switch (paging) {
    case 'page':
      return { style: 'page', first: 1, size };
    case 'pageFrom0':
      return { style: 'page', first: 0, size };
    case 'offset':
      return { style: 'offset', size };
    case 'cursor':
    case 'next':
      return { style: paging, next: onceAt(notation, 'next') };
    default:
      return { style: 'link', rel: 'next' };
  }
}
