/** The error that ends the reading of a body: thrown inside this folder, reported as the observation's problem. */
import { cutText } from '../exchange/printable.ts';
import type { ReadingProblem } from './types.ts';

export class BodyError extends Error {
  readonly kind: ReadingProblem['kind'];
  constructor(kind: ReadingProblem['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Whether Node failed to load a module or to start a thread: our own error, which proves nothing about a response. */
export const isNodeError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /MODULE_NOT_FOUND|ERR_WORKER/.test(String(error.code));

/** An error's message as one bounded line. */
export const errorLine = (error: unknown): string =>
  cutText((error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim(), 160);
