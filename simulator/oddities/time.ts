/** Oddities of time: reloads and replicas during a run (section 8). */
import { mix } from '../model/random.ts';
import { countingRequests } from './hooks.ts';
import type { Oddity } from './types.ts';

/** Reloads the data at this request. */
const reloadAt = (request: number) =>
  countingRequests((next) => ({
    before(_request, world) {
      if (next() === request) world.clock.advanceWeeks(1);
      return undefined;
    },
  }));

const SEED = 13;

export const TIME_ODDITIES: readonly Oddity[] = [
  {
    name: 'reload-between-two-pages',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'The weekly reload happens once, between the first two pages of a list.',
    start() {
      let isReloaded = false;
      return {
        query(query, { world }) {
          if (!isReloaded && (query.offset ?? 0) > 0) {
            isReloaded = true;
            world.clock.advanceWeeks(1);
          }
          return query;
        },
      };
    },
    dialects: ['hypermedia', 'soap', 'xml'],
    weakestOutcome: 'undetermined',
  },
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
];
