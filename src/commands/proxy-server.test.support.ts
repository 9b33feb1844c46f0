/** A small HTTP proxy for tests: absolute-form requests and CONNECT tunnels. */
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ProxyServer {
  readonly url: string;
  /** `GET http://…` and `CONNECT host:port`, in order. */
  readonly requests: string[];
  /** The Proxy-Authorization headers received. */
  readonly authorizations: string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy that reaches every host name at `port` of the loopback interface.
 * @param credentials `name:password`; other clients get 407
 */
export async function startProxy(port: number, credentials?: string): Promise<ProxyServer> {
  const requests: string[] = [];
  const authorizations: string[] = [];
  const sockets = new Set<Socket>();
  const isAllowed = (header: string | undefined): boolean => {
    if (header !== undefined) authorizations.push(header);
    return credentials === undefined || header === `Basic ${Buffer.from(credentials).toString('base64')}`;
  };
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!isAllowed(request.headers['proxy-authorization'])) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '');
    const names = request.rawHeaders.map((text, at) =>
      (at % 2 === 0 ? text : request.rawHeaders[at - 1])?.toLowerCase(),
    );
    const headers = request.rawHeaders.filter((_, at) => names[at] !== 'proxy-authorization');
    const options = { host: '127.0.0.1', port, path: pathname + search, method: request.method, headers };
    const forwarded = httpRequest(options, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, socket: Socket) => {
    requests.push(`CONNECT ${request.url}`);
    if (!isAllowed(request.headers['proxy-authorization'])) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    authorizations,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
