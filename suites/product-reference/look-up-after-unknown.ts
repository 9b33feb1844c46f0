/** The look-up of a product does not depend on an unknown UPC that was looked up just before: section 4.3. */

import { ALL_PRODUCTS, PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import { areOfSeveralAsOfs } from '../../src/rule/data-weeks.ts';
import { shuffleBySeed } from '../../src/rule/draws.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  failed,
  findingIn,
  inconclusive,
  isBlocking,
  type Judgement,
  kindOfStatus,
  listNeeds,
  passed,
  type Reading,
  type ReadingsOf,
  respondWith,
  type Step,
  step,
  untested,
} from '../../src/rule/index.ts';
import { FOUND, hasProduct, type LookUp, listedLookUps, unknownLookup } from '../../src/rule/look-ups.ts';
import { randomUpc } from '../../src/rule/malformed-upcs.ts';

/**
 * A chain of look-ups: a product, and then each time an unknown UPC (?), a product after it (!) and further products (.).
 * Replicas that respond in turn, of any number up to six, do not follow these places.
 */
const CHAIN = '.?!.?!?!..?!.?!?!.?!..?!.';
const placesOf = (kind: string): number[] =>
  [...CHAIN.replaceAll('?', '')].flatMap((each, at) => (each === kind ? [at] : []));
const [AFTER_UNKNOWN, NOT_AFTER_UNKNOWN] = [placesOf('!').length, placesOf('.').length - 1];
const PRODUCTS = 1 + AFTER_UNKNOWN + NOT_AFTER_UNKNOWN;
/** The number of the first random UPC; C.unknown-status looks smaller ones up. */
const FIRST_RANDOM = 10;

const unknownUpcs = ({ unknownUpc, seed }: Declarations): string[] => [
  unknownUpc,
  ...Array.from({ length: AFTER_UNKNOWN }, (_, at) => randomUpc(seed, FIRST_RANDOM + at)),
];

/** The UPCs of a chain, of known products and unknown ones. */
function chainOf(known: readonly string[], unknown: readonly string[]): string[] {
  const [products, others] = [[...known], [...unknown]];
  return [...CHAIN].flatMap((each) => (each === '?' ? others : products).shift() ?? []);
}

/** The products in another order: those that were looked up after an unknown UPC are not, and the others are. */
function exchangePlaces(known: readonly string[]): string[] {
  const exchanged = [...known];
  const others = placesOf('.').slice(1);
  for (const [nth, after] of placesOf('!').entries()) {
    const other = others[nth] as number;
    [exchanged[after], exchanged[other]] = [known[other] as string, known[after] as string];
  }
  return exchanged;
}

/** Whether a response says that there is no such product. */
function isMiss(reading: LookUp, declarations: Declarations): boolean {
  const status = reading.head?.status ?? 0;
  if (status === 0 || status >= 500 || isBlocking(status, declarations.statuses(PRODUCT_LOOKUP))) return false;
  return !hasProduct(reading) && !reading.observation?.problem;
}

/** Look-ups of products, by whether the one before was that of an unknown UPC without a product. */
function placesIn(chain: readonly LookUp[], declarations: Declarations) {
  const unknown = new Set(unknownUpcs(declarations));
  const isUnknown = ({ inputs }: LookUp) => unknown.has(String(inputs.upc));
  const places = chain.flatMap((reading, at) => {
    const before = chain[at - 1];
    return isUnknown(reading) || !before
      ? []
      : [{ reading, isAfter: isUnknown(before) && isMiss(before, declarations) }];
  });
  const [after, others] = [true, false].map((side) =>
    places.filter(({ isAfter }) => isAfter === side).map(({ reading }) => reading),
  ) as [LookUp[], LookUp[]];
  const isSteady =
    after.length >= AFTER_UNKNOWN - 1 &&
    others.length >= NOT_AFTER_UNKNOWN &&
    after.every((each) => isMiss(each, declarations)) &&
    others.every(hasProduct);
  return { after, isSteady };
}

export const lookupAfterUnknown = defineRule({
  id: 'C.lookup-after-unknown',
  statement: 'C.lookup',
  basis: 'derived',
  demands: 'The look-up of a product returns it also directly after the look-up of an unknown UPC.',
  how: [
    'After the unknown UPC of the profile, a product is looked up that a look-up returned before.',
    'If it is unknown now, seventeen products are looked up, eight of them directly after an unknown UPC, and then the same with the others after an unknown UPC.',
    'The rule fails if, both times, exactly the products after an unknown UPC are unknown, and no look-up states another as-of date.',
  ],
  looksLike:
    'A server with a replica that lags, or that forgets a product in a reload, is legal and looks like this violation; it does not follow the places of the unknown UPCs in two chains of look-ups.',
  subjects: [PRODUCT_LOOKUP],
  notQuick: true,
  needs: () => [...listNeeds(ALL_PRODUCTS, 'upc'), ...listNeeds(PRODUCT_LOOKUP, 'characteristics')],
  probe(_subject, declarations) {
    const foundIn = (lookUps: readonly Reading[]): string[] =>
      (lookUps as readonly LookUp[]).filter(hasProduct).map(({ inputs }) => String(inputs.upc));
    const unknown = unknownUpcs(declarations);
    const knownIn = (lookUps: readonly Reading[]): string[] =>
      shuffleBySeed(
        foundIn(lookUps).filter((upc) => !unknown.includes(upc)),
        declarations.seed,
      );
    const unknownIn = (lookUps: readonly Reading[]): string[] =>
      unknown.filter((upc) => !foundIn(lookUps).includes(upc));
    const lookUps = (
      name: string,
      max: number,
      select: (known: readonly string[], unknown: readonly string[]) => readonly string[],
    ): Step<typeof FOUND.folds> => ({
      operation: PRODUCT_LOOKUP,
      each: {
        from: ['products', 'unknown'],
        as: { upc: 'upc' },
        max,
        select: (found) => select(knownIn(found), unknownIn(found)).map((upc) => ({ upc })),
        key: name,
      },
      accepts: 'any',
      optional: true,
      mayBeUnknown: true,
      folds: FOUND.folds,
    });
    const isSuspicious = (of: ReadingsOf) => isMiss(of('pair')[1] as LookUp, declarations);
    const chain = (name: string, order: (known: readonly string[]) => readonly string[]) =>
      lookUps(name, PRODUCTS + AFTER_UNKNOWN, (known, ofUnknown) =>
        known.length < PRODUCTS || ofUnknown.length < AFTER_UNKNOWN
          ? []
          : chainOf(order(known.slice(0, PRODUCTS)), ofUnknown),
      );
    return {
      ...listedLookUps(declarations),
      unknown: unknownLookup(declarations),
      pair: step({
        ...lookUps('a product after an unknown UPC', 2, ([upc], [ofUnknown]) =>
          upc === undefined || ofUnknown === undefined ? [] : [ofUnknown, upc],
        ),
        repetition: 50,
      }),
      chain: step({
        ...chain('products after unknown UPCs', (known) => known),
        repetition: 51,
        after: ['pair'],
        when: (of) => of('pair').length === 2 && isSuspicious(of),
      }),
      // Other products are then those after an unknown UPC.
      secondChain: step({
        ...chain('other products after unknown UPCs', exchangePlaces),
        repetition: 52,
        after: ['chain'],
        when: (of) => placesIn(of('chain') as readonly LookUp[], declarations).isSteady,
      }),
    };
  },
  counterexample({ products = [], pair = [] }, { declarations }) {
    const known = products.filter(({ rows }) => rows.length > 0);
    const [unknown, second] = pair;
    const upcs = known.map(({ inputs }) => String(inputs.upc)).slice(0, PRODUCTS);
    if (!unknown || !second || upcs.length < PRODUCTS) return {};
    const isUnknown = new Set(unknownUpcs(declarations));
    const readings = (order: readonly string[]) =>
      chainOf(order, unknownUpcs(declarations)).map((upc, at, all) => {
        const found = known.find(({ inputs }) => inputs.upc === upc);
        return found && !isUnknown.has(all[at - 1] ?? '') ? found : { ...unknown, inputs: { upc } };
      });
    return {
      pair: [unknown, ...respondWith([second])],
      chain: readings(upcs),
      secondChain: readings(exchangePlaces(upcs)),
    };
  },
  judge({ pair, chain, secondChain }, { declarations }): Judgement {
    const [unknown, known] = pair;
    if (!unknown || !known) return untested('no look-up returned a product that could be looked up again');
    if (!isMiss(unknown, declarations))
      return untested(`the unknown UPC ${unknown.inputs.upc} got ${describeResponse(unknown)}`);
    if (hasProduct(known)) return passed({ exchanges: pair.length, distinct: 1 });
    const both = [chain, secondChain].map((each) => placesIn(each, declarations));
    const actual = `${describeResponse(known)} for ${known.inputs.upc} after the unknown UPC ${unknown.inputs.upc}`;
    const isProved =
      both.every(({ isSteady }) => isSteady) && !areOfSeveralAsOfs([...chain, ...secondChain], declarations);
    if (!isProved) return inconclusive(`${actual}, but not steadily after unknown UPCs only`);
    return failed(
      both.flatMap(({ after }) =>
        after.slice(0, 1).map((reading) => {
          const expected = `the characteristics of ${reading.inputs.upc}, as before`;
          const shown = `${describeResponse(reading)}, as for each of ${after.length} products after an unknown UPC and for no other`;
          return findingIn(reading, `after-unknown-${kindOfStatus(reading)}`, expected, shown);
        }),
      ),
    );
  },
});
