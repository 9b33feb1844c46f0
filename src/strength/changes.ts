/** Changes of responses: edits of their own text, or the response to another request in their place. */
import { isDeepStrictEqual } from 'node:util';
import type { Field } from '../contract/index.ts';
import { bodyFrom } from '../exchange/body.ts';
import type { Exchange } from '../exchange/types.ts';
import type { Row } from '../reading/types.ts';
import { type Document, type ReadText, readEdited, withBody } from './document.ts';
import { applyEdits, type Edit, insertion, removal } from './parts.ts';
import { identityOf, type List, type RecordedWorld } from './world.ts';

/** How a document is changed, and whether it then reads as intended. */
export interface DocumentEdit {
  readonly edits: readonly Edit[];
  readonly isIntended: (after: ReadText) => boolean;
}

/** A change of the responses to the requests of a list. */
export type ListChange =
  | {
      readonly list: Pick<List, 'documents' | 'nodes'>;
      /** Returns undefined for a document that stays; `impossible` if it has to change and cannot. */
      readonly edit: (document: Document, world: RecordedWorld) => DocumentEdit | 'impossible' | undefined;
    }
  | {
      readonly list: Pick<List, 'nodes'>;
      /** The response in place of another. */
      readonly replace: (exchange: Exchange, at: number) => Exchange | undefined;
    };

/** Which calls of a request are changed. */
export const RHYTHMS = ['always', 'from the second call on'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** The exchange with the response to another one. */
export const answeredAs = (exchange: Exchange, { response, body, failure }: Exchange): Exchange => {
  const { response: _, failure: __, ...rest } = exchange;
  return { ...rest, ...(response && { response }), body, ...(failure && { failure }) };
};

/** The exchange with another head. */
export function withHead(exchange: Exchange, change: { readonly status?: number; readonly type?: string }): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const headers = response.headers.map(([name, value]) =>
    change.type !== undefined && /^content-type$/i.test(name)
      ? ([name, change.type] as const)
      : ([name, value] as const),
  );
  return { ...exchange, response: { ...response, status: change.status ?? response.status, headers } };
}

/** The exchange whose body ends after half of it, as if that were all. */
export function cutInHalf(exchange: Exchange, text: string): Exchange | undefined {
  return withBody(exchange, text.slice(0, Math.floor(text.length / 2)));
}

/**
 * The changed exchanges of a mutant; undefined if a change has no position in the notation, or nothing changes.
 */
export async function applyChanges(
  world: RecordedWorld,
  changes: readonly ListChange[],
  rhythm: Rhythm,
): Promise<Map<Exchange, Exchange> | undefined> {
  const changed = new Map<Exchange, Exchange>();
  const edits = new Map<Exchange, { document: Document; edits: Edit[] }>();
  const isMeant = (exchange: Exchange): boolean => rhythm === 'always' || world.isLater(exchange);
  for (const change of changes) {
    if ('replace' in change) {
      for (const [at, exchange] of [...new Set(change.list.nodes.flatMap(({ sent }) => sent))].entries()) {
        const other = isMeant(exchange) ? change.replace(exchange, at) : undefined;
        if (other && (other.body !== exchange.body || other.response !== exchange.response))
          changed.set(exchange, other);
      }
      continue;
    }
    for (const document of change.list.documents) {
      if (!isMeant(document.exchange)) continue;
      const edit = change.edit(document, world);
      if (edit === 'impossible') return undefined;
      if (!edit) continue;
      if (!edit.isIntended(await readEdited(document, edit.edits))) return undefined;
      const known = edits.get(document.exchange) ?? { document, edits: [] };
      edits.set(document.exchange, known);
      for (const each of edit.edits)
        if (!known.edits.some((other) => isDeepStrictEqual(each, other))) known.edits.push(each);
    }
  }
  for (const [exchange, { document, edits: all }] of edits) {
    if (all.some((one, at) => all.some((other, index) => index > at && one.start < other.end && other.start < one.end)))
      return undefined;
    const other = withBody(exchange, applyEdits(document.text, all));
    if (!other) return undefined;
    changed.set(exchange, other);
  }
  await addEqualCalls(world, changed, isMeant);
  return changed.size > 0 ? changed : undefined;
}

/** Other calls of a changed request that had the same response, whatever they were sent for, change with it. */
async function addEqualCalls(
  world: RecordedWorld,
  changed: Map<Exchange, Exchange>,
  isMeant: (exchange: Exchange) => boolean,
): Promise<void> {
  for (const [exchange, other] of [...changed])
    for (const call of world.captured.calls.get(world.captured.keyOf(exchange)) ?? []) {
      if (changed.has(call) || !isMeant(call) || call.response?.status !== exchange.response?.status) continue;
      if (call.body.bytes !== exchange.body.bytes) continue;
      const [own, same] = await Promise.all([call, exchange].map(({ body }) => body.firstBytes(body.bytes)));
      if (own && same && Buffer.compare(own, same) === 0)
        changed.set(call, answeredAs(call, { ...other, body: other.body ?? bodyFrom(new Uint8Array(0)) }));
    }
}

/** The index of the row with an identity in a document; -1: it has none. */
export const rowIndex = (list: Pick<List, 'operation' | 'inputs'>, { rows }: Document, id: string): number =>
  rows.findIndex((row) => identityOf(list, row) === id);

const isEqualRow = (x: Row | undefined, y: Row | undefined, except: readonly Field[] = []): boolean =>
  x !== undefined &&
  y !== undefined &&
  (Object.keys(x) as Field[]).every((field) => except.includes(field) || isDeepStrictEqual(x[field], y[field]));

/** The value as it is written in a text, with its quotes. */
export const sourceOf = (document: Document, row: number, field: Field): string | undefined => {
  const part = document.cells[row]?.get(field);
  return part && document.text.slice(part.valueStart, part.end);
};

/** Changes the texts of some values of one row. */
export function changeRow(
  document: Document,
  row: number,
  texts: { readonly [F in Field]?: string | undefined },
  isMeant: (before: Row, after: Row) => boolean,
): DocumentEdit | 'impossible' {
  const fields = Object.keys(texts) as Field[];
  const before = document.rows[row] as Row;
  const edits: Edit[] = [];
  for (const field of fields) {
    const part = document.cells[row]?.get(field);
    const text = texts[field];
    if (!part || text === undefined) return 'impossible';
    edits.push({ start: part.valueStart, end: part.end, text });
  }
  return {
    edits,
    isIntended: ({ rows }) =>
      rows.length === document.rows.length &&
      rows.every((after, at) => (at === row ? isMeant(before, after) : isEqualRow(after, document.rows[at]))) &&
      isEqualRow(before, rows[row], fields),
  };
}

/** The edits that add to the counts of a page or list, which the profile reads. */
function countEdits(document: Document, added: number, of: readonly string[] = ['page', 'list']): Edit[] {
  const kinds = document.plan.pageMetadata?.counts.map((each) => each.of) ?? [];
  return document.counts.flatMap((parts, at) =>
    of.includes(kinds[at] as string)
      ? parts.map((part) => {
          const written = document.text.slice(part.valueStart, part.end);
          return {
            start: part.valueStart,
            end: part.end,
            text: written.replace(/\d+/, (digits) => String(Number(digits) + added)),
          };
        })
      : [],
  );
}

/** Changes a count by one. */
export function changeCount(document: Document): DocumentEdit | undefined {
  const edits = countEdits(document, 1);
  const before = JSON.stringify(document.observation.pageMetadata);
  const isIntended = ({ observation }: ReadText) => JSON.stringify(observation.pageMetadata) !== before;
  return edits.length > 0 ? { edits, isIntended } : undefined;
}

/** Removes rows, with the counts that the profile reads: of their page, or `isElsewhere`: of the list alone. */
export function removeRows(
  document: Document,
  rows: readonly number[],
  inList = rows.length,
): DocumentEdit | 'impossible' | undefined {
  if (rows.length === 0) {
    const edits = countEdits(document, -inList, ['list']);
    return edits.length > 0 && inList > 0 ? { edits, isIntended: () => true } : undefined;
  }
  const parts = rows.flatMap((row) => document.rowParts[row] ?? []);
  if (rows.some((row) => (document.rowParts[row] ?? []).length === 0)) return 'impossible';
  const stay = document.rows.filter((_, at) => !rows.includes(at));
  return {
    edits: [
      ...removal(parts, document.notation),
      ...countEdits(document, -rows.length, ['page']),
      ...countEdits(document, -inList, ['list']),
    ],
    isIntended: ({ rows: after, observation }) =>
      observation.problem === undefined &&
      after.length === stay.length &&
      after.every((row, at) => isEqualRow(stay[at], row)),
  };
}

/** Inserts the text of a row of a document of the same operation after the last row. */
export function insertRow(document: Document, from: Document, row: number): DocumentEdit | 'impossible' {
  const [part, ...more] = from.rowParts[row] ?? [];
  const last = document.rowParts.findLast((parts) => parts.length === 1)?.[0];
  if (!part || !last || more.length > 0 || from.notation !== document.notation) return 'impossible';
  const inserted = from.text.slice(part.start, part.end);
  return {
    edits: [insertion(last, inserted, document.notation, document.text), ...countEdits(document, 1)],
    isIntended: ({ rows }) =>
      rows.length === document.rows.length + 1 &&
      document.rows.every((each, at) => isEqualRow(each, rows[at])) &&
      isEqualRow(from.rows[row], rows.at(-1)),
  };
}

/** Changes the text of the values that are read once per response. */
export function changeValues(
  document: Document,
  field: Field,
  textOf: (written: string) => string | undefined,
): DocumentEdit | 'impossible' | undefined {
  const parts = document.values.get(field) ?? [];
  if (parts.length === 0) return undefined;
  const edits = parts.map((part) => {
    const source = document.text.slice(part.valueStart, part.end);
    const text = textOf(source);
    return { start: part.valueStart, end: part.end, text: text ?? source, isKept: text === undefined };
  });
  if (edits.some(({ isKept }) => isKept)) return 'impossible';
  const before = document.observation.values[field];
  return {
    edits: edits.map(({ start, end, text }) => ({ start, end, text })),
    isIntended: ({ rows, observation }) =>
      rows.length === document.rows.length && !isDeepStrictEqual(before, observation.values[field]),
  };
}

/** The text of a value of another row, as the service writes it in this operation. */
export function otherSource(
  list: List,
  world: RecordedWorld,
  document: Document,
  field: Field,
  isMeant: (row: Row) => boolean,
): string | undefined {
  const own = document.rows.findIndex((row, at) => isMeant(row) && document.cells[at]?.has(field));
  if (own >= 0) return sourceOf(document, own, field);
  for (const other of world.lists)
    if (other.operation === list.operation)
      for (const each of other.documents) {
        const at =
          each.notation === document.notation
            ? each.rows.findIndex((row, index) => isMeant(row) && each.cells[index]?.has(field))
            : -1;
        if (at >= 0) return sourceOf(each, at, field);
      }
  return undefined;
}

/** A text with its n-th digit changed by a function; undefined if it has none. */
export function withDigit(source: string, nth: number, change: (digit: string) => string): string | undefined {
  const digits = [...source.matchAll(/\d/g)];
  const match = digits.at(nth);
  if (!match) return undefined;
  return source.slice(0, match.index) + change(match[0]) + source.slice(match.index + 1);
}

/** A text in the quotes of another value. */
export const quotedLike = (source: string, text: string): string => (source.startsWith('"') ? `"${text}"` : text);
