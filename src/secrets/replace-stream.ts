/** Replaces secrets by placeholders in bodies that arrive in chunks. */
import type { PlaceholderRegistry } from './placeholder-registry.ts';
import { bytesAfterOf, type ReplaceOptions, replaceWindow } from './replace.ts';
import { contextStart } from './search.ts';

/** Bytes of a stream that are searched together. */
const WINDOW_BYTES = 256 * 1024;

/**
 * `replaceBytes` for bodies of any size: a function from chunk to chunks, called without an argument at the end. It
 * buffers less than half a megabyte, so that a secret is seen whole; it does not find secrets above 32 KiB by their name.
 */
export function replaceStream(
  registry: PlaceholderRegistry,
  options: ReplaceOptions,
): (chunk?: Uint8Array) => Uint8Array[] {
  let queue: Buffer[] = [];
  let queuedBytes = 0;
  /** Bytes at the beginning of the queue that were passed on already and stay as context. */
  let contextBytes = 0;
  let form = options.form ?? false;
  return (chunk) => {
    if (chunk && chunk.length > 0) {
      queue.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      queuedBytes += chunk.length;
    }
    if (chunk && queuedBytes < WINDOW_BYTES + bytesAfterOf(registry)) return [];
    const bytes = Buffer.concat(queue);
    const window = { bytes, windowStart: contextBytes, continues: chunk !== undefined };
    const { pieces, end } = replaceWindow(window, registry, { ...options, form });
    const start = contextStart(bytes, end);
    form = false;
    contextBytes = end - start;
    // A copy, so that the passed bytes can be freed.
    queue = [Buffer.from(bytes.subarray(start))];
    queuedBytes = bytes.length - start;
    return pieces;
  };
}
