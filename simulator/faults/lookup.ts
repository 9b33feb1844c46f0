/** Faults of the look-up of one product (sections 2, 4.3 and 8). */
import { asUnknownProduct, refusing, set } from '../deviations/changes.ts';
import { onAnswer, onLookup, onOperations, onProduct, stating } from '../deviations/places.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import type { Day, Product } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { type Fault, inC } from './fault.ts';

/** The look-up returns a product although the requested value is not a UPC. */
const lenientLookup = (name: string, what: string, change: (upc: string) => string): Fault =>
  inC(name, 'C.upc-12', { says: `The look-up ${what}.`, hooks: onLookup(change) });

/** The look-up does not find some products. */
export const missing = (isMissed: (product: Product, asOf: Day, world: World) => boolean): Hooks =>
  onAnswer(
    'product',
    (answer, { world }) => isMissed(answer.product, world.clock.asOf(), world) && asUnknownProduct(answer),
  );
const notFound = (name: string, what: string, ...[isMissed]: Parameters<typeof missing>): Fault =>
  inC(`lookup-misses-${name}`, 'C.lookup', { says: `${what} not found.`, hooks: missing(isMissed) });

/** Some products. */
export const isOneInFour = ({ upc }: Product): boolean => Number(upc) % 4 === 0;

/** A profile that states the status of an unknown UPC. */
export const UNKNOWN_UPC_STATED = stating(['products'], { statuses: { unknown: [404] } });

/** Answers the look-up of some UPCs that no list contains with a product; `upc` is the one that it shows. */
export const knowing = (isKnown: (upc: string) => boolean, shown = (upc: string, _known: string) => upc): Hooks =>
  onOperations(['products'], (answer, { world }) => {
    const asOf = world.clock.asOf();
    if (answer.kind !== 'unknown' || !isKnown(answer.value)) return answer;
    const product = world.products.byUpc(world.products.at(1, asOf).upc, asOf);
    return product ? { kind: 'product', asOf, product: { ...product, upc: shown(answer.value, product.upc) } } : answer;
  });

/** Values of the characteristics before their latest change. */
const old = (matches: (name: string, at: number) => boolean, suffix = ' (old)') =>
  set<Product>(({ characteristics }) => ({
    characteristics: characteristics.map((each, at) =>
      matches(each.name, at) ? { ...each, value: `${each.value}${suffix}` } : each,
    ),
  }));

const isOld = ({ changedOn = 0 }: Product, { world }: Context): boolean => changedOn < world.clock.asOf() - 7 * 13;

export const LOOKUP_FAULTS = [
  lenientLookup('lookup-trims', 'ignores spaces, tabs and line feeds around the digits', (upc) => upc.trim()),
  lenientLookup('lookup-line-feed', 'accepts a line feed after the digits', (upc) => upc.replace(/\n$/, '')),
  lenientLookup('lookup-pads', 'pads missing digits with zeros', (upc) => upc.padStart(12, '0')),
  lenientLookup('lookup-13-digits', 'accepts 13 digits that begin with a zero', (upc) =>
    upc.replace(/^0(?=\d{12}$)/, ''),
  ),
  lenientLookup('lookup-14-digits', 'accepts 14 digits that begin with two zeros', (upc) =>
    upc.replace(/^00(?=\d{12}$)/, ''),
  ),
  lenientLookup('lookup-first-12', 'reads the first 12 characters and ignores the rest', (upc) => upc.slice(0, 12)),
  lenientLookup('lookup-full-width', 'treats full-width digits as ASCII digits', (upc) => upc.normalize('NFKC')),
  lenientLookup('lookup-digits-only', 'ignores every character that is not a digit', (upc) =>
    upc.replace(/[^0-9]/g, ''),
  ),
  lenientLookup('lookup-signed', 'parses the UPC as a number and so accepts a sign', (upc) =>
    upc.replace(/^\+(?=\d+$)/, '').padStart(12, '0'),
  ),
  lenientLookup('lookup-letter-o', 'treats the letter O as a zero', (upc) => upc.replaceAll('O', '0')),
  inC('lookup-always-the-same', 'C.lookup', {
    says: 'The look-up returns the same product for every UPC.',
    hooks: onLookup((upc) => (/^[0-9]{12}$/.test(upc) ? '042100000177' : upc)),
  }),
  inC('lookup-neighbour', 'C.lookup', {
    says: 'The look-up returns another product with that product’s UPC.',
    hooks: onProduct((product, { world }) => {
      const asOf = world.clock.asOf();
      const [first, second] = [1, 2].map((index) => world.products.at(index, asOf).upc) as [string, string];
      return world.products.byUpc(first === product.upc ? second : first, asOf) ?? product;
    }),
  }),
  inC('lookup-unknown-yields-another', 'C.lookup', {
    says: 'The look-up of an unknown UPC returns another product with that product’s UPC.',
    hooks: knowing(
      () => true,
      (_, known) => known,
    ),
  }),
  inC('lookup-knows-every-upc', 'C.lookup', {
    says: 'The look-up invents a product for every unknown UPC, although the profile states a status for these.',
    profile: UNKNOWN_UPC_STATED,
    hooks: knowing(() => true),
  }),
  notFound(
    'changed-products',
    'Products that changed within the last 13 weeks are',
    ({ changedOn = 0 }, asOf) => changedOn > asOf - 7 * 13,
  ),
  inC('lookup-of-another-brand', 'C.lookup', {
    says: 'The look-up of a product that did not change within 13 weeks shows another brand than the bulk list.',
    dialects: ['reference', 'xml'],
    hooks: onProduct((product, context) =>
      isOld(product, context) ? old((name) => name === 'Brand', ' Extra')(product, context) : product,
    ),
  }),
  inC('lookup-of-another-first-day', 'C.lookup', {
    says: 'The look-up shows another first activity of a product than the bulk list.',
    dialects: ['reference'],
    hooks: onProduct(set(({ firstActiveOn }) => ({ firstActiveOn: firstActiveOn - 30 }))),
  }),
  notFound(
    'one-category',
    'The products of one category are',
    ({ category }, asOf, { products }) => category === products.at(3, asOf).category,
  ),
  notFound(
    'last-listed',
    'The last product of the bulk list is',
    ({ upc }, asOf, { products }) => upc === products.at(products.count - 1, asOf).upc,
  ),
  notFound(
    'newest',
    'Products that are active on the last day of the data week are',
    ({ activeOn }, asOf) => activeOn === asOf,
  ),
  inC('lookup-without-characteristics', 'C.lookup', {
    says: 'The look-up returns an empty list of characteristics.',
    hooks: onProduct(set({ characteristics: [] })),
  }),
  inC('lookup-loses-zeros', 'C.lookup', {
    says: 'UPCs that begin with a zero are not found, as if they were stored as numbers.',
    hooks: missing(({ upc }) => upc.startsWith('0')),
  }),
  inC('lookup-misses-some', 'C.lookup', {
    says: 'One in four products of the bulk list is unknown to the look-up.',
    hooks: missing(isOneInFour),
  }),
  inC('lookup-unknown-not-as-stated', 'C.lookup', {
    says: 'An unknown UPC is refused as malformed, although the profile states another status.',
    profile: { statuses: { unknown: [404] } },
    hooks: onAnswer('unknown', refusing('no product has this UPC', 'upc'), ['products']),
  }),
  inC('lookup-malformed-not-as-stated', 'C.upc-12', {
    says: 'A malformed UPC is answered as an unknown UPC, although the profile states another status.',
    profile: { statuses: { malformed: [400] } },
    hooks: onOperations(
      ['products'],
      ({ kind }, { query }) => kind === 'rejected' && { kind: 'unknown', input: 'upc', value: query.upc ?? '' },
    ),
  }),
  inC('lookup-not-of-its-schema', 'operation.served', {
    says: 'The description of a product is a number; the stated schema requires a string.',
    profile: stating(['products'], {
      response: { schemas: { '200': { type: 'object', properties: { description: { type: 'string' } } } } },
    }),
    hooks: onProduct(set({ description: 7 })),
  }),
  inC('lookup-other-category', 'C.product-category', {
    says: 'The look-up returns another category for a product than the bulk list.',
    hooks: onProduct((product, { world }) => {
      const others = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => world.products.at(index, world.clock.asOf()));
      const { category, categoryId } = others.find((each) => each.categoryId !== product.categoryId) ?? product;
      return { ...product, category, categoryId };
    }),
  }),
  inC('lookup-shows-an-old-change', 'C.lookup', {
    says: 'The look-up shows the change before the one that the delta shows for the product, and its values of then.',
    hooks: onProduct((product, context) => {
      const { changedOn } = product;
      const before = { ...product, ...(changedOn !== undefined && { changedOn: changedOn - 140 }) };
      return old(() => true)(before, context);
    }),
  }),
  inC('lookup-shows-an-old-characteristic', 'C.lookup', {
    says: 'The look-up shows one characteristic with the value before its latest change.',
    hooks: onProduct(old((_, at) => at === 0)),
  }),
];
