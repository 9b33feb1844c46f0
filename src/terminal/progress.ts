/** Shows the progress of a run on a terminal; in a pipe, only that it waits. */

import { printable } from '../exchange/printable.ts';
import { counted } from '../format-values.ts';
import { wrapText } from './wrap-text.ts';

export interface Progress {
  /** @param what the operation or file of the last request, exchange or trial */
  update(count: number, what: string): void;
  /** Clears what is shown. */
  end(): void;
}

/** A group of requests, which has its own line. */
export interface ProgressGroup {
  readonly name: string;
  /** The maximum number of requests, without further pages and repetitions. */
  readonly bound: number;
  /** Whether more requests follow when lists have arrived: `bound` is then the number that is known so far. */
  readonly mayGrow?: boolean;
  /** Whether a request for this operation is one of the group. */
  readonly has: (what: string) => boolean;
}

export interface ProgressOptions {
  /** What is counted, in the plural. Default: `requests`. */
  readonly noun?: string;
  readonly groups?: readonly ProgressGroup[];
  /** Default: standard error. */
  readonly stream?: NodeJS.WriteStream;
  /** The time in ms. */
  readonly now?: () => number;
}

/** Without a terminal, a run that waits for so long says so, as often. */
const SILENT_MS = 30_000;

/** Writes a line whenever nothing has happened for a while: a pipe shows nothing else of a run that waits. */
function startPipeProgress(stream: NodeJS.WriteStream, noun: string): Progress {
  let [text, waitedMs] = ['', 0];
  const timer = setInterval(() => {
    waitedMs += SILENT_MS;
    stream.write(`mdwi: waiting for ${timeText(waitedMs)}${text}\n`);
  }, SILENT_MS).unref();
  return {
    update(count, what) {
      [text, waitedMs] = [`, after ${counted(count, noun.replace(/s$/, ''))}, the last: ${printable(what)}`, 0];
      timer.refresh();
    },
    end: () => clearInterval(timer),
  };
}

/** At most ten updates a second. */
const INTERVAL_MS = 100;
/** The time left is an estimate only after this many requests and this time. */
const MIN_REQUESTS = 5;
const MIN_MS = 1000;

/** Whether a stream is a terminal that can move its cursor. */
export const isInteractive = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && process.env.TERM !== 'dumb';

/** Returns a function that replaces what it has written before with other rows. */
function startLiveText(stream: NodeJS.WriteStream): (rows: readonly string[]) => void {
  let shown: readonly string[] = [];
  return (rows) => {
    if (shown.length + rows.length === 0) return;
    const columns = columnsOf(stream);
    // A terminal that became narrower has wrapped the rows.
    const height = shown.reduce((sum, row) => sum + wrapText(row, columns, { byWord: false }).length, 0);
    stream.write(`\r${height > 1 ? `\u001b[${height - 1}A` : ''}\u001b[J${rows.join('\n')}`);
    shown = rows;
  };
}

const columnsOf = (stream: NodeJS.WriteStream): number => stream.columns || 80;

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Shows the progress of a run until `end`: one line that is cut to the width, or with groups a line for each with the
 * number of requests, their maximum and the time left, wrapped to the width.
 * @example startProgress({ noun: 'exchanges' }).update(3, 'GET /products')
 */
export function startProgress(options: ProgressOptions = {}): Progress {
  const { noun = 'requests', groups = [], stream = process.stderr, now = Date.now } = options;
  if (!isInteractive(stream)) return startPipeProgress(stream, noun);
  const show = startLiveText(stream);
  const startedAt = now();
  const sent = new Map<ProgressGroup, number>();
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(count, what) {
      const group = groups.find(({ has }) => has(what));
      if (group) sent.set(group, (sent.get(group) ?? 0) + 1);
      if (now() - last < INTERVAL_MS) return;
      last = now();
      const columns = columnsOf(stream);
      const current = `${counted(count, noun.replace(/s$/, ''))} · ${printable(what)}`.slice(0, columns * 4);
      const elapsed = last - startedAt;
      const msEach = count >= MIN_REQUESTS && elapsed >= MIN_MS ? elapsed / count : undefined;
      const rows = groupTexts(groups, sent, msEach).flatMap((text) => wrapText(text, columns));
      // More rows than the terminal has cannot be replaced.
      const most = Math.max(0, (stream.rows || 24) - 2);
      show([...rows.slice(0, most), wrapText(current, columns, { byWord: false })[0] as string]);
    },
    end: () => show([]),
  };
}

/** The text of each group: `C  Product reference  12/400 · at most 8 s left`, or `12/400+ · at least 8 s left`. */
function groupTexts(
  groups: readonly ProgressGroup[],
  sent: ReadonlyMap<ProgressGroup, number>,
  msEach: number | undefined,
): string[] {
  const nameWidth = Math.max(...groups.map(({ name }) => name.length));
  const bounds = groups.map((group) => Math.max(group.bound, sent.get(group) ?? 0));
  const numberWidth = String(Math.max(...bounds)).length;
  return groups.map((group, at) => {
    const [count, bound] = [sent.get(group) ?? 0, bounds[at] as number];
    const mayGrow = group.mayGrow === true;
    const left =
      msEach === undefined || count === bound
        ? ''
        : ` · at ${mayGrow ? 'least' : 'most'} ${timeText(msEach * (bound - count))} left`;
    return `${group.name.padEnd(nameWidth)}  ${String(count).padStart(numberWidth)}/${bound}${mayGrow ? '+' : ''}${left}`;
  });
}
