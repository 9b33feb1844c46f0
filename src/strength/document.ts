/**
 * A response as the bindings of the profile read it, with the position of each value in its text. The positions come from
 * the reader of the judge itself: a copy of the text, in which each value is replaced by its number, is read.
 */
import { FIELDS, type Field } from '../contract/index.ts';
import { bodyFrom } from '../exchange/body.ts';
import { firstHeader, mediaTypeOf } from '../exchange/headers.ts';
import type { Exchange, ResponseHead } from '../exchange/types.ts';
import type { FieldBindings } from '../reading/cells.ts';
import { decodeBody } from '../reading/decode.ts';
import { mediaOf } from '../reading/media.ts';
import { type BodyPlan, readBody } from '../reading/read-body.ts';
import { type Cell, type Observation, type Row, Unconverted } from '../reading/types.ts';
import { applyEdits, type Edit, type Notation, type Part, readParts, valuesIn } from './parts.ts';

export interface ReadText {
  readonly rows: readonly Row[];
  readonly observation: Observation;
}

export interface Document extends ReadText {
  readonly exchange: Exchange;
  readonly head: ResponseHead;
  readonly plan: BodyPlan;
  readonly text: string;
  readonly notation: Notation;
  readonly root: Part;
  /** The part of each value of a row that has a place of its own in the text. */
  readonly cells: readonly ReadonlyMap<Field, Part>[];
  /** The parts of the values that are read once per response. */
  readonly values: ReadonlyMap<Field, readonly Part[]>;
  /** The parts of each of `response.counts` that is read once per response. */
  readonly counts: readonly (readonly Part[])[];
  /** What contains a row alone: parts that are removed with it; empty: it is not known. */
  readonly rowParts: readonly (readonly Part[])[];
}

const NOTATIONS = { json: 'json', ndjson: 'ndjson', xml: 'xml', csv: 'csv', text: 'text', binary: undefined } as const;
/** A longer body is not changed: it would be read a hundred times. */
const MAX_LENGTH = 8 << 20;

/** Reads a text with a plan. */
export async function readText(plan: BodyPlan, head: ResponseHead, text: string): Promise<ReadText> {
  const rows: Row[] = [];
  const plain = { ...head, headers: asUtf8(head.headers) };
  const chunks = bodyFrom(Buffer.from(text)).chunks();
  const observation = await readBody(plan, plain, chunks, (row) => rows.push(row));
  return { rows, observation };
}

/** The headers of the body as decoded UTF-8. */
export const asUtf8 = (headers: ResponseHead['headers']): ResponseHead['headers'] =>
  headers
    .filter(([name]) => !/^(content-encoding|content-length|content-md5|digest|content-digest)$/i.test(name))
    .map(([name, value]) =>
      /^content-type$/i.test(name)
        ? ([name, value.replace(/charset\s*=\s*"?[^";]+"?/i, 'charset=utf-8')] as const)
        : ([name, value] as const),
    );

/** The bindings without the conversion of values: what they find is what is written. */
function rawPlan(plan: BodyPlan): BodyPlan {
  const raw = (binding: object): object => {
    const {
      as: _,
      match: __,
      missing: ___,
      table: ____,
      code: _____,
      decimals: ______,
      ...rest
    } = binding as Record<string, unknown>;
    return rest;
  };
  const { fields, pageMetadata, refusals: _, ...rest } = plan;
  return {
    ...rest,
    fields: Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, raw(each)])) as FieldBindings,
    ...(pageMetadata && {
      pageMetadata: { counts: pageMetadata.counts.map((each) => raw(each) as typeof each), echoes: {} },
    }),
  };
}

const MARK = /⟦(\d+)⟧/;
const rawOf = (cell: Cell): string | undefined => {
  const raw = cell instanceof Unconverted ? cell.raw : cell;
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw) : undefined;
};

/** A text in which some values are replaced by their numbers. */
const marked = (text: string, notation: Notation, values: readonly Part[], isMarked: (at: number) => boolean): string =>
  applyEdits(
    text,
    values.flatMap(({ valueStart: start, end }, at) => {
      const mark = `⟦${at}⟧`;
      return isMarked(at) ? [{ start, end, text: notation.endsWith('json') ? `"${mark}"` : mark }] : [];
    }),
  );

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of a value, without the quotes and escapes of its notation. */
export function writtenValue(text: string, { valueStart, end }: Part, notation: Notation): string {
  const source = text.slice(valueStart, end);
  if (notation === 'xml') return source.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
  if (!/^"[\s\S]*"$/.test(source)) return source;
  if (notation === 'csv') return source.slice(1, -1).replaceAll('""', '"');
  try {
    return String(JSON.parse(source));
  } catch {
    return source;
  }
}

/** The document of a response; undefined if its notation or its values have no positions. */
export async function readDocument(exchange: Exchange, plan: BodyPlan): Promise<Document | undefined> {
  const { response: head } = exchange;
  if (!head || exchange.body.bytes > MAX_LENGTH) return undefined;
  const media = mediaOf(plan.media, head);
  const notation = media && NOTATIONS[media];
  if (!notation) return undefined;
  let text: string;
  let root: Part;
  const csv = notation === 'csv' ? { ...plan.csv, delimiter: plan.csv?.delimiter ?? separatorOf(head) } : undefined;
  try {
    const parts: Uint8Array[] = [];
    for await (const chunk of decodeBody(head, exchange.body.chunks(), MAX_LENGTH)) parts.push(chunk);
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    root = readParts(text, notation, csv);
  } catch {
    // What cannot be read has no positions.
    return undefined;
  }
  const read = await readText(plan, head, text);
  if (read.observation.problem || read.observation.refusal) return undefined;
  const values = valuesIn(root);
  const raw = rawPlan(plan);
  const all = await readText(
    raw,
    head,
    marked(text, notation, values, () => true),
  );
  const isPlain = all.observation.problem === undefined && all.rows.length === read.rows.length;
  const places = await withPlacesByField(isPlain ? placesOf(all, values) : undefined, raw, head, {
    text,
    notation,
    values,
  });
  const rowParts = ownParts(places.cells);
  return { ...read, ...places, exchange, head, plan, text, notation, root, rowParts };
}

const separatorOf = (head: ResponseHead): ',' | '\t' =>
  mediaTypeOf(head.headers).type === 'text/tab-separated-values' ? '\t' : ',';

type Places = Pick<Document, 'cells' | 'values' | 'counts'>;

/** The parts whose numbers were read. */
function placesOf({ rows, observation }: ReadText, values: readonly Part[]): Places {
  const partOf = (cell: Cell): Part | undefined => values[Number(MARK.exec(rawOf(cell) ?? '')?.[1] ?? -1)];
  const partsOf = (cells: readonly Cell[] = []): Part[] => cells.flatMap((cell) => partOf(cell) ?? []);
  return {
    cells: rows.map(
      (row) =>
        new Map(
          (Object.entries(row) as [Field, Cell][]).flatMap(([field, cell]) => {
            const part = FIELDS[field].kind === 'list' && Array.isArray(cell) ? undefined : partOf(cell);
            return part ? [[field, part] as const] : [];
          }),
        ),
    ),
    values: new Map(
      (Object.entries(observation.values) as [Field, readonly Cell[]][]).map(([field, cells]) => [
        field,
        partsOf(cells),
      ]),
    ),
    counts: (observation.pageMetadata?.[0]?.counts ?? []).map(partsOf),
  };
}

/** Adds the places of fields whose values decide what is read, such as names of columns: those of one field are replaced at a time. */
async function withPlacesByField(
  known: Places | undefined,
  raw: BodyPlan,
  head: ResponseHead,
  { text, notation, values }: { readonly text: string; readonly notation: Notation; readonly values: readonly Part[] },
): Promise<Places> {
  const plain = await readText(raw, head, text);
  const cells = known?.cells.map((each) => new Map(each)) ?? plain.rows.map(() => new Map<Field, Part>());
  const ofResponse = new Map(known?.values);
  for (const field of Object.keys(raw.fields) as Field[]) {
    if (cells.some((own) => own.has(field)) || (ofResponse.get(field)?.length ?? 0) > 0) continue;
    const found = [...plain.rows.map((row) => row[field]), ...(plain.observation.values[field] ?? [])];
    const texts = new Set(found.map(rawOf).filter((each) => each !== undefined));
    const isOfField = (at: number) => texts.has(writtenValue(text, values[at] as Part, notation));
    if (texts.size === 0) continue;
    const read = await readText(raw, head, marked(text, notation, values, isOfField));
    if (read.observation.problem || read.rows.length !== plain.rows.length) continue;
    const places = placesOf(read, values);
    for (const [row, own] of places.cells.entries()) {
      const part = own.get(field);
      if (part) cells[row]?.set(field, part);
    }
    const once = places.values.get(field);
    if (once) ofResponse.set(field, once);
  }
  return { cells, values: ofResponse, counts: known?.counts ?? [] };
}

/** The greatest parts that contain values of one row only. */
function ownParts(cells: readonly ReadonlyMap<Field, Part>[]): Part[][] {
  const owners = new Map<Part, number | 'several'>();
  for (const [row, own] of cells.entries())
    for (const value of own.values())
      for (let part: Part | undefined = value; part; part = part.parent) {
        const owner = owners.get(part);
        owners.set(part, owner === undefined || owner === row ? row : 'several');
      }
  return cells.map((own, row) => {
    const parts = [...own.values()].flatMap((value) => {
      if (owners.get(value) !== row) return [];
      let part = value;
      while (part.parent?.parent && owners.get(part.parent) === row) part = part.parent;
      return [part];
    });
    return [...new Set(parts)];
  });
}

/** The exchange with another text; undefined if its charset cannot write it. */
export function withBody(exchange: Exchange, text: string): Exchange | undefined {
  const { response } = exchange;
  if (!response) return undefined;
  const charset =
    mediaTypeOf(response.headers).charset ?? /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(text)?.[1] ?? 'utf-8';
  const isUtf8 = /^(utf-?8|us-ascii)$/i.test(charset);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters of ISO 8859-1.
  if (!isUtf8 && !(/^(iso-8859-1|windows-1252|latin1)$/i.test(charset) && /^[\x00-\x7f\xa0-\xff]*$/.test(text)))
    return undefined;
  const bytes = Buffer.from(text, isUtf8 ? 'utf8' : 'latin1');
  const headers = response.headers
    .filter(([name]) => !/^(content-encoding|content-md5|digest|content-digest)$/i.test(name))
    .map(([name, value]) =>
      /^content-length$/i.test(name) ? ([name, String(bytes.length)] as const) : ([name, value] as const),
    );
  return { ...exchange, response: { ...response, headers }, body: bodyFrom(bytes) };
}

/** Whether the response states its length. */
export const statesLength = ({ headers }: ResponseHead): boolean =>
  firstHeader(headers, 'content-length') !== undefined;

/** The document after edits, as the profile reads it. */
export const readEdited = (document: Document, edits: readonly Edit[]): Promise<ReadText> =>
  readText(document.plan, document.head, applyEdits(document.text, edits));
