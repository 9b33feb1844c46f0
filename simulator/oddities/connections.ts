/** Oddities of connections, framing and interim responses (RFC 9112; RFC 9110, section 15.2). */

import type { ServerResponse } from 'node:http';
import { builtinModule } from '../../src/builtin-module.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { always, bytesOf, onResponse } from './hooks.ts';
import type { Oddity } from './types.ts';

/** The header lines of a response without those of its framing. */
function headerLines(response: ServerResponse, reply: DialectResponse): string {
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  return Object.entries(response.getHeaders())
    .filter(([name]) => name !== 'content-length' && name !== 'connection' && name !== 'transfer-encoding')
    .flatMap(([name, value]) => [value ?? ''].flat().map((each) => `${name}: ${each}\r\n`))
    .join('');
}

const hasNoBody = (response: ServerResponse, { status }: DialectResponse): boolean =>
  response.req.method === 'HEAD' || status === 204 || status === 304;

/** Writes the response to the socket, byte for byte, and closes the connection. */
const writeRaw = (
  version: string,
  frame: (body: Uint8Array) => { headers: string; parts: readonly (string | Uint8Array)[] },
) =>
  always({
    async send(response, reply) {
      const { socket } = response;
      if (!socket) return;
      const lines = headerLines(response, reply);
      const { headers, parts } = hasNoBody(response, reply) ? { headers: '', parts: [] } : frame(bytesOf(reply));
      const statusLine = `HTTP/${version} ${reply.status} ${builtinModule('node:http').STATUS_CODES[reply.status] ?? ''}\r\n`;
      response.detachSocket(socket);
      socket.write(`${statusLine}${lines}${headers}Connection: close\r\n\r\n`);
      for (const part of parts) socket.write(part);
      socket.end();
    },
  });

/** Cuts the body into pieces of `size` bytes, even within a character. */
function* pieces(body: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

const interim = (write: (response: ServerResponse) => void) => onResponse((response) => write(response));

export const CONNECTION_ODDITIES: readonly Oddity[] = [
  {
    name: 'connection-closed-each-time',
    legalBasis: 'connections',
    says: 'The connection is closed after every response, and the response states this.',
    start: onResponse((response) => response.setHeader('Connection', 'close')),
  },
  {
    name: 'connection-dropped-when-idle',
    legalBasis: 'connections',
    says: 'The connection is closed after every response without notice.',
    start: onResponse((response) => {
      const { socket } = response;
      response.once('finish', () => setImmediate(() => socket?.end()));
    }),
  },
  {
    name: 'connection-of-three-requests',
    legalBasis: 'connections',
    says: 'The connection is closed at its third request, without a response.',
    start: () => {
      const served = new WeakMap<object, number>();
      return {
        async send(response, reply, send) {
          const { socket } = response;
          const count = socket ? (served.get(socket) ?? 0) + 1 : 1;
          if (socket) served.set(socket, count);
          if (count > 2) socket?.destroy();
          else await send(response, reply);
        },
      };
    },
  },
  {
    name: 'connection-keep-alive-told',
    legalBasis: 'connections',
    says: 'Every response states that the connection is kept alive for one second.',
    start: onResponse((response) => {
      response.setHeader('Connection', 'keep-alive');
      response.setHeader('Keep-Alive', 'timeout=1, max=5');
    }),
  },
  {
    name: 'http-1-0',
    legalBasis: 'connections',
    says: 'Every response is HTTP/1.0 and ends with the connection.',
    start: writeRaw('1.0', (body) => ({ headers: '', parts: [body] })),
  },
  {
    name: 'body-ends-with-connection',
    legalBasis: 'codings',
    says: 'Bodies have neither a length nor chunks: they end with the connection.',
    start: writeRaw('1.1', (body) => ({ headers: '', parts: [body] })),
  },
  {
    name: 'chunk-extensions',
    legalBasis: 'codings',
    says: 'Chunks have extensions and sizes in capitals with leading zeros; trailers follow them.',
    start: writeRaw('1.1', (body) => ({
      headers: 'Transfer-Encoding: chunked\r\nTrailer: X-Checksum\r\n',
      parts: [
        ...[...pieces(body, 4093)].flatMap((piece) => [
          `000${piece.length.toString(16).toUpperCase()};part=1;note="a b"\r\n`,
          piece,
          '\r\n',
        ]),
        '0\r\nX-Checksum: 42\r\n\r\n',
      ],
    })),
  },
  {
    name: 'chunks-of-a-few-bytes',
    legalBasis: 'codings',
    says: 'The first 203 bytes of every body are sent in chunks of seven bytes.',
    start: always({
      async send(response, reply, send) {
        if (hasNoBody(response, reply)) return send(response, reply);
        const body = bytesOf(reply);
        async function* smallChunks() {
          for (const piece of pieces(body.subarray(0, 203), 7)) {
            yield piece;
            await builtinModule('node:timers/promises').setImmediate();
          }
          if (body.length > 203) yield body.subarray(203);
        }
        return send(response, { ...reply, body: smallChunks() });
      },
    }),
  },
  {
    name: 'trailers-sent',
    legalBasis: 'codings',
    says: 'Every body is chunked, and trailers follow it.',
    start: always({
      async send(response, reply, send) {
        if (hasNoBody(response, reply)) return send(response, reply);
        response.setHeader('Trailer', 'Server-Timing');
        response.addTrailers({ 'Server-Timing': 'db;dur=53', 'Content-Type': 'text/nonsense' });
        return send(response, { ...reply, body: [bytesOf(reply)] });
      },
    }),
  },
  {
    name: 'early-hints',
    legalBasis: 'connections',
    says: 'A 103 Early Hints precedes every response.',
    start: interim((response) => response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })),
  },
  {
    name: 'continue-unasked',
    legalBasis: 'connections',
    says: 'An unrequested 100 Continue precedes every response.',
    start: interim((response) => response.writeContinue()),
  },
  {
    name: 'processing-told',
    legalBasis: 'connections',
    says: 'Three 102 Processing precede every response.',
    start: interim((response) => {
      for (let at = 0; at < 3; at++) response.writeProcessing();
    }),
  },
];
