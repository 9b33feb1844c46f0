/** The look-up by UPC: sections 4.3 and 8. */
import { isUpc } from '../../src/contract/index.ts';
import {
  answerLike,
  answerWith,
  anything,
  collect,
  type Declarations,
  defineRule,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  isOk,
  nothingSeen,
  passed,
  quoteSelector,
  type Reading,
  type Row,
  type Step,
  spread,
  step,
  tellAnswer,
  undecided,
  upcs,
  upcsBy,
} from '../../src/rule/index.ts';
import { MALFORMED_UPCS } from '../malformed-upcs.ts';
import { fold } from '../names.ts';
import { BULK, LOOKUP, one } from './shared.ts';

/** A product is found when the look-up answers 2xx with at least one row that has characteristics. */
export const characteristics = collect(['upc', 'characteristics'], 20);

/** The rows of a look-up; what the profile reads once for the whole answer holds for each of them. */
function rowsOf({ folds, observation }: Reading<{ product: typeof characteristics }>): Row[] {
  const once = Object.entries(observation?.values ?? {}).map(([field, [first]]) => [field, first]);
  return (folds.product?.rows ?? []).map((row) => ({ ...row, ...Object.fromEntries(once) }));
}

export const hasProduct = (reading: Reading<{ product: typeof characteristics }>): boolean =>
  isOk(reading) && rowsOf(reading).some((row) => Array.isArray(row.characteristics) && row.characteristics.length > 0);

/** Numeric storage loses leading zeros: such UPCs are always among those looked up. */
export const leadingZero = {
  name: 'leading-zero',
  is: (row: Row) => typeof row.upc === 'string' && row.upc.startsWith('0'),
};

/** UPCs to look up: spread over the bulk list, or the profile's examples where no list is bound. */
export function knownUpcs(declares: Declarations, max: number) {
  const listed =
    declares.isFilled('allProducts.request') &&
    declares.isFilled('allProducts.rows') &&
    declares.isFilled('allProducts.fields.upc');
  if (!listed) return undefined;
  return step({
    operation: BULK,
    observes: anything,
    wants: 'content',
    folds: { some: spread(['upc'], max, leadingZero) },
  });
}

/** How many listed products are looked up: one request each. */
export const LOOKED_UP = 24;

/** Look-ups of products spread over the bulk list, the same whichever rule asks for them. */
export const listedLookups = () => ({
  bulk: knownUpcs({ isFilled: () => true } as unknown as Declarations, LOOKED_UP) as NonNullable<
    ReturnType<typeof knownUpcs>
  >,
  products: step({
    operation: LOOKUP,
    each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max: LOOKED_UP },
    wants: 'answer',
    folds: { product: characteristics },
  }),
});

const unknownLookup = (declares: Declarations) =>
  step({
    operation: LOOKUP,
    inputs: { upc: { value: declares.unknownUpc } },
    wants: 'any',
    folds: { product: characteristics },
    spare: true,
  });

/** The UPC of another product than the one asked for, where the answer carries it. */
function otherProduct(reading: Reading<{ product: typeof characteristics }>): string | undefined {
  if (!hasProduct(reading)) return undefined;
  const other = rowsOf(reading).find((row) => typeof row.upc === 'string' && row.upc !== String(reading.inputs.upc));
  return other && String(other.upc);
}

export const lookupBulk = defineRule({
  id: 'C.lookup-listed',
  statement: 'C.lookup',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A look-up by the UPC of a listed product returns that product’s characteristics.',
  how: `${LOOKED_UP} UPCs spread over the bulk list, leading zeros among them, are looked up; each must answer 2xx with characteristics, and the UPC of the answer, where bound, must be the one asked for, and an unknown UPC must not yield another product of the list.`,
  subjects: [LOOKUP],
  needs: () => [
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    'products.request',
    'products.rows',
    'products.fields.characteristics',
  ],
  repeat: 'pass',
  probe(_subject, declares) {
    const { bulk, products } = listedLookups();
    return { bulk: step({ ...bulk, folds: { ...bulk.folds, upcs } }), products, unknown: unknownLookup(declares) };
  },
  counterexample: ({ products }) => ({ products: answerWith(products) }),
  judge(seen, { declares }) {
    const judged = judgeLookups(seen.products, declares);
    const [unknown] = seen.unknown;
    const other = unknown && otherProduct(unknown);
    // A stand-in for “no product”, such as one with the UPC 000000000000, is no product of the service.
    const isListed = other !== undefined && seen.bulk.some(({ folds }) => folds.upcs.has(other));
    if (!unknown || !isListed || judged.verdict !== 'pass') return judged;
    const expected = `no other product for the unknown UPC ${unknown.inputs.upc}`;
    return failed([{ expected, actual: `the product ${other}`, exchange: unknown.exchange }]);
  },
});

export const lookupExample = defineRule({
  id: 'C.lookup-example',
  statement: 'C.lookup',
  basis: 'profile',
  since: '0.1.0',
  demands: 'A look-up by a UPC the profile says the service knows returns that product’s characteristics.',
  how: 'Each example UPC is looked up; it must answer 2xx with characteristics, and with that UPC where the answer carries one.',
  subjects: [LOOKUP],
  needs: () => ['upcExamples', 'products.request', 'products.rows', 'products.fields.characteristics'],
  repeat: 'pass',
  probe: (_subject, declares) =>
    Object.fromEntries(
      declares
        .examples('upc')
        .slice(0, 5)
        .map((upc, at) => [
          `product${at}`,
          step({
            operation: LOOKUP,
            inputs: { upc: { value: upc } },
            wants: 'answer',
            folds: { product: characteristics },
          }),
        ]),
    ),
  counterexample: ({ product0 }) => ({ product0: answerWith(product0) }),
  judge: (seen, context) => judgeLookups(Object.values(seen).flat(), context.declares),
});

export function judgeLookups(
  products: readonly Reading<{ product: typeof characteristics }>[],
  declares: Declarations,
) {
  if (products.length === 0) return nothingSeen('no UPC to look up');
  // Where other products are found, an answer without the product's place says “no such product”; where none is, the
  // profile may read the wrong place.
  const finds = products.some(hasProduct);
  const unread = products.find((reading) => {
    const problem = isOk(reading) ? reading.observation?.problem : undefined;
    return problem && !(problem.kind === 'rowsNotFound' && finds);
  });
  if (unread) return undecided(unread.observation?.problem?.message ?? '');
  const findings = products.flatMap((reading): Finding[] => {
    const upc = String(reading.inputs.upc);
    const expected = `the characteristics of ${upc}`;
    if (!isOk(reading)) return [{ expected, actual: tellAnswer(reading), exchange: reading.exchange }];
    if (!hasProduct(reading)) {
      return [
        {
          expected,
          actual: `no characteristics at ${quoteSelector(LOOKUP, declares.selector(LOOKUP, 'characteristics'))}`,
          exchange: reading.exchange,
        },
      ];
    }
    const other = otherProduct(reading);
    return other ? [{ expected, actual: `the product ${other}`, exchange: reading.exchange }] : [];
  });
  if (findings.length === products.length && products.every((reading) => isOk(reading) && !hasProduct(reading)))
    return failed(findings.slice(0, 1), 'profile');
  return findings.length > 0
    ? failed(findings)
    : passed({ exchanges: products.length, rows: products.length, distinct: products.length });
}

/** Whether an answer tells a product beyond doubt where no unknown one shows what “no product” looks like. */
function isProductOf(
  reading: Reading<{ product: typeof characteristics }>,
  known: readonly Reading<{ product: typeof characteristics }>[],
): boolean {
  if (rowsOf(reading).some(({ upc }) => typeof upc === 'string' && isUpc(upc))) return true;
  const products = new Set(known.filter(hasProduct).map(({ observation }) => observation?.digest));
  return products.size > 1 && products.has(reading.observation?.digest);
}

/** What each admitted normalisation makes of a text. */
const NORMALISED: Record<string, (text: string) => string> = {
  trim: (text) => text.trim(),
  pad: (text) => text.padStart(12, '0'),
  ean13: (text) => text.replace(/^0(?=\d{12}$)/, ''),
  gtin14: (text) => text.replace(/^00(?=\d{12}$)/, ''),
  separators: (text) => text.replace(/[ -]/g, ''),
};

/**
 * Whether a text in a path is no UPC, in a way that only the look-up can have met: slashes, dots and semicolons are taken
 * for other paths, formats and parameters before. What the implementer admits to normalising is left out.
 */
function isPlainlyMalformed(text: string, { upcAdmits }: Declarations): boolean {
  if (isUpc(text) || !/^[\p{Nd}A-Za-z+\-\s\0]{1,1000}$/u.test(text)) return false;
  let normalised = text;
  for (const admitted of ['trim', 'separators', 'gtin14', 'ean13', 'pad'])
    if (upcAdmits.includes(admitted)) normalised = NORMALISED[admitted]?.(normalised) ?? normalised;
  return !isUpc(normalised);
}

type MalformedSteps = Record<string, Step<{ product: typeof characteristics }>>;

/** What is made of a known UPC, without what the implementer admits to normalising. */
function malformedFrom(upc: string, declares: Declarations): string[] {
  const admitted = MALFORMED_UPCS.filter((each) => !each.admittedBy || !declares.upcAdmits.includes(each.admittedBy));
  return [...new Set(admitted.map((each) => each.make(upc)).filter((text) => !isUpc(text)))];
}

export const malformedUpc = defineRule({
  id: 'C.malformed-upc',
  statement: 'C.upc-12',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A string that is not 12 ASCII digits does not yield a product.',
  how: 'Three legs: a known UPC must yield a product (control), an unknown well-formed one shows what “no product” looks like, and each malformed string built from the known one must not yield a product. Any refusal or empty answer is fine.',
  subjects: [LOOKUP],
  needs: () => [
    'products.request',
    'products.rows',
    'products.fields.characteristics',
    ['upcExamples', 'allProducts.fields.upc'],
  ],
  probe(_subject, declares) {
    const folds = { product: characteristics };
    const unknown = step({
      operation: LOOKUP,
      inputs: { upc: { value: declares.unknownUpc } },
      wants: 'answer',
      folds,
    });
    const bulk = knownUpcs(declares, 2);
    if (bulk) {
      const ask = (max: number, wants: 'answer' | 'any', choose?: (rows: readonly Row[]) => readonly Row[]) =>
        step({
          operation: LOOKUP,
          each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max, ...(choose && { choose }) },
          wants,
          folds,
        });
      const malform = (rows: readonly Row[]) =>
        rows.slice(0, 2).flatMap((row) => malformedFrom(String(row.upc), declares).map((upc): Row => ({ upc })));
      const steps: Record<string, Step> = {
        bulk: { ...bulk, spare: true },
        unknown: { ...unknown, spare: true },
        known: { ...ask(2, 'answer'), observes: ({ upc }) => isUpc(String(upc)) },
        malformed: { ...ask(80, 'any', malform), observes: ({ upc }) => isPlainlyMalformed(String(upc), declares) },
      };
      return steps as MalformedSteps;
    }
    const ask = (upc: string, wants: 'answer' | 'any') =>
      step({ operation: LOOKUP, inputs: { upc: { value: upc } }, wants, folds });
    const known = declares.examples('upc').map(String).filter(isUpc).slice(0, 2);
    return Object.fromEntries([
      ['unknown', unknown],
      ...known.map((upc, at) => [`known${at}`, ask(upc, 'answer')]),
      ...[...new Set(known.flatMap((upc) => malformedFrom(upc, declares)))].map((upc, at) => [
        `malformed${at}`,
        ask(upc, 'any'),
      ]),
    ]) as MalformedSteps;
  },
  counterexample: ({ malformed, known }) => ({ malformed: answerLike(malformed, known) }),
  judge(seen, { declares }) {
    const named = (prefix: string) =>
      Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(prefix) ? readings : []));
    const [unknown] = (seen.unknown ?? []) as readonly Reading<{ product: typeof characteristics }>[];
    const known = named('known');
    const control = known.find(hasProduct);
    const [first] = known;
    if (!first) return nothingSeen('no UPC the service knows');
    if (!control) {
      return undecided(
        `the control failed: the known UPC ${first.inputs.upc} yields no characteristics (${tellAnswer(first)})`,
      );
    }
    if (unknown && hasProduct(unknown) && unknown.observation?.digest === control.observation?.digest) {
      return undecided(
        `the control failed: the unknown UPC ${unknown.inputs.upc} yields the same product as the known one`,
      );
    }
    const malformed = named('malformed');
    const yielding = malformed.filter(
      (reading) =>
        hasProduct(reading) &&
        (unknown ? reading.observation?.digest !== unknown.observation?.digest : isProductOf(reading, known)),
    );
    const answered = malformed.filter((reading) => reading.head);
    if (yielding.length > 0) {
      return failed(
        yielding.slice(0, 10).map((reading) => ({
          expected: 'no product for a string that is not 12 ASCII digits',
          actual: `${JSON.stringify(String(reading.inputs.upc).slice(0, 40))} yields characteristics`,
          exchange: reading.exchange,
        })),
      );
    }
    if (answered.length === 0) return undecided('no malformed UPC was answered at all');
    const note =
      declares.upcAdmits.length > 0
        ? `the implementer admits ${declares.upcAdmits.join(', ')}, against section 8`
        : undefined;
    return passed({ exchanges: answered.length + 2, rows: 1, distinct: answered.length }, note);
  },
});

/** Categories are compared by name where the profile reads names in both answers, else by id. */
const sharedCategory = (declares: Declarations): 'category' | 'categoryId' =>
  declares.isFilled('products.fields.category') && declares.isFilled('allProducts.fields.category')
    ? 'category'
    : 'categoryId';

export const categoryAgrees = defineRule({
  id: 'C.category-agrees',
  statement: 'C.product-category',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A product belongs to the same category in the look-up as in the bulk list.',
  how: 'UPCs spread over the bulk list are looked up; the category of each must be one that the list shows the UPC under, by the name, or by the id, that both answers carry.',
  subjects: [LOOKUP],
  needs: () => [
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    'products.request',
    'products.rows',
    ['products.fields.category', 'products.fields.categoryId'],
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
  ],
  repeat: 'pass',
  probe: (_subject, declares) => ({
    bulk: step({
      operation: BULK,
      wants: 'content',
      folds: { some: spread(['upc'], LOOKED_UP, leadingZero), by: upcsBy(sharedCategory(declares)) },
    }),
    products: step({
      operation: LOOKUP,
      each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max: LOOKED_UP },
      wants: 'content',
      folds: { product: collect(['category', 'categoryId'], 100) },
    }),
  }),
  counterexample: ({ products }) => ({ products: editRow(products, { category: 'Another', categoryId: 'another' }) }),
  judge(seen, { declares }) {
    const field = sharedCategory(declares);
    const byCategory = [...one(seen.bulk).folds.by];
    let looked = 0;
    const findings = seen.products.flatMap((reading): Finding[] => {
      const upc = String(reading.inputs.upc);
      // A product may come in several rows, one for each characteristic.
      const told = new Map(
        rowsOf(reading).flatMap((row) => {
          const name = row[field];
          return typeof name === 'string' ? [[fold(name), name] as const] : [];
        }),
      );
      const [own] = told.values();
      // The list may show a product under several categories, and the look-up any of them.
      const listed = byCategory.filter(([, keys]) => keys.has(upc)).map(([name]) => name);
      if (own === undefined || listed.length === 0 || told.size > 1) return [];
      looked++;
      if (listed.some((name) => fold(name) === fold(own))) return [];
      return [
        {
          expected: `product ${upc} belongs to ${listed.map((name) => JSON.stringify(name)).join(' or ')}, as the bulk list says`,
          actual: JSON.stringify(own),
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0) return failed(findings);
    return looked === 0
      ? nothingSeen('no product carries its category in both answers')
      : passed({ ...evidenceOf(seen.products), rows: looked });
  },
});
