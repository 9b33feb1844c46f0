/** Sends requests with undici and captures everything that comes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { bodyFrom, Capture, Spool } from '../exchange/body.ts';
import { firstHeader } from '../exchange/headers.ts';
import type {
  BodyConsumer,
  Exchange,
  Failure,
  FailureKind,
  ResponseHead,
  Source,
  WireRequest,
} from '../exchange/types.ts';
import type { AuthScheme } from '../profile/schema.ts';
import { type Credentials, credentialsOf } from './auth.ts';
import { failureOf, kindOf } from './failures.ts';

export interface LiveOptions {
  readonly auth?: readonly AuthScheme[];
  /** Connect, headers, and the pause between two pieces of a body; default 30 000 ms. A request may take ten times that in all. */
  readonly timeoutMs?: number;
  /** Default 2 GiB; a longer body is cut off and reported. */
  readonly maxBodyBytes?: number;
  /** Default 10 000. */
  readonly maxRequests?: number;
  /** Spaces requests evenly; default: as fast as they are asked for. */
  readonly requestsPerSecond?: number;
  /** After so many refusals (401, 403, 429, 5xx) in a row nothing more is sent; default 200. */
  readonly stopAfterRefusals?: number;
  /** Bodies up to this length stay in memory; default 1 MiB. */
  readonly memoryBytes?: number;
  /** The longest time spent waiting for Retry-After on one request; default 30 000 ms. */
  readonly maxWaitMs?: number;
  readonly signal?: AbortSignal;
}

const MAX_REDIRECTS = 5;
const MAX_RETRIES = 3;
const REFUSALS = new Set([401, 403, 429]);

type Attempt = Omit<Exchange, 'redirects' | 'request'>;

/**
 * A live source. `send` never rejects for a fault of the server: what went wrong is the exchange's `failure`.
 * @example const source = createLiveSource({}); const { response } = await source.send({ method: 'GET', url, headers: [] });
 */
export function createLiveSource(options: LiveOptions): Source {
  const { timeoutMs = 30_000, maxBodyBytes = 2 * 1024 ** 3, maxRequests = 10_000, stopAfterRefusals = 200 } = options;
  const { memoryBytes = 1 << 20, maxWaitMs = 30_000, signal } = options;
  const credentials = credentialsOf(options.auth ?? []);
  const spool = new Spool();
  const agent = new Agent({
    connectTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 4000,
    maxHeaderSize: 256 * 1024,
    maxRedirections: 0,
  } as Agent.Options);
  const spacing = options.requestsPerSecond ? 1000 / options.requestsPerSecond : 0;
  let [sent, refusals, slot] = [0, 0, 0];

  const notSent = (kind: FailureKind, request: WireRequest): Attempt => ({
    body: bodyFrom(new Uint8Array(0)),
    failure: failureOf(kind, request.method, request.url),
    timing: { startedAt: new Date().toISOString(), totalMs: 0 },
  });

  async function takeSlot(): Promise<void> {
    if (spacing === 0) return;
    const now = Date.now();
    slot = Math.max(now, slot + spacing);
    if (slot > now) await sleep(slot - now);
  }

  /** One request on the wire, its body captured whole while `consume` reads it. */
  async function attempt(request: WireRequest, own: Credentials, consume?: BodyConsumer): Promise<Attempt> {
    if (signal?.aborted) return notSent('stopped', request);
    if (sent >= maxRequests) return notSent('budget', request);
    if (refusals >= stopAfterRefusals) return notSent('stopped', request);
    sent++;
    await takeSlot();
    const startedAt = new Date();
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    const { origin, path } = splitUrl(request.url, own.query);
    const deadline = AbortSignal.timeout(timeoutMs * 10);
    const capture = new Capture(spool, memoryBytes);
    let head: ResponseHead | undefined;
    let firstByteMs: number | undefined;
    let failure: Failure | undefined;
    const fail = (kind: FailureKind, detail?: string) => {
      failure ??= failureOf(kind, request.method, request.url, detail);
    };

    try {
      const answer = await agent.request({
        origin,
        path,
        method: request.method as Dispatcher.HttpMethod,
        headers: [...request.headers, ...own.headers].flat(),
        body: request.body ?? null,
        responseHeaders: 'raw',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      firstByteMs = elapsed();
      head = {
        status: answer.statusCode,
        reason: answer.statusText ?? '',
        headers: headerLines(answer.headers as unknown as readonly string[]),
      };
      const arriving = async function* (): AsyncIterable<Uint8Array> {
        try {
          for await (const chunk of answer.body as AsyncIterable<Buffer>) {
            if (capture.bytes + chunk.length > maxBodyBytes) {
              fail('tooLarge');
              answer.body.destroy();
              return;
            }
            await capture.write(chunk);
            yield chunk;
          }
        } catch (error) {
          const { kind, detail } = deadline.aborted
            ? { kind: 'timeout' as const, detail: `more than ${timeoutMs * 10} ms in all` }
            : kindOf(error, true);
          fail(kind, detail);
        }
      };
      const chunks = arriving()[Symbol.asyncIterator]();
      const rest = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) };
      if (consume) await consume(head, rest);
      // What the reader left unread is captured all the same.
      for await (const _ of rest);
    } catch (error) {
      if (head) throw error;
      const { kind, detail } = deadline.aborted
        ? { kind: 'timeout' as const, detail: 'no answer in time' }
        : signal?.aborted
          ? { kind: 'stopped' as const, detail: 'interrupted' }
          : kindOf(error, false);
      fail(kind, detail);
    }
    const refused = head === undefined || REFUSALS.has(head.status) || head.status >= 500;
    refusals = refused ? refusals + 1 : 0;
    return {
      ...(head && { response: head }),
      body: await capture.end(),
      ...(failure && { failure }),
      timing: {
        startedAt: startedAt.toISOString(),
        ...(firstByteMs !== undefined && { firstByteMs }),
        totalMs: elapsed(),
      },
    };
  }

  /** Waits out 429 and 503 with Retry-After, and retries once where a kept-alive connection was closed under us. */
  async function patiently(request: WireRequest, own: Credentials, consume?: BodyConsumer): Promise<Attempt> {
    let waited = 0;
    for (let tries = 0; ; tries++) {
      // The reader must see one body only, so it is handed to answers that will not be asked for again.
      let held: Attempt | undefined;
      const guarded: BodyConsumer | undefined =
        consume &&
        (async (head, chunks) => {
          if (tries < MAX_RETRIES && retryDelay(head, tries) !== undefined) return;
          await consume(head, chunks);
        });
      held = await attempt(request, own, guarded);
      const delay = held.response ? retryDelay(held.response, tries) : undefined;
      if (held.response && delay !== undefined && tries < MAX_RETRIES) {
        if (waited + delay > maxWaitMs) {
          if (consume) await consume(held.response, held.body.chunks());
          return held;
        }
        waited += delay;
        await sleep(delay, undefined, signal ? { signal } : undefined).catch(() => undefined);
        continue;
      }
      const idempotent = request.method === 'GET' || request.method === 'HEAD';
      if (held.failure?.kind === 'reset' && idempotent && tries === 0) continue;
      return held;
    }
  }

  async function send(request: WireRequest, consume?: BodyConsumer): Promise<Exchange> {
    const redirects: { status: number; from: string; to: string }[] = [];
    let current = request;
    for (;;) {
      const sameOrigin = new URL(current.url).origin === new URL(request.url).origin;
      const own = sameOrigin && !request.anonymous ? credentials : { headers: [], query: [] };
      let target: string | undefined;
      const final: BodyConsumer = async (head, chunks) => {
        target =
          request.follow === false || redirects.length >= MAX_REDIRECTS ? undefined : redirectTarget(current, head);
        if (!target && consume) await consume(head, chunks);
      };
      const answer = await patiently(current, own, final);
      if (!target || !answer.response || answer.failure) {
        const shown = own.headers.map(([name]): [string, string] => [name, '***']);
        return { request: { ...request, headers: [...request.headers, ...shown] }, redirects, ...answer };
      }
      redirects.push({ status: answer.response.status, from: current.url, to: target });
      const crossing = new URL(target).origin !== new URL(request.url).origin;
      const toGet = answer.response.status === 303 && current.method !== 'HEAD';
      const { body, ...bodiless } = current;
      current = {
        ...(toGet ? { ...bodiless, method: 'GET' } : current),
        url: target,
        headers: current.headers.filter(
          ([name]) =>
            !(crossing && /^(authorization|cookie|proxy-authorization)$/i.test(name)) &&
            !(toGet && /^content-/i.test(name)),
        ),
      };
    }
  }

  return {
    send,
    async close() {
      await agent.destroy();
      await spool.close();
    },
  };
}

/** Origin and path exactly as written: a URL parser would fold `..` and re-encode what a probe means to send. */
function splitUrl(url: string, query: Credentials['query']): { origin: string; path: string } {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const origin = start < 0 ? url : url.slice(0, start);
  const path = start < 0 ? '/' : url.slice(start);
  const extra = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return { origin, path: extra === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${extra}` };
}

function headerLines(raw: readonly (string | Buffer)[]): [string, string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    lines.push([String(raw[at]), Buffer.from(raw[at + 1] as string | Buffer).toString('latin1')]);
  return lines;
}

/** Where a redirect leads, when it may be followed: other methods than GET only where the method is kept. */
function redirectTarget(request: WireRequest, head: ResponseHead): string | undefined {
  const kept = head.status === 307 || head.status === 308;
  const changed = head.status === 301 || head.status === 302 || head.status === 303;
  const safe = request.method === 'GET' || request.method === 'HEAD';
  if (!kept && !(changed && safe)) return undefined;
  const location = firstHeader(head.headers, 'location');
  if (!location) return undefined;
  try {
    const target = new URL(location, request.url);
    return target.protocol === 'http:' || target.protocol === 'https:' ? target.href : undefined;
  } catch {
    return undefined;
  }
}

/** How long a 429 or 503 asks to wait, in ms; a 429 without Retry-After backs off by itself. */
function retryDelay(head: ResponseHead, tries: number): number | undefined {
  if (head.status !== 429 && head.status !== 503) return undefined;
  const value = firstHeader(head.headers, 'retry-after');
  if (value === undefined) return head.status === 429 ? 500 * 2 ** tries : undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isFinite(at) ? Math.max(0, at - Date.now()) : undefined;
}
