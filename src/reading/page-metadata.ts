/** What a page states about itself and its request: counts, echoes and codes. They are no part of its content, and so of no digest. */
import { type Field, INPUT_NAMES, type Input } from '../contract/index.ts';
import type { CountBinding, EchoBinding } from '../profile/schema.ts';
import type { SelectorSource, StatusAndHeaders } from '../profile/selector.ts';
import { type BoundValue, bindValue, readValues } from './cells.ts';
import type { CodeTable } from './code-table.ts';
import {
  type Cell,
  type CodeUsage,
  type Observation,
  type PageMetadata,
  type Row,
  type RowCounts,
  UnknownCode,
} from './types.ts';

/** The number of different codes of a field, without a meaning, that are kept. */
const MAX_UNLISTED = 20;

/** Counts the codes of a field. */
class CodeTally {
  readonly #field: Field;
  readonly #table: CodeTable;
  readonly #unlisted = new Map<string, number | undefined>();
  #known = 0;
  #unknown = 0;

  constructor({ field, table }: { readonly field: Field; readonly table: CodeTable }) {
    this.#field = field;
    this.#table = table;
  }

  row(row: Row, index: number): void {
    this.#add(row[this.#field], index);
  }

  #add(cell: Cell, row: number | undefined): void {
    if (typeof cell === 'string') this.#known++;
    if (!(cell instanceof UnknownCode)) return;
    this.#unknown++;
    if (!cell.isUnlisted) return;
    const code = String(cell.raw);
    if (!this.#unlisted.has(code) && this.#unlisted.size < MAX_UNLISTED) this.#unlisted.set(code, row);
  }

  /** @param values the fields that are read once per response */
  usage(values: Observation['values']): CodeUsage {
    for (const cell of values[this.#field] ?? []) this.#add(cell, undefined);
    const { unread, complete, from, asOf } = this.#table;
    return {
      field: this.#field,
      known: this.#known,
      unknown: this.#unknown,
      unlisted: [...this.#unlisted].map(([code, row]) => ({ code, ...(row !== undefined && { row }) })),
      ...(unread !== undefined && { unread }),
      complete,
      ...(from && { from }),
      asOf,
    };
  }
}

/** What the profile reads of a page besides rows and fields. */
export interface PageMetadataPlan {
  readonly counts: readonly (Omit<CountBinding, 'at'> & { readonly at: SelectorSource })[];
  readonly echoes: { readonly [I in Input]?: EchoBinding & { readonly table?: CodeTable } };
  /** The fields that are read as codes. */
  readonly codes?: readonly { readonly field: Field; readonly table: CodeTable }[];
}

/** The number of different values of an echo within the rows of a page that are kept. */
const MAX_ECHOES = 100;

/** The number of rows of a page whose counts are kept. */
const MAX_COUNTED_ROWS = 10_000;

const isInRow = ({ selector }: BoundValue): boolean => selector.scope === 'row';

/** Reads the counts and echoes of one page. */
export class PageMetadataReader {
  readonly #counts: readonly BoundValue[];
  readonly #echoes: readonly { readonly input: Input; readonly bound: BoundValue }[];
  readonly #inRows: readonly {
    readonly bound: BoundValue;
    readonly found: Map<unknown, { value: Cell; row: number }>;
  }[];

  readonly #codes: readonly CodeTally[];
  readonly #rowCounts: RowCounts[] | undefined;

  constructor({ counts, echoes, codes = [] }: PageMetadataPlan) {
    this.#codes = codes.map((each) => new CodeTally(each));
    this.#counts = counts.map((each) => bindValue(each, 'number', 'response.counts[].match'));
    this.#rowCounts = this.#counts.some(isInRow) ? [] : undefined;
    this.#echoes = INPUT_NAMES.flatMap((input) => {
      const binding = echoes[input];
      return binding ? [{ input, bound: bindValue(binding, 'text', `response.echoes.${input}.match`) }] : [];
    });
    this.#inRows = this.#echoes.map(({ bound }) => ({ bound, found: new Map() }));
  }

  /** The selectors outside the rows. */
  get selectors() {
    return [...this.#counts, ...this.#echoes.map(({ bound }) => bound)]
      .map(({ selector }) => selector)
      .filter(({ scope }) => scope !== 'row');
  }

  /** Reads the counts, echoes and codes of a row; equal echoes and codes are kept once. */
  row(node: unknown, head: StatusAndHeaders, row: number, cells: Row): void {
    for (const each of this.#codes) each.row(cells, row);
    if (this.#rowCounts && this.#rowCounts.length < MAX_COUNTED_ROWS) {
      const { id, name, category, categoryId } = cells;
      const counts = this.#counts.map((bound) => (isInRow(bound) ? readValues(bound, node, head) : []));
      this.#rowCounts.push({ row, names: { id, name, category, categoryId }, counts });
    }
    for (const { bound, found } of this.#inRows) {
      if (!isInRow(bound)) continue;
      for (const value of readValues(bound, node, head))
        if (!found.has(value) && found.size < MAX_ECHOES) found.set(value, { value, row });
    }
  }

  /** What the page states, after its rows and its document were read. */
  metadata(rows: number, document: unknown, head: StatusAndHeaders, values: Observation['values']): PageMetadata {
    return {
      rows,
      counts: this.#counts.map((bound) => (isInRow(bound) ? [] : readValues(bound, document, head))),
      ...(this.#rowCounts && { rowCounts: this.#rowCounts }),
      echoes: Object.fromEntries(
        this.#echoes.map(({ input, bound }, at) => [
          input,
          isInRow(bound)
            ? [...(this.#inRows[at]?.found.values() ?? [])]
            : readValues(bound, document, head).map((value) => ({ value })),
        ]),
      ),
      asOf: values.asOf ?? [],
      ...(this.#codes.length > 0 && { codes: this.#codes.map((each) => each.usage(values)) }),
    };
  }
}
