/** Look-ups by a UPC that no product has: sections 4.3, 7 and 8. */

import { isUpc, PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import {
  copyResponse,
  decide,
  defineRule,
  describeResponse,
  failed,
  findingIn,
  hasStatus,
  inconclusive,
  isBlocking,
  isOk,
  kindOfStatus,
  listNeeds,
  passed,
  type Reading,
  respondWith,
  type Step,
  untested,
  upcShape,
} from '../../src/rule/index.ts';
import { hasProduct, lookUpOf, rowsOf } from '../../src/rule/look-ups.ts';
import {
  hasSameContent,
  malformedUpcSteps,
  randomUpc,
  readingsByUpc,
  returnsProduct,
} from '../../src/rule/malformed-upcs.ts';

export const malformedUpc = defineRule({
  id: 'C.malformed-upc',
  statement: 'C.upc-12',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A look-up by a string that is not 12 ASCII digits returns no product.',
  how: [
    'Two controls: a known UPC must return a product, and an unknown well-formed one shows the response without a product.',
    'Then malformed strings built from the known UPC are looked up; none may return a product.',
    'Any error status or empty response is correct.',
  ],
  subjects: [PRODUCT_LOOKUP],
  needs: () => [...listNeeds(PRODUCT_LOOKUP, 'characteristics'), ['upcExamples', 'allProducts.fields.upc']],
  probe: (_subject, declarations) => malformedUpcSteps(declarations),
  counterexample: ({ malformed, known }) => ({ malformed: copyResponse(malformed, known) }),
  judge(seen, { declarations }) {
    const readings = readingsByUpc(seen);
    const { unknown, known, malformed } = readings;
    const control = known.find(hasProduct);
    const [first] = known;
    if (!first) return untested('there is no known UPC');
    if (!control)
      return inconclusive(
        `the control failed: the known UPC ${first.inputs.upc} returns no characteristics (${describeResponse(first)})`,
      );
    if (unknown && hasProduct(unknown) && hasSameContent(unknown, control))
      return inconclusive(
        `the control failed: the unknown UPC ${unknown.inputs.upc} returns the same product as the known one`,
      );
    const returning = malformed.filter((reading) => returnsProduct(reading, readings));
    const responded = malformed.filter((reading) => reading.head);
    const note =
      declarations.upcAdmits.length > 0
        ? `the profile declares ${declarations.upcAdmits.join(', ')} in upc.admits, against section 8`
        : undefined;
    const expected = 'no product for a string that is not 12 ASCII digits';
    const findings = returning.map((reading) => {
      const text = String(reading.inputs.upc);
      const actual = `${JSON.stringify(text.slice(0, 40))} returns characteristics`;
      return findingIn(reading, upcShape(text), expected, actual);
    });
    return decide(
      { compared: responded.length, findings },
      {
        nothing: inconclusive('no look-up of a malformed UPC got a response'),
        evidence: { exchanges: responded.length + 2, rows: 1 },
        note,
      },
    );
  },
});

/** Statuses that a server returns before routing: URI too long, header fields too large. */
const BEFORE_ROUTING = new Set([414, 431]);
const NO_REQUEST = 'the profile states no request of the look-up';
const UNSTATED = 418;
/** The numbers of the random UPCs. */
const RANDOM_UPCS = [1, 2, 3];

const unstatedKind = (reading: Reading): string =>
  `${describeResponse(reading)}, of a kind that the profile does not state: add \`like\` to \`refusal\`, or ${reading.head?.refusal?.wireStatus} to the statuses`;

const listOf = (statuses: readonly number[]): string => statuses.join(' or ');

export const unknownStatus = defineRule({
  id: 'C.unknown-status',
  statement: 'C.lookup',
  since: '0.1.0',
  demands: 'A look-up by a well-formed unknown UPC returns a status that the profile states in statuses.unknown.',
  how: [
    'The unknown UPC of the profile is looked up; the status must be one of statuses.unknown.',
    'If the service knows that UPC, three UPCs chosen at random are looked up, too: the rule fails if each of them returns a product with that UPC.',
    'Otherwise a known UPC is inconclusive, unless another one gets a stated status.',
  ],
  looksLike:
    'A service that knows more products than its bulk list, even all of the world, is legal; about one in a hundred UPCs is assigned to a product, so that it does not know four of them chosen at random.',
  subjects: [PRODUCT_LOOKUP],
  promise: 'statuses.unknown',
  reads: ['operations.….statuses.unknown'],
  needs: () => [],
  repeat: 'inconclusive',
  isStated: ({ statuses }) => statuses(PRODUCT_LOOKUP).unknown !== undefined,
  unjudged: () => NO_REQUEST,
  probe(_subject, declarations): { [name: string]: ReturnType<typeof lookUpOf> } {
    if (!declarations.isFilled('products.request')) return {};
    const steps: { [name: string]: ReturnType<typeof lookUpOf> } = { unknown: lookUpOf(declarations.unknownUpc) };
    for (const nth of RANDOM_UPCS)
      steps[`random ${nth}`] = {
        ...lookUpOf(randomUpc(declarations.seed, nth)),
        after: ['unknown'],
        optional: true,
        mayBeUnknown: true,
        when: (of) => of('unknown').some(isOk),
      };
    return steps;
  },
  counterexample: ({ unknown }) => ({ unknown: respondWith(unknown, UNSTATED) }),
  judge(seen, { declarations }) {
    const [reading] = seen.unknown ?? [];
    const stated = declarations.statuses(PRODUCT_LOOKUP);
    const { unknown = [] } = stated;
    if (!reading?.head) return inconclusive(`no response: ${reading?.failure ?? 'no request was sent'}`);
    const { status } = reading.head;
    const isStated = hasStatus(reading, unknown);
    if (isStated) return passed({ exchanges: 1, distinct: 1 }, describeResponse(reading));
    if (isBlocking(status, stated)) return inconclusive(`status ${status} prevents a judgement`);
    if (isStated === undefined) return inconclusive(unstatedKind(reading));
    const readsProduct =
      declarations.isFilled('products.rows') && declarations.isFilled('products.fields.characteristics');
    if (isOk(reading) && (!readsProduct || hasProduct(reading))) {
      const random = RANDOM_UPCS.flatMap((nth) => seen[`random ${nth}`] ?? []);
      const refused = random.find((each) => hasStatus(each, unknown) === true);
      if (refused) return passed({ exchanges: 2, distinct: 1 }, `${refused.inputs.upc}: ${describeResponse(refused)}`);
      const others = random.filter(
        (each) => hasProduct(each) && rowsOf(each).some(({ upc }) => upc === each.inputs.upc),
      );
      if (others.length === RANDOM_UPCS.length)
        return failed([
          findingIn(
            others[0] ?? reading,
            'random-upc-known',
            `status ${listOf(unknown)} for a UPC that no product has, as the profile states in statuses.unknown`,
            `a product for each of ${others.length + 1} UPCs chosen at random, e.g. ${others[0]?.inputs.upc}`,
            { since: '0.2.0' },
          ),
        ]);
      return inconclusive(
        `the service may know ${declarations.unknownUpc}, which returns ${status}: set another UPC in unknownUpc`,
      );
    }
    const expected = `status ${listOf(unknown)} for the unknown UPC ${declarations.unknownUpc}, as the profile states in statuses.unknown`;
    return failed([findingIn(reading, kindOfStatus(reading), expected, describeResponse(reading))]);
  },
});

export const malformedStatus = defineRule({
  id: 'C.malformed-status',
  statement: 'C.upc-12',
  since: '0.1.0',
  demands:
    'A look-up by a string that is not 12 ASCII digits returns a status that the profile states in statuses.malformed.',
  how: [
    'The malformed strings of C.malformed-upc are looked up; the status of each must be one of statuses.malformed.',
    'A request that is rejected before routing is not judged.',
  ],
  subjects: [PRODUCT_LOOKUP],
  promise: 'statuses.malformed',
  reads: ['operations.….statuses.malformed'],
  needs: () => [],
  repeat: 'inconclusive',
  isStated: ({ statuses }) => statuses(PRODUCT_LOOKUP).malformed !== undefined,
  unjudged: () => NO_REQUEST,
  probe: (_subject, declarations): { [name: string]: Step } =>
    declarations.isFilled('products.request') ? malformedUpcSteps(declarations) : {},
  counterexample: (seen) =>
    Object.fromEntries(
      Object.entries(seen)
        .filter(([name]) => name.startsWith('malformed'))
        .map(([name, readings]) => [name, respondWith(readings, UNSTATED)]),
    ),
  judge(seen, { declarations }) {
    const stated = declarations.statuses(PRODUCT_LOOKUP);
    const { malformed = [] } = stated;
    const responded = Object.values(seen)
      .flat()
      .filter(({ head, operation, inputs }) => head && operation === PRODUCT_LOOKUP && !isUpc(String(inputs.upc)));
    const judged = responded.filter((reading) => {
      const { head, inputs } = reading;
      const status = head?.status ?? 0;
      // Many servers reject control characters in a path with 400 before routing.
      const isRaw = /\p{Cc}/u.test(String(inputs.upc)) && status === 400;
      const isUndecided = isRaw || BEFORE_ROUTING.has(status) || isBlocking(status, stated);
      return hasStatus(reading, malformed) === true || !isUndecided;
    });
    const findings = judged
      .filter((reading) => hasStatus(reading, malformed) === false)
      .map((reading) => {
        const upc = JSON.stringify(String(reading.inputs.upc).slice(0, 40));
        const expected = `status ${listOf(malformed)} for ${upc}, as the profile states in statuses.malformed`;
        return findingIn(reading, kindOfStatus(reading), expected, describeResponse(reading));
      });
    const unstated = judged.find((reading) => hasStatus(reading, malformed) === undefined);
    const doubt = unstated && unstatedKind(unstated);
    const noneReached = inconclusive('no malformed UPC reached the look-up');
    const nothing = responded.length === 0 ? 'no known UPC to build malformed ones from' : noneReached;
    return decide({ of: judged, compared: judged.length, findings, doubt }, { nothing, evidence: { rows: 0 } });
  },
});
