/** Oddities of caches: copies of responses that are a data week old (RFC 9111; section 8). */
import { answerBefore, type Context } from '../faults/hooks.ts';
import type { ModelAnswer } from '../model/types.ts';
import { ONE_AFTER_ANOTHER } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

/** Responds from a copy of the week before where `isStale`. */
const withCopies = (isStale: (context: Context) => boolean): OddityHooks => ({
  answer(answer: ModelAnswer, context) {
    const isData = context.operation.group === 'C' || context.operation.group === 'D';
    return isData && isStale(context) ? answerBefore(1, context) : answer;
  },
});

const requestOf = ({ operation, query }: Context): string => JSON.stringify([operation.name, query]);

/** The coding by which a cache stores its copies: the best one that the client accepts. */
const storedCoding = ({ codings }: Context): string =>
  ['br', 'gzip', 'deflate'].find((each) => codings.includes(each)) ?? 'identity';

export const CACHE_ODDITIES: readonly Oddity[] = [
  {
    name: 'cache-renewed-after-its-first-response',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'The first response to a request is a copy of the week before, and the later ones are new (stale-while-revalidate).',
    start() {
      const renewed = new Set<string>();
      return withCopies((context) => {
        const request = requestOf(context);
        return !renewed.has(request) && renewed.add(request).size > 0;
      });
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'caches-of-two-nodes',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'Each fifth request goes to a second node; the first response of a node to a request is a copy of the week before.',
    start() {
      let count = 0;
      const renewed = [new Set<string>(), new Set<string>()] as const;
      return withCopies((context) => {
        const node = renewed[++count % 5 === 0 ? 1 : 0];
        const request = requestOf(context);
        return !node.has(request) && node.add(request).size > 0;
      });
    },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'cache-of-one-coding-lags',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'A cache stores one copy per content coding (Vary: Accept-Encoding), and its gzip copies are a week old.',
    start: () => withCopies((context) => storedCoding(context) === 'gzip'),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'cache-of-look-ups-only',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'Look-ups are served from a cache, in which every third product is a week old.',
    profile: ONE_AFTER_ANOTHER,
    start: () => withCopies(({ query: { upc } }) => upc !== undefined && Number(upc) % 3 === 1),
    weakestOutcome: 'undetermined',
  },
];
