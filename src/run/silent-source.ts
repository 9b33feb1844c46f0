import { bodyFrom } from '../exchange/body.ts';
import type { Source } from '../exchange/types.ts';

const sendingNothing = (message: string): Source => ({
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

/** Stands in for a service that stopped answering. */
export const SILENT_SOURCE: Source = sendingNothing('not sent: the service has stopped answering');

/** Stands in for a service once the run is interrupted. */
export const INTERRUPTED_SOURCE: Source = sendingNothing('not sent: the run was interrupted');
