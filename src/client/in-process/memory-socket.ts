/** A connection within the process: no port, no network. */
import { Duplex } from 'node:stream';

/** The error of a connection whose other end was destroyed. */
const reset = (): Error => Object.assign(new Error('the other end closed the connection'), { code: 'ECONNRESET' });

/** One end of a connection, with the members of `net.Socket` that HTTP clients, servers and apps use. */
export class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  readonly localAddress = '127.0.0.1';
  readonly remoteFamily = 'IPv4';
  readonly remotePort = 0;
  readonly localPort = 0;
  readonly encrypted = false;
  #peer: MemorySocket | undefined;
  /** Confirms the chunk that the other end wrote last, when there is room for the next. */
  #confirm: (() => void) | undefined;

  readonly #shown: (error: Error) => Error;

  /** @param shown the error that the other end sees when this end is destroyed with one */
  constructor(shown: (error: Error) => Error) {
    super();
    this.#shown = shown;
  }

  /**
   * Creates both ends of a connection. The server sees a reset where the client is destroyed with an error.
   * @param shown the error that the client sees where the server is destroyed with one
   */
  static pair(shown: (error: Error) => Error): [client: MemorySocket, server: MemorySocket] {
    const [client, server] = [new MemorySocket(reset), new MemorySocket(shown)];
    client.#peer = server;
    server.#peer = client;
    return [client, server];
  }

  override _read(): void {
    const confirm = this.#confirm;
    this.#confirm = undefined;
    confirm?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const peer = this.#peer;
    if (!peer || peer.destroyed) done(reset());
    else if (peer.push(chunk)) done();
    else peer.#confirm = done;
  }

  override _final(done: () => void): void {
    if (this.#peer && !this.#peer.destroyed) this.#peer.push(null);
    done();
  }

  /** Without an error the other end sees the end of the stream. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const peer = this.#peer;
    this._read();
    if (peer && !peer.destroyed) {
      if (error) setImmediate(() => peer.destroy(this.#shown(error)));
      else if (!this.writableFinished) peer.push(null);
    }
    done(error);
  }

  /** Ends the connection so that the other end sees a reset. */
  resetAndDestroy(): this {
    return this.destroy(reset());
  }

  /** Ends the connection after the pending writes. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy()).end();
  }

  /** Time is not shown in-process: a server has no time-outs here, the client has its own. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): object {
    return { address: this.localAddress, family: this.remoteFamily, port: this.localPort };
  }
}
