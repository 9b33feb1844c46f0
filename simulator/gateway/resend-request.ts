/** Sends a request to the upstream once more, apart from every client. */

import { firstHeader, mediaTypeOf } from '../../src/exchange/headers.ts';
import type { LoadedResponse } from '../../src/recording/format/loaded-response.ts';
import { mayHoldUrls, PLACEHOLDER, replaceOrigin } from '../../src/recording/format/origin.ts';
import { MOST_BYTES } from '../../src/recording/rerecord/samples.ts';
import type { MessageContext } from '../../src/secrets/protection.ts';
import type { GatewayContext } from './context.ts';
import { decode } from './decode.ts';
import { withoutHeader, withUnboundCookies } from './forward-response.ts';
import type { UpstreamRequest } from './upstream.ts';

const TIMEOUT_MS = 20_000;

/** Sends a request once more, past every client. */
export async function resendRequest(
  gate: GatewayContext,
  {
    sending,
    where,
  }: { readonly sending: Omit<UpstreamRequest, 'signal' | 'onInterim'>; readonly where: MessageContext },
): Promise<LoadedResponse | undefined> {
  const answer = await gate.upstream.send({
    ...sending,
    onInterim: () => undefined,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  try {
    const { status, reason, headers } = answer;
    const { chunks, coding } = await decode(answer.body, firstHeader(headers, 'content-encoding'));
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) return undefined;
      parts.push(chunk);
    }
    const kept = withUnboundCookies(coding === undefined ? headers : withoutHeader(headers, 'content-encoding'));
    const { type } = mediaTypeOf(headers);
    const hide = gate.protection.stream({ ...where, type, data: (where.data ?? false) && status < 300 });
    const told = Buffer.concat(parts).toString('latin1');
    const text = Buffer.from(mayHoldUrls(type) ? replaceOrigin(told, gate.theirs, PLACEHOLDER) : told, 'latin1');
    const body = Buffer.concat([...hide(text), ...hide()]);
    return {
      status,
      reason,
      headers: gate.protection.headers(
        kept.map(([name, value]) => [name, replaceOrigin(value, gate.theirs, PLACEHOLDER)]),
        where,
      ),
      ...(coding !== undefined && { coding }),
      bodyId: undefined,
      text: body.toString('latin1'),
    };
  } finally {
    answer.destroy();
  }
}
