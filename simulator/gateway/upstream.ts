/** The gateway’s client for the upstream: undici, HTTP/1.1, heads and bodies unchanged. */
import type { Readable } from 'node:stream';
import { getCACertificates } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import { type HeaderLines, headerLinesOf, withoutHopByHop } from '../../src/exchange/headers.ts';
import { connector, isKeepAliveRace } from '../../src/exchange/wire/connection.ts';
import { createProxyAgent, hasProxyFor, type ProxySettings } from '../../src/exchange/wire/proxy.ts';
import { isOwnHeader } from '../../src/recording/format/describe-request.ts';
import type { InterimResponse } from '../../src/recording/format/recorded-exchange.ts';
import { MAX_HEADER_BYTES } from '../http/local-server.ts';

const CONNECT_MS = 30_000;

/** The headers sent upstream: without hop-by-hop headers and those of this tool, with `accept-encoding: identity`. */
export function upstreamHeaders(lines: HeaderLines, toUpstream: (value: string) => string): [string, string][] {
  const kept = withoutHopByHop(lines).filter(([name]) => !isOwnHeader(name));
  const hasAcceptEncoding = kept.some(([name]) => name.toLowerCase() === 'accept-encoding');
  const sent = kept.map(([name, value]): [string, string] => [
    name,
    name.toLowerCase() === 'accept-encoding' ? 'identity' : toUpstream(value),
  ]);
  return hasAcceptEncoding ? sent : [...sent, ['accept-encoding', 'identity']];
}

export interface UpstreamResponse {
  readonly status: number;
  readonly reasonPhrase: string;
  readonly headers: HeaderLines;
  readonly body: AsyncIterable<Uint8Array>;
  /** The trailers of a chunked body, names in lower case; known after the body is read to its end. */
  trailers(): HeaderLines;
  /** Discards the rest of the body. */
  destroy(): void;
}

export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: NonNullable<Dispatcher.RequestOptions['body']> | null;
  readonly signal: AbortSignal;
  /** Called with each interim response (1xx) on arrival. */
  readonly onInterim: (interim: InterimResponse) => void;
}

/** TLS options as PEM texts. */
export interface UpstreamTls {
  /** A certificate authority to trust besides the default ones. */
  readonly ca?: string;
  /** The client certificate, and its key. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** How many chunks are queued: the upstream continues to send while a chunk is being forwarded. */
const MAX_QUEUED_CHUNKS = 4;

/** The chunks of a body as they arrive: a stream’s own iterator would merge all queued ones into one copy. */
async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array, void> {
  const queue: Uint8Array[] = [];
  let ended: { readonly error?: Error } | undefined;
  let wake = () => {};
  body.on('data', (chunk: Buffer) => {
    queue.push(chunk);
    if (queue.length >= MAX_QUEUED_CHUNKS) body.pause();
    wake();
  });
  const end = (error?: Error): void => {
    ended ??= error ? { error } : {};
    wake();
  };
  body
    .once('end', () => end())
    .once('error', end)
    .once('close', () => end());
  for (;;) {
    for (let chunk = queue.shift(); chunk; chunk = queue.shift()) yield chunk;
    if (ended?.error) throw ended.error;
    if (ended) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
      body.resume();
    });
  }
}

/**
 * Creates the client for one upstream.
 * @param tls for a service with its own certificate authority, or one that requires a client certificate
 * @param proxy default: no proxy
 */
export function createUpstream(origin: string, { ca, ...clientCertificate }: UpstreamTls = {}, proxy?: ProxySettings) {
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
  const tls = { timeout: CONNECT_MS, ...trusted, ...clientCertificate };
  const create = (pipelining: 0 | 1): Dispatcher => {
    const direct = connector(tls, 'report');
    // The client decides how long to wait.
    const pool = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MAX_HEADER_BYTES, pipelining };
    return proxy && hasProxyFor(proxy, origin)
      ? createProxyAgent(proxy, { direct, tls, interim: 'report', pool })
      : new Agent({ ...pool, connect: direct });
  };
  const keepAlive = create(1);
  const singleUse = create(0);
  const send = async (
    agent: Dispatcher,
    { onInterim, ...upstreamRequest }: UpstreamRequest,
  ): Promise<UpstreamResponse> => {
    const { statusCode, statusText, headers, body, trailers } = await agent.request({
      ...upstreamRequest,
      onInfo: (info) =>
        onInterim({ status: info.statusCode, headers: headerLinesOf(info.headers as unknown as string[]) }),
      origin,
      method: upstreamRequest.method as Dispatcher.HttpMethod,
      headers: upstreamRequest.headers.flat(),
      responseHeaders: 'raw',
    });
    // Errors of the body surface where it is read; without a listener they would end the process.
    body.on('error', () => undefined);
    const lines = headerLinesOf(headers as unknown as string[]);
    return {
      status: statusCode,
      // Latin-1, like header values: see `ResponseHead`.
      reasonPhrase: statusText,
      headers: lines,
      body: chunksOf(body),
      trailers: () =>
        Object.entries(trailers as object).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
      destroy: () => body.destroy(),
    };
  };
  return {
    /** Sends a request; repeats a safe one on a new connection where the server closed the idle connection meanwhile. */
    send: async (upstreamRequest: UpstreamRequest): Promise<UpstreamResponse> => {
      const repeatable =
        (upstreamRequest.method === 'GET' || upstreamRequest.method === 'HEAD') && upstreamRequest.body === null;
      if (!repeatable) return send(singleUse, upstreamRequest);
      return send(keepAlive, upstreamRequest).catch((error: unknown) => {
        if (isKeepAliveRace(error)) return send(singleUse, upstreamRequest);
        throw error;
      });
    },
    close: async () => {
      await Promise.all([keepAlive.destroy(), singleUse.destroy()]);
    },
  };
}
/** A client for one upstream. */
export type Upstream = ReturnType<typeof createUpstream>;
