/** Sends requests through HTTP proxies with undici’s EnvHttpProxyAgent, over the connections of `connection.ts`. */
import type { ConnectionOptions } from 'node:tls';
import { type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { wrapSocket } from './connection.ts';
import { classifyError } from './failures.ts';

/** The proxies by the scheme of the request, and the hosts that are reached without one. */
export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  /** As in NO_PROXY: names, `.domain`, `*.domain`, with or without a port, separated by commas; `*` for all. */
  readonly noProxy: string;
}

/** Whether the settings name a proxy for the scheme of an origin; NO_PROXY may still exclude the host. */
export const hasProxyFor = (proxy: ProxySettings, origin: string): boolean =>
  (origin.startsWith('https:') ? proxy.https : proxy.http) !== undefined;

/** How connections to services and proxies are made. */
export interface ProxyConnections {
  /** Connects without a proxy. */
  readonly direct: buildConnector.connector;
  /** TLS options for the service; its certificate authorities also count for an `https:` proxy. */
  readonly tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'passphrase'> & { readonly timeout: number };
  readonly interim: 'drop' | 'report';
  readonly pool: Omit<Pool.Options, 'connect'>;
}

/** The proxy refused the request or cannot be reached. The message names neither its address nor its credentials. */
class ProxyError extends Error {
  readonly code = 'ERR_PROXY';
}

/** A failed TLS handshake concerns the service behind the proxy, any other error the proxy. */
const proxyError = (error: Error): Error =>
  classifyError(error, { started: false })?.kind === 'tls' ? error : new ProxyError(error.message, { cause: error });

/** Header lines for undici, which would keep only the last of several lines with one name in a list. */
const headerPairs = (lines: readonly string[]): Iterable<[string, string]> => ({
  *[Symbol.iterator]() {
    for (let at = 0; at + 1 < lines.length; at += 2) yield [lines[at] as string, lines[at + 1] as string];
  },
});

/**
 * Creates a dispatcher that reaches services through proxies: `http:` requests in absolute form, `https:` requests in a
 * CONNECT tunnel.
 */
export function createProxyAgent(proxy: ProxySettings, { direct, tls, interim, pool }: ProxyConnections): Dispatcher {
  const { timeout, ca } = tls;
  const agent = new EnvHttpProxyAgent({
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.noProxy,
    requestTls: { ...tls, allowH2: false },
    proxyTls: { timeout, ...(ca !== undefined && { ca }) },
    connect: direct,
    factory: (origin, options) => {
      const connect = (options as { connect: buildConnector.connector }).connect;
      const throughProxy: buildConnector.connector = (target, callback) =>
        connect(target, (...[error, socket]) => {
          if (error) callback(proxyError(error), null);
          else callback(null, wrapSocket(socket, interim) as typeof socket);
        });
      return new Pool(origin, { ...pool, connect: connect === direct ? direct : throughProxy });
    },
  });
  return agent.compose(
    (dispatch) => (request, handler) =>
      dispatch({ ...request, headers: headerPairs(request.headers as string[]) }, handler),
  );
}
