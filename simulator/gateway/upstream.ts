/** The gateway’s leg to the upstream: undici, HTTP/1.1, heads and bodies as they are. */
import type { Readable } from 'node:stream';
import { getCACertificates } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import type { HeaderLines } from '../../src/exchange/header-lines.ts';
import { endToEnd } from '../../src/exchange/hop-by-hop.ts';
import { connector, isStale } from '../../src/exchange/wire/connection.ts';
import { isOwnHeader } from '../../src/recording/format/describe-request.ts';
import type { InterimResponse } from '../../src/recording/format/recorded-exchange.ts';
import { MAX_HEADER_BYTES } from '../http/local-server.ts';

const CONNECT_MS = 30_000;

/** What goes up: neither hop-by-hop lines nor headers of ours, and identity coding asked for in the client’s place. */
export function upstreamHeaders(lines: HeaderLines, there: (value: string) => string): [string, string][] {
  const kept = endToEnd(lines).filter(([name]) => !isOwnHeader(name));
  const asks = kept.some(([name]) => name.toLowerCase() === 'accept-encoding');
  const sent = kept.map(([name, value]): [string, string] => [
    name,
    name.toLowerCase() === 'accept-encoding' ? 'identity' : there(value),
  ]);
  return asks ? sent : [...sent, ['accept-encoding', 'identity']];
}

export interface UpstreamResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: HeaderLines;
  readonly body: AsyncIterable<Uint8Array>;
  /** What came behind a body in chunks, names in lower case; known when the body was read to its end. */
  trailers(): HeaderLines;
  /** Gives the rest of the body up. */
  destroy(): void;
}

export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: NonNullable<Dispatcher.RequestOptions['body']> | null;
  readonly signal: AbortSignal;
  /** Told each interim answer as it comes. */
  readonly onInterim: (answer: InterimResponse) => void;
}

/** PEM texts. */
export interface UpstreamTls {
  /** A certificate authority to trust besides the usual ones. */
  readonly ca?: string;
  /** The certificate shown to the service, and its key. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** How many chunks may wait; the upstream goes on sending while the last one is still being passed on. */
const CHUNKS_WAITING = 4;

/** The chunks of a body as they come: a stream’s own iterator would copy all that are waiting into one. */
async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array, void> {
  const waiting: Uint8Array[] = [];
  let ended: { readonly error?: Error } | undefined;
  let wake = () => {};
  body.on('data', (chunk: Buffer) => {
    waiting.push(chunk);
    if (waiting.length >= CHUNKS_WAITING) body.pause();
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
    for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) yield chunk;
    if (ended?.error) throw ended.error;
    if (ended) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
      body.resume();
    });
  }
}

function headerLines(raw: readonly string[]): [string, string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] as string, raw[at + 1] as string]);
  return lines;
}

/**
 * The way to one upstream.
 * @param tls for an upstream behind TLS that asks for more than the usual
 */
export function createUpstream(origin: string, { ca, ...shown }: UpstreamTls = {}) {
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
  const create = (pipelining: 0 | 1) =>
    new Agent({
      connect: connector({ timeout: CONNECT_MS, ...trusted, ...shown }, 'told'),
      // How long to wait is the client’s to decide.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining,
    });
  const kept = create(1);
  const fresh = create(0);
  const send = async (agent: Agent, { onInterim, ...sending }: UpstreamRequest): Promise<UpstreamResponse> => {
    const { statusCode, statusText, headers, body, trailers } = await agent.request({
      ...sending,
      onInfo: (info) =>
        onInterim({ status: info.statusCode, headers: headerLines(info.headers as unknown as string[]) }),
      origin,
      method: sending.method as Dispatcher.HttpMethod,
      headers: sending.headers.flat(),
      responseHeaders: 'raw',
    });
    // What goes wrong in the body is met where it is read; a stream without a listener would end the process.
    body.on('error', () => undefined);
    const lines = headerLines(headers as unknown as string[]);
    return {
      status: statusCode,
      // One letter a byte, like header values: see `AnswerHead`.
      reason: statusText,
      headers: lines,
      body: chunksOf(body),
      trailers: () =>
        Object.entries(trailers as object).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
      destroy: () => body.destroy(),
    };
  };
  return {
    /** Sends; a repeatable request that met the keep-alive race goes out once more, on a connection of its own. */
    send: async (sending: UpstreamRequest): Promise<UpstreamResponse> => {
      const repeatable = (sending.method === 'GET' || sending.method === 'HEAD') && sending.body === null;
      if (!repeatable) return send(fresh, sending);
      return send(kept, sending).catch((error: unknown) => {
        if (isStale(error)) return send(fresh, sending);
        throw error;
      });
    },
    close: async () => {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}
export type Upstream = ReturnType<typeof createUpstream>;
