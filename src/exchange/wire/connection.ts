/** Connections of undici with two habits of real servers allowed for. */
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** The longest interim answer that is waited for; anything longer goes to the parser as it is. */
const LONGEST_INTERIM = 16 * 1024;

/** 101 is none: it ends HTTP on this connection. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]$/;
const SAMPLE = 'HTTP/1.1 100 ';

/** Errors that hit a connection which had served before, before any byte of the answer it was asked for. */
const stale = new WeakSet<object>();

/**
 * Whether an error is the keep-alive race: the server closed an idle connection while a request was on its way. The
 * request was not looked at, so an idempotent one may be sent again (RFC 9112, 9.3.1).
 */
export const isStale = (error: unknown): boolean => typeof error === 'object' && error !== null && stale.has(error);

/** How much of `bytes` is interim answers: a count, or `more` when that cannot be told yet. */
function interimLength(bytes: Buffer): number | 'more' {
  for (let at = 0; ; ) {
    const begins = bytes.toString('latin1', at, at + SAMPLE.length);
    if (begins === '' || !INTERIM.test(begins + SAMPLE.slice(begins.length))) return at;
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1');
    if (end < 0) return bytes.length - at > LONGEST_INTERIM ? at : 'more';
    at = end + 4;
  }
}

/**
 * Watches a connection on behalf of undici:
 * interim answers are dropped: every client must be able to skip them, asked for or not (RFC 9110, 15.2), while undici
 * breaks off at a `100 Continue`; and a close that hits a connection between two requests is marked as stale.
 */
function watch(socket: Socket): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let [received, receivedBefore, expectingHead] = [0, 0, false];
  let held: Buffer = Buffer.alloc(0);
  socket.write = (...given: unknown[]) => {
    [receivedBefore, expectingHead] = [received, true];
    return write(...given);
  };
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (chunk === null) return null;
    received += chunk.length;
    if (!expectingHead) return chunk;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const skip = interimLength(held);
    if (skip === 'more') return null;
    const rest = held.subarray(skip);
    held = Buffer.alloc(0);
    if (rest.length === 0) return null;
    expectingHead = false;
    return rest;
  };
  socket.on('error', (error) => {
    if (receivedBefore > 0 && received === receivedBefore) stale.add(error);
  });
  return socket;
}

/** A connector for undici. `options`: TLS material, the time-out in ms. HTTP/1.1 only, to keep header lines as sent. */
export function connector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error) callback(error, null);
      else callback(null, watch(socket) as typeof socket);
    });
}
