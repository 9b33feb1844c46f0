/** The HTTP server of gateway, replay and simulator: on the loopback address, for its own names only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Cors } from './cors.ts';
import { noteExchange, responseOn, watchHalfOpen } from './half-open.ts';
import { hostFilter } from './hosts.ts';
import { namedBy } from './target.ts';

export const LOOPBACK = '127.0.0.1';
/** Longer than clients keep idle connections, so that none meets the keep-alive race. */
const KEEP_ALIVE_MS = 120_000;
/** Request line and header lines together; the number of lines is not limited. */
export const MAX_HEADER_BYTES = 1024 * 1024;

/** Whom a server answers, as its command line says. */
export interface Access {
  /** Hosts besides the loopback names and the port listened on (`--allow-host`). */
  readonly allowHosts?: readonly string[];
  /** Origins of pages that may read answers (`--cors`); default: none. */
  readonly cors?: readonly string[];
}

export interface LocalServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly allowHosts?: readonly string[] | undefined;
  readonly cors: Cors;
  /** Names the header that marks answers of our own: `x-mdwi-NAME`. */
  readonly name: 'gateway' | 'replay' | 'simulator';
  /** Given each request for one of the server’s own names, its target in origin-form. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface LocalServer {
  /** E.g. `http://127.0.0.1:9000`. */
  readonly origin: string;
  readonly port: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

interface Refusal {
  readonly status: number;
  readonly phrase: string;
  /** The value of `x-mdwi-NAME`. */
  readonly why: string;
  readonly says: string;
}

const REFUSALS = {
  target: {
    status: 400,
    phrase: 'Bad Request',
    why: 'bad-target',
    says: 'the request target must be a path, an http:// address or “*” with OPTIONS, and a request of HTTP/1.1 must have one Host header',
  },
  host: {
    status: 421,
    phrase: 'Misdirected Request',
    why: 'wrong-host',
    says: 'the request names a host that is not one of this server’s: use the address it printed, or start it with --allow-host NAME',
  },
  upgrade: {
    status: 501,
    phrase: 'Not Implemented',
    why: 'no-upgrade',
    says: 'HTTP/1.1 is all that is spoken here: the connection cannot be upgraded to another protocol',
  },
  connect: {
    status: 501,
    phrase: 'Not Implemented',
    why: 'no-tunnel',
    says: 'CONNECT is not supported: send the request to the address of this server instead of using it as a proxy',
  },
} as const satisfies Record<string, Refusal>;

/** What a client is told whose request cannot be parsed, by the code of the parser’s error. */
const UNREADABLE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    why: 'long-head',
    says: `the request line and the headers have more than ${MAX_HEADER_BYTES} bytes`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    phrase: 'Content Too Large',
    why: 'long-chunk-extensions',
    says: 'the extensions of a chunk are too long',
  },
  HPE_INVALID_METHOD: {
    status: 400,
    phrase: 'Bad Request',
    why: 'unknown-method',
    says: 'the request line does not begin with a known method: methods are case-sensitive, and TLS is not spoken here',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    phrase: 'Request Timeout',
    why: 'slow-head',
    says: 'the headers of the request did not come in time',
  },
};
const MALFORMED: Refusal = {
  status: 400,
  phrase: 'Bad Request',
  why: 'malformed',
  says: 'the request does not follow the syntax of HTTP/1.1',
};

/** An answer of our own to a connection that no `ServerResponse` belongs to; it ends the connection. */
function refuseRaw(socket: Duplex, name: string, { status, phrase, why, says }: Refusal): void {
  const body = `${says}\n`;
  const head = `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.end(`${head}x-mdwi-${name}: ${why}\r\nConnection: close\r\n\r\n${body}`, () => socket.destroy());
}

/** Every server may stay with HTTP/1.1 where a client offers HTTP/2 or TLS (RFC 9110, 7.8), as clients of Java and curl do. */
const isIgnorable = (upgrade: string): boolean => upgrade.split(',').every((each) => /^\s*(?:h2c|tls\/)/i.test(each));

/**
 * Starts a server on the loopback address. Requests for other hosts, CONNECT, upgrades and what cannot be parsed are
 * answered here, with a sentence; so are `OPTIONS *` and preflights of allowed origins. Clients may half-close.
 * @throws an Error when the port is taken
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { port, name, cors, answer, allowHosts } = options;
  let isOwnHost: ReturnType<typeof hostFilter> = () => false;

  const refuse = (response: ServerResponse, { status, why, says }: Refusal): void => {
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      [`x-mdwi-${name}`]: why,
      connection: 'close',
    });
    response.end(`${says}\n`);
  };

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Looked at with the target, and answered with a sentence.
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
  // Node’s own switch for clients that half-close; its types leave it out.
  (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  server.on('connection', watchHalfOpen);
  server.on('request', (request, response) => {
    noteExchange(request, response);
    const named = namedBy(request);
    if (!named) return refuse(response, REFUSALS.target);
    if (named.authority !== undefined && !isOwnHost(named.authority)) return refuse(response, REFUSALS.host);
    const { upgrade } = request.headers;
    if (upgrade !== undefined && /\bupgrade\b/i.test(request.headers.connection ?? '') && !isIgnorable(upgrade))
      return refuse(response, REFUSALS.upgrade);
    if (cors.answersPreflight(request, response)) return;
    if (named.target === '*') return void response.writeHead(204).end();
    request.url = named.target;
    answer(request, response);
  });
  server.on('connect', (_, socket) => {
    socket.on('error', () => undefined);
    refuseRaw(socket, name, REFUSALS.connect);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const current = responseOn(socket as Socket);
    // In the middle of an answer nothing else can be said.
    const isAnswering = current !== undefined && !current.writableFinished && current.headersSent;
    if (!socket.writable || error.code === 'ECONNRESET' || error.code === 'EPIPE' || isAnswering) socket.destroy(error);
    else refuseRaw(socket, name, UNREADABLE[error.code ?? ''] ?? MALFORMED);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  isOwnHost = hostFilter(bound, allowHosts);
  return {
    origin: `http://${LOOPBACK}:${bound}`,
    port: bound,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
