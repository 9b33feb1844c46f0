/** The HTTP server of gateway, replay and simulator: it listens on loopback by default and accepts its own host names only. */
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopback } from '../../src/exchange/url.ts';
import type { Cors } from './cors.ts';
import { noteExchange, responseOn, watchHalfOpen } from './half-open.ts';
import { hostFilter, isWildcard, machineHosts } from './hosts.ts';

/** The target and the authority of a request. */
interface RequestTarget {
  /** Path and query, byte for byte; `*` for the server itself. */
  readonly target: string;
  /** Host and port; undefined: the request has none, as HTTP/1.0 allows. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^http:\/\/([^/?#]*)(.*)$/is;

/**
 * Parses a request target in origin-form, absolute-form or asterisk-form. The authority of an absolute-form target
 * replaces the Host header. Returns undefined for any other text, and where an HTTP/1.1 request has not exactly one Host header.
 * @example namedBy(request) // GET http://localhost:9000/api/x: { target: '/api/x', authority: 'localhost:9000' }
 */
function parseTarget({
  url = '',
  method,
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): RequestTarget | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return undefined;
  if (url.startsWith('/')) return { target: url, authority: headers.host };
  if (url === '*') return method === 'OPTIONS' ? { target: '*', authority: headers.host } : undefined;
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined) return undefined;
  if (rest === '') return { target: method === 'OPTIONS' ? '*' : '/', authority };
  return { target: rest.startsWith('/') ? rest : `/${rest}`, authority };
}

export const LOOPBACK = '127.0.0.1';
/** Longer than clients keep idle connections open, which avoids the keep-alive race. */
const KEEP_ALIVE_MS = 120_000;
/** The limit for request line and header lines together; the number of lines is not limited. */
export const MAX_HEADER_BYTES = 1024 * 1024;

/** A certificate and its private key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The clients that may use a server: the options of its command line. */
export interface Access {
  /** Host names besides those of loopback with the server’s port (`--allow-host`). */
  readonly allowHosts?: readonly string[];
  /** Origins of pages that may read responses (`--cors`); default: none. */
  readonly cors?: readonly string[];
}

export interface LocalServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The origin of a server without a port: it gets its connections from `accept`, and accepts every host name. */
  readonly origin?: string | undefined;
  /** The address to listen on: `0.0.0.0` and `::` are all of the machine. Default: the loopback address. */
  readonly host?: string | undefined;
  /** Serves HTTPS with this certificate. Default: HTTP. */
  readonly tls?: Certificate | undefined;
  /** Accepts connections with a client certificate of these authorities (PEM) only. Default: of any client. */
  readonly clientCa?: string | undefined;
  /** Accepts connections without such a certificate, too: `onRequest` decides. Default: no. */
  readonly isCertificateOptional?: boolean | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  readonly cors: Cors;
  /** Part of the header that marks the server’s own error responses: `x-mdwi-NAME`. */
  readonly name: 'gateway' | 'replay' | 'simulator' | 'control';
  /** Called with each request for one of the server’s host names, its target in origin-form. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface LocalServer {
  /** E.g. `http://127.0.0.1:9000`. */
  readonly origin: string;
  readonly port: number;
  /** Serves a connection within the process. */
  accept(socket: Duplex): void;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** An error response of the server itself: its status, the value of `x-mdwi-NAME`, and a sentence. */
type Refusal = readonly [status: number, code: string, message: string];

const REFUSALS = {
  target: [
    400,
    'bad-target',
    'the request target must be a path, an http:// address or “*” with OPTIONS, and a request of HTTP/1.1 must have one Host header',
  ],
  host: [
    421,
    'wrong-host',
    'the request names a host that this server does not accept: use the address it printed, or start it with --allow-host NAME',
  ],
  upgrade: [
    501,
    'no-upgrade',
    'this server supports HTTP/1.1 only: the connection cannot be upgraded to another protocol',
  ],
  connect: [
    501,
    'no-tunnel',
    'CONNECT is not supported: send the request to the address of this server instead of using it as a proxy',
  ],
  malformed: [400, 'malformed', 'the request does not follow the syntax of HTTP/1.1'],
} as const satisfies Record<string, Refusal>;

/** The responses to requests that cannot be parsed, by the code of the parser’s error. */
const PARSE_ERRORS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, 'long-head', `the request line and the headers have more than ${MAX_HEADER_BYTES} bytes`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'long-chunk-extensions', 'the extensions of a chunk are too long'],
  HPE_INVALID_METHOD: [
    400,
    'unknown-method',
    'the request line does not begin with a known method: methods are case-sensitive, and this server does not support TLS',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'slow-head', 'the headers of the request did not arrive in time'],
};

/** Sends an error response on a connection without a `ServerResponse`, and ends the connection. */
function refuseRaw(socket: Duplex, name: string, [status, code, message]: Refusal): void {
  const body = `${message}\n`;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.end(`${head}x-mdwi-${name}: ${code}\r\nConnection: close\r\n\r\n${body}`, () => socket.destroy());
}

/** A server may ignore an offer of HTTP/2 or TLS (RFC 9110, 7.8); Java’s HTTP client and curl send such offers. */
const isIgnorable = (upgrade: string): boolean => upgrade.split(',').every((each) => /^\s*(?:h2c|tls\/)/i.test(each));

/**
 * Starts a server. The server itself answers `OPTIONS *` and preflights of allowed origins, and
 * rejects requests for other hosts, CONNECT, upgrades and malformed requests with a sentence. Clients may half-close.
 * @throws an Error when the port is taken
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { port, name, cors, onRequest, allowHosts, host = LOOPBACK, tls, clientCa } = options;
  const rejectUnauthorized = !options.isCertificateOptional;
  let isOwnHost: ReturnType<typeof hostFilter> = () => false;

  const sendRefusal = (response: ServerResponse, [status, code, message]: Refusal): void => {
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      [`x-mdwi-${name}`]: code,
      connection: 'close',
    });
    response.end(`${message}\n`);
  };

  const settings = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Checked together with the target, to reject with a sentence.
    requireHostHeader: false,
  };
  // Loaded for TLS only: a replay loads no module that can send a request elsewhere.
  const server = tls
    ? (await import('node:https')).createServer({
        ...settings,
        ...tls,
        ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized }),
      })
    : createServer(settings);
  server.maxHeadersCount = 0;
  // Node’s option for clients that half-close; its types omit it.
  (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  // Within TLS a close of one side ends the connection.
  if (!tls) server.on('connection', watchHalfOpen);
  server.on('request', (request, response) => {
    noteExchange(request, response);
    const requestTarget = parseTarget(request);
    if (!requestTarget) return sendRefusal(response, REFUSALS.target);
    if (requestTarget.authority !== undefined && !isOwnHost(requestTarget.authority))
      return sendRefusal(response, REFUSALS.host);
    const { upgrade } = request.headers;
    if (upgrade !== undefined && /\bupgrade\b/i.test(request.headers.connection ?? '') && !isIgnorable(upgrade))
      return sendRefusal(response, REFUSALS.upgrade);
    if (cors.respondToPreflight(request, response)) return;
    if (requestTarget.target === '*') return void response.writeHead(204).end();
    request.url = requestTarget.target;
    onRequest(request, response);
  });
  server.on('connect', (_, socket) => {
    socket.on('error', () => undefined);
    refuseRaw(socket, name, REFUSALS.connect);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const current = responseOn(socket as Socket);
    // No error response can be sent in the middle of a response.
    const isResponding = current !== undefined && !current.writableFinished && current.headersSent;
    if (!socket.writable || error.code === 'ECONNRESET' || error.code === 'EPIPE' || isResponding)
      socket.destroy(error);
    else refuseRaw(socket, name, PARSE_ERRORS[error.code ?? ''] ?? REFUSALS.malformed);
  });
  const accept = (socket: Duplex): void => void server.emit('connection', socket);
  if (options.origin !== undefined) {
    isOwnHost = () => true;
    return { origin: options.origin, port: 0, accept, close: async () => server.closeAllConnections() };
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const boundPort = (server.address() as AddressInfo).port;
  isOwnHost = hostFilter(boundPort, [...(allowHosts ?? []), ...(isLoopback(host) ? [] : machineHosts(host))]);
  const shown = isWildcard(host) ? LOOPBACK : host.includes(':') ? `[${host}]` : host;
  return {
    origin: `${tls ? 'https' : 'http'}://${shown}:${boundPort}`,
    port: boundPort,
    accept,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
