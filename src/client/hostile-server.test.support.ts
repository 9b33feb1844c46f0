/** Servers for the client's tests that answer in ways node:http would not: they speak over a bare socket. */

import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Source, WireRequest } from '../exchange/types.ts';
import { listen } from '../resources.test.support.ts';
import { createLiveSource, type LiveOptions } from './live-source.ts';

export interface HostileServer {
  readonly base: string;
  /** Every request as it came over the wire, head and body, in order. */
  readonly requests: string[];
  /** Connections accepted so far. */
  readonly connections: () => number;
}

/**
 * A server that hands each request (its raw text) with the socket to `answer`. `nth` counts requests from 0 over all
 * connections; a request is complete with its head plus the announced body.
 */
export async function startHostile(
  answer: (socket: Socket, request: string, nth: number) => void,
): Promise<HostileServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (;;) {
        const end = text.indexOf('\r\n\r\n');
        const length = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (end < 0 || text.length < length) return;
        requests.push(text.slice(0, length));
        text = text.slice(length);
        answer(socket, requests.at(-1) as string, requests.length - 1);
      }
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { base: await listen(server), requests, connections: () => connections };
}

/** Opens a source until the end of the test. */
export function openSource(options: LiveOptions = {}): Source {
  const source = createLiveSource(options);
  onTestFinished(() => source.close());
  return source;
}

export const get = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: 'GET',
  url,
  headers: [],
  ...more,
});

/** A complete plain answer, kept alive. */
export const ok = (body: string, ...headers: string[]): string =>
  ['HTTP/1.1 200 OK', ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
