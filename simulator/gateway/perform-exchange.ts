/** Sends one request to the upstream, forwards the response to the client and passes it to the recording. */
import type { ServerResponse } from 'node:http';
import type { OperationKey } from '../../src/contract/index.ts';
import { withoutHopByHop } from '../../src/exchange/hop-by-hop.ts';
import { failureOf, isReset, kindOf } from '../../src/exchange/wire/failures.ts';
import { headersForClient, PLACEHOLDER_ORIGIN } from '../../src/recording/format/origin.ts';
import type {
  InterimResponse,
  RecordedExchange,
  RecordedResponse,
} from '../../src/recording/format/recorded-exchange.ts';
import { type BodySink, DiskError } from '../../src/recording/store/side-file.ts';
import type { MessageContext } from '../../src/secrets/hide-in-exchange.ts';
import type { ClientConnection } from './client-connection.ts';
import type { GatewayContext } from './context.ts';
import { forwardResponse } from './forward-response.ts';
import type { UpstreamRequest, UpstreamResponse } from './upstream.ts';

/** The recorded part of an exchange that the upstream determines. */
export interface ExchangeResult {
  readonly interim?: readonly InterimResponse[];
  readonly response?: RecordedResponse;
  readonly failure?: NonNullable<RecordedExchange['failure']>;
}

/** One request to the upstream, and the destinations of its response. */
export interface ForwardedRequest {
  readonly context: GatewayContext;
  readonly client: ClientConnection;
  /** The base address that replaces the upstream’s origin in responses to the client. */
  readonly base: string;
  /** Path and query as recorded, for messages. */
  readonly url: string;
  readonly upstreamRequest: Omit<UpstreamRequest, 'signal' | 'onInterim'>;
  readonly response: ServerResponse;
  readonly sink: BodySink;
  /** The context in which secrets of the response are hidden. */
  readonly messageContext: MessageContext;
  /** For an upload that streams: settles when the client has sent it, or has closed the connection. */
  readonly uploadEnd?: () => Promise<void>;
  readonly operation: OperationKey | undefined;
}

/**
 * Performs one exchange. Failures of the upstream become part of the result and end the client’s connection.
 * @returns undefined where nothing is recorded: the client left early, or the response must not be recorded
 */
export async function performExchange(forwarded: ForwardedRequest): Promise<ExchangeResult | undefined> {
  const { context, client, base, url, upstreamRequest, response, sink, messageContext, uploadEnd, operation } =
    forwarded;
  const { method } = upstreamRequest;
  let head: Omit<RecordedResponse, 'body'> | undefined;
  let failure: RecordedExchange['failure'];
  let refused: string | undefined;
  let upstreamResponse: UpstreamResponse | undefined;
  const interim: InterimResponse[] = [];
  const onInterim = ({ status, headers }: InterimResponse): void => {
    const withOrigin = (origin: string) => headersForClient(withoutHopByHop(headers), context.upstreamPattern, origin);
    client.noteUpstreamActivity();
    interim.push({ status, headers: context.protection.headers(withOrigin(PLACEHOLDER_ORIGIN), messageContext) });
    client.sendInterim({ status, headers: withOrigin(base) });
  };
  try {
    upstreamResponse = await context.upstream.send({ ...upstreamRequest, signal: client.signal, onInterim });
    client.noteUpstreamActivity();
    await forwardResponse({
      ...{ context, base, method, upstreamResponse, response, client, sink, messageContext, operation },
      ...(uploadEnd && { uploadEnd }),
      onHead: (each) => (head = each),
      onRefused: (why) => (refused = why),
    });
  } catch (error) {
    upstreamResponse?.destroy();
    if (error instanceof DiskError) {
      client.end();
      throw error;
    }
    if (client.signal.aborted || context.isClosing()) {
      if (!client.timedOut || context.isClosing()) return undefined;
      failure = failureOf('timeout', method, url);
    } else {
      // A body that cannot be decoded to its end is truncated, too.
      const reason =
        kindOf(error, head !== undefined) ??
        (head?.coding === undefined ? undefined : { kind: 'truncated' as const, detail: (error as Error).message });
      if (!reason) throw error;
      failure = { ...failureOf(reason.kind, method, url), ...(isReset(error) && { reset: true }) };
      context.report(
        failureOf(reason.kind, method, url.replace(PLACEHOLDER_ORIGIN, context.origin), reason.detail).message,
      );
    }
    client.queuePosition = context.recorder.enqueue();
    client.end(failure.reset ? 'reset' : 'closed');
  }
  if (refused !== undefined) return void context.reportRefusal(refused);
  const body = await sink.end();
  const recorded = head && {
    ...head,
    headers: context.protection.headers(head.headers, messageContext),
    ...(body && { body }),
  };
  return {
    ...(interim.length > 0 && { interim }),
    ...(recorded && { response: recorded }),
    ...(failure && { failure }),
  };
}
