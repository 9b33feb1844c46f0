/** Sends a request to the upstream a second time, without a client. */

import { firstHeader } from '../../src/exchange/headers.ts';
import type { LoadedResponse } from '../../src/recording/format/loaded-response.ts';
import { mayHoldUrls, RECORDED_ORIGIN, replaceOrigin } from '../../src/recording/format/origin.ts';
import { MAX_BYTES } from '../../src/recording/rerecord/learn-masks.ts';
import type { MessageContext } from '../../src/secrets/hide-in-exchange.ts';
import type { GatewayContext } from './context.ts';
import { decode } from './decode.ts';
import { bodyContextOf, recordedHead } from './forward-response.ts';
import type { UpstreamRequest } from './upstream.ts';

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
