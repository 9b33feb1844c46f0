/** Oddities of connections, framing and interim responses (RFC 9112; RFC 9110, section 15.2). */
import type { ServerResponse } from 'node:http';
import { builtinModule } from '../../src/builtin-module.ts';
import { bytesOf, onResponse } from '../deviations/replies.ts';
import type { Hooks } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { type Oddity, oddity } from './oddity.ts';

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
): Hooks => ({
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

export const CONNECTION_ODDITIES: readonly Oddity[] = [
  oddity('connection-closed-each-time', 'connections', 'all', {
    says: 'The connection is closed after every response, and the response states this.',
    hooks: onResponse((response) => response.setHeader('Connection', 'close')),
  }),
  oddity('connection-dropped-when-idle', 'connections', 'all', {
    says: 'The connection is closed after every response without notice.',
    hooks: onResponse((response) => {
      const { socket } = response;
      response.once('finish', () => setImmediate(() => socket?.end()));
    }),
  }),
  oddity('connection-of-three-requests', 'connections', 'all', {
    says: 'The connection is closed at its third request, without a response.',
    hooks: () => {
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
  }),
  oddity('connection-keep-alive-told', 'connections', 'all', {
    says: 'Every response states that the connection is kept alive for one second.',
    hooks: onResponse((response) => {
      response.setHeader('Connection', 'keep-alive');
      response.setHeader('Keep-Alive', 'timeout=1, max=5');
    }),
  }),
  oddity('http-1-0', 'connections', 'all', {
    says: 'Every response is HTTP/1.0 and ends with the connection.',
    hooks: writeRaw('1.0', (body) => ({ headers: '', parts: [body] })),
  }),
  oddity('body-ends-with-connection', 'codings', 'all', {
    says: 'Bodies have neither a length nor chunks: they end with the connection.',
    hooks: writeRaw('1.1', (body) => ({ headers: '', parts: [body] })),
  }),
  oddity('chunk-extensions', 'codings', 'all', {
    says: 'Chunks have extensions and sizes in capitals with leading zeros; trailers follow them.',
    hooks: writeRaw('1.1', (body) => ({
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
  }),
  oddity('chunks-of-a-few-bytes', 'codings', 'all', {
    says: 'The first 203 bytes of every body are sent in chunks of seven bytes.',
    hooks: {
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
    },
  }),
  oddity('trailers-sent', 'codings', 'all', {
    says: 'Every body is chunked, and trailers follow it.',
    hooks: {
      async send(response, reply, send) {
        if (hasNoBody(response, reply)) return send(response, reply);
        response.setHeader('Trailer', 'Server-Timing');
        response.addTrailers({ 'Server-Timing': 'db;dur=53', 'Content-Type': 'text/nonsense' });
        return send(response, { ...reply, body: [bytesOf(reply)] });
      },
    },
  }),
  oddity('early-hints', 'connections', 'all', {
    says: 'A 103 Early Hints precedes every response.',
    hooks: onResponse((response) => response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })),
  }),
  oddity('continue-unasked', 'connections', 'all', {
    says: 'An unrequested 100 Continue precedes every response.',
    hooks: onResponse((response) => response.writeContinue()),
  }),
  oddity('processing-told', 'connections', 'all', {
    says: 'Three 102 Processing precede every response.',
    hooks: onResponse((response) => {
      for (let at = 0; at < 3; at++) response.writeProcessing();
    }),
  }),
];
