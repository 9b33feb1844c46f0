/** The connection pools of a source, one for each origin and use. */
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { getCACertificates } from 'node:tls';
import { type Dispatcher, Pool } from 'undici';
import { isSafe, type WireRequest } from '../exchange/types.ts';
import { connector } from '../exchange/wire/connection.ts';
import { createProxyAgent, hasProxyFor, type ProxySettings } from '../exchange/wire/proxy.ts';
import { ProfileError } from '../profile/profile-error.ts';
import type { ClientAuth, ClientCertificate } from './credentials.ts';

/** The document sets no limit for headers; this one prevents a hostile server from exhausting memory. */
const MAX_HEADER_BYTES = 256 * 1024;

function readPem(what: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ProfileError(`the ${what} file of the profile’s mtls auth cannot be read: ${(error as Error).message}`);
  }
}

const tlsOptionsOf = ({ cert, key, ca, passphrase }: ClientCertificate) => ({
  cert: readPem('cert', cert),
  key: readPem('key', key),
  ca: ca === undefined ? undefined : readPem('ca', ca),
  passphrase,
});

/** Pools by origin. Agent of undici creates a new pool for each connection that is used once. */
function poolsOf(
  options: Pool.Options,
  proxied: (origin: string) => Dispatcher | undefined,
  dispatcherFor: NetworkOptions['dispatcherFor'],
) {
  const pools = new Map<string, Dispatcher>();
  return {
    dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      const origin = String(request.origin);
      const own = dispatcherFor?.(origin);
      if (own) return own.dispatch(request, handler);
      const pool = pools.get(origin) ?? proxied(origin) ?? new Pool(origin, options);
      pools.set(origin, pool);
      return pool.dispatch(request, handler);
    },
    /** Closes connections that no request uses. */
    closeIdle(): void {
      for (const pool of new Set(pools.values())) void pool.close().catch(() => undefined);
      pools.clear();
    },
    destroy: () => Promise.all([...new Set(pools.values())].map((each) => each.destroy())),
  };
}

/** How a source reaches services. */
export interface NetworkOptions {
  /** Opens connections to an origin within this process; undefined for an origin that the network reaches. */
  readonly connect?: (origin: string) => Duplex | undefined;
  /** Responds to the requests to an origin without a connection; undefined for any other origin. */
  readonly dispatcherFor?: (origin: string) => Pick<Dispatcher, 'dispatch'> | undefined;
  /** The origin of a simulator: it issues all tokens, and no other server gets a request for one. */
  readonly issuer?: string;
  /** Default: no proxy. */
  readonly proxy?: ProxySettings;
  /** Certificate authorities (PEM) to trust in addition. */
  readonly ca?: string;
  /** Hosts, besides that of a request, to which redirects are followed: names, or `*.DOMAIN`. */
  readonly followTo?: readonly string[];
}

/** @param own the authorities that replace the default ones, which include those of NODE_EXTRA_CA_CERTS */
const trustedBy = (ca: string | undefined, own: Buffer | undefined): { ca?: (string | Buffer)[] } =>
  ca === undefined ? (own ? { ca: [own] } : {}) : { ca: [...(own ? [own] : getCACertificates('default')), ca] };

/**
 * Creates the connections of a source: one that is reused, and one without the client certificate. A request that may
 * change something always gets a new connection: after the keep-alive race it cannot be repeated, and the permitted close
 * of an idle connection would be reported as a reset. The next requests reuse its connection.
 */
export function createAgents(
  auth: readonly ClientAuth[],
  timeoutMs: number,
  { connect: inProcess, dispatcherFor, proxy, ca, issuer }: NetworkOptions = {},
) {
  // A simulator asks for no certificate.
  const certificate = issuer === undefined ? auth.find((each) => each.scheme === 'mtls') : undefined;
  const create = (certificates: { readonly ca?: Buffer | undefined } = {}) => {
    const tls = { ...certificates, ...trustedBy(ca, certificates.ca), timeout: timeoutMs };
    const direct = connector(tls, 'drop', inProcess);
    // One connection: a pool would open another one as soon as the next request comes before the end of a response is
    // processed, and a server that handles one connection at a time would accept it only much later.
    const pool = {
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining: 1,
      connections: 1,
    };
    const proxied = (origin: string): Dispatcher | undefined =>
      proxy && hasProxyFor(proxy, origin) ? createProxyAgent(proxy, { direct, tls, interim: 'drop', pool }) : undefined;
    return poolsOf({ ...pool, connect: direct }, proxied, dispatcherFor);
  };
  const tlsOptions: ReturnType<typeof tlsOptionsOf> | undefined = certificate && tlsOptionsOf(certificate);
  const own = create(tlsOptions);
  // A client certificate is a credential: anonymous requests and redirects to another origin are sent without it.
  const plain = certificate && create(tlsOptions?.ca && { ca: tlsOptions.ca });
  return {
    /** The agent for a request; `onNewConnection` where it must not reuse one. */
    for(request: WireRequest, onNewConnection: boolean): Pick<Dispatcher, 'dispatch'> {
      const [agent, other] = request.anonymous && plain ? [plain, own] : [own, plain];
      // A server that handles one connection at a time would not accept a new one while an idle one is open.
      other?.closeIdle();
      if (onNewConnection || !isSafe(request)) agent.closeIdle();
      return agent;
    },
    close: async () => {
      await Promise.all([own.destroy(), plain?.destroy()]);
    },
  };
}
