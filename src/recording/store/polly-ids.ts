/** The ids under which stock Polly looks up entries and lane folders. */

import { RECORDED_ORIGIN } from '../format/origin.ts';
import { canonicalTarget } from '../format/request-key.ts';
import { Adapter, Polly, type PollyConfig, type PollyRequest } from './polly.ts';
import { MATCH_BY, parseable, type RequestToRecord } from './polly-adapter.ts';

/** Reports the id of each request and sends nothing. */
class IdentifyingAdapter extends Adapter {
  static override get id(): string {
    return 'mdwi-identify';
  }

  override onConnect(): void {}
  override onDisconnect(): void {}

  override async onFetchResponse(request: PollyRequest) {
    (request.requestArguments as unknown as { onId(id: string): void }).onId(`${request.id}`);
    (request as PollyRequest & { abort(): void }).abort();
    return { statusCode: 200, headers: {}, body: '', encoding: undefined };
  }
}

/** An instance retains every request, so it is replaced after this many. */
const REQUESTS_PER_INSTANCE = 200;

/** The name of a lane’s folder. */
export async function laneFolder(lane: string): Promise<string> {
  const polly = new Polly(lane, { logLevel: 'silent' });
  const { recordingId } = polly as unknown as { recordingId: string };
  await polly.stop();
  return recordingId;
}

/**
 * Returns a function that computes the ids of requests, one after the other.
 * @example await identify({ method: 'GET', target: '/x?b=1&a=2', inputs: {}, body: '', withoutQuery: [] })
 */
export function createIdentifier() {
  let polly: Polly | undefined;
  let identified = 0;
  let hadHeaders = false;
  return {
    async identify({
      method,
      target,
      inputs,
      body,
      withoutQuery,
    }: Omit<RequestToRecord, 'lane' | 'send'>): Promise<string> {
      const byHeaders = Object.keys(inputs).length > 0;
      if (identified++ % REQUESTS_PER_INSTANCE === 0 || byHeaders !== hadHeaders) {
        await polly?.stop();
        polly = undefined;
        hadHeaders = byHeaders;
      }
      polly ??= new Polly('identify', {
        mode: 'passthrough',
        adapters: [IdentifyingAdapter],
        logLevel: 'silent',
        // The order is not part of an id, and counting it takes quadratic time.
        matchRequestsBy: { ...MATCH_BY, order: false, headers: byHeaders },
      } as PollyConfig);
      let id = '';
      const adapter = polly.adapters.get(IdentifyingAdapter.id) as IdentifyingAdapter;
      await adapter.handleRequest({
        url: `${RECORDED_ORIGIN}${parseable(canonicalTarget(target, withoutQuery))}`,
        method,
        headers: inputs,
        body,
        requestArguments: {
          onId: (found: string) => {
            id = found;
          },
        },
      } as unknown as Parameters<IdentifyingAdapter['handleRequest']>[0]);
      return id;
    },
    close: async (): Promise<void> => polly?.stop(),
  };
}
