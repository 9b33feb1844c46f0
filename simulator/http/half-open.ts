/**
 * Clients that close their side of a connection. One that has said all it had to say (a half-close) still reads its answer;
 * one that has left does not. TCP tells the two apart only when something is sent.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A half-close follows its request at once; a client that closes later has given up. */
const AT_ONCE_MS = 500;
/** Between two interim answers: one that meets a client which has left makes the next one fail. */
const PROBE_MS = 1000;
/** Where no interim answer can be sent, in a body or to HTTP/1.0, an answer that stands still so long has no reader. */
const STILL_MS = 60_000;

/** A client’s connection. */
interface Connection {
  /** To the newest request. */
  response?: ServerResponse;
  /** When that request was complete, as far as it was read. */
  completeAt: number;
  /** When the client closed its side. */
  closedAt?: number;
}

const connections = new WeakMap<Socket, Connection>();

/** When a client closed its side of the connection, in ms of `performance.now()`; undefined: it has not. */
export const clientClosedAt = (socket: Socket): number | undefined => connections.get(socket)?.closedAt;

/** The newest answer on a connection; undefined: there was none yet. */
export const responseOn = (socket: Socket): ServerResponse | undefined => connections.get(socket)?.response;

/** Whether a request announces a body. */
export const mayHaveBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Notes the exchange a connection is in. */
export function noteExchange(request: IncomingMessage, response: ServerResponse): void {
  const connection = connections.get(request.socket);
  if (!connection) return;
  connection.response = response;
  connection.completeAt = performance.now();
  if (!mayHaveBody(request)) return;
  connection.completeAt = Number.POSITIVE_INFINITY;
  request.once('end', () => {
    connection.completeAt = performance.now();
  });
}

/** Keeps the answer to a client that half-closes on its way, and ends the connection of one that has left. */
export function watchHalfOpen(socket: Socket): void {
  const connection: Connection = { completeAt: 0 };
  connections.set(socket, connection);
  socket.once('end', () => {
    const now = performance.now();
    connection.closedAt = now;
    const { response, completeAt } = connection;
    if (!response || response.writableFinished) return;
    if (now - completeAt >= AT_ONCE_MS) return void socket.destroySoon();
    let [written, since] = [socket.bytesWritten, now];
    const probe = (): void => {
      const canProbe = !response.headersSent && response.req.httpVersion !== '1.0';
      if (canProbe && response.socket === socket) response.writeProcessing();
      if (canProbe || socket.bytesWritten !== written || socket.writableLength > 0)
        [written, since] = [socket.bytesWritten, performance.now()];
      else if (performance.now() - since > STILL_MS) socket.destroy();
    };
    const timer = setInterval(probe, PROBE_MS);
    socket.once('close', () => clearInterval(timer));
  });
}
