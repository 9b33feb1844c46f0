/** One exchange through the gateway: client to upstream and back, streaming, and kept on the way. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { OperationKey } from '../../src/contract/index.ts';
import { endToEnd } from '../../src/exchange/hop-by-hop.ts';
import { failureOf, isReset, kindOf } from '../../src/exchange/wire/failures.ts';
import { describeRequest, isText, longestHeld, secretContextOf } from '../../src/recording/format/describe-request.ts';
import { findOrigin, linesFor, PLACEHOLDER, replaceOrigin } from '../../src/recording/format/origin.ts';
import type {
  InterimResponse,
  RecordedExchange,
  RecordedResponse,
  StoredBody,
} from '../../src/recording/format/recorded-exchange.ts';
import { headerInputsOf } from '../../src/recording/format/request-key.ts';
import type { Resend } from '../../src/recording/rerecord/samples.ts';
import { type BodySink, DiskError } from '../../src/recording/store/side-file.ts';
import type { MessageContext } from '../../src/secrets/protection.ts';
import { mayHaveBody } from '../http/half-open.ts';
import { readUpload } from '../http/read-upload.ts';
import { ClientConnection } from './client-connection.ts';
import type { GatewayContext } from './context.ts';
import { forwardResponse } from './forward-response.ts';
import { resendRequest } from './resend-request.ts';
import { type UpstreamRequest, type UpstreamResponse, upstreamHeaders } from './upstream.ts';

const linesOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] as string]] : []));

/** A side file’s name ends in its hash. */
const SHA256_DIGITS = 64;

/** Names the answer that mints a secret: by what was asked, for that is the same when it is recorded anew. */
const mintedBy = (lane: string, method: string, target: string): string =>
  `${lane} ${method} ${target.split('?', 1)[0]}`;

/** What of an answer is kept; undefined: nothing, for the client left before there was anything to keep. */
interface Carried {
  readonly interim?: readonly InterimResponse[];
  readonly response?: RecordedResponse;
  readonly failure?: NonNullable<RecordedExchange['failure']>;
}

/** One request as it goes up, and where its answer goes. */
interface Errand {
  readonly gate: GatewayContext;
  readonly leg: ClientConnection;
  readonly base: string;
  /** Path and query as kept, for messages. */
  readonly url: string;
  readonly sending: Omit<UpstreamRequest, 'signal' | 'onInterim'>;
  readonly response: ServerResponse;
  readonly sink: BodySink;
  /** What the answer is to whatever hides secrets in it. */
  readonly where: MessageContext;
  /** Of an upload too long to be held: settles when the client is through with it. */
  readonly uploaded?: () => Promise<void>;
  readonly operation: OperationKey | undefined;
}

async function carryOut(errand: Errand): Promise<Carried | undefined> {
  const { gate, leg, base, url, sending, response, sink, where, uploaded, operation } = errand;
  const { method } = sending;
  let head: Omit<RecordedResponse, 'body'> | undefined;
  let failure: RecordedExchange['failure'];
  let refused: string | undefined;
  let answer: UpstreamResponse | undefined;
  const interim: InterimResponse[] = [];
  const onInterim = ({ status, headers }: InterimResponse): void => {
    const lines = (by: string) => linesFor(endToEnd(headers), gate.theirs, by);
    leg.heard();
    interim.push({ status, headers: gate.protection.headers(lines(PLACEHOLDER), where) });
    leg.tell({ status, headers: lines(base) });
  };
  try {
    answer = await gate.upstream.send({ ...sending, signal: leg.signal, onInterim });
    leg.heard();
    await forwardResponse({
      ...{ gate, base, method, answer, response, leg, sink, where, operation },
      ...(uploaded && { uploaded }),
      onHead: (each) => (head = each),
      onRefused: (why) => (refused = why),
    });
  } catch (error) {
    answer?.destroy();
    if (error instanceof DiskError) {
      leg.cut();
      throw error;
    }
    if (leg.signal.aborted || gate.closing()) {
      if (!leg.gaveUp || gate.closing()) return undefined;
      failure = failureOf('timeout', method, url);
    } else {
      // A body that cannot be decoded any further has broken off, too.
      const reason =
        kindOf(error, head !== undefined) ??
        (head?.coding === undefined ? undefined : { kind: 'truncated' as const, detail: (error as Error).message });
      if (!reason) throw error;
      failure = { ...failureOf(reason.kind, method, url), ...(isReset(error) && { reset: true }) };
      gate.tell(failureOf(reason.kind, method, url.replace(PLACEHOLDER, gate.origin), reason.detail).message);
    }
    leg.turn = gate.recorder.turn();
    leg.cut(failure.reset ? 'reset' : 'closed');
  }
  if (refused !== undefined) return void gate.refuse(refused);
  const body = await sink.end();
  const recorded = head && { ...head, headers: gate.protection.headers(head.headers, where), ...(body && { body }) };
  return {
    ...(interim.length > 0 && { interim }),
    ...(recorded && { response: recorded }),
    ...(failure && { failure }),
  };
}

/**
 * Carries one request out and has it recorded. A failure of the upstream reaches the client as a closed connection and
 * the recording as an event. Rejects only for faults of our own.
 * @param target path and query behind the lane’s prefix
 */
export async function forwardRequest(
  gate: GatewayContext,
  lane: string,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { recorder, protection, matching } = gate;
  const base = gate.baseOf(lane);
  const own = findOrigin(base);
  const there = (text: string): string => replaceOrigin(text, own, gate.origin);
  const method = request.method ?? 'GET';
  const headers = linesOf(request.rawHeaders);
  const leg = new ClientConnection(response);
  let fault: { readonly error: unknown } | undefined;
  const [uploaded, sink] = [recorder.body(), recorder.body()];
  try {
    const operation = gate.operationOf(method, target);
    const where = secretContextOf({ method, target, headers }, gate);
    // What they say is a credential is none of the answer’s to tell, however long the body is on its way.
    protection.headers(headers, where);
    const hide = protection.stream(where);
    const upload = mayHaveBody(request)
      ? await readUpload(request, longestHeld(operation, gate), (chunk) => uploaded.write(hide(chunk))).catch(
          () => undefined,
        )
      : { whole: Buffer.alloc(0) };
    if (!upload) return;
    const describe = (body: Uint8Array | { sha256: string }) =>
      describeRequest({ method, target, headers, body }, { ...gate, base });
    const errand = (sent: Pick<UpstreamRequest, 'body' | 'headers'>): Errand => ({
      gate,
      leg,
      base,
      url: `${PLACEHOLDER}${protection.url(target, where)}`,
      sending: { method, path: there(target), ...sent },
      response,
      sink,
      where: { side: 'response', data: where.data ?? false, minted: mintedBy(lane, method, target) },
      operation,
    });
    const lines = upstreamHeaders(headers, there);
    let described: ReturnType<typeof describe>;
    let carry: () => Promise<Carried | undefined>;
    let keepBody = () => uploaded.end();
    let again: Resend | undefined;
    if ('whole' in upload) {
      described = describe(upload.whole);
      await uploaded.write([described.body ?? upload.whole]);
      const make = () => errand(framed(upload.whole, lines, isText(headers) ? there : undefined, request));
      carry = () => carryOut(make());
      // What is kept of figures that were made up says nothing about what differs.
      again = gate.figures ? undefined : () => resendRequest(gate, make());
    } else {
      // Too long to be held: it goes up at once, and is told by its hash when the client is through with it.
      const goingUp = Readable.from(upload.chunks, { objectMode: false }).on('error', () => undefined);
      // The service may answer, and stop reading, before it has all.
      const drained = once(goingUp, 'close').then(() => upload.drain());
      const read = drained.then(
        () => true,
        () => false,
      );
      const carried = await carryOut({
        ...errand({ headers: lines, body: goingUp }),
        uploaded: async () => void (await read),
      });
      // Where nothing went up, nothing will.
      goingUp.destroy();
      if (!(await read)) {
        if (carried)
          gate.tell(
            `${method} ${protection.url(target, where)}: not kept, for the client left before it had sent all of its body`,
          );
        return;
      }
      await uploaded.write(hide());
      const body = (await uploaded.end()) as StoredBody & { readonly file: string };
      keepBody = async () => body;
      described = describe({ sha256: body.file.slice(-SHA256_DIGITS) });
      carry = async () => carried;
    }
    const { key, canonicalBody, request: asked, refused } = described;
    if (refused !== undefined) gate.refuse(refused);
    await recorder.record(
      {
        lane,
        method,
        target: asked.url.slice(PLACEHOLDER.length),
        inputs: Object.fromEntries(headerInputsOf({ target: asked.url, headers: asked.headers }, matching)),
        body: canonicalBody,
        withoutQuery: matching.withoutQuery,
        again,
        send: async () => {
          try {
            const carried = await carry();
            if (refused !== undefined) return undefined;
            const body = carried && (await keepBody());
            return (
              carried && {
                key,
                request: { ...asked, ...(body && { body }) },
                ...carried,
                ...(operation && { operation }),
              }
            );
          } catch (error) {
            // Polly would keep it to itself.
            fault = { error };
            return undefined;
          }
        },
      },
      () => leg.turn,
    );
    if (fault) throw fault.error;
  } finally {
    leg.turn?.end();
    await uploaded.discard();
    await sink.discard();
  }
}

/** A held body as it goes up: framed as the client framed it, with the length that origins replaced in it leave. */
function framed(
  body: Buffer,
  lines: readonly (readonly [string, string])[],
  there: ((text: string) => string) | undefined,
  { headers }: IncomingMessage,
): Pick<UpstreamRequest, 'body' | 'headers'> {
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined)
    return { headers: lines, body: null };
  const bytes = there ? Buffer.from(there(body.toString('latin1')), 'latin1') : body;
  if (headers['transfer-encoding'] !== undefined)
    return { headers: lines, body: Readable.from([bytes], { objectMode: false }) };
  return {
    headers: lines.map(([name, value]) => [name, name.toLowerCase() === 'content-length' ? `${bytes.length}` : value]),
    body: bytes,
  };
}
