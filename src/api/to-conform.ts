/** The matcher `toConform` of vitest: nothing is wrong with the requests of a client. */
import { expect } from 'vitest';
import type { ClientFinding, ClientVerdict } from '../../simulator/journal/request-journal.ts';
import { printable } from '../exchange/printable.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Passes if the simulator received requests and nothing is wrong with any of them. Takes `simulator.client()`. */
    toConform(): R;
  }
}

const sentenceOf = ({ request: { id, method, path }, problem, count }: ClientFinding): string =>
  `request ${id}, ${method} ${path}: ${problem.detail}${count > 1 ? ` (${count} requests)` : ''}`;

/** Describes what is wrong with the requests of a client, one line per finding. */
export function describeClient({ conforms, requests, findings }: ClientVerdict): string {
  if (conforms) return `nothing is wrong with ${requests} requests`;
  if (requests === 0) return 'the simulator received no request';
  return findings.map((finding) => printable(sentenceOf(finding))).join('\n');
}

expect.extend({
  toConform: (verdict: ClientVerdict) => ({ pass: verdict.conforms, message: () => describeClient(verdict) }),
});
