/** Judges an app in-process: node’s own HTTP parser and writer, connections in memory, no port. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Source, WIRE_ASPECTS, type WireAspect } from '../../exchange/types.ts';
import { createLiveSource, type LiveOptions } from '../live-source.ts';
import { type App, AppError, appError, isResponse } from './app.ts';
import { fetchListener } from './fetch-listener.ts';
import { MemorySocket } from './memory-socket.ts';

/** The base address of an app. Requests to any other origin, such as a token server, use the network. */
export const APP_ORIGIN = 'http://localhost';

/** More than the client sends. */
const MAX_HEADER_BYTES = 1 << 20;

function listenerOf(app: App): RequestListener {
  if (typeof app === 'object') return fetchListener((request) => app.fetch(request), APP_ORIGIN);
  return app.length < 2 ? fetchListener(app as (request: Request) => Response, APP_ORIGIN) : (app as RequestListener);
}

/** Calls the app. An error that it throws before its response is complete destroys the connection. */
async function serve(listener: RequestListener, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = response;
  try {
    const returned: unknown = await listener(request as Parameters<RequestListener>[0], response as never);
    if (isResponse(returned) && returned !== (response as unknown))
      throw new AppError('the app returned a Response: pass it as { fetch: app }, because it has two parameters');
  } catch (error) {
    // The client has the whole response: the process reports the error, as it would of a server.
    if (response.writableFinished) throw error;
    if (!socket?.destroyed) socket?.destroy(appError(error));
  }
}

/**
 * Creates a source that sends every request to `APP_ORIGIN` to an app, without a port. It hides what a server in front of
 * the app decides (`WIRE_ASPECTS`). An error that the app throws is the failure of its exchange.
 * @example
 * const source = createAppSource((request, response) => response.end('{}'), {});
 * await source.send({ method: 'GET', url: 'http://localhost/webservices/testService', headers: [] });
 */
export function createAppSource(app: App, options: LiveOptions): Source {
  const listener = listenerOf(app);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 0 }, (request, response) => {
    void serve(listener, request, response);
  });
  const connect = (origin: string): Duplex | undefined => {
    if (origin !== APP_ORIGIN) return undefined;
    const [client, own] = MemorySocket.pair(appError);
    server.emit('connection', own);
    return client;
  };
  return { ...createLiveSource({ ...options, connect }), hides: Object.keys(WIRE_ASPECTS) as WireAspect[] };
}
