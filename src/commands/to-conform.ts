/** The matcher `toConform` of vitest: nothing is wrong with the requests of a client. */
import { expect } from 'vitest';
import type { ClientFinding, ClientVerdict } from '../../simulator/journal/request-journal.ts';
import { printable } from '../exchange/printable.ts';

// The assertions of vitest extend this interface; the type parameters of their own one differ between versions 4 and 5.
declare global {
  namespace Chai {
    interface Assertion {
      /** Passes if the simulator received requests and nothing is wrong with any of them. Takes `simulator.client()`. */
      toConform(): void;
    }
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

const isVerdict = (value: unknown): value is ClientVerdict =>
  typeof value === 'object' && value !== null && 'conforms' in value && 'findings' in value;

expect.extend({
  toConform(verdict: unknown) {
    if (!isVerdict(verdict)) throw new TypeError('toConform takes the verdict on a client: expect(simulator.client())');
    return { pass: verdict.conforms, message: () => describeClient(verdict) };
  },
});
