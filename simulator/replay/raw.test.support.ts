/** Exchanges byte for byte: the bytes that a socket sends and receives, and a normalised form for comparison. */
import { connect, type Socket } from 'node:net';

/** Sends bytes and returns all bytes received until the server closes its side. */
export function exchangeBytes(port: number, request: Uint8Array): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(request));
    const done = (): void => {
      socket.destroy();
      resolve(Buffer.concat(parts));
    };
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('end', done).on('error', done).on('close', done);
  });
}

/** A message without its chunk boundaries, which proxies may change (RFC 9112, section 7.1). */
function withoutChunking(message: Buffer): string {
  const end = message.indexOf('\r\n\r\n') + 4;
  const head = message.toString('latin1', 0, end);
  if (end < 4 || !/^transfer-encoding: chunked/im.test(head)) return message.toString('latin1');
  let text = head;
  for (let at = end; at < message.length; ) {
    const line = message.indexOf('\r\n', at);
    const size = Number.parseInt(message.toString('latin1', at, line), 16);
    if (size === 0) return `${text}[end]${message.toString('latin1', line + 2)}`;
    text += message.toString('latin1', line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
  return text;
}

/** A response without ports, dates and chunk boundaries. Interim responses precede the final response. */
export function normalised(bytes: Buffer, port: number): string {
  let [interim, rest] = ['', bytes];
  while (/^HTTP\/1\.1 1\d\d/.test(rest.toString('latin1', 0, 12))) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    interim += rest.toString('latin1', 0, end);
    rest = rest.subarray(end);
  }
  return `${interim}${withoutChunking(rest)}`.replaceAll(`127.0.0.1:${port}`, 'HOST').replace(/^date: .*\r\n/gim, '');
}
