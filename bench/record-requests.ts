/** Records the requests of a run, so that other programs send the same. */
import { createLiveSource } from '../src/client/live-source.ts';
import type { WireRequest } from '../src/exchange/types.ts';
import { loadProfile } from '../src/profile/load.ts';
import { performRun } from '../src/run/run.ts';
import type { Selection } from '../src/run/types.ts';
import { RULES } from '../suites/index.ts';
import type { SentRequest } from './peers.ts';

/** The requests of one run, in the order sent. */
export async function recordRequests(base: string, selection: Selection): Promise<SentRequest[]> {
  const sent: SentRequest[] = [];
  const live = createLiveSource({ stopAfterRefusals: Number.POSITIVE_INFINITY });
  const source = {
    ...live,
    send: (wire: WireRequest, consume?: Parameters<typeof live.send>[1]) => {
      const body = wire.body && new TextDecoder().decode(wire.body);
      sent.push({ method: wire.method, url: wire.url, headers: wire.headers, ...(body !== undefined && { body }) });
      return live.send(wire, consume);
    },
  };
  await performRun({
    rules: RULES,
    selection,
    profile: await loadProfile('reference'),
    base,
    source,
    strict: false,
    allowInconclusive: false,
    requireConformant: false,
    suiteVersion: 'bench',
  });
  await live.close();
  return sent;
}
