/** The client’s side of one exchange. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { InterimResponse } from '../../src/recording/format/recorded-exchange.ts';
import type { QueuePosition } from '../../src/recording/record/recorder.ts';
import { endConnection, writeInterim } from '../http/end-connection.ts';
import { clientClosedAt } from '../http/half-open.ts';

/** A client that closes after this long without bytes from the upstream timed out; one that closes sooner cancelled. */
const SILENCE_MS = 500;
/** How many bytes may wait for the client: it reads them while the next chunk is searched for secrets. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Writes to the client, and notices when it closes the connection. */
export class ClientConnection {
  readonly #response: ServerResponse;
  readonly #abort = new AbortController();
  #lastActivityAt = performance.now();
  #silentMs = 0;
  /** The position in the order of responses; set when this response is complete. */
  queuePosition: QueuePosition | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('close', () => {
      if (response.writableFinished) return;
      this.#silentMs = (clientClosedAt(response.req.socket) ?? performance.now()) - this.#lastActivityAt;
      this.#abort.abort();
    });
  }

  /** Aborts when the client closes the connection. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the client closed the connection because the upstream was silent. */
  get timedOut(): boolean {
    return this.signal.aborted && this.#silentMs >= SILENCE_MS;
  }

  /** Call when bytes arrive from the upstream. */
  noteUpstreamActivity(): void {
    this.#lastActivityAt = performance.now();
  }

  /** Sends an interim response (1xx) to the client. */
  sendInterim(interim: InterimResponse): void {
    writeInterim(this.#response, interim);
  }

  /** Writes to the client no faster than it reads. */
  async write(parts: readonly Uint8Array[]): Promise<void> {
    const response = this.#response;
    if (response.destroyed) return;
    // One write for all parts: each write becomes a chunk of its own, which costs both sides more than a copy.
    response.write(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    if (!response.writableNeedDrain || response.writableLength < MAX_WAITING_BYTES) return;
    // The upstream is not silent while the client reads slowly.
    this.#lastActivityAt = Number.POSITIVE_INFINITY;
    await once(response, 'drain', { signal: this.signal });
    this.noteUpstreamActivity();
  }

  /** Ends the connection as the upstream ended its own; bytes already written still arrive. */
  end(how: 'closed' | 'reset' = 'closed'): void {
    endConnection(this.#response, how);
  }
}
