import { bodyFrom } from '../exchange/body.ts';
import type { Source } from '../exchange/types.ts';

/** A source that sends nothing, for a run that has stopped; `message` says why. */
export const unsentSource = (message: string): Source => ({
  async send(request) {
    return {
      request,
      body: bodyFrom(new Uint8Array(0)),
      redirects: [],
      failure: { kind: 'stopped', message },
      timing: { startedAt: new Date().toISOString(), totalMs: 0 },
    };
  },
  async close() {},
});
