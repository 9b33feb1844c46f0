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
function tallyOf({ field, table }: { readonly field: Field; readonly table: CodeTable }) {
  const unlisted = new Map<string, number | undefined>();
  let [known, unknown] = [0, 0];
  const add = (cell: Cell, row?: number): void => {
    if (typeof cell === 'string') known++;
    if (!(cell instanceof UnknownCode)) return;
    unknown++;
    const code = String(cell.raw);
    if (cell.isUnlisted && !unlisted.has(code) && unlisted.size < MAX_UNLISTED) unlisted.set(code, row);
  };
  return {
    row: (row: Row, index: number): void => add(row[field], index),
    /** @param values the fields that are read once per response */
    usage(values: Observation['values']): CodeUsage {
      for (const cell of values[field] ?? []) add(cell);
      const { unread, complete, from, asOf } = table;
      return {
        field,
        known,
        unknown,
        unlisted: [...unlisted].map(([code, row]) => ({ code, ...(row !== undefined && { row }) })),
        ...(unread !== undefined && { unread }),
        complete,
        ...(from && { from }),
        asOf,
      };
    },
  };
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

/** Reads the counts, echoes and codes of one page. */
export class PageMetadataReader {
  readonly #counts: readonly BoundValue[];
  readonly #echoes: readonly {
    readonly input: Input;
    readonly bound: BoundValue;
    /** The different values within the rows. */
    readonly found: Map<unknown, { value: Cell; row: number }>;
  }[];
  readonly #codes: readonly ReturnType<typeof tallyOf>[];
  readonly #rowCounts: RowCounts[] | undefined;

  constructor({ counts, echoes, codes = [] }: PageMetadataPlan) {
    this.#codes = codes.map(tallyOf);
    this.#counts = counts.map((each) => bindValue(each, 'number', 'response.counts[].match'));
    this.#rowCounts = this.#counts.some(isInRow) ? [] : undefined;
    this.#echoes = INPUT_NAMES.flatMap((input) => {
      const binding = echoes[input];
      const key = `response.echoes.${input}.match`;
      return binding ? [{ input, bound: bindValue(binding, 'text', key), found: new Map() }] : [];
    });
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
    for (const { bound, found } of this.#echoes) {
      if (!isInRow(bound)) continue;
      for (const value of readValues(bound, node, head))
        if (!found.has(value) && found.size < MAX_ECHOES) found.set(value, { value, row });
    }
  }

  /** What the page states, after its rows and its document were read. */
  metadata(rows: number, document: unknown, head: StatusAndHeaders, values: Observation['values']): PageMetadata {
    const echoed = this.#echoes.map(({ input, bound, found }) => [
      input,
      isInRow(bound) ? [...found.values()] : readValues(bound, document, head).map((value) => ({ value })),
    ]);
    return {
      rows,
      counts: this.#counts.map((bound) => (isInRow(bound) ? [] : readValues(bound, document, head))),
      ...(this.#rowCounts && { rowCounts: this.#rowCounts }),
      echoes: Object.fromEntries(echoed),
      asOf: values.asOf ?? [],
      ...(this.#codes.length > 0 && { codes: this.#codes.map((each) => each.usage(values)) }),
    };
  }
}
