/** Oddities of time: reloads, replicas, rate limits, slow responses (section 8). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DialectResponse } from '../dialects/types.ts';
import { mix } from '../model/random.ts';
import { jsonResponse } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

/** Counts the requests of one server. */
const countingRequests = (make: (next: () => number) => OddityHooks) => (): OddityHooks => {
  let count = 0;
  return make(() => ++count);
};

/** Reloads the data at this request. */
const reloadAt = (request: number) =>
  countingRequests((next) => ({
    before(_request, world) {
      if (next() === request) world.clock.advanceWeeks(1);
      return undefined;
    },
  }));

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
const SEED = 13;

export const TIME_ODDITIES: readonly Oddity[] = [
  {
    name: 'reload-early',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'The weekly reload happens at the 30th request.',
    start: reloadAt(30),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'reload-amid',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'The weekly reload happens at the 120th request.',
    start: reloadAt(120),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'reload-late',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'The weekly reload happens at the 220th request.',
    start: reloadAt(220),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'reload-again-and-again',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'The data is reloaded at every 45th request.',
    start: countingRequests((next) => ({
      before(_request, world) {
        if (next() % 45 === 0) world.clock.advanceWeeks(1);
        return undefined;
      },
    })),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'replicas-a-week-apart',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'Two replicas alternate, and one of them is a week behind.',
    start: countingRequests((next) => ({
      before(_request, world) {
        world.clock.advanceWeeks(next() % 2 === 1 ? -1 : 1);
        return undefined;
      },
    })),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'replicas-now-and-then-behind',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'A replica that is a week behind answers one request in seven.',
    start: () => {
      let [count, behind] = [0, false];
      return {
        before(_request, world) {
          if (behind) world.clock.advanceWeeks(1);
          behind = ++count % 7 === 0;
          if (behind) world.clock.advanceWeeks(-1);
          return undefined;
        },
      };
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'replicas-at-random',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'Two replicas respond at random, and one of them is a week behind.',
    start() {
      let [count, behind] = [0, false];
      return {
        before(_request, world) {
          if (behind) world.clock.advanceWeeks(1);
          behind = mix(SEED, ++count, 0) % 2 === 0;
          if (behind) world.clock.advanceWeeks(-1);
          return undefined;
        },
      };
    },
    weakestOutcome: 'undetermined',
  },
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
    name: 'slow-at-times',
    legalBasis: 'limits',
    says: 'Every sixtieth response is delayed before its headers and again before its body.',
    start: countingRequests((next) => ({
      async send(response, reply, send) {
        if (next() % 60 === 0) {
          await sleep(SLOW_MS);
          response.statusCode = reply.status;
          for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
          if (reply.status !== 204) response.flushHeaders();
          await sleep(SLOW_MS);
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
];
