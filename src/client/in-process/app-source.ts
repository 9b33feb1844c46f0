/** Judges an app in-process: node’s own HTTP parser and writer, connections in memory, no port. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withoutHopByHop } from '../../exchange/headers.ts';
import { type Source, WIRE_ASPECTS, type WireAspect } from '../../exchange/types.ts';
import { createLiveSource, type LiveOptions } from '../live-source.ts';
import { type App, AppError, appError, type FetchHandler, isResponse } from './app.ts';
import { MemorySocket } from './memory-socket.ts';

const BODILESS_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The body is shorter or longer than its Content-Length. On a socket, the client would read the next response from the wrong byte. */
class LengthMismatch extends Error {
  readonly code = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
}

function requestOf(message: IncomingMessage, origin: string, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] as string, rawHeaders[at + 1] as string];
    if (!/^(?:connection|keep-alive|transfer-encoding)$/i.test(name)) headers.append(name, value);
  }
  const body = BODILESS_METHODS.has(method)
    ? {}
    : { body: Readable.toWeb(message) as ReadableStream, duplex: 'half' as const };
  return new Request(`${origin}${url}`, { method, headers, signal, ...body });
}

/** Yields the chunks of a body; throws at a chunk that is no Uint8Array, and at the end of a body of another length. */
async function* checkedBody(body: AsyncIterable<unknown>, contentLength: string | null): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a chunk of the response body is not a Uint8Array');
    bytes += chunk.length;
    yield chunk;
  }
  if (contentLength !== null && Number(contentLength) !== bytes)
    throw new LengthMismatch(`the Content-Length is ${contentLength}, the body has ${bytes} bytes`);
}

async function sendResponse(returned: Response, response: ServerResponse, method: string | undefined): Promise<void> {
  if (returned.status < 200) throw new AppError(`the app returned a Response with status ${returned.status}`);
  response.statusCode = returned.status;
  if (returned.statusText) response.statusMessage = returned.statusText;
  // Content-Length is not sent but checked by `checkedBody`: node would wait for the rest of a body that is too short.
  for (const [name, value] of withoutHopByHop([...returned.headers]))
    if (name.toLowerCase() !== 'content-length') response.appendHeader(name, value);
  const body = returned.body as (ReadableStream & AsyncIterable<unknown>) | null;
  if (method === 'HEAD') await body?.cancel();
  if (!body || method === 'HEAD') response.end();
  else await pipeline(checkedBody(body, returned.headers.get('content-length')), response);
}

/**
 * A listener that serves a fetch handler. The `Request` has a signal, which aborts when the client closes the connection.
 * No `Date` is added: only the headers of the handler’s `Response` are sent.
 * @param origin the origin of the URLs that the handler gets
 */
function fetchListener(handler: FetchHandler, origin: string): RequestListener {
  return async (message, response) => {
    const abort = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) abort.abort(new DOMException('the client closed the connection', 'AbortError'));
    });
    response.sendDate = false;
    const returned: unknown = await handler(requestOf(message, origin, abort.signal));
    if (!isResponse(returned))
      throw new AppError(
        `the app returned ${returned === undefined ? 'nothing' : typeof returned} in place of a Response (a function with at most one parameter is a fetch handler, with two a listener of node:http)`,
      );
    await sendResponse(returned, response, message.method);
  };
}

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
