/** What a page states by codes: how many have a meaning, and which ones their table does not list. */
import type { Field } from '../contract/index.ts';
import type { CodeTable } from './code-table.ts';
import { type Cell, type CodeUsage, type Observation, type Row, UnknownCode } from './types.ts';

/** The number of different codes of a field, without a meaning, that are kept. */
const MAX_UNLISTED = 20;

/** Counts the codes of a field. */
export class CodeTally {
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
