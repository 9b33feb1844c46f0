/** One exchange through the gateway: streams the request to the upstream and the response back, and records both. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { headerLinesOf } from '../../src/exchange/headers.ts';
import {
  describeRequest,
  isText,
  maxBufferedBytes,
  secretContextOf,
} from '../../src/recording/format/describe-request.ts';
import { originPattern, RECORDED_ORIGIN, replaceOrigin } from '../../src/recording/format/origin.ts';
import { type StoredBody, sha256Of } from '../../src/recording/format/recorded-exchange.ts';
import type { Resend } from '../../src/recording/rerecord/learn-masks.ts';
import { mayHaveBody } from '../http/half-open.ts';
import { readUpload } from '../http/read-upload.ts';
import { ClientConnection } from './client-connection.ts';
import type { ForwardedRequest, GatewayContext } from './context.ts';
import { type ExchangeResult, performExchange, resendRequest } from './perform-exchange.ts';
import { type UpstreamRequest, upstreamHeaders } from './upstream.ts';

/** Identifies the response that issues a secret by its request, which is the same in every recording. */
const issuerOf = (lane: string, method: string, target: string): string =>
  `${lane} ${method} ${target.split('?', 1)[0]}`;

/**
 * Forwards one request and records the exchange. A failure of the upstream closes the client’s connection and is recorded.
 * Rejects only on internal errors.
 * @param target path and query after the lane prefix
 */
export async function forwardRequest(
  context: GatewayContext,
  lane: string,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { recorder, protection } = context;
  const base = context.baseOf(lane);
  const clientBase = originPattern(base);
  const toUpstream = (text: string): string => replaceOrigin(text, clientBase, context.origin);
  const method = request.method ?? 'GET';
  const headers = headerLinesOf(request.rawHeaders);
  const client = new ClientConnection(response);
  const [requestSink, responseSink] = [recorder.createBodySink(), recorder.createBodySink()];
  try {
    const operation = context.operationOf(method, target);
    const secretContext = secretContextOf({ method, target, headers }, context);
    // Credentials in the headers become known before the response arrives, however long the upload takes.
    protection.headers(headers, secretContext);
    const hide = protection.stream(secretContext);
    const upload = mayHaveBody(request)
      ? await readUpload(request, maxBufferedBytes(operation, context), (chunk) =>
          requestSink.write(hide(chunk)),
        ).catch(() => undefined)
      : { bytes: Buffer.alloc(0) };
    if (!upload) return;
    const describe = (body: Uint8Array | { sha256: string }) =>
      describeRequest({ method, target, headers, body }, { ...context, base });
    const toForwardedRequest = (sent: Pick<UpstreamRequest, 'body' | 'headers'>): ForwardedRequest => ({
      gateway: context,
      client,
      base,
      url: `${RECORDED_ORIGIN}${protection.url(target, secretContext)}`,
      upstreamRequest: { method, path: toUpstream(target), ...sent },
      response,
      bodySink: responseSink,
      messageContext: {
        side: 'response',
        isInterfaceData: secretContext.isInterfaceData ?? false,
        issuedBy: issuerOf(lane, method, target),
      },
      operation,
    });
    const lines = upstreamHeaders(headers, toUpstream);
    let described: ReturnType<typeof describe>;
    let perform: () => Promise<ExchangeResult | undefined>;
    let storeBody = () => requestSink.end();
    let resend: Resend | undefined;
    if ('bytes' in upload) {
      described = describe(upload.bytes);
      await requestSink.write([described.body ?? upload.bytes]);
      const create = () =>
        toForwardedRequest(frameBody(upload.bytes, lines, isText(headers) ? toUpstream : undefined, request));
      perform = () => performExchange(create());
      // Invented figures do not show which values change from response to response.
      resend = context.figureScrubber ? undefined : () => resendRequest(context, create());
    } else {
      // Too long to buffer: it streams at once, and its hash identifies it after the last byte.
      const streamed = Readable.from(upload.chunks, { objectMode: false }).on('error', () => undefined);
      // The service may respond, and stop reading, before it has the whole body.
      const drained = once(streamed, 'close').then(() => upload.drain());
      const isUploadRead = drained.then(
        () => true,
        () => false,
      );
      const result = await performExchange({
        ...toForwardedRequest({ headers: lines, body: streamed }),
        waitForUpload: async () => void (await isUploadRead),
      });
      // The stream of a request that was never sent still has to be closed.
      streamed.destroy();
      if (!(await isUploadRead)) {
        if (result)
          context.report(
            `${method} ${protection.url(target, secretContext)}: not recorded, because the client closed the connection before it had sent its whole body`,
          );
        return;
      }
      await requestSink.write(hide());
      const body = (await requestSink.end()) as StoredBody & { readonly file: string };
      storeBody = async () => body;
      described = describe({ sha256: sha256Of(body) });
      perform = async () => result;
    }
    const { key, request: recordedRequest, whyNotRecorded } = described;
    if (whyNotRecorded !== undefined) context.reportNotRecorded(whyNotRecorded);
    const result = await perform();
    const body = whyNotRecorded === undefined && result ? await storeBody() : undefined;
    if (!result || whyNotRecorded !== undefined || !client.queuePosition) return;
    const exchange = {
      key,
      request: { ...recordedRequest, ...(body && { body }) },
      ...result,
      ...(operation && { operation }),
    };
    await recorder.record(lane, exchange, client.queuePosition, resend);
  } finally {
    client.queuePosition?.release();
    await requestSink.discard();
    await responseSink.discard();
  }
}

/** Frames a buffered body as the client framed it, with the length it has after its origins are replaced. */
function frameBody(
  body: Buffer,
  lines: readonly (readonly [string, string])[],
  toUpstream: ((text: string) => string) | undefined,
  { headers }: IncomingMessage,
): Pick<UpstreamRequest, 'body' | 'headers'> {
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined)
    return { headers: lines, body: null };
  const bytes = toUpstream ? Buffer.from(toUpstream(body.toString('latin1')), 'latin1') : body;
  if (headers['transfer-encoding'] !== undefined)
    return { headers: lines, body: Readable.from([bytes], { objectMode: false }) };
  return {
    headers: lines.map(([name, value]) => [name, name.toLowerCase() === 'content-length' ? `${bytes.length}` : value]),
    body: bytes,
  };
}
