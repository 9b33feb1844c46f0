/**
 * Clients that close their side of a connection. After a half-close a client still reads its response; after a full close
 * it does not. TCP shows the difference only when the server sends something.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A half-close follows its request within this time; a client that closes later has cancelled. */
const HALF_CLOSE_MS = 500;
/** The pause between two interim responses: one to a closed client makes the next one fail. */
const PROBE_MS = 1000;
/** Where no interim response can be sent (within a body, HTTP/1.0), a response without progress for so long has no reader. */
const STALLED_MS = 60_000;

/** A client’s connection. */
interface Connection {
  /** The response to the latest request. */
  response?: ServerResponse;
  /** When that request was read to its end. */
  completeAt: number;
  /** When the client closed its side. */
  closedAt?: number;
}

const connections = new WeakMap<Socket, Connection>();

/** When a client closed its side of the connection, in ms of `performance.now()`; undefined: it has not. */
export const clientClosedAt = (socket: Socket): number | undefined => connections.get(socket)?.closedAt;

/** The latest response on a connection; undefined: there was none yet. */
export const responseOn = (socket: Socket): ServerResponse | undefined => connections.get(socket)?.response;

/** Whether a request announces a body. */
export const mayHaveBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Records the current exchange of a connection. */
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

/** Completes the response to a half-closed client, and ends the connection of a closed one. */
export function watchHalfOpen(socket: Socket): void {
  const connection: Connection = { completeAt: 0 };
  connections.set(socket, connection);
  socket.once('end', () => {
    const now = performance.now();
    connection.closedAt = now;
    const { response, completeAt } = connection;
    if (!response || response.writableFinished) return;
    if (now - completeAt >= HALF_CLOSE_MS) return void socket.destroySoon();
    let [written, since] = [socket.bytesWritten, now];
    const probe = (): void => {
      const canProbe = !response.headersSent && response.req.httpVersion !== '1.0';
      if (canProbe && response.socket === socket) response.writeProcessing();
      if (canProbe || socket.bytesWritten !== written || socket.writableLength > 0)
        [written, since] = [socket.bytesWritten, performance.now()];
      else if (performance.now() - since > STALLED_MS) socket.destroy();
    };
    const timer = setInterval(probe, PROBE_MS);
    socket.once('close', () => clearInterval(timer));
  });
}
