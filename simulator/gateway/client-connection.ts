/** A client on its way through one exchange. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { InterimResponse } from '../../src/recording/format/recorded-exchange.ts';
import type { PendingExchange } from '../../src/recording/record/recorder.ts';
import { endConnection } from '../http/end-connection.ts';
import { clientClosedAt } from '../http/half-open.ts';
import { writeInterim } from '../http/interim-response.ts';

/** A client that leaves after so long a silence gave the upstream up; one that leaves sooner changed its mind. */
const SILENCE_MS = 500;

export class ClientConnection {
  readonly #response: ServerResponse;
  readonly #abort = new AbortController();
  #heardAt = performance.now();
  #silentMs = 0;
  /** The place in the order of answers, once this one is complete. */
  turn: PendingExchange | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('close', () => {
      if (response.writableFinished) return;
      this.#silentMs = (clientClosedAt(response.req.socket) ?? performance.now()) - this.#heardAt;
      this.#abort.abort();
    });
  }

  /** Aborts when the client leaves. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get gaveUp(): boolean {
    return this.signal.aborted && this.#silentMs >= SILENCE_MS;
  }

  /** The upstream was heard of. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  /** Tells the client an interim answer. */
  tell(answer: InterimResponse): void {
    writeInterim(this.#response, answer);
  }

  /** Writes to the client no faster than it reads. */
  async write(parts: readonly Uint8Array[]): Promise<void> {
    const response = this.#response;
    if (response.destroyed) return;
    for (const part of parts) response.write(part);
    if (!response.writableNeedDrain) return;
    // While it is the client that is slow the upstream is not silent.
    this.#heardAt = Number.POSITIVE_INFINITY;
    await once(response, 'drain', { signal: this.signal });
    this.heard();
  }

  /** Ends the connection as the upstream ended its own: what was sent so far still arrives. */
  cut(how: 'closed' | 'reset' = 'closed'): void {
    endConnection(this.#response, how);
  }
}
