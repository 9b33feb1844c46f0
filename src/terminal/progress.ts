/** Shows one line of progress on a terminal, and nothing in a pipe. */
import { printable } from '../exchange/printable.ts';
import { wrapText } from './wrap-text.ts';

export interface Progress {
  update(count: number, what: string): void;
  end(): void;
}

const QUIET: Progress = { update() {}, end() {} };

/** The part of a text that fits in a row. */
const firstRow = (text: string, columns: number): string =>
  wrapText(text.slice(0, columns * 4), columns, false)[0] as string;

/** Shows the progress of a run, at most ten times a second. `end` clears the line. `counted`: what is counted, in the plural. */
export function startProgress(noun = 'requests', stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return QUIET;
  let last = 0;
  return {
    update(count, what) {
      if (Date.now() - last < 100) return;
      last = Date.now();
      stream.write(`\r\x1b[2K${firstRow(`${count} ${noun} · ${printable(what)}`, stream.columns || 80)}`);
    },
    end: () => void stream.write('\r\x1b[2K'),
  };
}
