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

/** The weekly reload happens once. */
const reloadOnce = (name: string, request: number): Oddity =>
  undeterminedOddity(`reload-${name}`, 'reload', 'CD', {
    says: `The weekly reload happens at the ${request}th request.`,
    hooks: reloadAt((nth) => nth === request),
  });
const replicas = (name: string, what: string, isBehind: (nth: number) => boolean): Oddity =>
  undeterminedOddity(`replicas-${name}`, 'reload', 'CD', { says: `${what}.`, hooks: replicaBehind(isBehind) });

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
  reloadOnce('early', 30),
  reloadOnce('amid', 120),
  reloadOnce('late', 220),
  undeterminedOddity('reload-again-and-again', 'reload', 'CD', {
    says: 'The data is reloaded at every 45th request.',
    hooks: reloadAt((nth) => nth % 45 === 0),
  }),
  replicas('a-week-apart', 'Two replicas alternate, and one of them is a week behind', (nth) => nth % 2 === 1),
  replicas(
    'now-and-then-behind',
    'A replica that is a week behind answers one request in seven',
    (nth) => nth % 7 === 0,
  ),
  replicas(
    'at-random',
    'Two replicas respond at random, and one of them is a week behind',
    (nth) => mix(SEED, nth, 0) % 2 === 0,
  ),
];
