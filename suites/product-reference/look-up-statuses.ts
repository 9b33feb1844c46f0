/** The statuses by which a look-up says that there is no product, where the profile states them (section 7: not shown). */
import { isUpc, PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import {
  answerWith,
  defineRule,
  describeResponse,
  failed,
  isBlocking,
  isOk,
  nothingToJudge,
  passed,
  type Step,
  step,
  undecided,
} from '../../src/rule/index.ts';
import { characteristics, hasProduct } from '../../src/rule/look-ups.ts';
import { malformedUpc } from './malformed-upc.ts';

/** Statuses by which a server turns away what never reached the look-up: a URI too long, headers too large. */
const BEFORE_ROUTING = new Set([414, 431]);
const NO_REQUEST = 'the profile does not say how a product is looked up';
const UNSTATED = 418;

const told = (statuses: readonly number[]): string => statuses.join(' or ');

export const unknownStatus = defineRule({
  id: 'C.unknown-status',
  statement: 'C.lookup',
  basis: 'profile',
  since: '0.1.0',
  demands:
    'A well-formed UPC the service does not know is answered with a status the profile states for what is unknown.',
  how: 'The unknown UPC of the profile is looked up; the status must be one of statuses.unknown. A service that knows the UPC after all is not judged.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [],
  repeat: 'inconclusive',
  probe(_subject, declares): { [name: string]: Step<{ product: typeof characteristics }> } {
    if (!declares.statuses(PRODUCT_LOOKUP).unknown) return {};
    return {
      unknown: step({
        operation: PRODUCT_LOOKUP,
        inputs: { upc: { value: declares.unknownUpc } },
        wants: 'any',
        folds: { product: characteristics },
      }),
    };
  },
  counterexample: ({ unknown }) => ({ unknown: answerWith(unknown, UNSTATED) }),
  judge(seen, { declares }) {
    const [reading] = seen.unknown ?? [];
    const stated = declares.statuses(PRODUCT_LOOKUP);
    const { unknown = [] } = stated;
    if (!declares.isFilled('products.request')) return nothingToJudge(NO_REQUEST);
    if (!reading?.head) return undecided(`no answer: ${reading?.failure ?? 'nothing came'}`);
    const { status } = reading.head;
    if (unknown.includes(status)) return passed({ exchanges: 1, distinct: 1 }, describeResponse(reading));
    if (isBlocking(status, stated)) return undecided(`${status} stands in the way`);
    const canTell = declares.isFilled('products.rows') && declares.isFilled('products.fields.characteristics');
    if (isOk(reading) && (!canTell || hasProduct(reading)))
      return undecided(
        `the service may know ${declares.unknownUpc}, which answers ${status}: name another in unknownUpc`,
      );
    return failed([
      {
        expected: `status ${told(unknown)} for the unknown UPC ${declares.unknownUpc}, as the profile says in statuses.unknown`,
        actual: describeResponse(reading),
        exchange: reading.exchange,
      },
    ]);
  },
});

export const malformedStatus = defineRule({
  id: 'C.malformed-status',
  statement: 'C.upc-12',
  basis: 'profile',
  since: '0.1.0',
  demands: 'A string that is not 12 ASCII digits is answered with a status the profile states for what is malformed.',
  how: 'The malformed strings of C.malformed-upc are looked up; the status of each must be one of statuses.malformed. What is turned away before it reaches the look-up is not judged.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [],
  repeat: 'inconclusive',
  probe(subject, declares): { [name: string]: Step } {
    if (!declares.statuses(PRODUCT_LOOKUP).malformed) return {};
    return malformedUpc.probe(subject, declares) as { [name: string]: Step };
  },
  counterexample: (seen) =>
    Object.fromEntries(
      Object.entries(seen)
        .filter(([name]) => name.startsWith('malformed'))
        .map(([name, readings]) => [name, answerWith(readings, UNSTATED)]),
    ),
  judge(seen, { declares }) {
    if (!declares.isFilled('products.request')) return nothingToJudge(NO_REQUEST);
    const stated = declares.statuses(PRODUCT_LOOKUP);
    const { malformed = [] } = stated;
    const answered = Object.values(seen)
      .flat()
      .filter(({ head, operation, inputs }) => head && operation === PRODUCT_LOOKUP && !isUpc(String(inputs.upc)));
    const judged = answered.filter(({ head, inputs }) => {
      const status = head?.status ?? 0;
      // Control characters in a path are refused with 400 by many a server before any routing.
      const isRaw = /\p{Cc}/u.test(String(inputs.upc)) && status === 400;
      return malformed.includes(status) || !(isRaw || BEFORE_ROUTING.has(status) || isBlocking(status, stated));
    });
    const others = judged.filter(({ head }) => !malformed.includes(head?.status ?? 0));
    if (others.length > 0)
      return failed(
        others.slice(0, 10).map((reading) => ({
          expected: `status ${told(malformed)} for ${JSON.stringify(String(reading.inputs.upc).slice(0, 40))}, as the profile says in statuses.malformed`,
          actual: describeResponse(reading),
          exchange: reading.exchange,
        })),
      );
    if (answered.length === 0) return nothingToJudge('no UPC the service knows, to build malformed ones from');
    if (judged.length === 0) return undecided('no malformed UPC reached the look-up');
    return passed({ exchanges: judged.length, distinct: judged.length });
  },
});
