/** Oddities of limits: refused and slow requests that succeed later (sections 7 and 8). */
import { OPERATIONS } from '../../src/contract/index.ts';
import { pause } from '../behaviors/deliver-body.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { countingRequests, jsonResponse } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

/** Refuses every n-th request; a retry succeeds. */
const refuseEvery = (nth: number, reply: (count: number) => DialectResponse) =>
  countingRequests((next) => ({
    before() {
      const count = next();
      return count % nth === 0 ? reply(count) : undefined;
    },
  }));

const refusal = (status: number, headers: DialectResponse['headers']): DialectResponse =>
  jsonResponse(status, { error: 'retry later' }, headers);

const SLOW_MS = 40;

/** The schema of the errors of the reference dialect. */
const ERRORS = {
  '4XX': { type: 'object', required: ['title', 'status'] },
  '5XX': { type: 'object', required: ['title', 'status'] },
};

/** Every third of several equal requests gets this response. */
const refuseEveryThirdEqual = (refuse: () => DialectResponse) => (): OddityHooks => {
  const counts = new Map<string, number>();
  return {
    before({ method, path, query, body }) {
      const request = `${method} ${path}?${query} ${new TextDecoder().decode(body)}`;
      const count = (counts.get(request) ?? 0) + 1;
      counts.set(request, count);
      return count % 3 === 0 ? refuse() : undefined;
    },
  };
};

export const LIMIT_ODDITIES: readonly Oddity[] = [
  {
    name: 'rate-limit-with-seconds',
    legalBasis: 'limits',
    says: 'Every tenth request is answered 429 with a Retry-After of two seconds.',
    start: refuseEvery(10, () => refusal(429, { 'Retry-After': '2' })),
  },
  {
    name: 'rate-limit-with-a-date',
    legalBasis: 'limits',
    says: 'Every tenth request is answered 429 with a date in Retry-After.',
    start: refuseEvery(10, () => refusal(429, { 'Retry-After': 'Sat, 14 Nov 2026 12:00:05 GMT' })),
  },
  {
    name: 'rate-limit-without-advice',
    legalBasis: 'limits',
    says: 'Every tenth request is answered 429 without Retry-After.',
    start: refuseEvery(10, () => refusal(429, {})),
  },
  {
    name: 'busy-at-times',
    legalBasis: 'limits',
    says: 'Every twelfth request is answered 503 with a Retry-After of one second.',
    start: refuseEvery(12, () => refusal(503, { 'Retry-After': '1' })),
  },
  {
    name: 'proxy-refuses-in-html',
    legalBasis: 'limits',
    says: 'Every tenth request is answered 429 or 503 by a proxy, with an HTML page; the profile states a schema of all errors of the operations.',
    start: refuseEvery(10, (count) => ({
      status: count % 20 === 0 ? 503 : 429,
      headers: { 'content-type': 'text/html', 'Retry-After': '1' },
      body: '<html><body><h1>Service Unavailable</h1></body></html>',
    })),
    profile: { operations: Object.fromEntries(OPERATIONS.map(({ key }) => [key, { response: { schemas: ERRORS } }])) },
    dialects: ['reference'],
  },
  {
    name: 'limit-after-unknown-upc',
    legalBasis: 'limits',
    groups: ['C'],
    says: 'After the look-up of an unknown UPC the next request is answered 429 with a Retry-After of one second.',
    start() {
      let isLimited = false;
      return {
        before() {
          const wasLimited = isLimited;
          isLimited = false;
          return wasLimited ? refusal(429, { 'Retry-After': '1' }) : undefined;
        },
        answer(answer) {
          isLimited = answer.kind === 'unknown' && answer.input === 'upc';
          return answer;
        },
      };
    },
  },
  {
    name: 'slow-at-times',
    legalBasis: 'limits',
    says: 'Every sixtieth response is delayed before its headers and again before its body.',
    start: countingRequests((next) => ({
      async send(response, reply, send) {
        if (next() % 60 === 0) {
          await pause(SLOW_MS);
          response.statusCode = reply.status;
          for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
          if (reply.status !== 204) response.flushHeaders();
          await pause(SLOW_MS);
        }
        await send(response, { ...reply, headers: response.headersSent ? {} : reply.headers });
      },
    })),
  },
  {
    name: 'errors-now-and-then',
    legalBasis: 'errors',
    says: 'Every 53rd request is answered 500; a retry succeeds.',
    start: refuseEvery(53, () => jsonResponse(500, { error: 'hiccup' })),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'rate-limit-in-bursts',
    legalBasis: 'limits',
    says: 'After each forty requests, three in sequence are answered 429 with a Retry-After of one second.',
    start: countingRequests((next) => ({
      before: () => (next() % 43 > 39 ? refusal(429, { 'Retry-After': '1' }) : undefined),
    })),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'rate-limit-of-equal-requests',
    legalBasis: 'limits',
    says: 'Every third equal request is answered 429 with a Retry-After of five seconds.',
    start: refuseEveryThirdEqual(() => refusal(429, { 'Retry-After': '5' })),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'equal-requests-refused-with-a-status-of-its-own',
    legalBasis: 'limits',
    says: 'Every third equal request is answered 409, as a duplicate; the profile states that status.',
    profile: { statuses: { tooMany: [409] } },
    start: refuseEveryThirdEqual(() => jsonResponse(409, { error: 'duplicate' })),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'daily-quota-spent',
    legalBasis: 'limits',
    says: 'From the 150th request on, every request is answered 429 with a Retry-After of a day.',
    start: countingRequests((next) => ({
      before: () => (next() >= 150 ? refusal(429, { 'Retry-After': '86400' }) : undefined),
    })),
    weakestOutcome: 'undetermined',
  },
];
