import { bodyFrom } from '../exchange/body.ts';
import type { Source } from '../exchange/types.ts';

/** Stands in for a service that stopped answering. */
export const SILENT_SOURCE: Source = {
  async send(request) {
    const message = 'not sent: the service has stopped answering';
    return {
      request,
      body: bodyFrom(new Uint8Array(0)),
      redirects: [],
      failure: { kind: 'stopped', message },
      timing: { startedAt: new Date().toISOString(), totalMs: 0 },
    };
  },
  async close() {},
};
