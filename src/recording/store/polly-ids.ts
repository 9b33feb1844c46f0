/** What stock Polly calls a request and a lane: the ids under which it finds entries and files. */

import { PLACEHOLDER } from '../format/origin.ts';
import { canonicalTarget } from '../format/request-key.ts';
import { Adapter, Polly, type PollyConfig, type PollyRequest } from './polly.ts';
import { MATCH_BY, parseable, type ToRecord } from './polly-adapter.ts';

/** Sees each request’s id and sends nothing. */
class IdentifyingAdapter extends Adapter {
  static override get id(): string {
    return 'mdwi-identify';
  }

  override onConnect(): void {}
  override onDisconnect(): void {}

  override async onFetchResponse(request: PollyRequest) {
    (request.requestArguments as unknown as { tell(id: string): void }).tell(`${request.id}`);
    (request as PollyRequest & { abort(): void }).abort();
    return { statusCode: 200, headers: {}, body: '', encoding: undefined };
  }
}

/** An instance never forgets a request, so it is replaced after so many. */
const MOST = 200;

/** What a lane’s folder is called. */
export async function laneFolder(lane: string): Promise<string> {
  const polly = new Polly(lane, { logLevel: 'silent' });
  const { recordingId } = polly as unknown as { recordingId: string };
  await polly.stop();
  return recordingId;
}

/**
 * Gives the ids of requests, one after the other.
 * @example await identify({ method: 'GET', target: '/x?b=1&a=2', inputs: {}, body: '', withoutQuery: [] })
 */
export function createIdentifier() {
  let polly: Polly | undefined;
  let asked = 0;
  let hadHeaders = false;
  return {
    async identify({ method, target, inputs, body, withoutQuery }: Omit<ToRecord, 'lane' | 'send'>): Promise<string> {
      const byHeaders = Object.keys(inputs).length > 0;
      if (asked++ % MOST === 0 || byHeaders !== hadHeaders) {
        await polly?.stop();
        polly = undefined;
        hadHeaders = byHeaders;
      }
      polly ??= new Polly('identify', {
        mode: 'passthrough',
        adapters: [IdentifyingAdapter],
        logLevel: 'silent',
        // How many came before decides nothing of an id, and takes quadratic time.
        matchRequestsBy: { ...MATCH_BY, order: false, headers: byHeaders },
      } as PollyConfig);
      let id = '';
      const adapter = polly.adapters.get(IdentifyingAdapter.id) as IdentifyingAdapter;
      await adapter.handleRequest({
        url: `${PLACEHOLDER}${parseable(canonicalTarget(target, withoutQuery))}`,
        method,
        headers: inputs,
        body,
        requestArguments: {
          tell: (told: string) => {
            id = told;
          },
        },
      } as unknown as Parameters<IdentifyingAdapter['handleRequest']>[0]);
      return id;
    },
    close: async (): Promise<void> => polly?.stop(),
  };
}
