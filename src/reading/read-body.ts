/** Reads one response body under a profile's bindings, row by row as it arrives. */
import { firstHeader } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';
import { PatternLimitError } from '../profile/pattern/index.ts';
import { compileSelector, EVERY, type Selector, type SelectorSource, walk } from '../profile/selector.ts';
import { bindFields, type FieldBindings, textOfElement, toRow, toValues } from './cells.ts';
import type { CsvDelimiter } from './csv-records.ts';
import { decodeBody } from './decode.ts';
import { digestOf, RowSum } from './digest.ts';
import { isSuccessHead, type Media, mediaOf } from './media.ts';
import { errorLine, ReadingError } from './problem.ts';
import { READERS } from './readers.ts';
import { sketch } from './sketch.ts';
import type { Observation, ReadingProblem, RowSink } from './types.ts';

export { mergeObservations } from './merge.ts';

export interface ReadingPlan {
  /** Default: what Content-Type says. */
  readonly media?: Media;
  readonly csv?: { readonly delimiter: CsvDelimiter };
  /**
   * Where the rows stand: each node found is a row. A path of names without `[*]` may name the list itself, and then means
   * its elements. Nothing found at all is a problem in a 2xx answer; an empty list or null is no rows.
   */
  readonly rows?: SelectorSource;
  readonly fields: FieldBindings;
  /** Where the cursor or URL of the next page stands. */
  readonly next?: SelectorSource;
  /** The longest row, in bytes; default 4 MiB. */
  readonly maxRowBytes?: number;
  /** The most that is held at once where a body, or what stands beside its rows, must be read whole; default 64 MiB. */
  readonly maxWholeBytes?: number;
  /** The longest decoded body; default 8 GiB. */
  readonly maxBytes?: number;
}

const MIB = 1024 * 1024;

/**
 * Reads a body to its end or to its first problem, which the observation then names. Never throws for what the body
 * holds; what `onRow` throws passes through. Rows go to `onRow` in order, counted from `startIndex` (rows of earlier
 * pages).
 *
 * @example
 * const plan = { rows: '$.items[*]', fields: { upc: { at: '@.gtin' }, market: { at: '$.market' } } };
 * const { rows, values } = await readBody(plan, response, body.chunks(), (row) => console.log(row.upc));
 */
export async function readBody(
  plan: ReadingPlan,
  head: ResponseHead,
  chunks: AsyncIterable<Uint8Array>,
  onRow: RowSink,
  startIndex = 0,
): Promise<Observation> {
  const rowsAt = plan.rows === undefined ? undefined : compileSelector(plan.rows);
  const nextAt = plan.next === undefined ? undefined : compileSelector(plan.next);
  const media = mediaOf(plan.media, head);
  const { perRow, once } = bindFields(plan.fields, rowsAt || media === 'ndjson' || media === 'csv' ? 'row' : 'answer');
  const sum = new RowSum();
  let rows = 0;
  const deliver = (nodes: readonly unknown[]): void => {
    for (const node of nodes) {
      const row = toRow(perRow, node, head);
      sum.add(row);
      onRow(row, startIndex + rows++);
    }
  };
  let values: Observation['values'] = {};
  let next: string | undefined;
  const done = (problem?: ReadingProblem): Observation => ({
    rows,
    complete: problem === undefined,
    values,
    digest: digestOf(sum, values),
    ...(next !== undefined && { next }),
    ...(problem && { problem }),
  });

  const others = [...once.map((bound) => bound.selector), ...(nextAt ? [nextAt] : [])];
  const isAsked = rowsAt !== undefined || others.some((selector) => selector.scope !== 'header');
  try {
    // Headers are there whatever becomes of the body.
    values = toValues(
      once.filter((bound) => bound.selector.scope === 'header'),
      undefined,
      head,
    );
    if (!media) {
      if (isSuccessHead(head) && isAsked && !hasNoContent(head)) throw unknownMedia(head);
    } else {
      if (media === 'text' && plan.media === undefined && isSuccessHead(head)) refuseAsText(rowsAt, others, head);
      const reader = READERS[media]({
        rowsAt,
        others,
        head,
        delimiter: plan.csv?.delimiter,
        maxRowBytes: plan.maxRowBytes ?? 4 * MIB,
        maxWholeBytes: plan.maxWholeBytes ?? 64 * MIB,
        onRows: deliver,
      });
      let isEmpty = true;
      for await (const chunk of decodeBody(head, chunks, plan.maxBytes ?? 8192 * MIB, media !== 'binary')) {
        isEmpty &&= chunk.length === 0;
        reader.push(chunk);
      }
      if (isEmpty && hasNoContent(head)) return done();
      const { document, streamed } = reader.end();
      values = toValues(once, document, head);
      if (rowsAt && !streamed) deliver(rowsOf(rowsAt, document, head, media));
      next = nextAt && nextOf(nextAt, document, head);
    }
    return done();
  } catch (error) {
    if (error instanceof ReadingError) return done({ kind: error.kind, message: error.message });
    if (error instanceof PatternLimitError) return done({ kind: 'timeLimit', message: error.message });
    throw error;
  }
}

/** 204 and 205 say so; an error without a body is no broken body. */
const hasNoContent = (head: ResponseHead): boolean => [204, 205].includes(head.status) || !isSuccessHead(head);

function unknownMedia(head: ResponseHead): ReadingError {
  const said = firstHeader(head.headers, 'content-type') ? `${typeOf(head)}, which is not known` : 'no Content-Type';
  return new ReadingError('media', `the answer has ${said}: say in response.media how to read it`);
}

/** Much JSON is sent as text; taken for a text, it would seem to lack everything that was to be read in it. */
function refuseAsText(rowsAt: Selector | undefined, others: readonly Selector[], head: ResponseHead): void {
  // A function may read what it likes in a text.
  const isPath = ({ source, scope }: Selector) => scope === 'answer' && source.startsWith('$');
  const path = [rowsAt, ...others.filter(({ steps }) => steps?.length !== 0)].find((each) => each && isPath(each));
  if (!path) return;
  const said = `the answer has ${typeOf(head)}, and ${path.source} finds nothing in a text`;
  throw new ReadingError('media', `${said}: say in response.media how to read it`);
}

const typeOf = (head: ResponseHead): string =>
  `the Content-Type ${JSON.stringify(firstHeader(head.headers, 'content-type')?.slice(0, 80))}`;

/** Rows out of a decoded document. */
function rowsOf(rowsAt: Selector, document: unknown, head: ResponseHead, media: Media): readonly unknown[] {
  const nodes = tryTo(() => rowsAt.select(document, head), `the rows selector ${rowsAt.source}`);
  const [only] = nodes;
  // A list in an answer that a path names without [*] means its elements; null is how some spell the empty list.
  if (rowsAt.singular && nodes.length === 1) return only === null ? [] : Array.isArray(only) ? only : nodes;
  if (nodes.length > 0 || !isSuccessHead(head) || holdsNoRows(rowsAt, document, head, media)) return nodes;
  throw new ReadingError('rowsNotFound', `${rowsAt.source} finds no rows; the body holds ${sketch(document)}`);
}

/** Whether the rows, of which there are none, would have a place in the document. */
function holdsNoRows(rowsAt: Selector, document: unknown, head: ResponseHead, media: Media): boolean {
  // XML has no empty list of elements, only an element without any.
  if (media === 'xml' && rowsAt.steps?.at(-1) === EVERY) return walk(document, rowsAt.steps.slice(0, -2)).length > 0;
  return !rowsAt.singular && rowsAt.holderExists(document, head);
}

/** The text of the paging selector; nothing, null, false and the empty text all say that this was the last page. */
function nextOf(nextAt: Selector, document: unknown, head: ResponseHead): string | undefined {
  const [found] = tryTo(() => nextAt.select(document, head), `the paging selector ${nextAt.source}`);
  const node = textOfElement(found) ?? found;
  if (node === undefined || node === null || node === false || node === '') return undefined;
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  throw new ReadingError('rowsNotFound', `the paging selector ${nextAt.source} finds no text but ${sketch(found)}`);
}

function tryTo<T>(act: () => T, what: string): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof PatternLimitError) throw error;
    throw new ReadingError('rowsNotFound', `${what} failed: ${errorLine(error)}`);
  }
}
