/** Classifies errors of undici and of the operating system. */

import { withoutSecretParts } from '../../profile/url-query.ts';
import type { Failure, FailureKind } from '../types.ts';

/** Kinds by a pattern for `code: message` of an error (its name, where it has no code); the first match counts. */
const KINDS: readonly (readonly [RegExp, FailureKind])[] = [
  [/^ERR_APP/, 'appError'],
  [/^ERR_PROXY|Proxy Authentication Required/, 'proxy'],
  [/^ECONNREFUSED|^EHOSTUNREACH|^ENETUNREACH|^EHOSTDOWN|^EADDRNOTAVAIL/, 'refused'],
  [/^ENOTFOUND|^EAI_/, 'dns'],
  // Node reports a connection closed during the handshake as ECONNRESET, so this row is before `reset`.
  [/^ERR_TLS|^ERR_SSL|^ERR_OSSL|^CERT_|^DEPTH_ZERO|^SELF_SIGNED|^UNABLE_TO|^HOSTNAME_MISMATCH|^EPROTO/, 'tls'],
  [/before secure TLS connection/, 'tls'],
  [/^UND_ERR_CONNECT_TIMEOUT|^UND_ERR_HEADERS_TIMEOUT|^UND_ERR_BODY_TIMEOUT|^ETIMEDOUT/, 'timeout'],
  // `bad response` and `bad upgrade`: an unexpected response, such as 101 without an Upgrade.
  [/^UND_ERR_SOCKET: bad |^UND_ERR_HEADERS_OVERFLOW|^ERR_AMBIGUOUS_LENGTH/, 'protocol'],
  [/^UND_ERR_SOCKET|^ECONNRESET|^ECONNABORTED|^EPIPE/, 'reset'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH|^HTTPParserError: .*Invalid EOF state/, 'truncated'],
  [/^UND_ERR_DESTROYED|^UND_ERR_CLOSED/, 'stopped'],
  [/^HTTPParserError/, 'protocol'],
];

const ADVICE: { [K in FailureKind]: string } = {
  refused: 'no connection could be opened: check the base address and that the service is up',
  dns: 'the host name cannot be resolved: check the base address',
  proxy: 'the proxy refuses the request or cannot be reached: check --proxy, HTTP_PROXY, HTTPS_PROXY and NO_PROXY',
  tls: 'the TLS handshake failed: check the certificates and whether the base address should start with http or https',
  reset: 'the connection was closed before the response: the service’s log may say why',
  timeout: 'the response did not arrive in time: raise limits.timeoutMs in the profile if the service is this slow',
  truncated: 'the body ended before its announced length: the service’s log may say why',
  protocol: 'the response does not follow HTTP/1.1: check the port, and whether http or https is meant',
  tooLarge: 'the body is longer than allowed: raise limits.maxBodyBytes in the profile if that is right',
  tooSlow:
    'the response arrives too slowly: lower limits.minBytesPerSecond, or raise limits.rateWindowMs, in the profile if the service is this slow',
  budget: 'the request budget is used up: raise limits.maxRequests in the profile or narrow the run',
  notRecorded: 'the request is not recorded: record it',
  unsendable: 'it was not sent, because the request cannot be written',
  appError: 'the app failed: fix its error, or let it send an error status',
  notShown: 'judged in-process, which does not show this: judge a running server by its base address',
  stopped: 'the client has stopped sending: the run was interrupted, or the service refused too many requests in a row',
};

/** Advice by a pattern for `code: message` of a TLS error; the first match counts. */
const TLS_ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^CERT_HAS_EXPIRED/, 'the certificate of the service has expired: renew it'],
  [/^CERT_NOT_YET_VALID/, 'the certificate of the service is not valid yet: check the clocks of both sides'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID|^HOSTNAME_MISMATCH/,
    'the certificate of the service is for another host name: use that name in the base address, or add this one to the certificate',
  ],
  [
    /^DEPTH_ZERO|^SELF_SIGNED|^UNABLE_TO/,
    'the certificate of the service is not signed by a known authority: give the file of the authority with --ca FILE, `ca` of the configuration, or NODE_EXTRA_CA_CERTS',
  ],
  [
    /CERTIFICATE_REQUIRED|alert certificate required|alert handshake failure/i,
    'the service requires a client certificate: give it in the profile’s auth (scheme mtls)',
  ],
  [
    /wrong version number|packet length too long|http request/i,
    'the service does not speak TLS at this port: start the base address with http://, or correct its port',
  ],
];

/**
 * A failure of a kind, in one sentence; the query is omitted because it may contain secrets.
 * @param advice what failed and what to do; default: that of the kind
 */
export function failureOf(
  kind: FailureKind,
  method: string,
  url: string,
  detail?: string,
  advice: string = ADVICE[kind],
): Failure {
  return { kind, message: `${method} ${withoutSecretParts(url)}: ${advice}${detail ? ` (${detail})` : ''}` };
}

/** Whether the client ended the exchange by itself: it shows nothing of the service. A missing access token does. */
export const isClientStop = ({ kind, message }: Failure): boolean =>
  kind === 'stopped' && message.includes(ADVICE.stopped);

/** The error, its causes and its aggregated errors (one per address tried), outermost first. */
function chainOf(error: unknown): { readonly code: string; readonly message: string }[] {
  const chain: { code: string; message: string }[] = [];
  const walk = (each: unknown): void => {
    if (!(each instanceof Error) || chain.length > 8) return;
    const { code = each.name, errors = [] } = each as { code?: string; errors?: unknown[] };
    chain.push({ code, message: each.message });
    walk(each.cause);
    for (const one of errors) walk(one);
  };
  walk(error);
  return chain;
}

/**
 * The kind of failure of an error of undici or of a socket; undefined where the server did not cause it: a request that
 * cannot be written, an internal error.
 * @param started whether the head of the response had arrived
 */
export function classifyError(
  error: unknown,
  { started }: { readonly started: boolean },
): { readonly kind: FailureKind; readonly detail: string; readonly advice?: string } | undefined {
  const chain = chainOf(error);
  const detail = chain.find((each) => each.message !== '')?.message ?? String(error);
  for (const { code, message } of chain) {
    const kind = KINDS.find(([pattern]) => pattern.test(`${code}: ${message}`))?.[1];
    if (kind === undefined) continue;
    const advice = kind === 'tls' && TLS_ADVICE.find(([pattern]) => pattern.test(`${code}: ${message}`))?.[1];
    // A connection closed in the middle of a body truncates the body, whichever side closed it.
    return { kind: started && kind === 'reset' ? 'truncated' : kind, detail, ...(advice && { advice }) };
  }
  return undefined;
}

/** Whether the server reset the connection (RST); false: it closed it (FIN), or the error has another cause. */
export const isReset = (error: unknown): boolean =>
  chainOf(error).some(({ code, message }) => /^(?:ECONNRESET|EPIPE)$/.test(code) && !/before secure TLS/.test(message));
