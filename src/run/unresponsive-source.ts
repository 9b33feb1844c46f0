import { bodyFrom } from '../exchange/body.ts';
import type { Source } from '../exchange/types.ts';

const unsentSource = (message: string): Source => ({
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

/** Replaces the source of a service that no longer answers. */
export const UNRESPONSIVE_SOURCE: Source = unsentSource('not sent: the service has stopped answering');

/** Replaces the source of an interrupted run. */
export const INTERRUPTED_SOURCE: Source = unsentSource('not sent: the run was interrupted');
