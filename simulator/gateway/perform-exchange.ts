/** Sends requests to the upstream: for a client, whose response is recorded, and a second time without one. */

import { firstHeader, withoutHopByHop } from '../../src/exchange/headers.ts';
import { classifyError, failureOf, isReset } from '../../src/exchange/wire/failures.ts';
import type { LoadedResponse } from '../../src/recording/format/loaded-response.ts';
import { headersForClient, mayHoldUrls, RECORDED_ORIGIN, replaceOrigin } from '../../src/recording/format/origin.ts';
import type {
  InterimResponse,
  RecordedExchange,
  RecordedResponse,
} from '../../src/recording/format/recorded-exchange.ts';
import { MAX_BYTES } from '../../src/recording/rerecord/learn-masks.ts';
import { DiskError } from '../../src/recording/store/side-file.ts';
import type { MessageContext } from '../../src/secrets/hide-in-exchange.ts';
import type { ForwardedRequest, GatewayContext } from './context.ts';
import { decode } from './decode.ts';
import { bodyContextOf, forwardResponse, recordedHead } from './forward-response.ts';
import type { UpstreamRequest, UpstreamResponse } from './upstream.ts';

/** The recorded part of an exchange that the upstream determines. */
export interface ExchangeResult {
  readonly interim?: readonly InterimResponse[];
  readonly response?: RecordedResponse;
  readonly failure?: NonNullable<RecordedExchange['failure']>;
}

/**
 * Performs one exchange. Failures of the upstream become part of the result and end the client’s connection.
 * @returns undefined where nothing is recorded: the client left early, or the response must not be recorded
 */
export async function performExchange(forwarded: ForwardedRequest): Promise<ExchangeResult | undefined> {
  const { gateway, client, base, url, upstreamRequest, bodySink, messageContext } = forwarded;
  const { method } = upstreamRequest;
  let head: Omit<RecordedResponse, 'body'> | undefined;
  let failure: RecordedExchange['failure'];
  let whyNotRecorded: string | undefined;
  let upstreamResponse: UpstreamResponse | undefined;
  const interim: InterimResponse[] = [];
  const onInterim = ({ status, headers }: InterimResponse): void => {
    const withOrigin = (origin: string) => headersForClient(withoutHopByHop(headers), gateway.upstreamPattern, origin);
    client.noteUpstreamActivity();
    interim.push({ status, headers: gateway.protection.headers(withOrigin(RECORDED_ORIGIN), messageContext) });
    client.sendInterim({ status, headers: withOrigin(base) });
  };
  try {
    upstreamResponse = await gateway.upstream.send({ ...upstreamRequest, signal: client.signal, onInterim });
    client.noteUpstreamActivity();
    await forwardResponse({
      ...forwarded,
      upstreamResponse,
      onHead: (each) => (head = each),
      onNotRecordable: (why) => (whyNotRecorded = why),
    });
  } catch (error) {
    upstreamResponse?.destroy();
    if (error instanceof DiskError) {
      client.end();
      throw error;
    }
    if (client.signal.aborted || gateway.isClosing()) {
      if (!client.timedOut || gateway.isClosing()) return undefined;
      failure = failureOf('timeout', method, url);
    } else {
      // A body that cannot be decoded to its end is truncated, too.
      const classified =
        classifyError(error, { started: head !== undefined }) ??
        (head?.coding === undefined ? undefined : { kind: 'truncated' as const, detail: (error as Error).message });
      if (!classified) throw error;
      failure = { ...failureOf(classified.kind, method, url), ...(isReset(error) && { reset: true }) };
      gateway.report(
        failureOf(classified.kind, method, url.replace(RECORDED_ORIGIN, gateway.origin), classified.detail).message,
      );
    }
    client.queuePosition = gateway.recorder.enqueue();
    client.end(failure.reset ? 'reset' : 'closed');
  }
  if (whyNotRecorded !== undefined) return void gateway.reportNotRecorded(whyNotRecorded);
  const body = await bodySink.end();
  const recorded = head && {
    ...head,
    headers: gateway.protection.headers(head.headers, messageContext),
    ...(body && { body }),
  };
  return {
    ...(interim.length > 0 && { interim }),
    ...(recorded && { response: recorded }),
    ...(failure && { failure }),
  };
}

const TIMEOUT_MS = 20_000;

/**
 * Sends a request a second time and returns the response as the recording would contain it; undefined: it is too long
 * to compare. Rejects where the upstream fails.
 */
export async function resendRequest(
  context: GatewayContext,
  {
    upstreamRequest,
    messageContext,
  }: {
    readonly upstreamRequest: Omit<UpstreamRequest, 'signal' | 'onInterim'>;
    readonly messageContext: MessageContext;
  },
): Promise<LoadedResponse | undefined> {
  const response = await context.upstream.send({
    ...upstreamRequest,
    onInterim: () => undefined,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  try {
    const { chunks, coding } = await decode(response.body, firstHeader(response.headers, 'content-encoding'));
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return undefined;
      parts.push(chunk);
    }
    const bodyContext = bodyContextOf(messageContext, response);
    const hide = context.protection.stream(bodyContext);
    const decoded = Buffer.concat(parts).toString('latin1');
    const text = mayHoldUrls(bodyContext.type ?? '')
      ? replaceOrigin(decoded, context.upstreamPattern, RECORDED_ORIGIN)
      : decoded;
    const body = Buffer.concat([...hide(Buffer.from(text, 'latin1')), ...hide()]);
    return {
      ...recordedHead(context, response, coding, messageContext),
      bodyId: undefined,
      text: body.toString('latin1'),
    };
  } finally {
    response.destroy();
  }
}
