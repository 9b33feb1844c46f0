/** The document of formats that are one value after the other: lines of JSON, records of CSV. */
import { EVERY, type PathStep, walk } from '../profile/selector.ts';
import { ReadingError } from './problem.ts';
import { countRows } from './reach.ts';
import type { ReaderOptions } from './reader-types.ts';

/**
 * A document that is the list of the values found one after the other. Without a rows selector, and with `$` or `$[*]`,
 * each value is a row; what `$[*]…` finds is told value by value; any other selector needs the whole list.
 */
export class ValueList {
  readonly #options: ReaderOptions;
  /** The path to the rows, where they can be told value by value. */
  readonly #steps: readonly PathStep[] | undefined;
  /** How many of the values are kept; undefined: all. */
  readonly #keep: number | undefined;
  readonly #document: unknown[] = [];
  #bytes = 0;
  #count = 0;
  #delivered = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    const steps = options.rowsAt ? options.rowsAt.steps : [];
    this.#steps = steps && (steps.length === 0 || steps[0] === EVERY) ? steps : undefined;
    this.#keep = this.#steps && countRows(options.others, []);
  }

  /** Notes bytes that arrive, and refuses more than may be held. */
  weigh({ length }: Uint8Array): void {
    this.#bytes += length;
    const { maxWholeBytes } = this.#options;
    if (this.#keep === undefined && this.#bytes > maxWholeBytes) throw tooLong(maxWholeBytes);
  }

  add(value: unknown): void {
    if (this.#count++ < (this.#keep ?? Number.POSITIVE_INFINITY)) this.#document.push(value);
    if (!this.#steps) return;
    const nodes = this.#steps.length === 0 ? [value] : walk([value], this.#steps);
    this.#delivered += nodes.length;
    this.#options.onRows(nodes);
  }

  end(): { readonly document: unknown; readonly streamed: boolean } {
    const streamed = this.#steps !== undefined && (this.#delivered > 0 || this.#count === 0);
    return { document: this.#document, streamed };
  }
}

/** The refusal of a body that would have to be held whole. */
export function tooLong(limit: number): ReadingError {
  return new ReadingError(
    'tooLarge',
    `the body is longer than ${limit} bytes and cannot be read in pieces: name rows by a path ending in [*], and other values by paths that do not lead through them`,
  );
}
