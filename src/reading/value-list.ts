import { EVERY, type PathStep, walk } from '../profile/path-steps.ts';
import { BodyError } from './problem.ts';
import type { ReaderOptions } from './reader-types.ts';
import { countRows } from './selector-reach.ts';

/**
 * A document that is the list of the values of the sequence. Without a rows selector, and with `$` or `$[*]`,
 * each value is a row; `$[*]…` is applied value by value; any other selector needs the whole list.
 */
export class ValueList {
  readonly #options: ReaderOptions;
  /** The path to the rows, if it can be applied value by value. */
  readonly #steps: readonly PathStep[] | undefined;
  /** The number of values that are kept; undefined: all. */
  readonly #retained: number | undefined;
  readonly #document: unknown[] = [];
  #bytes = 0;
  #count = 0;
  #delivered = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    const steps = options.rowsSelector ? options.rowsSelector.steps : [];
    this.#steps = steps && (steps.length === 0 || steps[0] === EVERY) ? steps : undefined;
    this.#retained = this.#steps && countRows(options.otherSelectors, []);
  }

  /** Counts received bytes, and throws above the limit. */
  countBytes({ length }: Uint8Array): void {
    this.#bytes += length;
    const { maxWholeBytes } = this.#options;
    if (this.#retained === undefined && this.#bytes > maxWholeBytes) throw bodyTooLong(maxWholeBytes);
  }

  add(value: unknown): void {
    if (this.#count++ < (this.#retained ?? Number.POSITIVE_INFINITY)) this.#document.push(value);
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

/** The error for a body that would have to be read whole. */
export function bodyTooLong(limit: number): BodyError {
  return new BodyError(
    'tooLarge',
    `the body is longer than ${limit} bytes and cannot be streamed: select the rows by a path ending in [*], and other values by paths outside the rows`,
  );
}
