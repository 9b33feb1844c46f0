/** A server in front of another one: it forwards requests, unless a test answers them itself. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FrontServer {
  readonly url: string;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Answers a request itself and returns true, or leaves it to the server behind. `nth` counts the requests from 0. */
export type Intercept = (request: IncomingMessage, response: ServerResponse, nth: number) => boolean;

/** Starts a front server; without `upstream` every request has to be answered by `intercept`. */
export async function startFront(upstream: string, intercept: Intercept): Promise<FrontServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (intercept(request, response, requests.length - 1)) return;
    const { host: _, ...headers } = request.headers;
    const forwarded = httpRequest(
      new URL(request.url ?? '/', upstream),
      { method: request.method, headers },
      (answer) => {
        // A reset of a reused connection would be the keep-alive race, which the client repeats on its own.
        response.writeHead(answer.statusCode ?? 500, { ...answer.headers, connection: 'close' });
        answer.pipe(response);
      },
    );
    request.pipe(forwarded);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Announces a longer body than it sends, and closes the connection. */
export function cutBody(response: ServerResponse): true {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"items":[', () => response.socket?.end());
  return true;
}

/** Resets the connection without a response. */
export function resetConnection(response: ServerResponse): true {
  response.socket?.resetAndDestroy();
  return true;
}
