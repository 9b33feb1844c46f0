/** Sends one request and captures its response. */
import type { Agent, Dispatcher } from 'undici';
import { Capture, type Spool } from '../exchange/body.ts';
import type { BodyConsumer, Exchange, Failure, FailureKind, ResponseHead, WireRequest } from '../exchange/types.ts';
import { isStale } from '../exchange/wire/connection.ts';
import { failureOf, kindOf } from '../exchange/wire/failures.ts';
import { authorised, type Credentials } from './credentials.ts';
import { isReplayMiss, readMiss } from './replay-miss.ts';
import { splitUrl } from './wire-url.ts';

/** The limits of a request, and the place for large bodies. */
export interface Wire {
  readonly spool: Spool;
  readonly spoolAbove: number;
  readonly maxBodyBytes: number;
  /** The time limit of the whole exchange. */
  readonly totalMs: number;
  /** A body slower than this, on the average of a window, is aborted. */
  readonly minBytesPerSecond: number;
  readonly rateWindowMs: number;
  readonly signal?: AbortSignal;
}

/** An exchange without its redirects; `stale`: the keep-alive race occurred, and the request may be repeated. */
export type Attempt = Omit<Exchange, 'redirects' | 'request'> & { readonly stale?: boolean };

function headerLines(raw: readonly string[]): [string, string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] as string, raw[at + 1] as string]);
  return lines;
}

/** Aborts at the time limit or when the run is interrupted, and reports which of the two. */
function deadlineOf({ totalMs, signal }: Wire) {
  const stop = new AbortController();
  let why: { readonly kind: FailureKind; readonly detail: string } | undefined;
  const end = (kind: FailureKind, detail: string) => {
    why ??= { kind, detail };
    stop.abort();
  };
  const timer = setTimeout(() => end('timeout', `not complete after ${totalMs} ms`), totalMs);
  const onAbort = () => end('stopped', 'interrupted');
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  const release = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { signal: stop.signal, why: () => why, release };
}

/** Measures how fast a body arrives. Only the time spent waiting for the server counts, not that of the reader. */
function rateOf({ minBytesPerSecond, rateWindowMs }: Wire) {
  const least = (minBytesPerSecond * rateWindowMs) / 1000;
  let [bytes, waitedMs] = [0, 0];
  return {
    async wait<T>(next: () => Promise<T>): Promise<T> {
      const began = performance.now();
      const step = await next();
      waitedMs += performance.now() - began;
      return step;
    },
    /** Returns at the end of a window how slow the body was, where that is too slow. */
    arrived(count: number): string | undefined {
      bytes += count;
      if (waitedMs < rateWindowMs) return undefined;
      if (bytes < least) return `${bytes} bytes in ${Math.round(waitedMs)} ms, where the minimum is ${least}`;
      [bytes, waitedMs] = [0, 0];
      return undefined;
    },
  };
}

/**
 * Sends one request and captures its response while `consume` reads it. Rejects only for internal errors: a request that
 * cannot be written, a full disk, an error of `consume`. For `consume` a truncated body ends normally; the result has the
 * failure.
 */
export async function attempt(
  wire: Wire,
  agent: Agent,
  request: WireRequest,
  credentials: Credentials,
  consume?: BodyConsumer,
): Promise<Attempt> {
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  const deadline = deadlineOf(wire);
  const capture = new Capture(wire.spool, wire.spoolAbove);
  let head: ResponseHead | undefined;
  let firstByteMs: number | undefined;
  let failure: Failure | undefined;
  let stale: boolean | undefined;
  let internalError: { readonly error: unknown } | undefined;

  /** Records a failure that the server caused; throws any other error. */
  const recordFailure = (error: unknown) => {
    const reason = deadline.why() ?? kindOf(error, head !== undefined);
    if (!reason) throw error;
    stale = reason.kind === 'reset' && isStale(error);
    failure = failureOf(reason.kind, request.method, request.url, reason.detail);
  };

  async function* captured(body: Dispatcher.ResponseData['body']): AsyncGenerator<Uint8Array, void> {
    const incoming = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const next = () => incoming.next().catch(recordFailure);
    const rate = rateOf(wire);
    for (let step = await rate.wait(next); step && !step.done; step = await rate.wait(next)) {
      const chunk = step.value.subarray(0, wire.maxBodyBytes - capture.bytes);
      await capture.write(chunk);
      yield chunk;
      if (chunk.length < step.value.length) {
        failure = failureOf('tooLarge', request.method, request.url, `more than ${wire.maxBodyBytes} bytes`);
        body.destroy();
        return;
      }
      const slow = rate.arrived(chunk.length);
      if (slow !== undefined) {
        failure = failureOf('tooSlow', request.method, request.url, slow);
        body.destroy();
        return;
      }
    }
  }

  async function receive(): Promise<void> {
    const { origin, path } = splitUrl(request.url);
    const sent = authorised(request, path, credentials);
    const reply = await agent
      .request({
        origin,
        path: sent.path,
        method: request.method as Dispatcher.HttpMethod,
        headers: sent.headers.flat(),
        body: request.body ?? null,
        responseHeaders: 'raw',
        signal: deadline.signal,
      })
      .catch(recordFailure);
    if (!reply) return;
    firstByteMs = elapsed();
    const raw = reply.headers as unknown as readonly string[];
    const received = { status: reply.statusCode, reason: reply.statusText, headers: headerLines(raw) };
    // Errors of the body surface where it is read; without a listener they would end the process.
    reply.body.on('error', () => undefined);
    if (isReplayMiss(received, request.url)) {
      failure = failureOf('notRecorded', request.method, request.url, await readMiss(reply.body));
      reply.body.destroy();
      return;
    }
    head = received;
    const chunks = captured(reply.body);
    const shared: AsyncIterable<Uint8Array> = {
      // It has no `return`: a reader that stops early must not end the capture.
      [Symbol.asyncIterator]: () => ({
        next: () =>
          chunks.next().catch((error: unknown) => {
            internalError = { error };
            throw error;
          }),
      }),
    };
    try {
      if (consume) await consume(head, shared);
      for await (const _ of shared);
      if (internalError) throw internalError.error;
    } catch (error) {
      reply.body.destroy();
      await capture.discard();
      throw error;
    }
  }

  try {
    await receive();
  } finally {
    deadline.release();
  }
  return {
    ...(head && { response: head }),
    body: await capture.end(),
    ...(failure && { failure }),
    ...(stale && { stale }),
    timing: { startedAt, ...(firstByteMs !== undefined && { firstByteMs }), totalMs: elapsed() },
  };
}
