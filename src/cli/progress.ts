/** One line of progress on a terminal; nothing in a pipe. */

export interface Progress {
  tell(requests: number, what: string): void;
  end(): void;
}

const QUIET: Progress = { tell() {}, end() {} };

/** Shows how far a run is, at most ten times a second, and wipes the line at the end. */
export function startProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return QUIET;
  let last = 0;
  return {
    tell(requests, what) {
      if (Date.now() - last < 100) return;
      last = Date.now();
      stream.write(`\r\x1b[2K${requests} requests · ${what}`.slice(0, stream.columns ?? 80));
    },
    end: () => void stream.write('\r\x1b[2K'),
  };
}
