import { EXIT, firstToCount } from '../run/exit-codes.ts';
import { systemReason } from './system-error.ts';

let failure: string | undefined;

/**
 * Prevents a closed pipe (`mdwi rules | head -1`) from ending the process: its output is dropped, and the exit code stays
 * that of the command. Any other failure, such as a full disk, is stored for `exitCodeAfterOutput`.
 */
export function guardStandardStreams(): void {
  for (const [name, stream] of [
    ['standard output', process.stdout],
    ['standard error', process.stderr],
  ] as const)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
      if (!isClosed) failure ??= `${name} cannot be written: ${systemReason(error) ?? error.message}`;
    });
}

/** Waits until the output is written and returns the exit code: the command’s, or `EXIT.usage` if the output failed. */
export async function exitCodeAfterOutput(code: number): Promise<number> {
  await new Promise<void>((resolve) => void process.stdout.write('', () => resolve()));
  if (failure === undefined) return code;
  process.stderr.write(`mdwi: ${failure}\n`);
  return firstToCount(code, EXIT.usage);
}
