/** Oddities of time: reloads and replicas during a run (section 8). */
import { countingRequests } from '../deviations/changes.ts';
import { mix } from '../model/random.ts';
import { type Oddity, undeterminedOddity } from './oddity.ts';

/** Reloads the data at some requests. */
const reloadAt = (isReloaded: (nth: number) => boolean) =>
  countingRequests((next) => ({
    before(_request, world) {
      if (isReloaded(next())) world.clock.advanceWeeks(1);
      return undefined;
    },
  }));

/** Some requests are answered by a replica that is a week behind. */
const replicaBehind = (isBehind: (nth: number) => boolean) =>
  countingRequests((next) => {
    let wasBehind = false;
    return {
      before(_request, world) {
        if (wasBehind) world.clock.advanceWeeks(1);
        wasBehind = isBehind(next());
        if (wasBehind) world.clock.advanceWeeks(-1);
        return undefined;
      },
    };
  });

const SEED = 13;

export const TIME_ODDITIES: readonly Oddity[] = [
  undeterminedOddity('reload-between-two-pages', 'reload', 'CD', {
    says: 'The weekly reload happens once, between the first two pages of a list.',
    hooks() {
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
  }),
  undeterminedOddity('reload-early', 'reload', 'CD', {
    says: 'The weekly reload happens at the 30th request.',
    hooks: reloadAt((nth) => nth === 30),
  }),
  undeterminedOddity('reload-amid', 'reload', 'CD', {
    says: 'The weekly reload happens at the 120th request.',
    hooks: reloadAt((nth) => nth === 120),
  }),
  undeterminedOddity('reload-late', 'reload', 'CD', {
    says: 'The weekly reload happens at the 220th request.',
    hooks: reloadAt((nth) => nth === 220),
  }),
  undeterminedOddity('reload-again-and-again', 'reload', 'CD', {
    says: 'The data is reloaded at every 45th request.',
    hooks: reloadAt((nth) => nth % 45 === 0),
  }),
  undeterminedOddity('replicas-a-week-apart', 'reload', 'CD', {
    says: 'Two replicas alternate, and one of them is a week behind.',
    hooks: replicaBehind((nth) => nth % 2 === 1),
  }),
  undeterminedOddity('replicas-now-and-then-behind', 'reload', 'CD', {
    says: 'A replica that is a week behind answers one request in seven.',
    hooks: replicaBehind((nth) => nth % 7 === 0),
  }),
  undeterminedOddity('replicas-at-random', 'reload', 'CD', {
    says: 'Two replicas respond at random, and one of them is a week behind.',
    hooks: replicaBehind((nth) => mix(SEED, nth, 0) % 2 === 0),
  }),
];
