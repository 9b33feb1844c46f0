/** Sends requests to a live server with undici and captures everything that comes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { bodyFrom, Spool } from '../exchange/body.ts';
import type { BodyConsumer, Exchange, Failure, ResponseHead, Source, WireRequest } from '../exchange/types.ts';
import { failureOf } from '../exchange/wire/failures.ts';
import { credentialsInCookies, type ReceivedCredential } from '../secrets/received.ts';
import { createAgents } from './agents.ts';
import { type Attempt, attempt, type Wire } from './attempt.ts';
import { type ClientAuth, type Credentials, NO_CREDENTIALS, redactedAuth } from './credentials.ts';
import { DEFAULT_LIMITS } from './default-limits.ts';
import { createKeyring } from './keyring.ts';
import { redirected } from './redirect.ts';
import { retryDelay } from './retry-after.ts';
import { createThrottle } from './throttle.ts';

export interface LiveOptions {
  readonly auth?: readonly ClientAuth[];
  /** Connect, headers, and the pause between two pieces of a body; default 30 000 ms. */
  readonly timeoutMs?: number;
  /** One request and its whole answer; default one hour, or ten times `timeoutMs` where that is longer. */
  readonly totalMs?: number;
  /** The slowest body that is still read, on the average of each window; default 100, 0 for any. */
  readonly minBytesPerSecond?: number;
  /** The length of such a window; default one minute, or twice `timeoutMs` where that is longer: one pause is forgiven. */
  readonly rateWindowMs?: number;
  /** Default 1 GiB; a longer body is cut off and reported. */
  readonly maxBodyBytes?: number;
  /** Requests on the wire, repeats, redirects and those for a token counted; default 10 000. */
  readonly maxRequests?: number;
  /** Spaces requests evenly; default: as fast as they are asked for. */
  readonly requestsPerSecond?: number;
  /** After so many refusals (401, 403, 429, 5xx, no answer at all) in a row nothing more is sent; default 20. */
  readonly stopAfterRefusals?: number;
  /** Where the private folder for large bodies is made; default: the system's place for temporary files. */
  readonly spoolDir?: string;
  /** Bodies up to this length stay in memory; default 1 MiB. */
  readonly spoolAbove?: number;
  /** The longest time spent waiting for Retry-After on one request; default 30 000 ms. */
  readonly maxWaitMs?: number;
  /** Default 5; the redirect after that is the answer. */
  readonly maxRedirects?: number;
  /** Told of each request before it goes on the wire, credentials masked. */
  readonly onRequest?: (request: WireRequest) => void;
  /** Receives each credential that comes from the service, renewed ones too: tokens, and cookies that hold one. */
  readonly onCredential?: (credential: ReceivedCredential) => void;
  /** How pauses are made, in ms; a server whose clock stands still needs none. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Ends what is under way and keeps the rest from being sent. */
  readonly signal?: AbortSignal;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MAX_TRIES = 3;
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether nothing could be had; an answer that says what the profile says it means is none. */
function isRefusal({ response, failure }: Attempt, { statuses = {} }: WireRequest): boolean {
  if (!response) return failure?.kind !== 'notRecorded';
  const { unknown = [], malformed = [], unauthorized = [], tooMany = [] } = statuses;
  if ([...unauthorized, ...tooMany].includes(response.status)) return true;
  if ([...unknown, ...malformed].includes(response.status)) return false;
  return REFUSALS.has(response.status) || response.status >= 500;
}

const isUnauthorized = ({ status }: ResponseHead, { statuses }: WireRequest): boolean =>
  status === 401 || (statuses?.unauthorized?.includes(status) ?? false);

const pause = (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined);

const notSent = (failure: Failure): Attempt => ({
  body: bodyFrom(new Uint8Array(0)),
  failure,
  timing: { startedAt: new Date().toISOString(), totalMs: 0 },
});

/**
 * A live source. `send` never rejects for a fault of the server: what went wrong is the exchange's `failure`. It rejects
 * for our own: a path that cannot be written, a full disk, an error thrown by `consume`. Throws when a certificate
 * file cannot be read. `consume` sees one body only, that of the answer the exchange ends with.
 * @example
 * const source = createLiveSource({ timeoutMs: 5000 });
 * const { response, failure } = await source.send({ method: 'GET', url: 'http://host/webservices/testService', headers: [] });
 */
export function createLiveSource(options: LiveOptions): Source {
  const { timeoutMs, maxRequests, maxBodyBytes, minBytesPerSecond } = { ...DEFAULT_LIMITS, ...options };
  const { stopAfterRefusals = 20, maxRedirects = 5 } = options;
  const { maxWaitMs = 30_000, auth = [], signal, wait = pause } = options;
  const spool = new Spool(options.spoolDir);
  const wire: Wire = {
    spool,
    spoolAbove: options.spoolAbove ?? 1 << 20,
    maxBodyBytes,
    totalMs: options.totalMs ?? Math.max(HOUR, timeoutMs * 10),
    minBytesPerSecond,
    rateWindowMs: options.rateWindowMs ?? Math.max(MINUTE, timeoutMs * 2),
    ...(signal && { signal }),
  };
  const agents = createAgents(auth, timeoutMs);
  const throttle = createThrottle(options.requestsPerSecond, signal);
  const { onCredential = () => undefined } = options;
  let [sent, refusals] = [0, 0];

  /** Sends once, if anything may be sent at all, and passes on the credentials that the answer’s cookies hold. */
  async function once(agent: Agent, request: WireRequest, own: Credentials, consume?: BodyConsumer): Promise<Attempt> {
    const refuse = (kind: 'stopped' | 'budget' | 'unsendable') =>
      notSent(failureOf(kind, request.method, request.url, request.unsendable));
    if (request.unsendable !== undefined) return refuse('unsendable');
    if (signal?.aborted || refusals >= stopAfterRefusals) return refuse('stopped');
    if (sent >= maxRequests) return refuse('budget');
    sent++;
    await throttle();
    const answer = await attempt(wire, agent, request, own, consume);
    for (const each of credentialsInCookies(answer.response?.headers ?? [])) onCredential(each);
    return answer;
  }

  const keyring = createKeyring(
    auth,
    async (request) => ({
      request,
      redirects: [],
      ...(await once(agents.plain, request, NO_CREDENTIALS)),
    }),
    onCredential,
  );

  /** Sends until there is an answer to take: waits out Retry-After, renews a token once, survives the keep-alive race. */
  async function settle(
    request: WireRequest,
    consume: (own: Credentials, ...answer: Parameters<BodyConsumer>) => Promise<void>,
  ): Promise<Attempt & { own: Credentials }> {
    const key = request.anonymous ? { own: NO_CREDENTIALS } : await keyring.get();
    if ('failure' in key) return { ...notSent(key.failure), own: NO_CREDENTIALS };
    let own = key.own;
    let [tries, waited, renewed, fresh] = [1, 0, false, false];
    for (;;) {
      let again: (() => Promise<boolean>) | undefined;
      options.onRequest?.(redactedAuth(request, own));
      const answer = await once(agents.for(request, fresh), request, own, async (head, chunks) => {
        const delay = tries < MAX_TRIES ? retryDelay(head, tries, request.statuses?.tooMany) : undefined;
        if (delay !== undefined && waited + delay <= maxWaitMs) {
          again = async () => {
            waited += delay;
            tries++;
            await wait(delay, signal);
            return !signal?.aborted;
          };
        } else if (isUnauthorized(head, request) && keyring.renewable && !renewed && !request.anonymous) {
          again = async () => {
            renewed = true;
            const next = await keyring.get(own);
            if ('own' in next) own = next.own;
            return 'own' in next;
          };
        } else await consume(own, head, chunks);
      });
      if (again) {
        if (await again()) continue;
        if (answer.response) await consume(own, answer.response, answer.body.chunks());
      } else if (answer.stale && !fresh && (request.method === 'GET' || request.method === 'HEAD')) {
        fresh = true;
        continue;
      }
      return { ...answer, own };
    }
  }

  async function send(request: WireRequest, consume?: BodyConsumer): Promise<Exchange> {
    const redirects: { status: number; from: string; to: string }[] = [];
    const seen = new Set([request.url]);
    let ownAtOrigin: Credentials | undefined;
    for (let current = request; ; ) {
      let next: WireRequest | undefined;
      const {
        own,
        stale: _,
        ...answer
      } = await settle(current, async (sentWith, head, chunks) => {
        if (request.follow !== false && redirects.length < maxRedirects) next = redirected(current, head, sentWith);
        if (next && seen.has(next.url)) next = undefined;
        if (!next) await consume?.(head, chunks);
      });
      ownAtOrigin ??= own;
      if (!next || !answer.response || answer.failure) {
        // What is counted is the answer that was come to, not the waiting on the way.
        if (answer.response || answer.timing.totalMs > 0) refusals = isRefusal(answer, request) ? refusals + 1 : 0;
        return { request: redactedAuth(request, ownAtOrigin), redirects, ...answer };
      }
      redirects.push({ status: answer.response.status, from: current.url, to: next.url });
      seen.add(next.url);
      current = next;
    }
  }

  return {
    send,
    async close() {
      await agents.close();
      await spool.close();
    },
  };
}
