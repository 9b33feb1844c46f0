/** Connections for undici that accept deviations common among servers. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buildConnector } from 'undici';
import { ResponseHeadParser } from './response-head.ts';

/** The longest interim response (1xx) that is buffered; a longer one is reported to the parser unchanged. */
const MAX_INTERIM_BYTES = 16 * 1024;

/** 101 is excluded: it ends HTTP on this connection. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]$/;
const SAMPLE = 'HTTP/1.1 100 ';
const CONTINUE = /^HTTP\/1\.[01] 100/;

/** Errors on a reused connection, before the first byte of the response. */
const stale = new WeakSet<object>();

/**
 * Whether an error is the keep-alive race: the server closed an idle connection while a request was in transit. The
 * server did not process the request, so an idempotent one may be sent again (RFC 9112, 9.3.1).
 */
export const isKeepAliveRace = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && stale.has(error);

/** Which interim responses reach the parser: none, or all but `100 Continue`. */
type InterimMode = 'drop' | 'report';

/** Received bytes, split where the interim responses end. */
interface Filtered {
  /** Interim responses for the parser. */
  readonly forParser: Buffer;
  /** An incomplete interim response. */
  readonly incomplete: Buffer;
  /** The beginning of the final response. */
  readonly final?: Buffer;
}

const NOTHING = Buffer.alloc(0);
const REQUEST_LINE = /^\S+ \S+ HTTP\/1\.1\r\n/;

function filterInterim(bytes: Buffer, interim: InterimMode): Filtered {
  const reported: Buffer[] = [];
  for (let at = 0; ; ) {
    const begins = bytes.toString('latin1', at, at + SAMPLE.length);
    const rest = bytes.subarray(at);
    if (begins === '') return { forParser: Buffer.concat(reported), incomplete: NOTHING };
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1');
    const isTooLong = end < 0 && rest.length > MAX_INTERIM_BYTES;
    if (isTooLong || !INTERIM.test(begins + SAMPLE.slice(begins.length)))
      return { forParser: Buffer.concat(reported), incomplete: NOTHING, final: rest };
    if (end < 0) return { forParser: Buffer.concat(reported), incomplete: rest };
    if (interim === 'report' && !CONTINUE.test(begins)) reported.push(bytes.subarray(at, end + 4));
    at = end + 4;
  }
}

/**
 * Wraps a socket for undici in three ways. It drops interim responses: every client must be able to skip them (RFC 9110,
 * 15.2), but undici fails at a `100 Continue`. It passes the head of the response through `ResponseHeadParser`. It marks a
 * close between two requests as stale.
 */
export function wrapSocket(socket: Socket, interim: InterimMode): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let [received, receivedBefore] = [0, 0];
  /** Parses the head of the response; undefined: the head is complete, or no response is expected. */
  let head: ResponseHeadParser | undefined;
  let isInterim = false;
  let incomplete: Buffer = NOTHING;
  socket.write = (...args: unknown[]) => {
    receivedBefore = received;
    // undici writes the head of a request as one string. Later writes are its body: the response may have started already.
    if (typeof args[0] === 'string' && REQUEST_LINE.test(args[0])) [head, isInterim] = [new ResponseHeadParser(), true];
    return write(...args);
  };
  /** The bytes of a chunk that the parser receives. */
  const filter = (chunk: Buffer): Buffer => {
    if (!head) return chunk;
    let [forParser, final]: [Buffer, Buffer | undefined] = [NOTHING, chunk];
    if (isInterim) {
      ({ forParser, incomplete, final } = {
        final: undefined,
        ...filterInterim(incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk]), interim),
      });
      if (!final) return forParser;
      isInterim = false;
    }
    const parsed = head.push(final);
    if (head.isOver) head = undefined;
    return forParser.length === 0 ? parsed : Buffer.concat([forParser, parsed]);
  };
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (chunk === null) return null;
    received += chunk.length;
    try {
      const filtered = filter(chunk);
      return filtered.length === 0 ? null : filtered;
    } catch (error) {
      socket.destroy(error as Error);
      return null;
    }
  };
  socket.on('error', (error) => {
    if (receivedBefore > 0 && received === receivedBefore) stale.add(error);
  });
  return socket;
}

/**
 * A connector for undici. HTTP/1.1 only, to preserve header lines as sent.
 * @param options TLS material, the time-out in ms
 * @param interim `report`: undici’s `onInfo` receives interim responses other than `100 Continue`
 * @param inProcess opens the connections to an origin within this process; undefined for any other origin
 */
export function connector(
  options: buildConnector.BuildOptions,
  interim: InterimMode = 'drop',
  inProcess?: (origin: string) => Duplex | undefined,
): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });
  return (target, callback) => {
    const own = inProcess?.(`${target.protocol}//${target.host}`);
    if (own) {
      process.nextTick(callback, null, wrapSocket(own as Socket, interim));
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error) callback(error, null);
      else callback(null, wrapSocket(socket, interim) as typeof socket);
    });
  };
}
