/** One exchange through the gateway: client to upstream and back, streaming, and kept on the way. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { describeRequest, isText } from '../../src/exchange/har/describe.ts';
import { findOrigin, PLACEHOLDER, replaceOrigin } from '../../src/exchange/har/origin.ts';
import type { RecordedResponse, StoredBody } from '../../src/exchange/har/types.ts';
import { firstHeader } from '../../src/exchange/headers.ts';
import type { Failure } from '../../src/exchange/types.ts';
import { failureOf, kindOf } from '../../src/exchange/wire/failures.ts';
import { Leg } from './leg.ts';
import { passOn } from './pass.ts';
import { type BodySink, DiskError } from './side-file.ts';
import type { Gate } from './types.ts';
import { readUpload } from './upload.ts';
import { type Answer, type Sending, upwards } from './upstream.ts';

const linesOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] as string]] : []));

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** A side file’s name ends in its hash. */
const SHA256_DIGITS = 64;

/** What of an answer is kept; undefined: nothing, for the client left before there was anything to keep. */
interface Carried {
  readonly response?: RecordedResponse;
  readonly failure?: Failure;
}

/** One request as it goes up, and where its answer goes. */
interface Errand {
  readonly gate: Gate;
  readonly leg: Leg;
  readonly base: string;
  /** Path and query as kept, for messages. */
  readonly url: string;
  readonly sending: Omit<Sending, 'signal'>;
  readonly response: ServerResponse;
  readonly sink: BodySink;
}

async function carryOut(errand: Errand): Promise<Carried | undefined> {
  const { gate, leg, base, url, sending, response, sink } = errand;
  const { method } = sending;
  let head: Omit<RecordedResponse, 'body'> | undefined;
  let failure: Failure | undefined;
  let answer: Answer | undefined;
  try {
    answer = await gate.upstream.send({ ...sending, signal: leg.signal });
    leg.heard();
    await passOn({ gate, base, method, answer, response, leg, sink, onHead: (each) => (head = each) });
  } catch (error) {
    answer?.destroy();
    if (error instanceof DiskError) {
      leg.cut();
      throw error;
    }
    if (leg.signal.aborted) {
      if (!leg.gaveUp || gate.closing()) return undefined;
      failure = failureOf('timeout', method, url);
    } else {
      // A body that cannot be decoded any further has broken off, too.
      const reason =
        kindOf(error, head !== undefined) ??
        (head?.coding === undefined ? undefined : { kind: 'truncated' as const, detail: (error as Error).message });
      if (!reason) throw error;
      failure = failureOf(reason.kind, method, url);
      gate.tell(failureOf(reason.kind, method, url.replace(PLACEHOLDER, gate.origin), reason.detail).message);
    }
    leg.turn = gate.recorder.turn();
    leg.cut();
  }
  const body = await sink.end();
  const recorded = head && gate.protector.response({ ...head, ...(body && { body }) });
  return { ...(recorded && { response: recorded }), ...(failure && { failure }) };
}

/**
 * Carries one request out and has it recorded. A failure of the upstream reaches the client as a closed connection and
 * the recording as an event. Rejects only for faults of our own.
 * @param target path and query behind the lane’s prefix
 */
export async function relay(
  gate: Gate,
  lane: string,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { recorder, protector, matching } = gate;
  const base = gate.baseOf(lane);
  const own = findOrigin(base);
  const there = (text: string): string => replaceOrigin(text, own, gate.origin);
  const method = request.method ?? 'GET';
  const headers = linesOf(request.rawHeaders);
  const leg = new Leg(response);
  let fault: { readonly error: unknown } | undefined;
  const [uploaded, sink] = [recorder.body(), recorder.body()];
  try {
    const hide = protector.stream();
    const upload = hasBody(request)
      ? await readUpload(request, (chunk) => uploaded.write(hide(chunk))).catch(() => undefined)
      : { whole: Buffer.alloc(0) };
    if (!upload) return;
    const describe = (body: Uint8Array | { sha256: string }) =>
      describeRequest({ method, target, headers, body }, { base, protector, matching });
    const errand = (sent: Pick<Sending, 'body' | 'headers'>): Errand => ({
      gate,
      leg,
      base,
      url: `${PLACEHOLDER}${protector.text(target)}`,
      sending: { method, path: there(target), ...sent },
      response,
      sink,
    });
    const lines = upwards(headers, there);
    let described: ReturnType<typeof describe>;
    let carry: () => Promise<Carried | undefined>;
    let keepBody = () => uploaded.end();
    if ('whole' in upload) {
      described = describe(upload.whole);
      await uploaded.write([described.body ?? upload.whole]);
      carry = () => carryOut(errand(framed(upload.whole, lines, isText(headers) ? there : undefined, request)));
    } else {
      // Too long to be held: it goes up at once, and is told by its hash when the client is through with it.
      const running = carryOut(errand({ headers: lines, body: Readable.from(upload.chunks, { objectMode: false }) }));
      const carried = await running;
      await upload.drain().catch(() => undefined);
      if (!request.complete) return;
      await uploaded.write(hide());
      const body = (await uploaded.end()) as StoredBody & { readonly file: string };
      keepBody = async () => body;
      described = describe({ sha256: body.file.slice(-SHA256_DIGITS) });
      carry = async () => carried;
    }
    const { key, canonicalBody, request: asked } = described;
    const operation = gate.operationOf(method, target);
    await recorder.record(
      {
        lane,
        method,
        target: asked.url.slice(PLACEHOLDER.length),
        inputs: Object.fromEntries(matching.headers.map((name) => [name, firstHeader(asked.headers, name) ?? ''])),
        body: canonicalBody,
        withoutQuery: matching.withoutQuery,
        send: async () => {
          try {
            const carried = await carry();
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
): Pick<Sending, 'body' | 'headers'> {
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
