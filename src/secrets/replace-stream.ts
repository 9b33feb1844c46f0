/** Replaces secrets by placeholders in bodies that arrive in chunks. */
import type { MultiSearch } from './multi-search.ts';
import type { PlaceholderRegistry } from './placeholder-registry.ts';
import {
  bytesAfterOf,
  hasKeyword,
  type ReplaceOptions,
  replaceWindow,
  type SecretForm,
  THOROUGH_BYTES,
} from './replace.ts';
import { CONTEXT_BYTES, contextStart, mayHide } from './search.ts';

/** Bytes of a stream that are searched together. */
const WINDOW_BYTES = 256 * 1024;
/** Bytes after a keyword that decide whether it is part of a name, and some for the keyword itself. */
const OVERLAP_BYTES = 256;

/**
 * Whether chunks contain neither a secret nor the name of one. The chunks are searched without concatenation: most long
 * bodies contain no secret, and a copy would double the cost.
 */
function containNoSecret(chunks: readonly Buffer[], overlap: number, needles: MultiSearch<SecretForm>): boolean {
  const containsNoSecret = (bytes: Buffer): boolean =>
    !hasKeyword(bytes) && needles.find(bytes, 0, bytes.length) === undefined && !mayHide(bytes, needles);
  /** The small chunks between two large ones, with the adjacent ends of these. */
  let smallChunks: Buffer[] = [];
  for (const chunk of chunks) {
    if (chunk.length < overlap) {
      smallChunks.push(chunk);
      continue;
    }
    if (smallChunks.length > 0 && !containsNoSecret(Buffer.concat([...smallChunks, chunk.subarray(0, overlap)])))
      return false;
    if (!containsNoSecret(chunk)) return false;
    smallChunks = [chunk.subarray(-overlap)];
  }
  return containsNoSecret(Buffer.concat(smallChunks));
}

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
  let isFirst = true;
  /** Whether the queue may contain a secret. */
  let mayContainSecret = false;
  /** Keeps the bytes of a buffer from `start` on; a copy, so that the passed bytes can be freed. */
  const keepFrom = (last: Buffer, start: number, context: number): void => {
    isFirst = false;
    mayContainSecret = false;
    contextBytes = context;
    queue = [Buffer.from(last.subarray(start))];
    queuedBytes = last.length - start;
  };
  return (chunk) => {
    if (chunk && chunk.length > 0) {
      queue.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      queuedBytes += chunk.length;
    }
    if (chunk && queuedBytes <= THOROUGH_BYTES) return [];
    const needles = registry.needlesFor(options.isInterfaceData ?? false);
    const overlap = OVERLAP_BYTES + needles.longest;
    if (chunk && !mayContainSecret) {
      mayContainSecret = !containNoSecret(queue, overlap, needles);
      if (!mayContainSecret) {
        let last = queue.pop() as Buffer;
        while (last.length < overlap + CONTEXT_BYTES) last = Buffer.concat([queue.pop() as Buffer, last]);
        const end = last.length - overlap;
        const passed = [...queue, last.subarray(0, end)];
        passed[0] = (passed[0] as Buffer).subarray(contextBytes);
        keepFrom(last, end - CONTEXT_BYTES, CONTEXT_BYTES);
        return passed.filter((each) => each.length > 0);
      }
    }
    if (chunk && queuedBytes < WINDOW_BYTES + bytesAfterOf(registry)) return [];
    const bytes = Buffer.concat(queue);
    const { form = false } = options;
    const window = { bytes, windowStart: contextBytes, continues: chunk !== undefined };
    const { pieces, end } = replaceWindow(window, registry, { ...options, form: form && isFirst });
    const start = contextStart(bytes, end);
    keepFrom(bytes, start, end - start);
    return pieces;
  };
}
