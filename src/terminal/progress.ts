/** Shows one line of progress on a terminal, and nothing in a pipe. */
import { createRequire } from 'node:module';
import { printable } from '../exchange/printable.ts';

const load = createRequire(import.meta.url);

export interface Progress {
  update(count: number, what: string): void;
  end(): void;
}

const QUIET: Progress = { update() {}, end() {} };

/** Shows the progress of a run, at most ten times a second. `end` clears the line. `counted`: what is counted, in the plural. */
export function startProgress(noun = 'requests', stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return QUIET;
  // Loaded only for a terminal.
  const { default: wrap } = load('wrap-ansi') as typeof import('wrap-ansi');
  /** The part of a text that fits in a line. A letter may be two columns wide, or none. */
  const firstLine = (text: string, columns: number): string =>
    wrap(text.slice(0, columns * 4), columns, { hard: true, trim: false, wordWrap: false }).split('\n')[0] as string;
  let last = 0;
  return {
    update(count, what) {
      if (Date.now() - last < 100) return;
      last = Date.now();
      stream.write(`\r\x1b[2K${firstLine(`${count} ${noun} · ${printable(what)}`, stream.columns || 80)}`);
    },
    end: () => void stream.write('\r\x1b[2K'),
  };
}
