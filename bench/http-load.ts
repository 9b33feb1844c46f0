/** A client that costs little beside the server it measures: requests over kept connections, one at a time on each. */
import { once } from 'node:events';
import { connect } from 'node:net';

export const CONNECTIONS = 16;

/** A request, its body included. */
export interface LoadRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** Whether a response is complete: by its length, or by its last chunk. */
function responseReader(): (chunk: Buffer) => boolean {
  let head: Buffer | undefined = Buffer.alloc(0);
  let missing = 0;
  let tail: Buffer | undefined;
  const isComplete = (body: Buffer): boolean => {
    if (tail === undefined) {
      missing -= body.length;
      return missing <= 0;
    }
    tail = body.length >= LAST_CHUNK.length ? body.subarray(-LAST_CHUNK.length) : Buffer.concat([tail, body]);
    return tail.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  };
  return (chunk) => {
    let body = chunk;
    if (head) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) return false;
      const text = head.toString('latin1', 0, end);
      if (!text.startsWith('HTTP/1.1 200')) throw new Error(head.toString('latin1', 0, 300));
      const length = /^content-length: (\d+)/im.exec(text)?.[1];
      missing = Number(length ?? 0);
      tail = length === undefined ? Buffer.alloc(0) : undefined;
      body = head.subarray(end + END_OF_HEAD.length);
      head = undefined;
    }
    if (!isComplete(body)) return false;
    head = Buffer.alloc(0);
    return true;
  };
}

/** Sends this many requests, in turn. Rejects on a status other than 200. */
export async function load(url: string, requests: readonly LoadRequest[], count: number): Promise<void> {
  const { port, hostname, host } = new URL(url);
  const bytes = requests.map(({ method, target, body }) => {
    const framing =
      body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    return Buffer.from(`${method} ${target} HTTP/1.1\r\nhost: ${host}\r\n${framing}\r\n${body ?? ''}`);
  });
  let sent = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.setNoDelay(true);
      await new Promise<void>((resolve, reject) => {
        const isComplete = responseReader();
        const next = (): void => {
          if (sent < count) socket.write(bytes[sent++ % bytes.length] as Buffer);
          else {
            socket.end();
            resolve();
          }
        };
        socket.on('error', reject).on('data', (chunk: Buffer) => {
          try {
            if (isComplete(chunk)) next();
          } catch (error) {
            reject(error);
          }
        });
        next();
      });
    }),
  );
}
