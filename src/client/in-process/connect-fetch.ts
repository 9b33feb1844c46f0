/** Sends requests to a `node:http` server over connections within the process: no port, no network. */
import type { Duplex } from 'node:stream';
import type { Agent, RequestInit as UndiciInit } from 'undici';
import { MemorySocket } from './memory-socket.ts';

/** Statuses whose responses have no body; `Response` refuses one. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Returns a fetch function whose requests all go to one server, whatever their origin is. Bodies arrive decoded, without
 * `Content-Encoding`. It rejects like `fetch`, with a TypeError, if the server closes the connection.
 *
 * @param origin the origin that the server gets in place of that of the request
 * @param accept serves a connection
 */
export function connectFetch(
  origin: string,
  accept: (socket: Duplex) => void,
): (request: Request) => Promise<Response> {
  const connection = (): Duplex => {
    const [client, own] = MemorySocket.pair((error) => error);
    accept(own);
    return client;
  };
  let agent: Agent | undefined;
  return async (request) => {
    // Loaded here, because a replay of the command line loads no module that can send a request.
    const [undici, { connector }] = await Promise.all([import('undici'), import('../../exchange/wire/connection.ts')]);
    agent ??= new undici.Agent({ bodyTimeout: 0, headersTimeout: 0, connect: connector({}, 'drop', connection) });
    const { pathname, search } = new URL(request.url);
    const { method, headers, redirect, signal, body } = request;
    const init = { method, headers, redirect, signal, ...(body && { body, duplex: 'half' }), dispatcher: agent };
    const response = await undici.fetch(origin + pathname + search, init as unknown as UndiciInit);
    const { status, statusText } = response;
    const fields = new Headers([...response.headers]);
    if (fields.has('content-encoding')) for (const name of ['content-encoding', 'content-length']) fields.delete(name);
    const content = NO_BODY.has(status) ? null : (response.body as ReadableStream<Uint8Array<ArrayBuffer>> | null);
    return new Response(content, { status, statusText, headers: fields });
  };
}
