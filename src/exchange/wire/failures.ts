/** What went wrong below HTTP, from the errors of undici and of the operating system. */
import type { Failure, FailureKind } from '../types.ts';
import { withoutSecretParts } from '../url.ts';

/** An error whose `code: message` (its name, where it has no code) matches is of this kind; the first row counts. */
const KINDS: readonly (readonly [RegExp, FailureKind])[] = [
  [/^ECONNREFUSED|^EHOSTUNREACH|^ENETUNREACH|^EHOSTDOWN|^EADDRNOTAVAIL/, 'refused'],
  [/^ENOTFOUND|^EAI_/, 'dns'],
  // Node reports a handshake that was hung up on as ECONNRESET, so this row stands before `reset`.
  [/^ERR_TLS|^ERR_SSL|^ERR_OSSL|^CERT_|^DEPTH_ZERO|^SELF_SIGNED|^UNABLE_TO|^HOSTNAME_MISMATCH|^EPROTO/, 'tls'],
  [/before secure TLS connection/, 'tls'],
  [/^UND_ERR_CONNECT_TIMEOUT|^UND_ERR_HEADERS_TIMEOUT|^UND_ERR_BODY_TIMEOUT|^ETIMEDOUT/, 'timeout'],
  // `bad response` and `bad upgrade`: an answer nobody asked for, such as 101 without an Upgrade.
  [/^UND_ERR_SOCKET: bad |^UND_ERR_HEADERS_OVERFLOW|^ERR_AMBIGUOUS_LENGTH/, 'protocol'],
  [/^UND_ERR_SOCKET|^ECONNRESET|^ECONNABORTED|^EPIPE/, 'reset'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH|^HTTPParserError: .*Invalid EOF state/, 'truncated'],
  [/^UND_ERR_DESTROYED|^UND_ERR_CLOSED/, 'stopped'],
  [/^HTTPParserError/, 'protocol'],
];

const ADVICE: { [K in FailureKind]: string } = {
  refused: 'no connection could be made: check the base address and that the service is up',
  dns: 'the host name is not known: check the base address',
  tls: 'the TLS handshake failed: check the certificates and whether the base address should start with http or https',
  reset: 'the connection was closed before any answer: see the service’s log for why it hung up',
  timeout: 'nothing (more) came in time: raise limits.timeoutMs in the profile if the service is this slow',
  truncated: 'the body ended before its announced length: see the service’s log for why it broke off',
  protocol: 'the answer does not follow HTTP/1.1: check the port, and whether http or https is meant',
  tooLarge: 'the body is longer than allowed: raise limits.maxBodyBytes in the profile if that is right',
  tooSlow:
    'the answer arrives too slowly: lower limits.minBytesPerSecond, or raise limits.rateWindowMs, in the profile if the service is this slow',
  budget: 'the request budget is used up: raise limits.maxRequests in the profile or narrow the run',
  notRecorded: 'no recording holds this request: record it',
  unsendable: 'it was not sent, because HTTP cannot carry it',
  stopped: 'nothing is sent any more: the run was interrupted, or the service refused too many requests in a row',
};

/** A failure of a kind, in one sentence; the query is left out, for it may hold secrets. */
export function failureOf(kind: FailureKind, method: string, url: string, detail?: string): Failure {
  return { kind, message: `${method} ${withoutSecretParts(url)}: ${ADVICE[kind]}${detail ? ` (${detail})` : ''}` };
}

/** The error, its causes and the errors it gathers (one per address tried), outermost first. */
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
 * Which kind of failure an error of undici or of a socket is, or undefined where it is no fault of the server: a request
 * that cannot be written, an error of our own. `started` tells whether the head of the answer had come.
 */
export function kindOf(
  error: unknown,
  started: boolean,
): { readonly kind: FailureKind; readonly detail: string } | undefined {
  const chain = chainOf(error);
  const detail = chain.find((each) => each.message !== '')?.message ?? String(error);
  for (const { code, message } of chain) {
    const kind = KINDS.find(([pattern]) => pattern.test(`${code}: ${message}`))?.[1];
    // A connection closed in the middle of a body cuts it off, whoever closed it.
    if (kind) return { kind: started && kind === 'reset' ? 'truncated' : kind, detail };
  }
  return undefined;
}

/** Whether the other side reset the connection (RST); else it was closed (FIN), or the fault lay elsewhere. */
export const isReset = (error: unknown): boolean =>
  chainOf(error).some(({ code, message }) => /^(?:ECONNRESET|EPIPE)$/.test(code) && !/before secure TLS/.test(message));
