/** Reads one response body with the bindings of a profile, row by row as it arrives. */
import { firstHeader } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';
import { EVERY, walk } from '../profile/path-steps.ts';
import { PatternLimitError } from '../profile/pattern/index.ts';
import type { RefusalCondition, RowShape } from '../profile/schema.ts';
import { compileSelector, type Selector, type SelectorSource, type StatusAndHeaders } from '../profile/selector.ts';
import { bindRefusals, findRefusal, openBody } from './body-refusal.ts';
import { bindFields, type FieldBindings, toRow, toValues } from './cells.ts';
import { decodeBody } from './decode.ts';
import { digestOf, RowDigest } from './digest.ts';
import { textOfElement } from './element-text.ts';
import { isSuccessHead, type Media, mediaOf } from './media.ts';
import { type PageMetadataPlan, PageMetadataReader } from './page-metadata.ts';
import { BodyError, errorLine, isNodeError } from './problem.ts';
import type { CsvForm } from './reader-types.ts';
import { READERS } from './readers.ts';
import { shapeRows } from './shape-rows.ts';
import { streamShape, withoutSegments } from './stream-shape.ts';
import { summariseValue } from './summarise-value.ts';
import type { Observation, PageMetadata, ReadingProblem, Refusal, RowSink } from './types.ts';

export { mergeObservations } from './merge.ts';

export interface BodyPlan {
  /** Default: the media type of Content-Type. */
  readonly media?: Media;
  readonly csv?: CsvForm;
  /**
   * The selector of the rows: each node found is a row. A path of names without `[*]` may select the list itself, and then means
   * its elements. No node found is a problem in a 2xx response; an empty list or null means no rows.
   */
  readonly rows?: SelectorSource;
  /** How the nodes found become rows. */
  readonly shape?: RowShape;
  readonly fields: FieldBindings;
  /** The counts and the repeated request values (echoes), if the profile reads any. */
  readonly pageMetadata?: PageMetadataPlan;
  /** The selector of the cursor or URL of the next page. */
  readonly next?: SelectorSource;
  /** The conditions under which a 2xx response is a refusal. */
  readonly refusals?: readonly RefusalCondition[];
  /** The longest row, in bytes; default 4 MiB. */
  readonly maxRowBytes?: number;
  /** The maximum number of bytes buffered: a body that cannot be streamed, or the part outside its rows; default 64 MiB. */
  readonly maxWholeBytes?: number;
  /** The longest decoded body; default 8 GiB. */
  readonly maxBytes?: number;
}

const MIB = 1024 * 1024;

/**
 * Reads a body to its end or to its first problem, which the observation then contains. Never throws because of the body's
 * content; exceptions of `onRow` pass through. Rows are passed to `onRow` in order, counted from `startIndex` (rows of earlier
 * pages).
 *
 * @example
 * const plan = { rows: '$.items[*]', fields: { upc: { at: '@.gtin' }, market: { at: '$.market' } } };
 * const { rows, values } = await readBody(plan, response, body.chunks(), (row) => console.log(row.upc));
 */
export async function readBody(
  plan: BodyPlan,
  head: ResponseHead,
  chunks: AsyncIterable<Uint8Array>,
  onRow: RowSink,
  startIndex = 0,
): Promise<Observation> {
  const rowsSelector = plan.rows === undefined ? undefined : compileSelector(plan.rows);
  const nextSelector = plan.next === undefined ? undefined : compileSelector(plan.next);
  const refusals = bindRefusals(plan.refusals ?? []);
  const media = mediaOf(plan.media, head);
  const { rowBindings, responseBindings } = bindFields(
    plan.fields,
    rowsSelector || media === 'ndjson' || media === 'csv' ? 'row' : 'response',
  );
  const metadataReader = plan.pageMetadata && new PageMetadataReader(plan.pageMetadata);
  const rowDigest = new RowDigest();
  let rows = 0;
  const deliver = (nodes: readonly unknown[]): void => {
    for (const node of nodes) {
      const row = toRow(rowBindings, node, head);
      rowDigest.add(row);
      metadataReader?.row(node, head, startIndex + rows, row);
      onRow(row, startIndex + rows++);
    }
  };
  let values: Observation['values'] = {};
  let next: string | undefined;
  let refusal: Refusal | undefined;
  let pageMetadata: PageMetadata | undefined;
  const done = (problem?: ReadingProblem): Observation => ({
    rows,
    complete: problem === undefined,
    values,
    digest: digestOf(rowDigest, values),
    ...(next !== undefined && { next }),
    ...(pageMetadata && { pageMetadata: [pageMetadata] }),
    ...(problem && { problem }),
    ...(refusal && { refusal }),
  });

  const { shape } = plan;
  const shaper = shape && rowsSelector && media ? streamShape(shape, rowsSelector, media) : undefined;
  const maxWholeBytes = plan.maxWholeBytes ?? 64 * MIB;
  const otherSelectors = [
    ...responseBindings.map((bound) => bound.selector),
    ...(nextSelector ? [nextSelector] : []),
    ...(metadataReader?.selectors ?? []),
  ];
  const readsBody = rowsSelector !== undefined || otherSelectors.some((selector) => selector.scope !== 'header');
  try {
    // Headers are available even if the body cannot be read.
    values = toValues(
      responseBindings.filter((bound) => bound.selector.scope === 'header'),
      undefined,
      head,
    );
    if (!media) {
      if (isSuccessHead(head) && readsBody && !hasNoContent(head)) throw unknownMedia(head);
    } else {
      if (media === 'text' && plan.media === undefined && isSuccessHead(head))
        rejectText(rowsSelector, otherSelectors, head);
      const decoded = decodeBody(head, chunks, plan.maxBytes ?? 8192 * MIB, media !== 'binary');
      const opened = await openBody(decoded, media, head, refusals);
      refusal = opened.refusal;
      if (refusal) return done();
      const reader = READERS[media]({
        rowsSelector: shape && rowsSelector && !shaper ? withoutSegments(rowsSelector) : rowsSelector,
        ...(shaper?.withMemberNames && { withMemberNames: true }),
        otherSelectors: [...otherSelectors, ...refusals.map(({ selector }) => selector)],
        head,
        csv: plan.csv,
        maxRowBytes: plan.maxRowBytes ?? 4 * MIB,
        maxWholeBytes,
        onRows: shaper ? (nodes) => deliver(shaper.shape(nodes)) : deliver,
      });
      let isEmpty = true;
      for await (const chunk of opened.chunks) {
        isEmpty &&= chunk.length === 0;
        reader.push(chunk);
      }
      if (isEmpty && hasNoContent(head)) return done();
      const { document, streamed, lines } = reader.end();
      const whole = lines ? { ...head, lines } : head;
      refusal = asBodyError(() => findRefusal(refusals, document, whole), 'a selector of refusal');
      if (refusal) return done();
      values = toValues(responseBindings, document, whole);
      if (rowsSelector && !streamed)
        deliver(
          shape
            ? shapedRowsOf(shape, rowsSelector, document, head, media, maxWholeBytes)
            : rowsOf(rowsSelector, document, head, media),
        );
      next = nextSelector && nextOf(nextSelector, document, whole);
      pageMetadata = metadataReader?.metadata(rows, document, whole, values);
    }
    return done();
  } catch (error) {
    if (error instanceof BodyError) return done({ kind: error.kind, message: error.message });
    if (error instanceof PatternLimitError) return done({ kind: 'timeLimit', message: error.message });
    throw error;
  }
}

/** 204 and 205 have no body; an error may have none. */
const hasNoContent = (head: ResponseHead): boolean => [204, 205].includes(head.status) || !isSuccessHead(head);

function unknownMedia(head: ResponseHead): BodyError {
  const found = firstHeader(head.headers, 'content-type')
    ? `${contentTypeOf(head)}, which is not supported`
    : 'no Content-Type';
  return new BodyError('media', `the response has ${found}: declare its format in response.media`);
}

/** JSON is often sent as text/plain. If it were read as text, no path would select anything. */
function rejectText(rowsSelector: Selector | undefined, otherSelectors: readonly Selector[], head: ResponseHead): void {
  // A selector that is a function can read plain text.
  const isPath = ({ source, scope }: Selector) => scope === 'response' && source.startsWith('$');
  const path = [rowsSelector, ...otherSelectors.filter(({ steps }) => steps?.length !== 0)].find(
    (each) => each && isPath(each),
  );
  if (!path) return;
  const mismatch = `the response has ${contentTypeOf(head)}, but ${path.source} cannot select from a text`;
  throw new BodyError('media', `${mismatch}: declare its format in response.media`);
}

const contentTypeOf = (head: ResponseHead): string =>
  `the Content-Type ${JSON.stringify(firstHeader(head.headers, 'content-type')?.slice(0, 80))}`;

/** Selects the rows of a decoded document. */
function rowsOf(rowsSelector: Selector, document: unknown, head: ResponseHead, media: Media): readonly unknown[] {
  const nodes = asBodyError(() => rowsSelector.select(document, head), `the rows selector ${rowsSelector.source}`);
  const [only] = nodes;
  // A path to a list without [*] means its elements; null is a common representation of the empty list.
  if (rowsSelector.singular && nodes.length === 1) return only === null ? [] : Array.isArray(only) ? only : nodes;
  if (nodes.length > 0 || !isSuccessHead(head) || hasEmptyRows(rowsSelector, document, head, media)) return nodes;
  throw new BodyError('rowsNotFound', `${rowsSelector.source} finds no rows; the body is ${summariseValue(document)}`);
}

/** Selects and shapes the rows of a decoded document. */
function shapedRowsOf(
  shape: RowShape,
  rowsSelector: Selector,
  document: unknown,
  head: ResponseHead,
  media: Media,
  maxBytes: number,
): readonly unknown[] {
  const rows = asBodyError(
    () => shapeRows(shape, rowsSelector, document, head, maxBytes),
    `the rows selector ${rowsSelector.source}`,
  );
  // Without rows, `rowsOf` throws unless the list exists and is empty.
  return rows.length > 0 ? rows : rowsOf(rowsSelector, document, head, media).slice(0, 0);
}

/** Whether the document contains an empty container of rows. */
function hasEmptyRows(rowsSelector: Selector, document: unknown, head: ResponseHead, media: Media): boolean {
  // XML has no empty list of elements, only an element without children.
  if (media === 'xml' && rowsSelector.steps?.at(-1) === EVERY)
    return walk(document, rowsSelector.steps.slice(0, -2)).length > 0;
  return !rowsSelector.singular && rowsSelector.containerExists(document, head);
}

/** The value of the paging selector; undefined, null, false and the empty text all mean that this was the last page. */
function nextOf(nextSelector: Selector, document: unknown, head: StatusAndHeaders): string | undefined {
  const [found] = asBodyError(() => nextSelector.select(document, head), `the paging selector ${nextSelector.source}`);
  const node = textOfElement(found) ?? found;
  // No page is followed by row 0 or page 0.
  if (node === undefined || node === null || node === false || node === '' || node === 0 || node === '0')
    return undefined;
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  throw new BodyError(
    'rowsNotFound',
    `the paging selector ${nextSelector.source} finds ${summariseValue(found)} instead of a text`,
  );
}

function asBodyError<T>(act: () => T, what: string): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof BodyError || error instanceof PatternLimitError || isNodeError(error)) throw error;
    throw new BodyError('rowsNotFound', `${what} failed: ${errorLine(error)}`);
  }
}
