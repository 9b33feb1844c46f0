/** Reads the entries of a HAR file while its bytes arrive, so that a file of any size needs the memory of a few of them. */
import { JsonSplitter } from '../../reading/json-splitter.ts';
import { BodyError } from '../../reading/problem.ts';

/** A HAR file that cannot be read; the message is one sentence that gives the position. */
export class HarDamageError extends Error {}

/** The maximum length of an entry: Node cannot hold a much longer string. */
const MAX_ENTRY_BYTES = 400 * 1024 * 1024;

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/**
 * @param onEntry receives what is in the list `log.entries`, and its number, from 0 as in HAR viewers
 * @param edit changes the text of entries before it is parsed
 * @returns the file without its entries
 * @throws HarDamageError
 */
export function harEntries(onEntry: (value: unknown, index: number) => void, edit?: (text: string) => string) {
  let [bytes, index, hasBegun] = [0, 0, false];
  const splitter = new JsonSplitter({
    path: ['log', 'entries'],
    retainedRows: 0,
    maxRowBytes: MAX_ENTRY_BYTES,
    maxSkeletonBytes: MAX_ENTRY_BYTES,
    longIntegers: 'numbers',
    ...(edit && { edit }),
    onRows: (rows) => {
      for (const row of rows) onEntry(row, index++);
    },
  });
  const guarded = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      const { row, byte } = splitter.nextRow;
      const entry = splitter.found ? `entry ${row}, which begins at byte ${byte},` : 'the part before its entries';
      if (error.kind === 'truncated')
        throw new HarDamageError(`byte ${bytes}: the file is truncated in ${entry.replace(/,$/, '')}`);
      throw new HarDamageError(
        error.kind === 'syntax'
          ? `${entry} is not JSON (${error.message.replace(/^.* is not JSON: /, '')})`
          : error.message,
      );
    }
  };
  return {
    push(chunk: Uint8Array): void {
      const first = hasBegun ? -1 : chunk.findIndex((byte) => !isBlank(byte));
      if (first >= 0 && chunk[first] !== 0x7b)
        throw new HarDamageError(
          `byte ${bytes + first}: ${JSON.stringify(String.fromCharCode(chunk[first] as number))} is not the { that a HAR file begins with`,
        );
      hasBegun ||= first >= 0;
      bytes += chunk.length;
      guarded(() => splitter.push(chunk));
    },
    end(): unknown {
      if (!hasBegun) throw new HarDamageError('it is empty');
      return guarded(() => splitter.end());
    },
    /** Whether the file holds the list of entries. */
    found: () => splitter.found,
  };
}
