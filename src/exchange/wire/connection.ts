/** Connections of undici with some habits of real servers allowed for. */
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ResponseHeadParser } from './response-head.ts';

/** The longest interim answer that is waited for; anything longer goes to the parser as it is. */
const LONGEST_INTERIM = 16 * 1024;

/** 101 is none: it ends HTTP on this connection. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]$/;
const SAMPLE = 'HTTP/1.1 100 ';
const CONTINUE = /^HTTP\/1\.[01] 100/;

/** Errors that hit a connection which had served before, before any byte of the answer it was asked for. */
const stale = new WeakSet<object>();

/**
 * Whether an error is the keep-alive race: the server closed an idle connection while a request was on its way. The
 * request was not looked at, so an idempotent one may be sent again (RFC 9112, 9.3.1).
 */
export const isStale = (error: unknown): boolean => typeof error === 'object' && error !== null && stale.has(error);

/** Which interim answers reach the parser: none, or all but `100 Continue`. */
type Interim = 'none' | 'told';

/** What a connection gave, parted where its interim answers end. */
interface Filtered {
  /** Interim answers for the parser. */
  readonly passes: Buffer;
  /** Cannot be told yet. */
  readonly held: Buffer;
  /** The beginning of the answer itself, once no interim answer follows. */
  readonly answer?: Buffer;
}

const NOTHING = Buffer.alloc(0);
const REQUEST_LINE = /^\S+ \S+ HTTP\/1\.1\r\n/;

function filterInterim(bytes: Buffer, interim: Interim): Filtered {
  const passed: Buffer[] = [];
  for (let at = 0; ; ) {
    const begins = bytes.toString('latin1', at, at + SAMPLE.length);
    const rest = bytes.subarray(at);
    if (begins === '') return { passes: Buffer.concat(passed), held: NOTHING };
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1');
    const isTooLong = end < 0 && rest.length > LONGEST_INTERIM;
    if (isTooLong || !INTERIM.test(begins + SAMPLE.slice(begins.length)))
      return { passes: Buffer.concat(passed), held: NOTHING, answer: rest };
    if (end < 0) return { passes: Buffer.concat(passed), held: rest };
    if (interim === 'told' && !CONTINUE.test(begins)) passed.push(bytes.subarray(at, end + 4));
    at = end + 4;
  }
}

/**
 * Watches a connection on behalf of undici:
 * interim answers are dropped: every client must be able to skip them, asked for or not (RFC 9110, 15.2), while undici
 * breaks off at a `100 Continue`; the head of the answer goes through `AnswerHead`; and a close that hits a connection
 * between two requests is marked as stale.
 */
function watch(socket: Socket, interim: Interim): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let [received, receivedBefore] = [0, 0];
  /** What is yet to come of the answer’s head; undefined: its body, or nothing. */
  let head: ResponseHeadParser | undefined;
  let isInterim = false;
  let held: Buffer = NOTHING;
  socket.write = (...given: unknown[]) => {
    receivedBefore = received;
    // undici writes the head of a request as one string; what it writes later is body, and the answer may have begun.
    if (typeof given[0] === 'string' && REQUEST_LINE.test(given[0]))
      [head, isInterim] = [new ResponseHeadParser(), true];
    return write(...given);
  };
  /** What the parser gets of a chunk. */
  const filter = (chunk: Buffer): Buffer => {
    if (!head) return chunk;
    let [passes, answer]: [Buffer, Buffer | undefined] = [NOTHING, chunk];
    if (isInterim) {
      ({ passes, held, answer } = {
        answer: undefined,
        ...filterInterim(held.length === 0 ? chunk : Buffer.concat([held, chunk]), interim),
      });
      if (!answer) return passes;
      isInterim = false;
    }
    const read = head.push(answer);
    if (head.isOver) head = undefined;
    return passes.length === 0 ? read : Buffer.concat([passes, read]);
  };
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (chunk === null) return null;
    received += chunk.length;
    try {
      const passes = filter(chunk);
      return passes.length === 0 ? null : passes;
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
 * A connector for undici. HTTP/1.1 only, to keep header lines as sent.
 * @param options TLS material, the time-out in ms
 * @param interim `told`: undici’s `onInfo` hears of interim answers other than `100 Continue`
 */
export function connector(options: buildConnector.BuildOptions, interim: Interim = 'none'): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error) callback(error, null);
      else callback(null, watch(socket, interim) as typeof socket);
    });
}
