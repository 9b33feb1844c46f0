/** Serves a fetch handler through `node:http`. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withoutHopByHop } from '../../exchange/hop-by-hop.ts';
import { AppError, type FetchHandler, isResponse } from './app.ts';

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
export function fetchListener(handler: FetchHandler, origin: string): RequestListener {
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
