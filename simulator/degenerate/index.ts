/** Servers whose responses contain no evidence: no rule may pass on one. */
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';

/** A server that gives one response to everything, hangs or speaks no HTTP. */
export interface DegenerateServer {
  /** The id: kebab-case, never changed. */
  readonly name: string;
  /** What it does, in one sentence. */
  readonly says: string;
  /** Responses never begin or never end, so a client needs a short timeout. */
  readonly hangs?: true;
  readonly create: () => Server;
}

const httpServer = (listener: RequestListener) => () =>
  createServer((request, response) => {
    // An unread request body would block the connection.
    request.resume();
    listener(request, response);
  });

const constantResponse = (status: number, type: string, body: string) =>
  httpServer((_request, response) => void response.writeHead(status, { 'content-type': type }).end(body));

const jsonResponse = (status: number, body: string) => constantResponse(status, 'application/json', body);

/** Sends the same bytes to every connection after a request, then closes it. */
const rawServer = (text: string) => () =>
  createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(text));
  });

const ROW = {
  upc: '042100000177',
  description: 'The one product',
  category: 'Tea',
  categoryId: 'cat-01',
  subCategory: 'Green Tea',
  manufacturer: 'Acme',
  brand: 'Sun',
  market: 'US',
  activeOn: '2026-11-10',
  changedOn: '2026-11-10',
  characteristics: [{ name: 'Size', value: '12 OZ' }],
  id: 'one',
  name: 'One',
  date: '2026-11-14',
  sales4Weeks: 1,
  sales12Weeks: 3,
  sales52Weeks: 13,
  salesLastYear: 10,
  percentChange: 30,
};

/** A body that resembles the response of every operation: a product, lists, rows, items, a job. */
const RESEMBLES_ALL = JSON.stringify({
  ...ROW,
  asOf: '2026-11-14',
  jobId: 'job-1',
  state: 'done',
  status: 'ok',
  products: [ROW],
  categories: [ROW],
  rows: [ROW],
  items: [ROW],
});

/** All degenerate servers. A new one is one entry. */
export const DEGENERATE_SERVERS: readonly DegenerateServer[] = [
  { name: 'object', says: 'Answers 200 with an empty object.', create: jsonResponse(200, '{}') },
  { name: 'list', says: 'Answers 200 with an empty list.', create: jsonResponse(200, '[]') },
  { name: 'null', says: 'Answers 200 with null.', create: jsonResponse(200, 'null') },
  { name: 'empty', says: 'Answers 200 with an empty body.', create: jsonResponse(200, '') },
  {
    name: 'no-content',
    says: 'Answers 204.',
    create: httpServer((_request, response) => void response.writeHead(204).end()),
  },
  { name: 'not-found', says: 'Answers 404.', create: jsonResponse(404, '{"error":"not found"}') },
  { name: 'unauthorized', says: 'Answers 401.', create: jsonResponse(401, '{"error":"who are you"}') },
  { name: 'broken', says: 'Answers 500.', create: constantResponse(500, 'text/plain', 'oops') },
  {
    name: 'application',
    says: 'Answers 200 with the page of a web application.',
    create: constantResponse(200, 'text/html', '<!doctype html><title>App</title><div id="root"></div>'),
  },
  {
    name: 'login',
    says: 'Redirects to a login page.',
    create: httpServer((request, response) => {
      if (request.url === '/login') response.writeHead(200, { 'content-type': 'text/html' }).end('<form>');
      else response.writeHead(302, { location: '/login' }).end();
    }),
  },
  {
    name: 'echo',
    says: 'Answers 200 with the request.',
    create: () =>
      createServer(async (request, response) => {
        const parts: Uint8Array[] = [];
        for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
        const { method, url, headers } = request;
        const body = JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString() });
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      }),
  },
  {
    name: 'restless-404',
    says: 'Answers 404 with the path, and with a changing time, count and id.',
    create: () => {
      let count = 0;
      return httpServer(({ method, url }, response) => {
        count += 1;
        const body = {
          timestamp: new Date(count * 60_000).toISOString(),
          requestId: `${count.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
          count,
          message: `No ${method} ${url?.toLowerCase()}`,
        };
        response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      })();
    },
  },
  {
    name: 'same-product',
    says: 'Answers every request with 200 and the same plausible body.',
    create: jsonResponse(200, RESEMBLES_ALL),
  },
  { name: 'hangs', says: 'Never answers.', hangs: true, create: httpServer(() => undefined) },
  {
    name: 'hangs-in-body',
    says: 'Stops in the middle of every body and keeps the connection open.',
    hangs: true,
    create: httpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"products":[');
    }),
  },
  {
    name: 'hangs-up-in-body',
    says: 'Closes the connection in the middle of every body.',
    create: rawServer(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"products":[]}',
    ),
  },
  {
    name: 'garbage',
    says: 'Sends bytes that are not HTTP.',
    create: rawServer('\u0000\u0001 this is not HTTP \r\n\r\n'),
  },
];

/** Returns the degenerate server with this name. An unknown name throws an error that lists all names. */
export function degenerateNamed(name: string): DegenerateServer {
  const found = DEGENERATE_SERVERS.find((each) => each.name === name);
  if (found) return found;
  const names = DEGENERATE_SERVERS.map((each) => each.name).join(', ');
  throw new Error(`unknown degenerate server ${JSON.stringify(name)}; the names are ${names}`);
}

/** Starts a degenerate server on the loopback address. */
export async function startDegenerate({ create }: DegenerateServer): Promise<{ url: string; close(): Promise<void> }> {
  const server = create();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
