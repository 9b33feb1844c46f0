/** Oddities of caches: copies of responses that are a data week old (RFC 9111; section 8). */
import { before } from '../deviations/changes.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import { type Oddity, ONE_AFTER_ANOTHER, undeterminedOddity } from './oddity.ts';

/** Responds from a copy of the week before where `isStale`. */
const withCopies = (isStale: (context: Context) => boolean): Hooks => ({
  answer(answer, context) {
    const isData = context.operation.group === 'C' || context.operation.group === 'D';
    return isData && isStale(context) ? before(1)(answer, context) : answer;
  },
});

/** Whether it is the first of several equal requests. */
const firstRequests = (): ((context: Context) => boolean) => {
  const known = new Set<string>();
  return ({ operation, query }) => {
    const count = known.size;
    return known.add(JSON.stringify([operation.name, query])).size > count;
  };
};

/** The coding by which a cache stores its copies: the best one that the client accepts. */
const storedCoding = ({ codings }: Context): string =>
  ['br', 'gzip', 'deflate'].find((each) => codings.includes(each)) ?? 'identity';

export const CACHE_ODDITIES: readonly Oddity[] = [
  undeterminedOddity('cache-renewed-after-its-first-response', 'reload', 'CD', {
    says: 'The first response to a request is a copy of the week before, and the later ones are new (stale-while-revalidate).',
    hooks: () => withCopies(firstRequests()),
  }),
  undeterminedOddity('caches-of-two-nodes', 'reload', 'CD', {
    says: 'Each fifth request goes to a second node; the first response of a node to a request is a copy of the week before.',
    hooks() {
      let count = 0;
      const [one, other] = [firstRequests(), firstRequests()];
      return withCopies((context) => (++count % 5 === 0 ? other : one)(context));
    },
  }),
  undeterminedOddity('cache-of-one-coding-lags', 'reload', 'CD', {
    says: 'A cache stores one copy per content coding (Vary: Accept-Encoding), and its gzip copies are a week old.',
    hooks: withCopies((context) => storedCoding(context) === 'gzip'),
  }),
  undeterminedOddity('cache-of-look-ups-only', 'reload', 'C', {
    says: 'Look-ups are served from a cache, in which every third product is a week old.',
    profile: ONE_AFTER_ANOTHER,
    hooks: withCopies(({ query: { upc } }) => upc !== undefined && Number(upc) % 3 === 1),
  }),
];
