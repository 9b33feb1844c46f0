/** Responds to requests of the Fetch standard in the same process, without a port. It uses no module of Node. */

import { utf8 } from '../src/bytes.ts';
import { codingsOf, isKnownCoding, removeCoding } from '../src/content-codings.ts';
import { chunksOf, deliverBody, pause } from './behaviors/deliver-body.ts';
import type { Chunk } from './dialects/types.ts';
import { MAX_BODY_BYTES, type SimulatedResponse, type Simulation } from './simulation.ts';

/** Statuses whose responses have no body (RFC 9110, 6.4.1); `Response` refuses one. */
const NO_BODY = new Set([204, 205, 304]);

const bytesOf = (chunk: Chunk): Uint8Array<ArrayBuffer> =>
  typeof chunk === 'string' ? utf8(chunk) : new Uint8Array(chunk);

async function* bytesOfEach(chunks: Iterable<Chunk> | AsyncIterable<Chunk>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield bytesOf(chunk);
}

/** A behavior reset the connection in place of a response; `fetch` reports every failure of the network as a TypeError. */
export class ConnectionResetError extends TypeError {
  override readonly name = 'ConnectionResetError';
}

/** The failure of a body that is cut, as `fetch` reports it. */
const cutBody = (cause: unknown): TypeError =>
  new TypeError(`terminated: ${cause instanceof Error ? cause.message : cause}`, { cause });

/** A stream that reads the chunks of a body one by one, until its request is aborted. */
function streamOf(
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  const next = async (): Promise<IteratorResult<Chunk>> => {
    try {
      return await iterator.next();
    } catch (error) {
      throw cutBody(error);
    }
  };
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await next();
      if (signal.aborted) await iterator.return?.();
      signal.throwIfAborted();
      if (done) controller.close();
      else controller.enqueue(bytesOf(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function responseOf(
  { status, headers, body, delivery }: SimulatedResponse,
  { method, signal }: Request,
  date: string,
): Response {
  const fields = new Headers({ Date: date });
  for (const [name, value] of Object.entries(headers))
    for (const [at, each] of [value].flat().entries()) at === 0 ? fields.set(name, each) : fields.append(name, each);
  if (NO_BODY.has(status) || method === 'HEAD') return new Response(null, { status, headers: fields });
  const named = codingsOf(fields.get('content-encoding') ?? '');
  const codings = named.every(isKnownCoding) ? named : [];
  const isWhole = codings.length === 0 && (typeof body === 'string' || body instanceof Uint8Array);
  // They describe the coded body, and who reads the response must not decode it again.
  if (codings.length > 0) for (const name of ['content-encoding', 'content-length']) fields.delete(name);
  // As a server frames it: msw 3 writes these fields to a socket, where a body without them ends like one that is cut.
  if (isWhole && !fields.has('content-length')) fields.set('Content-Length', String(bytesOf(body).byteLength));
  if (!fields.has('content-length')) fields.set('Transfer-Encoding', 'chunked');
  if (isWhole && !delivery) return new Response(bytesOf(body), { status, headers: fields });
  const chunks = delivery ? deliverBody(body, delivery, signal) : chunksOf(body);
  const stream = codings.length === 0 ? chunks : codings.reduceRight(removeCoding, bytesOfEach(chunks));
  return new Response(streamOf(stream, signal), { status, headers: fields });
}

/**
 * Returns a fetch function that a simulation responds to, whatever the origin of the request is. It rejects like `fetch`,
 * with a TypeError (`ConnectionResetError`), where a behavior resets the connection.
 *
 * @throws an Error (in the promise) for an oddity that changes the bytes of a connection: only a server has one
 * @example
 * const respond = createFetch(await createSimulation());
 * const response = await respond(new Request('http://localhost/webservices/testService'));
 */
export const createFetch =
  (simulation: Simulation) =>
  async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const { origin, pathname, search } = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const reply = simulation.respond({
      method: request.method,
      origin,
      target: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: bytes.byteLength > MAX_BODY_BYTES ? undefined : bytes,
    });
    if (reply.send)
      throw new Error(
        'an oddity changes what happens on the connection: send the request to the server of the simulator',
      );
    // Without a delay no timer is started, since tests may replace the timers.
    if (reply.delivery?.delayMs) await pause(reply.delivery.delayMs, request.signal);
    request.signal.throwIfAborted();
    if (reply.delivery?.resetConnection)
      throw new ConnectionResetError('fetch failed: the simulator reset the connection');
    return responseOf(reply, request, simulation.clock.now().toUTCString());
  };
