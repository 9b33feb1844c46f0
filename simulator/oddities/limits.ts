/** Oddities of limits: refused and slow requests that succeed later (sections 7 and 8). */
import { OPERATIONS } from '../../src/contract/index.ts';
import { pause } from '../behaviors/deliver-body.ts';
import { countingRequests } from '../deviations/changes.ts';
import { stating } from '../deviations/places.ts';
import { jsonResponse } from '../deviations/replies.ts';
import type { Hooks } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { type Oddity, oddity, undeterminedOddity } from './oddity.ts';

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
const refuseEveryThirdEqual = (refuse: () => DialectResponse) => (): Hooks => {
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

/** Every tenth request is answered 429. */
const everyTenth = (name: string, advice: string, headers: DialectResponse['headers']): Oddity =>
  oddity(`rate-limit-${name}`, 'limits', 'all', {
    says: `Every tenth request is answered 429 ${advice}.`,
    hooks: refuseEvery(10, () => refusal(429, headers)),
  });

export const LIMIT_ODDITIES: readonly Oddity[] = [
  everyTenth('with-seconds', 'with a Retry-After of two seconds', { 'Retry-After': '2' }),
  everyTenth('with-a-date', 'with a date in Retry-After', { 'Retry-After': 'Sat, 14 Nov 2026 12:00:05 GMT' }),
  everyTenth('without-advice', 'without Retry-After', {}),
  oddity('busy-at-times', 'limits', 'all', {
    says: 'Every twelfth request is answered 503 with a Retry-After of one second.',
    hooks: refuseEvery(12, () => refusal(503, { 'Retry-After': '1' })),
  }),
  oddity('proxy-refuses-in-html', 'limits', 'all', {
    says: 'Every tenth request is answered 429 or 503 by a proxy, with an HTML page; the profile states a schema of all errors of the operations.',
    hooks: refuseEvery(10, (count) => ({
      status: count % 20 === 0 ? 503 : 429,
      headers: { 'content-type': 'text/html', 'Retry-After': '1' },
      body: '<html><body><h1>Service Unavailable</h1></body></html>',
    })),
    profile: stating(
      OPERATIONS.map(({ name }) => name),
      { response: { schemas: ERRORS } },
    ),
    dialects: ['reference'],
  }),
  oddity('limit-after-unknown-upc', 'limits', 'C', {
    says: 'After the look-up of an unknown UPC the next request is answered 429 with a Retry-After of one second.',
    hooks() {
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
  }),
  oddity('slow-at-times', 'limits', 'all', {
    says: 'Every sixtieth response is delayed before its headers and again before its body.',
    hooks: countingRequests((next) => ({
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
  }),
  undeterminedOddity('errors-now-and-then', 'errors', 'all', {
    says: 'Every 53rd request is answered 500; a retry succeeds.',
    hooks: refuseEvery(53, () => jsonResponse(500, { error: 'hiccup' })),
  }),
  undeterminedOddity('rate-limit-in-bursts', 'limits', 'all', {
    says: 'After each forty requests, three in sequence are answered 429 with a Retry-After of one second.',
    hooks: countingRequests((next) => ({
      before: () => (next() % 43 > 39 ? refusal(429, { 'Retry-After': '1' }) : undefined),
    })),
  }),
  undeterminedOddity('rate-limit-of-equal-requests', 'limits', 'all', {
    says: 'Every third equal request is answered 429 with a Retry-After of five seconds.',
    hooks: refuseEveryThirdEqual(() => refusal(429, { 'Retry-After': '5' })),
  }),
  undeterminedOddity('equal-requests-refused-with-a-status-of-its-own', 'limits', 'all', {
    says: 'Every third equal request is answered 409, as a duplicate; the profile states that status.',
    profile: { statuses: { tooMany: [409] } },
    hooks: refuseEveryThirdEqual(() => jsonResponse(409, { error: 'duplicate' })),
  }),
  undeterminedOddity('daily-quota-spent', 'limits', 'all', {
    says: 'From the 150th request on, every request is answered 429 with a Retry-After of a day.',
    hooks: countingRequests((next) => ({
      before: () => (next() >= 150 ? refusal(429, { 'Retry-After': '86400' }) : undefined),
    })),
  }),
];
