/** Asks questions on a terminal. */
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { Interrupted } from '../../terminal/interrupts.ts';
import { UsageError } from '../../usage-error.ts';

interface AskedQuestion {
  readonly text: string;
  /** Used for an empty answer, and shown. */
  readonly fallback?: string;
  /** Throws UsageError for an answer that is not allowed; the question is then repeated. */
  readonly check: (answer: string) => void;
}

/**
 * Asks a question until the answer is allowed.
 * @throws Interrupted on Ctrl-C, UsageError at the end of the input
 */
export type Ask = (question: AskedQuestion) => Promise<string>;

/** Opens a terminal for questions; `close` gives it back. */
export function openQuestions(input: Readable, output: Writable): { readonly ask: Ask; readonly close: () => void } {
  const lines = createInterface({ input, output });
  const stop = new AbortController();
  lines.on('SIGINT', () => stop.abort(new Interrupted('SIGINT')));
  lines.on('close', () => stop.abort(new UsageError('the input ended before every question was answered: give flags')));
  const read = (text: string): Promise<string> =>
    lines.question(text, { signal: stop.signal }).catch((error) => {
      throw stop.signal.aborted ? stop.signal.reason : error;
    });
  return {
    async ask({ text, fallback, check }) {
      for (;;) {
        const answer = (await read(`${text}${fallback === undefined ? '' : ` [${fallback}]`}: `)).trim();
        try {
          check(answer || (fallback ?? ''));
          return answer || (fallback ?? '');
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          output.write(`${error.message}\n`);
        }
      }
    },
    close: () => lines.close(),
  };
}
