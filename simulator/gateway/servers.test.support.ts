/** Real upstreams, gateways in front of them, and a client that returns everything it receives. */
import { readdirSync, readFileSync } from 'node:fs';
// The default import, because Polly patches its functions: imports by name would keep the unpatched ones.
import http, { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createRaw, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fromHarEntry } from '../../src/recording/format/entry.ts';
import type { RecordedExchange } from '../../src/recording/format/recorded-exchange.ts';
import { parseHar } from '../../src/recording/format/schema.ts';
import { newFolder } from '../../src/resources.test.support.ts';
import { type GatewayOptions, startGateway } from './gateway.ts';

export const ABOUT = { suite: 'test', source: 'live', profile: 'empty' } as const;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts an upstream with node:http that accepts heads of any length. */
export function serve(handler: RequestListener): Promise<string> {
  const server = createServer({ maxHeaderSize: 4 * 1024 * 1024 }, handler);
  server.maxHeadersCount = 0;
  return listen(server);
}

/** Starts an upstream that writes raw bytes in response to each request. */
export const serveRaw = (respond: (socket: Socket, request: Buffer) => void): Promise<string> =>
  listen(
    createRaw((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (request) => respond(socket, request));
    }),
  );

export async function gatewayTo(upstream: string, options: Partial<GatewayOptions> = {}) {
  const dir = options.dir ?? newFolder();
  const gateway = await startGateway({ upstream, dir, name: 'test', about: ABOUT, ...options });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= gateway.close();
    return closed;
  };
  onTestFinished(() => close().catch(() => undefined));
  const folder = join(dir, options.name ?? 'test');
  return {
    ...gateway,
    folder,
    close,
    /** Closes the gateway and reads the exchanges of a lane from disk. */
    recordedIn: async (lane = 'main') => {
      await close();
      return readLane(folder, lane);
    },
    /** All recorded files, as one text. */
    onDisk: () =>
      filesOf(folder)
        .map((each) => readFileSync(each, 'latin1'))
        .join('\n'),
  };
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));

export function readLane(folder: string, lane = 'main'): RecordedExchange[] {
  const texts = filesOf(folder).filter((each) => each.endsWith('.har'));
  const hars = texts.map((each) => parseHar(readFileSync(each, 'utf8'), each));
  return hars.filter(({ log }) => log._recordingName === lane).flatMap(({ log }) => log.entries.map(fromHarEntry));
}

export interface ReceivedResponse {
  /** Interim responses: the status; names and values alternate. */
  readonly interim: readonly (readonly [status: number, raw: readonly string[]])[];
  readonly status: number;
  readonly reason: string;
  /** As received: names and values alternate. */
  readonly raw: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly text: string;
}

export interface TestRequest {
  readonly method?: string;
  readonly headers?: readonly string[] | Record<string, string>;
  readonly body?: readonly (Uint8Array | string)[];
  readonly signal?: AbortSignal;
}

/** Sends one request with node:http on a connection of its own. Rejects with the errors of node:http. */
export function sendRequest(
  url: string,
  { method = 'GET', headers, body = [], signal }: TestRequest = {},
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const { origin, hostname, port } = new URL(url);
    const path = url.slice(origin.length) || '/';
    const clientRequest = http.request({
      hostname,
      port,
      path,
      method,
      agent: false,
      ...(headers && { headers }),
      ...(signal && { signal }),
    });
    clientRequest.on('error', reject);
    const interim: [number, string[]][] = [];
    clientRequest.on('information', ({ statusCode, rawHeaders }) => interim.push([statusCode, rawHeaders]));
    clientRequest.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const content = Buffer.concat(parts);
        resolve({
          interim,
          status: response.statusCode ?? 0,
          reason: response.statusMessage ?? '',
          raw: response.rawHeaders,
          headers: response.headers,
          body: content,
          text: content.toString('utf8'),
        });
      });
    });
    for (const part of body) clientRequest.write(part);
    clientRequest.end();
  });
}

/** The complete body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
