/** Faults of the look-up of one product (sections 2, 4.3 and 8). */
import type { Product } from '../model/types.ts';
import { type Context, onAnswer, onLookup, onProduct } from './hooks.ts';
import type { Fault, Hooks, ProfilePatch } from './types.ts';

/** The look-up returns a product although the requested value is not a UPC. */
const lenientLookup = <N extends string>(name: N, what: string, change: (upc: string) => string) =>
  ({ name, statement: 'C.upc-12', says: `The look-up ${what}.`, hooks: onLookup(change) }) as const;

/** The look-up does not find some products. */
const notFound = (isMissed: (product: Product, context: Context) => boolean) =>
  onAnswer('product', (answer, context) =>
    isMissed(answer.product, context) ? { kind: 'unknown', input: 'upc', value: answer.product.upc } : answer,
  );

/** A profile that states the status of an unknown UPC. */
export const UNKNOWN_UPC_STATED: ProfilePatch = {
  operations: { 'GET /PLATFORMAPI/prodRef/v1/products/{upc}': { statuses: { unknown: [404] } } },
};

/** The look-up returns a product for some UPCs that no list contains. */
export const knowing = (isKnown: (upc: string) => boolean): Hooks => ({
  answer(answer, { operation, world }) {
    const isUnknownUpc = operation.name === 'products' && answer.kind === 'unknown' && isKnown(answer.value);
    const asOf = world.clock.asOf();
    const product = isUnknownUpc ? world.products.byUpc(world.products.at(1, asOf).upc, asOf) : undefined;
    return product && answer.kind === 'unknown'
      ? { kind: 'product', asOf, product: { ...product, upc: answer.value } }
      : answer;
  },
});

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
  {
    name: 'lookup-always-the-same',
    statement: 'C.lookup',
    says: 'The look-up returns the same product for every UPC.',
    hooks: onLookup((upc) => (/^[0-9]{12}$/.test(upc) ? '042100000177' : upc)),
  },
  {
    name: 'lookup-neighbour',
    statement: 'C.lookup',
    says: 'The look-up returns another product with that product’s UPC.',
    hooks: onProduct((product, { world }) => {
      const neighbour = [1, 2].map((index) => world.products.at(index, world.clock.asOf()).upc);
      const other = neighbour.find((upc) => upc !== product.upc) as string;
      return world.products.byUpc(other, world.clock.asOf()) ?? product;
    }),
  },
  {
    name: 'lookup-unknown-yields-another',
    statement: 'C.lookup',
    says: 'The look-up of an unknown UPC returns another product with that product’s UPC.',
    hooks: {
      answer(answer, { operation, world }) {
        const asOf = world.clock.asOf();
        const { upc } = world.products.at(1, asOf);
        const product = world.products.byUpc(upc, asOf);
        return operation.name === 'products' && answer.kind === 'unknown' && product
          ? { kind: 'product', asOf, product }
          : answer;
      },
    },
  },
  {
    name: 'lookup-knows-every-upc',
    statement: 'C.lookup',
    says: 'The look-up invents a product for every unknown UPC, although the profile states a status for these.',
    profile: UNKNOWN_UPC_STATED,
    hooks: knowing(() => true),
  },
  {
    name: 'lookup-misses-changed-products',
    statement: 'C.lookup',
    says: 'Products that changed within the last 13 weeks are not found.',
    hooks: onAnswer('product', (answer, { world }) =>
      (answer.product.changedOn ?? 0) > world.clock.asOf() - 7 * 13
        ? { kind: 'unknown', input: 'upc', value: answer.product.upc }
        : answer,
    ),
  },
  {
    name: 'lookup-of-another-brand',
    statement: 'C.lookup',
    says: 'The look-up of a product that did not change within 13 weeks shows another brand than the bulk list.',
    dialects: ['reference', 'xml'],
    hooks: onProduct((product, { world }) => ({
      ...product,
      characteristics: product.characteristics.map((each) =>
        each.name === 'Brand' && (product.changedOn ?? 0) < world.clock.asOf() - 7 * 13
          ? { ...each, value: `${each.value} Extra` }
          : each,
      ),
    })),
  },
  {
    name: 'lookup-of-another-first-day',
    statement: 'C.lookup',
    says: 'The look-up shows another first activity of a product than the bulk list.',
    dialects: ['reference'],
    hooks: onProduct((product) => ({ ...product, firstActiveOn: product.firstActiveOn - 30 })),
  },
  {
    name: 'lookup-misses-one-category',
    statement: 'C.lookup',
    says: 'The products of one category are not found.',
    hooks: notFound(({ category }, { world }) => category === world.products.at(3, world.clock.asOf()).category),
  },
  {
    name: 'lookup-misses-last-listed',
    statement: 'C.lookup',
    says: 'The last product of the bulk list is not found.',
    hooks: notFound(
      ({ upc }, { world }) => upc === world.products.at(world.products.count - 1, world.clock.asOf()).upc,
    ),
  },
  {
    name: 'lookup-misses-newest',
    statement: 'C.lookup',
    says: 'Products that are active on the last day of the data week are not found.',
    hooks: notFound(({ activeOn }, { world }) => activeOn === world.clock.asOf()),
  },
  {
    name: 'lookup-without-characteristics',
    statement: 'C.lookup',
    says: 'The look-up returns an empty list of characteristics.',
    hooks: onProduct((product) => ({ ...product, characteristics: [] })),
  },
  {
    name: 'lookup-loses-zeros',
    statement: 'C.lookup',
    says: 'UPCs that begin with a zero are not found, as if they were stored as numbers.',
    hooks: onAnswer('product', (answer) =>
      answer.product.upc.startsWith('0') ? { kind: 'unknown', input: 'upc', value: answer.product.upc } : answer,
    ),
  },
  {
    name: 'lookup-misses-some',
    statement: 'C.lookup',
    says: 'One in four products of the bulk list is unknown to the look-up.',
    hooks: onAnswer('product', (answer) =>
      Number(answer.product.upc) % 4 === 0 ? { kind: 'unknown', input: 'upc', value: answer.product.upc } : answer,
    ),
  },
  {
    name: 'lookup-unknown-not-as-stated',
    statement: 'C.lookup',
    says: 'An unknown UPC is refused as malformed, although the profile states another status.',
    profile: { statuses: { unknown: [404] } },
    hooks: onAnswer('unknown', (answer, { operation }) =>
      operation.name === 'products'
        ? { kind: 'rejected', reason: 'malformed', input: 'upc', detail: 'no product has this UPC' }
        : answer,
    ),
  },
  {
    name: 'lookup-malformed-not-as-stated',
    statement: 'C.upc-12',
    says: 'A malformed UPC is answered as an unknown UPC, although the profile states another status.',
    profile: { statuses: { malformed: [400] } },
    hooks: onAnswer('rejected', (answer, { operation, query }) =>
      operation.name === 'products' ? { kind: 'unknown', input: 'upc', value: query.upc ?? '' } : answer,
    ),
  },
  {
    name: 'lookup-not-of-its-schema',
    statement: 'operation.served',
    group: 'C',
    says: 'The description of a product is a number; the stated schema requires a string.',
    profile: {
      operations: {
        'GET /PLATFORMAPI/prodRef/v1/products/{upc}': {
          response: { schemas: { '200': { type: 'object', properties: { description: { type: 'string' } } } } },
        },
      },
    },
    hooks: onProduct((product) => ({ ...product, description: 7 as unknown as string })),
  },
  {
    name: 'lookup-other-category',
    statement: 'C.product-category',
    says: 'The look-up returns another category for a product than the bulk list.',
    hooks: onProduct((product, { world }) => {
      const others = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => world.products.at(index, world.clock.asOf()));
      const { category, categoryId } = others.find((each) => each.categoryId !== product.categoryId) ?? product;
      return { ...product, category, categoryId };
    }),
  },
  {
    name: 'lookup-shows-an-old-change',
    statement: 'C.lookup',
    says: 'The look-up shows the change before the one that the delta shows for the product, and its values of then.',
    hooks: onProduct((product) => ({
      ...product,
      ...(product.changedOn !== undefined && { changedOn: product.changedOn - 140 }),
      characteristics: product.characteristics.map((each) => ({ ...each, value: `${each.value} (old)` })),
    })),
  },
  {
    name: 'lookup-shows-an-old-characteristic',
    statement: 'C.lookup',
    says: 'The look-up shows one characteristic with the value before its latest change.',
    hooks: onProduct((product) => ({
      ...product,
      characteristics: product.characteristics.map((each, at) =>
        at === 0 ? { ...each, value: `${each.value} (old)` } : each,
      ),
    })),
  },
] as const satisfies readonly Fault[];
