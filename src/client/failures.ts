/** What went wrong below HTTP, from the codes of undici and of the operating system. */
import type { Failure, FailureKind } from '../exchange/types.ts';

const KINDS: Record<string, FailureKind> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'truncated',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
};

const ADVICE: Record<FailureKind, string> = {
  refused: 'nothing listens there: check the base address and that the service is up',
  dns: 'the host name is not known: check the base address',
  tls: 'the TLS handshake failed: check the certificate and the scheme of the base address',
  reset: 'the connection was closed before the answer was complete',
  timeout: 'no (further) byte came within the time-out: raise limits.timeoutMs in the profile if the service is slow',
  truncated: 'the body is not as long as announced',
  protocol: 'the answer is not HTTP',
  tooLarge: 'the body is longer than allowed: raise limits.maxBodyBytes in the profile if that is right',
  budget: 'the request budget is used up: raise limits.maxRequests in the profile or narrow the run',
  notRecorded: 'no recording holds this request',
  stopped: 'the run was stopped after too many refusals in a row',
};

/** A failure of a kind, in one sentence; the query is left out, for it may hold secrets. */
export function failureOf(kind: FailureKind, method: string, url: string, detail?: string): Failure {
  return { kind, message: `${method} ${url.split('?')[0]}: ${ADVICE[kind]}${detail ? ` (${detail})` : ''}` };
}

/** Which kind of failure an error of undici or of a socket is. `started` tells whether response bytes had come. */
export function kindOf(error: unknown, started: boolean): { readonly kind: FailureKind; readonly detail: string } {
  const chain: { code?: string; message?: string; errors?: unknown[] }[] = [];
  const walk = (each: unknown): void => {
    if (!each || typeof each !== 'object' || chain.length > 8) return;
    chain.push(each as { code?: string; message?: string });
    walk((each as { cause?: unknown }).cause);
    for (const one of (each as { errors?: unknown[] }).errors ?? []) walk(one);
  };
  walk(error);
  const detail = chain.find((each) => each.message)?.message ?? String(error);
  for (const { code = '' } of chain) {
    if (code.startsWith('HPE_')) return { kind: started ? 'truncated' : 'protocol', detail };
    if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) return { kind: 'tls', detail };
    const kind = KINDS[code];
    // A connection closed in the middle of a body cuts it off, whoever closed it.
    if (kind) return { kind: started && kind === 'reset' ? 'truncated' : kind, detail };
  }
  return { kind: 'protocol', detail };
}
