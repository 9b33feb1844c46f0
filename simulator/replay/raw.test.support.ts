/** Conversations byte for byte: what a socket sends and gets, and what of it counts. */
import { connect, type Socket } from 'node:net';

/** Sends bytes and gives back all that comes until the other side ends. */
export function converse(port: number, said: Uint8Array): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(said));
    const done = (): void => {
      socket.destroy();
      resolve(Buffer.concat(parts));
    };
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('end', done).on('error', done).on('close', done);
  });
}

/** A message put together: where chunks begin and end is nobody’s business. */
function joined(message: Buffer): string {
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

/** What was said, without ports, dates and the bounds of chunks. Interim answers stand before the answer. */
export function substanceOf(bytes: Buffer, port: number): string {
  let [interim, rest] = ['', bytes];
  while (/^HTTP\/1\.1 1\d\d/.test(rest.toString('latin1', 0, 12))) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    interim += rest.toString('latin1', 0, end);
    rest = rest.subarray(end);
  }
  return `${interim}${joined(rest)}`.replaceAll(`127.0.0.1:${port}`, 'HOST').replace(/^date: .*\r\n/gim, '');
}
