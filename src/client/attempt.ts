/** Sends one request and captures its response. */
import type { Dispatcher } from 'undici';
import { Capture, type TemporaryBodies } from '../exchange/body.ts';
import type { BodyConsumer, Exchange, Failure, FailureKind, ResponseHead, WireRequest } from '../exchange/types.ts';
import { splitUrl } from '../exchange/url.ts';
import { isKeepAliveRace } from '../exchange/wire/connection.ts';
import { classifyError, failureOf } from '../exchange/wire/failures.ts';
import { type Credentials, withCredentials } from './credentials.ts';
import { isReplayFailure, isReplayMiss, readMiss } from './replay-miss.ts';
import { ResponseHandler } from './response-handler.ts';

/** The limits of a request, and the folder of large bodies. */
export interface AttemptLimits {
  readonly temporaryBodies: TemporaryBodies;
  readonly memoryBytes: number;
  readonly maxBodyBytes: number;
  /** The time limit of the whole exchange. */
  readonly totalMs: number;
  /** The minimum average rate, measured over each `rateWindowMs`; a slower body is aborted. */
  readonly minBytesPerSecond: number;
  readonly rateWindowMs: number;
  readonly signal?: AbortSignal;
  /** The origin of the service behind a gateway, by the origin of the gateway. */
  readonly upstreams?: Readonly<Record<string, string>>;
}

/** An exchange without its redirects; `lostKeepAliveRace`: the keep-alive race occurred, and the request may be repeated. */
export type Attempt = Omit<Exchange, 'redirects' | 'request'> & { readonly lostKeepAliveRace?: boolean };

/** Aborts at a time limit or when the run is interrupted, and reports which of them. */
function startDeadline({ totalMs, signal }: AttemptLimits, headMs: number | undefined, abort: (error: Error) => void) {
  let classified: NonNullable<ReturnType<typeof classifyError>> | undefined;
  const end = (kind: FailureKind, detail: string) => {
    classified ??= { kind, detail };
    abort(new Error(detail));
  };
  const timer = setTimeout(() => end('timeout', `not complete after ${totalMs} ms`), totalMs);
  const headTimer =
    headMs === undefined
      ? undefined
      : setTimeout(() => end('timeout', `no response after ${Math.round(headMs)} ms`), headMs);
  const onAbort = () => end('stopped', 'interrupted');
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  const headArrived = () => clearTimeout(headTimer);
  const release = () => {
    clearTimeout(timer);
    headArrived();
    signal?.removeEventListener('abort', onAbort);
  };
  return { classified: () => classified, headArrived, release };
}

/** Measures how fast a body arrives. Counts only the time spent waiting for the server, not the time the consumer takes. */
function measureRate(limits: AttemptLimits, timeoutMs = Number.POSITIVE_INFINITY) {
  const { minBytesPerSecond } = limits;
  const rateWindowMs = Math.min(limits.rateWindowMs, 2 * timeoutMs);
  const minBytes = (minBytesPerSecond * rateWindowMs) / 1000;
  let [bytes, waitedMs] = [0, 0];
  return {
    async wait<T>(next: () => Promise<T>): Promise<T> {
      const began = performance.now();
      const result = await next();
      waitedMs += performance.now() - began;
      return result;
    },
    /** Adds received bytes. At the end of a window, returns a message if the rate was below the minimum. */
    checkRate(count: number): string | undefined {
      bytes += count;
      if (waitedMs < rateWindowMs) return undefined;
      if (bytes < minBytes) return `${bytes} bytes in ${Math.round(waitedMs)} ms, where the minimum is ${minBytes}`;
      [bytes, waitedMs] = [0, 0];
      return undefined;
    },
  };
}

/**
 * Sends one request and captures its response while `consume` reads it. Rejects only for internal errors: a request that
 * cannot be serialised, a full disk, an error of `consume`. `consume` sees a truncated body end normally; the failure is
 * only in the returned attempt.
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
  const deadline = startDeadline(limits, request.timeoutMs, (error) => response.abort(error));
  const capture = new Capture(limits.temporaryBodies, limits.memoryBytes);
  let head: ResponseHead | undefined;
  let firstByteMs: number | undefined;
  let failure: Failure | undefined;
  let lostKeepAliveRace: boolean | undefined;
  let internalError: { readonly error: unknown } | undefined;

  /** Records a failure that the server caused; throws any other error. */
  const recordFailure = (error: unknown) => {
    const classified = deadline.classified() ?? classifyError(error, { started: head !== undefined });
    if (!classified) throw error;
    lostKeepAliveRace = classified.kind === 'reset' && isKeepAliveRace(error);
    failure = failureOf(classified.kind, request.method, request.url, classified.detail, classified.advice);
  };

  /** Ends the exchange; the connection is not used again. */
  const abortResponse = () => response.abort(new Error('the rest of the body is not read'));

  async function* captured(): AsyncGenerator<Uint8Array, void> {
    const next = () => response.next().catch(recordFailure);
    const rate = measureRate(limits, request.timeoutMs);
    for (let received = await rate.wait(next); received; received = await rate.wait(next)) {
      const chunk = received.subarray(0, limits.maxBodyBytes - capture.bytes);
      await capture.write(chunk);
      yield chunk;
      if (chunk.length < received.length) {
        failure = failureOf('tooLarge', request.method, request.url, `more than ${limits.maxBodyBytes} bytes`);
        return abortResponse();
      }
      const slow = rate.checkRate(chunk.length);
      if (slow !== undefined) {
        failure = failureOf('tooSlow', request.method, request.url, slow);
        return abortResponse();
      }
    }
  }

  async function receive(): Promise<void> {
    const { origin, path } = splitUrl(request.url);
    const { host } = new URL(limits.upstreams?.[origin] ?? origin);
    const sent = withCredentials(request, { host, path }, credentials);
    dispatcher.dispatch(
      {
        origin,
        path: sent.path,
        method: request.method as Dispatcher.HttpMethod,
        headers: sent.headers.flat(),
        body: sent.body ?? null,
        ...(request.timeoutMs !== undefined && { bodyTimeout: request.timeoutMs }),
      },
      response,
    );
    const received = await response.head.catch(recordFailure);
    deadline.headArrived();
    if (!received) return;
    firstByteMs = elapsed();
    if (isReplayMiss(received, request.url)) {
      const says = await readMiss(response.chunks());
      if (isReplayFailure(received)) throw new Error(says);
      failure = failureOf('notRecorded', request.method, request.url, says);
      return abortResponse();
    }
    head = received;
    const chunks = captured();
    const remainingChunks: AsyncIterable<Uint8Array> = {
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
      if (consume) await consume(head, remainingChunks);
      for await (const _ of remainingChunks);
      if (internalError) throw internalError.error;
    } catch (error) {
      abortResponse();
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
    ...(lostKeepAliveRace && { lostKeepAliveRace }),
    timing: { startedAt, ...(firstByteMs !== undefined && { firstByteMs }), totalMs: elapsed() },
  };
}
