/** Sends one request and captures its response. */
import type { Dispatcher } from 'undici';
import { type BodyFolder, Capture } from '../exchange/body.ts';
import type { BodyConsumer, Exchange, Failure, FailureKind, ResponseHead, WireRequest } from '../exchange/types.ts';
import { isStale } from '../exchange/wire/connection.ts';
import { failureOf, kindOf } from '../exchange/wire/failures.ts';
import { type Credentials, withCredentials } from './credentials.ts';
import { isReplayMiss, readMiss } from './replay-miss.ts';
import { ResponseHandler } from './response-handler.ts';
import { splitUrl } from './wire-url.ts';

/** The limits of a request, and the place for large bodies. */
export interface AttemptLimits {
  readonly bodies: BodyFolder;
  readonly memoryBytes: number;
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

/** Aborts at the time limit or when the run is interrupted, and reports which of the two. */
function startDeadline({ totalMs, signal }: AttemptLimits, abort: (error: Error) => void) {
  let reason: NonNullable<ReturnType<typeof kindOf>> | undefined;
  const end = (kind: FailureKind, detail: string) => {
    reason ??= { kind, detail };
    abort(new Error(detail));
  };
  const timer = setTimeout(() => end('timeout', `not complete after ${totalMs} ms`), totalMs);
  const onAbort = () => end('stopped', 'interrupted');
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  const release = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  return { reason: () => reason, release };
}

/** Measures how fast a body arrives. Only the time spent waiting for the server counts, not that of the reader. */
function measureRate({ minBytesPerSecond, rateWindowMs }: AttemptLimits) {
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
    add(count: number): string | undefined {
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
  limits: AttemptLimits,
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: WireRequest,
  credentials: Credentials,
  consume?: BodyConsumer,
): Promise<Attempt> {
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  const response = new ResponseHandler();
  const deadline = startDeadline(limits, (error) => response.abort(error));
  const capture = new Capture(limits.bodies, limits.memoryBytes);
  let head: ResponseHead | undefined;
  let firstByteMs: number | undefined;
  let failure: Failure | undefined;
  let stale: boolean | undefined;
  let internalError: { readonly error: unknown } | undefined;

  /** Records a failure that the server caused; throws any other error. */
  const recordFailure = (error: unknown) => {
    const reason = deadline.reason() ?? kindOf(error, head !== undefined);
    if (!reason) throw error;
    stale = reason.kind === 'reset' && isStale(error);
    failure = failureOf(reason.kind, request.method, request.url, reason.detail, reason.advice);
  };

  /** Ends the exchange; the connection is not used again. */
  const discard = () => response.abort(new Error('the rest of the body is not read'));

  async function* captured(): AsyncGenerator<Uint8Array, void> {
    const next = () => response.next().catch(recordFailure);
    const rate = measureRate(limits);
    for (let received = await rate.wait(next); received; received = await rate.wait(next)) {
      const chunk = received.subarray(0, limits.maxBodyBytes - capture.bytes);
      await capture.write(chunk);
      yield chunk;
      if (chunk.length < received.length) {
        failure = failureOf('tooLarge', request.method, request.url, `more than ${limits.maxBodyBytes} bytes`);
        return discard();
      }
      const slow = rate.add(chunk.length);
      if (slow !== undefined) {
        failure = failureOf('tooSlow', request.method, request.url, slow);
        return discard();
      }
    }
  }

  async function receive(): Promise<void> {
    const { origin, path } = splitUrl(request.url);
    const sent = withCredentials(request, path, credentials);
    dispatcher.dispatch(
      {
        origin,
        path: sent.path,
        method: request.method as Dispatcher.HttpMethod,
        headers: sent.headers.flat(),
        body: request.body ?? null,
      },
      response,
    );
    const received = await response.head.catch(recordFailure);
    if (!received) return;
    firstByteMs = elapsed();
    if (isReplayMiss(received, request.url)) {
      failure = failureOf('notRecorded', request.method, request.url, await readMiss(response.chunks()));
      return discard();
    }
    head = received;
    const chunks = captured();
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
      discard();
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
