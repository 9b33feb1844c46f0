/** The ids under which stock Polly looks up entries and lane folders. */

import { Adapter, Polly, type PollyConfig, type PollyRequest } from './polly.ts';
import { MATCH_BY, type matchedPartsOf } from './polly-adapter.ts';

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
 * @example await identify(matchedPartsOf(exchange, matching))
 */
export function createIdentifier() {
  let polly: Polly | undefined;
  let identified = 0;
  let hadHeaders = false;
  return {
    async identify(parts: ReturnType<typeof matchedPartsOf>): Promise<string> {
      const byHeaders = Object.keys(parts.headers).length > 0;
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
        ...parts,
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
