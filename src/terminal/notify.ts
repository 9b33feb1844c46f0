/** Messages on standard error. */
import { printable } from '../exchange/printable.ts';

/**
 * Writes one line to standard error. The message may contain text from a third party.
 * @param command the name of the command
 */
export function notify(command: string, message: string): void {
  process.stderr.write(`mdwi ${command}: ${printable(message)}\n`);
}
