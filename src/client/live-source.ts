/** Sends requests to a live server with undici and captures the responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { bodyFrom, TemporaryBodies } from '../exchange/body.ts';
import { isRefusedStatus, isUnauthorized } from '../exchange/refused-status.ts';
import {
  type BodyConsumer,
  type Exchange,
  type Failure,
  isSafe,
  type Source,
  type WireRequest,
} from '../exchange/types.ts';
import { splitUrl } from '../exchange/url.ts';
import { failureOf } from '../exchange/wire/failures.ts';
import { credentialsInCookies, type ReceivedCredential } from '../secrets/received.ts';
import { createAgents, type NetworkOptions } from './agents.ts';
import { type Attempt, type AttemptLimits, attempt } from './attempt.ts';
import { type ClientAuth, type Credentials, NO_CREDENTIALS, withMaskedCredentials } from './credentials.ts';
import { invalidCredentials } from './invalid-credentials.ts';
import { createKeyring } from './keyring.ts';
import { createThrottle, DEFAULT_LIMITS } from './limits.ts';
import { loginUrlOf, readSessionToken } from './login.ts';
import { redirected, unnamedHost } from './redirect.ts';
import { retryDelay } from './retry-after.ts';

export interface LiveOptions extends NetworkOptions {
  readonly auth?: readonly ClientAuth[];
  /** By the `authKey` of a request: its credentials in place of `auth`. */
  readonly authFor?: Readonly<Record<string, readonly ClientAuth[]>>;
  /** The limit for connecting, for the headers, and for a pause within a body; default 30 000 ms. */
  readonly timeoutMs?: number;
  /** The limit for one request and its whole response; default one hour, or ten times `timeoutMs` where that is longer. */
  readonly totalMs?: number;
  /** The minimum rate of a body, on the average of each window; default 100, 0 for any. */
  readonly minBytesPerSecond?: number;
  /** The length of a window; default one minute, or twice `timeoutMs` where that is longer, which permits one pause. */
  readonly rateWindowMs?: number;
  /** Default 1 GiB; a longer body is truncated and reported. */
  readonly maxBodyBytes?: number;
  /** The limit for requests sent, including repeats, redirects and token requests; default 10 000. */
  readonly maxRequests?: number;
  /** Spaces requests evenly; default: no delay. */
  readonly requestsPerSecond?: number;
  /** After so many consecutive refusals (401, 403, 429, 5xx, no response) nothing more is sent; default 20. */
  readonly stopAfterRefusals?: number;
  /** Where the private folder for large bodies is created; default: the system's folder for temporary files. */
  readonly bodiesParent?: string;
  /** Bodies up to this length stay in memory; default 1 MiB. */
  readonly memoryBytes?: number;
  /** The longest time spent waiting for Retry-After on one request; default 30 000 ms. */
  readonly maxWaitMs?: number;
  /** Default 5; the next redirect is returned as the response. */
  readonly maxRedirects?: number;
  /** The base address, below which the paths of logins and token endpoints are. */
  readonly base?: string;
  /** The origin of the service behind a gateway, by the origin of the gateway: signatures cover its host, logins are sent to it. */
  readonly upstreams?: Readonly<Record<string, string>>;
  /** In place of tokens that are fetched: a recording needs any token. */
  readonly issuedToken?: string;
  /** Called with each request before it is sent, with masked credentials. */
  readonly onRequest?: (request: WireRequest) => void;
  /** Called with each credential received from the service, also renewed ones: tokens, and cookies that contain one. */
  readonly onCredential?: (credential: ReceivedCredential) => void;
  /** Waits, in ms; a server with a fixed clock needs no real pause. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Aborts pending requests and prevents further ones. */
  readonly signal?: AbortSignal;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MAX_TRIES = 3;

/** Whether the service refused the request; a status with a meaning in the profile is not a refusal. */
function isRefusal({ response, failure }: Attempt, { statuses = {} }: WireRequest): boolean {
  if (!response) return failure?.kind !== 'notRecorded';
  const { unknown = [], malformed = [] } = statuses;
  if (isRefusedStatus(response.status, statuses)) return true;
  return response.status >= 500 && ![...unknown, ...malformed].includes(response.status);
}

/** Whether a request with other credentials than those of its operation was refused for that reason. */
const isExpectedRefusal = ({ response }: Attempt, request: WireRequest): boolean =>
  request.mayBeDenied === true &&
  response !== undefined &&
  (response.status === 403 || isUnauthorized(response.status, request.statuses));

const pause = (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined);

const notSent = (failure: Failure): Attempt => ({
  body: bodyFrom(new Uint8Array(0)),
  failure,
  timing: { startedAt: new Date().toISOString(), totalMs: 0 },
});

/**
 * Creates a live source. `send` never rejects for a fault of the server: the exchange then has a `failure`. It rejects for
 * internal errors: a path that cannot be written, a full disk, an error thrown by `consume`. Throws when a certificate
 * file cannot be read. `consume` receives one body only, that of the final response.
 * @example
 * const source = createLiveSource({ timeoutMs: 5000 });
 * const { response, failure } = await source.send({ method: 'GET', url: 'http://host/webservices/testService', headers: [] });
 */
export function createLiveSource(options: LiveOptions): Source {
  const { timeoutMs, maxRequests, maxBodyBytes, minBytesPerSecond } = { ...DEFAULT_LIMITS, ...options };
  const {
    stopAfterRefusals = 20,
    maxRedirects = 5,
    maxWaitMs = 30_000,
    auth = [],
    authFor = {},
    signal,
    wait = pause,
    base = '',
    upstreams = {},
    issuer,
    onCredential = () => undefined,
  } = options;
  const bodies = new TemporaryBodies(options.bodiesParent);
  const limits: AttemptLimits = {
    temporaryBodies: bodies,
    memoryBytes: options.memoryBytes ?? 1 << 20,
    maxBodyBytes,
    totalMs: options.totalMs ?? Math.max(HOUR, timeoutMs * 10),
    minBytesPerSecond,
    rateWindowMs: options.rateWindowMs ?? Math.max(MINUTE, timeoutMs * 2),
    ...(signal && { signal }),
    ...(options.upstreams && { upstreams: options.upstreams }),
  };
  const defaultAgents = createAgents(auth, timeoutMs, options);
  const hasCertificate = (schemes: readonly ClientAuth[]) => schemes.some(({ scheme }) => scheme === 'mtls');
  // Connections are shared unless one of them presents a client certificate.
  const agentsByKey = new Map(
    Object.entries(authFor).flatMap(([key, schemes]) =>
      hasCertificate(schemes) || hasCertificate(auth)
        ? [[key, createAgents(schemes, timeoutMs, options)] as const]
        : [],
    ),
  );
  const agentsOf = ({ authKey = '' }: WireRequest) => agentsByKey.get(authKey) ?? defaultAgents;
  const throttle = createThrottle(options.requestsPerSecond, signal);
  // An operation may be the login: each of its responses then contains a token.
  const logins = [auth, ...Object.values(authFor)].flat().filter((each) => each.scheme === 'login');
  let [sent, refusals] = [0, 0];
  const waits = { refusals: 0, ms: 0 };

  /** Sends once, if the limits allow it, and reports the credentials in the response’s cookies. */
  async function sendOnce(
    dispatcher: Pick<Dispatcher, 'dispatch'>,
    request: WireRequest,
    credentials: Credentials,
    consume?: BodyConsumer,
  ): Promise<Attempt> {
    const refuse = (kind: 'stopped' | 'budget' | 'unsendable') =>
      notSent(failureOf(kind, request.method, request.url, request.unsendable));
    if (request.unsendable !== undefined) return refuse('unsendable');
    if (signal?.aborted || refusals >= stopAfterRefusals) return refuse('stopped');
    if (sent >= maxRequests) return refuse('budget');
    sent++;
    await throttle();
    const result = await attempt(limits, dispatcher, request, credentials, consume);
    for (const each of credentialsInCookies(result.response?.headers ?? [])) onCredential(each);
    return result;
  }

  /** Reports the token in a response to a login that is an operation. */
  async function reportSessions({ method, url }: WireRequest, result: Attempt): Promise<void> {
    for (const login of logins) {
      if (login.request.method !== method || loginUrlOf(login, base) !== url.split('?', 1)[0]) continue;
      const value = await readSessionToken(login, result);
      if (value !== undefined) onCredential({ name: login.name, value });
    }
  }

  /** Sends a request for a token, to the service itself rather than to a gateway that records. */
  const sendToken = async (request: WireRequest, credentials?: Credentials): Promise<Exchange> => {
    const { origin, path } = splitUrl(request.url);
    const direct = { ...request, url: `${issuer ?? upstreams[origin] ?? origin}${path}` };
    const agent = agentsOf(request).for({ ...direct, anonymous: credentials === undefined }, true);
    return { request: direct, redirects: [], ...(await sendOnce(agent, direct, credentials ?? NO_CREDENTIALS)) };
  };
  const keyringFor = (schemes: readonly ClientAuth[], authKey?: string) =>
    createKeyring(schemes, {
      base,
      send: (request, credentials) => sendToken({ ...request, ...(authKey !== undefined && { authKey }) }, credentials),
      onCredential,
      issuedToken: options.issuedToken,
    });
  const defaultKeyring = keyringFor(auth);
  const keyrings = new Map(Object.entries(authFor).map(([key, schemes]) => [key, keyringFor(schemes, key)]));
  const keyringOf = ({ authKey = '' }: WireRequest) => keyrings.get(authKey) ?? defaultKeyring;

  /** Sends until the response is final: waits for Retry-After, renews a token once, repeats after the keep-alive race. */
  async function sendWithRetries(
    request: WireRequest,
    consume: (credentials: Credentials, ...response: Parameters<BodyConsumer>) => Promise<void>,
  ): Promise<Attempt & { credentials: Credentials }> {
    const keyring = keyringOf(request);
    const key = request.anonymous ? { credentials: NO_CREDENTIALS } : await keyring.get();
    if ('failure' in key) return { ...notSent(key.failure), credentials: NO_CREDENTIALS };
    const isOwn = !request.anonymous && !request.invalidCredentials;
    let credentials = request.invalidCredentials ? invalidCredentials(key.credentials) : key.credentials;
    let [attempts, waited, renewed, onNewConnection] = [1, 0, false, false];
    for (;;) {
      let retry: (() => Promise<boolean>) | undefined;
      options.onRequest?.(withMaskedCredentials(request, credentials));
      const result = await sendOnce(
        agentsOf(request).for(request, onNewConnection),
        request,
        credentials,
        async (head, chunks) => {
          const delay = attempts < MAX_TRIES ? retryDelay(head, attempts, request.statuses) : undefined;
          if (delay !== undefined && waited + delay <= maxWaitMs) {
            retry = async () => {
              waited += delay;
              attempts++;
              const began = performance.now();
              await wait(delay, signal);
              waits.refusals++;
              waits.ms += performance.now() - began;
              return !signal?.aborted;
            };
          } else if (isUnauthorized(head.status, request.statuses) && keyring.renewable && !renewed && isOwn) {
            retry = async () => {
              renewed = true;
              const next = await keyring.get(credentials);
              if ('credentials' in next) credentials = next.credentials;
              return 'credentials' in next;
            };
          } else await consume(credentials, head, chunks);
        },
      );
      await reportSessions(request, result);
      if (retry) {
        if (await retry()) continue;
        if (result.response) await consume(credentials, result.response, result.body.chunks());
      } else if (result.lostKeepAliveRace && !onNewConnection && isSafe(request)) {
        onNewConnection = true;
        continue;
      }
      return { ...result, credentials };
    }
  }

  /** The credentials of each exchange, for `renew`. */
  const used = new WeakMap<Exchange, Credentials>();

  async function renew(exchange: Exchange): Promise<boolean> {
    const keyring = keyringOf(exchange.request);
    const credentials = used.get(exchange);
    if (!keyring.renewable || !credentials?.tokens?.length) return false;
    return 'credentials' in (await keyring.get(credentials));
  }

  async function send(request: WireRequest, consume?: BodyConsumer): Promise<Exchange> {
    const redirects: { status: number; from: string; to: string }[] = [];
    const seen = new Set([request.url]);
    let credentialsAtOrigin: Credentials | undefined;
    for (let current = request; ; ) {
      let next: WireRequest | undefined;
      let notFollowedTo: string | undefined;
      const {
        credentials,
        lostKeepAliveRace: _,
        ...result
      } = await sendWithRetries(current, async (sentCredentials, head, chunks) => {
        if (request.follow !== false && redirects.length < maxRedirects)
          next = redirected(current, head, sentCredentials);
        if (next && seen.has(next.url)) next = undefined;
        notFollowedTo = next && unnamedHost(request.url, next.url, options.followTo);
        if (notFollowedTo !== undefined) next = undefined;
        if (!next) await consume?.(head, chunks);
      });
      credentialsAtOrigin ??= credentials;
      if (!next || !result.response || result.failure) {
        // Only the final response counts as a refusal, not the repeated ones before it.
        const wasSent = result.response !== undefined || result.timing.totalMs > 0;
        if (wasSent && !isExpectedRefusal(result, request)) refusals = isRefusal(result, request) ? refusals + 1 : 0;
        const exchange = {
          request: withMaskedCredentials(request, credentialsAtOrigin),
          redirects,
          ...result,
          ...(result.response && notFollowedTo !== undefined && { response: { ...result.response, notFollowedTo } }),
        };
        used.set(exchange, credentials);
        return exchange;
      }
      redirects.push({ status: result.response.status, from: current.url, to: next.url });
      seen.add(next.url);
      current = next;
    }
  }

  return {
    send,
    renew,
    waits,
    async close() {
      await Promise.all([defaultAgents, ...agentsByKey.values()].map((each) => each.close()));
      await bodies.close();
    },
  };
}
