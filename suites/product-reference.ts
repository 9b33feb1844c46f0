/** Demands on group C, product reference: sections 4.3 and 8. */
import {
  type DeltaWeeks,
  isUpc,
  LIMITS,
  type OpeningId,
  type OperationKey,
  operationOf,
} from '../src/contract/index.ts';
import {
  collect,
  combine,
  type Declarations,
  defineRule,
  everyRow,
  evidenceOf,
  extent,
  type Finding,
  failed,
  isOk,
  isValue,
  type Judgement,
  judgeBreaches,
  judgeTally,
  type KeySet,
  nothingSeen,
  passed,
  presenceOf,
  quoteSelector,
  type Reading,
  type Row,
  type Rule,
  type Step,
  spread,
  step,
  tally,
  tellAnswer,
  texts,
  undecided,
  upcs,
  upcsBy,
} from '../src/rule/index.ts';
import { servedSteps } from './every-operation.ts';
import { MALFORMED_UPCS } from './malformed-upcs.ts';
import { marketRule } from './market.ts';
import { chooseByName, fold } from './names.ts';
import { requiredRule } from './required.ts';
import { judgeWindow, spanAllowance } from './windows.ts';

const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';

const one = <R extends Reading>(readings: readonly R[]): R => readings[0] as R;
const WINDOWS = LIMITS.deltaWeeks;

/**
 * A failed comparison of UPC sets, unless rows without a readable UPC could be what is missing: those are the business
 * of the UPC rule, and accusing the list for them would tell one fault twice.
 */
function failedUnlessUnread(
  findings: readonly Finding[],
  readings: readonly { readonly folds: { readonly upcs: KeySet } }[],
): Judgement {
  const unread = readings.reduce((sum, reading) => sum + reading.folds.upcs.unread, 0);
  return unread > 0
    ? undecided(`${unread} rows carry no readable UPC, so the lists cannot be compared`)
    : failed(findings);
}

/** Rows are keyed by the category's name where both sides carry it, else by its id. */
const categoryKey = (
  declares: Declarations,
  operation: typeof BULK | typeof DELTA | typeof LOOKUP,
): 'category' | 'categoryId' => {
  const { name } = operationOf(operation);
  const byName =
    declares.isFilled(`${name}.fields.category` as OpeningId) && declares.isFilled('allCategories.fields.category');
  return byName ? 'category' : 'categoryId';
};

const bulkStep = (declares: Declarations) =>
  step({ operation: BULK, wants: 'content', folds: { upcs, by: upcsBy(categoryKey(declares, BULK)) } });

const categoriesListed = defineRule({
  id: 'C.categories-listed',
  statement: 'C.categories',
  basis: 'stated',
  since: '0.1.0',
  demands: 'allCategories returns the categories of products.',
  how: 'Every row must carry the category’s name or id.',
  subjects: [CATEGORIES],
  needs: () => [
    'allCategories.request',
    'allCategories.rows',
    ['allCategories.fields.category', 'allCategories.fields.categoryId'],
  ],
  probe: (_subject, declares) => ({
    list: step({
      operation: CATEGORIES,
      wants: 'whole',
      folds: { names: tally(declares.isFilled('allCategories.fields.category') ? 'category' : 'categoryId') },
    }),
  }),
  judge(seen, { declares }) {
    const list = one(seen.list);
    const field = declares.isFilled('allCategories.fields.category') ? 'category' : 'categoryId';
    return judgeTally(list, list.folds.names, {
      expected: 'every category has a name or id',
      declared: declares.converter(CATEGORIES, field) !== undefined,
      selector: quoteSelector(CATEGORIES, declares.selector(CATEGORIES, field)),
      nullable: false,
    });
  },
});

const categoriesKnown = defineRule({
  id: 'C.categories-known',
  statement: 'C.categories',
  basis: 'derived',
  since: '0.1.0',
  demands: 'Every category that a product of the bulk list belongs to is among allCategories.',
  how: 'The names (or ids) used by the rows of the bulk list are looked for in the list of categories.',
  subjects: [CATEGORIES],
  needs: () => [
    'allCategories.request',
    'allCategories.rows',
    'allProducts.request',
    'allProducts.rows',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
    ['allCategories.fields.category', 'allCategories.fields.categoryId'],
  ],
  repeat: 'pass',
  probe(_subject, declares) {
    const key = categoryKey(declares, BULK);
    return {
      list: step({ operation: CATEGORIES, wants: 'whole', folds: { names: texts(key) } }),
      bulk: step({ operation: BULK, wants: 'content', folds: { names: texts(key) } }),
    };
  },
  judge(seen) {
    const list = one(seen.list);
    const bulk = one(seen.bulk);
    const known = new Set([...list.folds.names.counts.keys()].map(fold));
    const used = [...bulk.folds.names.counts.keys()];
    if (used.length === 0) return nothingSeen('no product of the bulk list carries a category');
    if (!list.folds.names.whole) return undecided('more categories than can be compared');
    if (known.size === 0 && (list.observation?.rows ?? 0) > 0)
      return undecided('the categories carry no value that could be compared');
    const strangers = used.filter((name) => !known.has(fold(name)));
    if (strangers.length === 0) return passed({ ...evidenceOf([list, bulk]), distinct: used.length });
    return failed(
      strangers.slice(0, 5).map((name) => ({
        expected: `category “${name}” of ${bulk.folds.names.counts.get(name)} products is among allCategories`,
        actual: `not among its ${known.size} categories`,
        exchange: list.exchange,
      })),
    );
  },
});

const upcRule = defineRule({
  id: 'C.upc-12-digits',
  statement: 'C.upc-12',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Every UPC an answer carries denotes 12 digits.',
  how: 'Each row’s UPC is read through the codec the profile declares (undeclared: a string of 12 digits, or an integer); all rows are looked at.',
  subjects: [BULK, LOOKUP, DELTA],
  needs: (subject) => {
    const { name } = operationOf(subject) as { name: 'allProducts' | 'products' | 'updateProducts' };
    const base = [`${name}.request`, `${name}.rows`, `${name}.fields.upc`] as const;
    return name === 'updateProducts'
      ? [...base, 'updateProducts.inputs.window']
      : name === 'products'
        ? [...base, 'upcExamples']
        : base;
  },
  probe(subject) {
    const folds = { upc: tally('upc') };
    const list = (inputs: Step['inputs']) =>
      step({ operation: subject, inputs: inputs ?? {}, wants: 'content', folds });
    if (subject !== DELTA)
      return { list: list(subject === LOOKUP ? { upc: { example: 'upc' } } : {}) } as Record<
        string,
        ReturnType<typeof list>
      >;
    return Object.fromEntries(WINDOWS.map((weeks) => [`delta${weeks}`, list({ window: { value: weeks } })]));
  },
  judge: (seen, { subject, declares }) =>
    combine(
      Object.values(seen)
        .flat()
        .map((list) =>
          judgeTally(list, list.folds.upc, {
            expected: 'a UPC of 12 digits in every row (section 8)',
            declared: declares.converter(subject, 'upc') !== undefined,
            selector: quoteSelector(subject, declares.selector(subject, 'upc')),
            nullable: false,
          }),
        ),
    ),
});

const bulkUnique = defineRule({
  id: 'C.bulk-unique',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A product stands once in the bulk list.',
  how: 'All UPCs of the list, over all its pages, are compared; one that stands twice under the same category is a duplicate, unless the profile says rows are of a finer grain.',
  subjects: [BULK],
  needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.upc'],
  repeat: 'pass',
  probe(_subject, declares): { bulk: ReturnType<typeof bulkStep> } {
    // Without a step the rule does not apply.
    return (declares.finerGrain(BULK) ? {} : { bulk: bulkStep(declares) }) as { bulk: ReturnType<typeof bulkStep> };
  },
  judge(seen) {
    const bulk = one(seen.bulk);
    const { size } = bulk.folds.upcs;
    if (size === 0) return nothingSeen('the bulk list has no rows with a UPC');
    const sets = bulk.folds.by.size > 0 ? [...bulk.folds.by.values()] : [bulk.folds.upcs];
    const duplicates = sets.flatMap((set) => set.duplicates);
    if (duplicates.length === 0) return passed({ ...evidenceOf([bulk]), distinct: size });
    return failed(
      duplicates.slice(0, 5).map((upc) => ({
        expected: 'each product once',
        actual: `UPC ${upc} stands more than once`,
        exchange: bulk.exchange,
      })),
    );
  },
});

const historySpan = defineRule({
  id: 'C.history-span',
  statement: 'C.history-52',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The products of the bulk list were active within the last 52 weeks.',
  how: 'The newest and oldest activity dates lie at most 52 weeks and one data week apart; no clock of ours is used.',
  subjects: [BULK],
  needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.activeOn'],
  probe: () => ({
    bulk: step({ operation: BULK, wants: 'content', folds: { dates: extent('activeOn'), all: tally('activeOn') } }),
  }),
  judge: (seen) => {
    const bulk = one(seen.bulk);
    return spanAllowance(bulk, bulk.folds.dates, bulk.folds.all, LIMITS.historyWeeks);
  },
});

const historyWindow = defineRule({
  id: 'C.history-window',
  statement: 'C.history-52',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each product of the bulk list was active within the 52 weeks before the as-of.',
  how: 'Each row’s activity date is compared with the as-of the profile declares, to the day.',
  subjects: [BULK],
  needs: () => [
    'dataWeek',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.activeOn',
    'allProducts.fields.asOf',
  ],
  probe: () => ({ bulk: step({ operation: BULK, wants: 'content', folds: { dates: extent('activeOn') } }) }),
  judge: (seen, { declares }) => {
    const bulk = one(seen.bulk);
    return judgeWindow(bulk, bulk.folds.dates, LIMITS.historyWeeks, 'activeOn', declares);
  },
});

const filterSteps = (declares: Declarations) => {
  const key = declares.isFilled('allProducts.inputs.category') ? 'category' : 'categoryId';
  const rowKey = categoryKey(declares, BULK);
  const within = everyRow(`in-category:${rowKey}`, (row, inputs) => {
    const own = row[rowKey];
    const asked = inputs[rowKey];
    if (!isValue(own) || asked === undefined) return undefined;
    return (
      fold(String(own)) === fold(String(asked)) ||
      `a product of ${JSON.stringify(own)} where ${JSON.stringify(asked)} was asked for`
    );
  });
  return {
    categories: step({
      operation: CATEGORIES,
      wants: 'whole',
      folds: { rows: collect(['category', 'categoryId'], 5000) },
    }),
    bulk: step({ operation: BULK, wants: 'whole', folds: { upcs, by: upcsBy(rowKey) } }),
    filtered: step({
      operation: BULK,
      each: {
        from: 'categories',
        fold: 'rows',
        as: { category: 'category', categoryId: 'categoryId' },
        max: 40,
        choose: chooseByName(key),
      },
      wants: 'whole',
      folds: { upcs, within },
    }),
  };
};
const filterNeeds: Rule['needs'] = () => [
  'allProducts.request',
  'allProducts.rows',
  ['allProducts.inputs.category', 'allProducts.inputs.categoryId'],
  'allCategories.request',
  'allCategories.rows',
  ['allCategories.fields.category', 'allCategories.fields.categoryId'],
];
const asked = (reading: Reading): string => JSON.stringify(reading.inputs.category ?? reading.inputs.categoryId);

const filterSound = defineRule({
  id: 'C.filter-sound',
  statement: 'C.category-filter',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category holds products of that category only.',
  how: 'The list is asked for up to 40 categories, those with awkward names first; every row’s category is compared with the one asked for.',
  subjects: [BULK],
  needs: (subject) => [...filterNeeds(subject), ['allProducts.fields.category', 'allProducts.fields.categoryId']],
  probe(_subject, declares) {
    const { categories, filtered } = filterSteps(declares);
    return { categories, filtered };
  },
  judge: (seen) =>
    judgeBreaches(seen.filtered, (reading) => reading.folds.within, 'only products of the category asked for'),
});

const bulkWhole = defineRule({
  id: 'C.bulk-whole',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list holds every product that its filtered lists show.',
  how: 'The UPCs of each filtered list are looked for in the whole list; both must have been read to their end.',
  subjects: [BULK],
  needs: (subject) => [...filterNeeds(subject), 'allProducts.fields.upc'],
  repeat: 'pass',
  probe: (_subject, declares) => filterSteps(declares),
  judge(seen) {
    const bulk = one(seen.bulk);
    const findings = seen.filtered.flatMap((reading): Finding[] => {
      const missing = reading.folds.upcs.missingFrom(bulk.folds.upcs);
      if (missing.count === 0) return [];
      return [
        {
          expected: `the list of ${asked(reading)} lies within the whole list`,
          actual: `${missing.count} of its UPCs are not in it, e.g. ${missing.first.join(', ')}`,
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0) return failedUnlessUnread(findings, [bulk, ...seen.filtered]);
    const rows = seen.filtered.reduce((sum, reading) => sum + reading.folds.upcs.size, 0);
    if (rows === 0) return nothingSeen('no filtered list has a row');
    return passed({ ...evidenceOf(seen.filtered), distinct: rows });
  },
});

const filterComplete = defineRule({
  id: 'C.filter-complete',
  statement: 'C.category-filter',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category holds every product of that category.',
  how: 'The UPCs that the whole list shows under a category are looked for in the filtered list.',
  subjects: [BULK],
  needs: (subject) => [
    ...filterNeeds(subject),
    'allProducts.fields.upc',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
  ],
  repeat: 'pass',
  probe: (_subject, declares) => filterSteps(declares),
  judge(seen, { declares }) {
    const key = categoryKey(declares, BULK);
    const wanted = new Map([...one(seen.bulk).folds.by].map(([name, keys]) => [fold(name), keys]));
    let looked = 0;
    const findings = seen.filtered.flatMap((reading): Finding[] => {
      const expected = wanted.get(fold(String(reading.inputs[key] ?? '')));
      if (!expected) return [];
      looked += expected.size;
      const missing = expected.missingFrom(reading.folds.upcs);
      if (missing.count === 0) return [];
      return [
        {
          expected: `all ${expected.size} products of ${asked(reading)}`,
          actual: `${missing.count} of them are missing, e.g. ${missing.first.join(', ')}`,
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0) return failedUnlessUnread(findings, seen.filtered);
    if (looked === 0) return nothingSeen('the whole list shows no product of the categories asked for');
    return passed({ ...evidenceOf(seen.filtered), rows: looked });
  },
});

/** A product is found when the look-up answers 2xx with at least one row that has characteristics. */
const characteristics = collect(['upc', 'characteristics'], 20);
const hasProduct = (reading: Reading<{ product: typeof characteristics }>): boolean =>
  isOk(reading) &&
  reading.folds.product?.rows.some((row) => Array.isArray(row.characteristics) && row.characteristics.length > 0);

/** Numeric storage loses leading zeros: such UPCs are always among those looked up. */
const leadingZero = { name: 'leading-zero', is: (row: Row) => typeof row.upc === 'string' && row.upc.startsWith('0') };

/** UPCs to look up: spread over the bulk list, or the profile's examples where no list is bound. */
function knownUpcs(declares: Declarations, max: number) {
  const listed =
    declares.isFilled('allProducts.request') &&
    declares.isFilled('allProducts.rows') &&
    declares.isFilled('allProducts.fields.upc');
  if (!listed) return undefined;
  return step({ operation: BULK, wants: 'content', folds: { some: spread(['upc'], max, leadingZero) } });
}

const lookupBulk = defineRule({
  id: 'C.lookup-listed',
  statement: 'C.lookup',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A look-up by the UPC of a listed product returns that product’s characteristics.',
  how: 'UPCs spread over the bulk list, leading zeros among them, are looked up; each must answer 2xx with characteristics, and the UPC of the answer, where bound, must be the one asked for.',
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
  probe: () => ({
    bulk: knownUpcs({ isFilled: () => true } as unknown as Declarations, 8) as NonNullable<
      ReturnType<typeof knownUpcs>
    >,
    products: step({
      operation: LOOKUP,
      each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max: 8 },
      wants: 'answer',
      folds: { product: characteristics },
    }),
  }),
  judge: (seen, context) => judgeLookups(seen.products, context.declares),
});

const lookupExample = defineRule({
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
  judge: (seen, context) => judgeLookups(Object.values(seen).flat(), context.declares),
});

function judgeLookups(products: readonly Reading<{ product: typeof characteristics }>[], declares: Declarations) {
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
    const other = reading.folds.product.rows.find((row) => typeof row.upc === 'string' && row.upc !== upc);
    return other ? [{ expected, actual: `the product ${other.upc}`, exchange: reading.exchange }] : [];
  });
  if (findings.length === products.length && products.every((reading) => isOk(reading) && !hasProduct(reading)))
    return failed(findings.slice(0, 1), 'profile');
  return findings.length > 0
    ? failed(findings)
    : passed({ exchanges: products.length, rows: products.length, distinct: products.length });
}

type MalformedSteps = Record<string, Step<{ product: typeof characteristics }>>;

/** What is made of a known UPC, without what the implementer admits to normalising. */
function malformedFrom(upc: string, declares: Declarations): string[] {
  const admitted = MALFORMED_UPCS.filter((each) => !each.admittedBy || !declares.upcAdmits.includes(each.admittedBy));
  return [...new Set(admitted.map((each) => each.make(upc)).filter((text) => !isUpc(text)))];
}

const malformedUpc = defineRule({
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
        bulk,
        unknown,
        known: ask(2, 'answer'),
        malformed: ask(80, 'any', malform),
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
  judge(seen, { declares }) {
    const named = (prefix: string) =>
      Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(prefix) ? readings : []));
    const unknown = one(seen.unknown as readonly Reading<{ product: typeof characteristics }>[]);
    const known = named('known');
    const control = known.find(hasProduct);
    const [first] = known;
    if (!first) return nothingSeen('no UPC the service knows');
    if (!control) {
      return undecided(
        `the control failed: the known UPC ${first.inputs.upc} yields no characteristics (${tellAnswer(first)})`,
      );
    }
    if (hasProduct(unknown) && unknown.observation?.digest === control.observation?.digest) {
      return undecided(
        `the control failed: the unknown UPC ${unknown.inputs.upc} yields the same product as the known one`,
      );
    }
    const malformed = named('malformed');
    const yielding = malformed.filter(
      (reading) => hasProduct(reading) && reading.observation?.digest !== unknown.observation?.digest,
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

const deltaStep = (weeks: DeltaWeeks) =>
  step({
    operation: DELTA,
    inputs: { window: { value: weeks } },
    wants: 'whole',
    folds: { upcs, dates: extent('changedOn'), all: tally('changedOn') },
  });
const deltaSteps = () => ({ one: deltaStep(1), four: deltaStep(4), thirteen: deltaStep(13) });
const deltaNeeds = ['updateProducts.request', 'updateProducts.rows', 'updateProducts.inputs.window'] as const;

const deltaNested = defineRule({
  id: 'C.delta-nested',
  statement: 'C.delta-windows',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The 1-week delta lies within the 4-week delta, and that within the 13-week delta.',
  how: 'The UPCs of each smaller window are looked for in the next larger one.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc'],
  repeat: 'pass',
  probe: deltaSteps,
  judge(seen) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)] as const;
    const findings: Finding[] = [];
    for (const [smaller, larger] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const missing = readings[smaller].folds.upcs.missingFrom(readings[larger].folds.upcs);
      if (missing.count > 0) {
        findings.push({
          expected: `the ${WINDOWS[smaller]}-week delta lies within the ${WINDOWS[larger]}-week delta`,
          actual: `${missing.count} UPCs are missing from the larger one, e.g. ${missing.first.join(', ')}`,
          exchange: readings[larger].exchange,
        });
      }
    }
    if (findings.length > 0) return failedUnlessUnread(findings, readings);
    const rows = readings[0].folds.upcs.size + readings[1].folds.upcs.size;
    return rows === 0
      ? nothingSeen('the 1- and 4-week deltas are empty')
      : passed({ ...evidenceOf(readings), distinct: rows });
  },
});

const deltaAnswered = defineRule({
  id: 'C.delta-windows-answered',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A delta is delivered for 1 week, 4 weeks and 13 weeks.',
  how: 'Each window is asked for; one that is refused while another is answered is a failure.',
  subjects: [DELTA],
  needs: () => ['updateProducts.request', 'updateProducts.inputs.window'],
  repeat: 'inconclusive',
  probe() {
    const ask = (weeks: DeltaWeeks) =>
      step({ operation: DELTA, inputs: { window: { value: weeks } }, wants: 'answer' });
    const { before, pair, after } = servedSteps(DELTA);
    return { before, pair, after, one: ask(1), four: ask(4), thirteen: ask(13) };
  },
  judge(seen) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)];
    const unread = readings.find((reading) => reading.observation?.problem);
    if (unread) return undecided(unread.observation?.problem?.message ?? '');
    const refused = readings.filter((reading) => !isOk(reading));
    if (refused.length === readings.length)
      return undecided(`no window is answered: ${tellAnswer(readings[0] as Reading)}`);
    if (refused.length > 0)
      return failed(
        refused.map((reading) => ({
          expected: `a delta for ${reading.inputs.window} weeks`,
          actual: tellAnswer(reading),
          exchange: reading.exchange,
        })),
      );
    const presence = presenceOf(one(seen.pair), one(seen.before), one(seen.after));
    return presence.is === 'served' ? passed({ exchanges: 3, distinct: 3 }) : undecided(presence.by);
  },
});

const deltaSpan = defineRule({
  id: 'C.delta-span',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The rows of a delta changed within its window.',
  how: 'The newest and oldest change dates of each window lie at most the window and one data week apart; no clock of ours is used.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.changedOn'],
  probe: deltaSteps,
  judge(seen) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)];
    return combine(
      readings.map((reading, at) =>
        spanAllowance(reading, reading.folds.dates, reading.folds.all, WINDOWS[at] as number),
      ),
    );
  },
});

const deltaWindow = defineRule({
  id: 'C.delta-window',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each row of a delta changed within the window counted back from the as-of.',
  how: 'Each row’s change date is compared with the as-of the profile declares, to the day.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'dataWeek', 'updateProducts.fields.changedOn', 'updateProducts.fields.asOf'],
  probe: deltaSteps,
  judge(seen, { declares }) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)];
    return combine(
      readings.map((reading, at) =>
        judgeWindow(reading, reading.folds.dates, WINDOWS[at] as number, 'changedOn', declares),
      ),
    );
  },
});

const deltaComplete = defineRule({
  id: 'C.delta-complete',
  statement: 'C.delta',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A change that a larger window shows within the dates of a smaller one is in the smaller one too.',
  how: 'Rows of the 4- and 13-week deltas whose change date lies after the oldest and not after the newest date of a smaller delta are looked for in it.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc', 'updateProducts.fields.changedOn'],
  repeat: 'pass',
  probe() {
    const list = (weeks: DeltaWeeks) =>
      step({
        operation: DELTA,
        inputs: { window: { value: weeks } },
        wants: 'whole',
        folds: { upcs, dates: extent('changedOn'), rows: collect(['upc', 'changedOn'], 500_000) },
      });
    return { one: list(1), four: list(4), thirteen: list(13) };
  },
  judge(seen) {
    const readings = [one(seen.one), one(seen.four), one(seen.thirteen)] as const;
    let looked = 0;
    const findings: Finding[] = [];
    for (const [smaller, larger] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const inner = readings[smaller];
      const { least, greatest } = inner.folds.dates;
      if (!least || !greatest) continue;
      // The oldest day may lie half outside a window that is counted in hours: only what is newer must be in it.
      const inside = readings[larger].folds.rows.rows.filter(
        (row) =>
          typeof row.changedOn === 'number' &&
          row.changedOn > least.value &&
          row.changedOn <= greatest.value &&
          typeof row.upc === 'string',
      );
      looked += inside.length;
      const missing = inside.filter((row) => !inner.folds.upcs.has(row.upc as string));
      if (missing.length > 0) {
        findings.push({
          expected: `the ${WINDOWS[smaller]}-week delta shows every change within its own dates`,
          actual: `${missing.length} changes that the ${WINDOWS[larger]}-week delta dates there are missing, e.g. ${missing
            .slice(0, 5)
            .map((row) => row.upc)
            .join(', ')}`,
          exchange: inner.exchange,
        });
      }
    }
    if (findings.length > 0) return failedUnlessUnread(findings, readings);
    return looked === 0
      ? nothingSeen('no dated change lies within a smaller window')
      : passed({ ...evidenceOf(readings), rows: looked });
  },
});

const categoryAgrees = defineRule({
  id: 'C.category-agrees',
  statement: 'C.product-category',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A product belongs to the same category in the look-up as in the bulk list.',
  how: 'UPCs spread over the bulk list are looked up; the category of the two answers is compared by the name, or by the id, that both carry.',
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
  probe: () => ({
    bulk: step({
      operation: BULK,
      wants: 'content',
      folds: { some: spread(['upc'], 8, leadingZero), rows: collect(['upc', 'category', 'categoryId'], 200_000) },
    }),
    products: step({
      operation: LOOKUP,
      each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max: 8 },
      wants: 'content',
      folds: { product: collect(['category', 'categoryId'], 2) },
    }),
  }),
  judge(seen) {
    const bulk = one(seen.bulk);
    const listed = new Map(bulk.folds.rows.rows.map((row) => [row.upc, row]));
    let looked = 0;
    const findings = seen.products.flatMap((reading): Finding[] => {
      const [own, ...others] = reading.folds.product.rows;
      const row = listed.get(String(reading.inputs.upc));
      if (!own || !row || others.length > 0) return [];
      const field = (['category', 'categoryId'] as const).find(
        (each) => typeof own[each] === 'string' && typeof row[each] === 'string',
      );
      if (!field) return [];
      looked++;
      if (fold(String(own[field])) === fold(String(row[field]))) return [];
      return [
        {
          expected: `product ${reading.inputs.upc} belongs to ${JSON.stringify(row[field])}, as the bulk list says`,
          actual: JSON.stringify(own[field]),
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

const deltaListed = defineRule({
  id: 'C.delta-listed',
  statement: 'C.delta',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'A new or changed product is in the bulk list.',
  how: 'The UPCs of the 13-week delta are looked for in the bulk list. Delistings may stand in a delta, so this only advises.',
  subjects: [DELTA],
  needs: () => [
    ...deltaNeeds,
    'updateProducts.fields.upc',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
  ],
  repeat: 'pass',
  probe: () => ({ bulk: step({ operation: BULK, wants: 'whole', folds: { upcs } }), delta: deltaStep(13) }),
  judge(seen) {
    const delta = one(seen.delta);
    const missing = delta.folds.upcs.missingFrom(one(seen.bulk).folds.upcs);
    if (delta.folds.upcs.size === 0) return nothingSeen('the delta is empty');
    if (missing.count === 0) return passed({ ...evidenceOf([delta]), distinct: delta.folds.upcs.size });
    return failed([
      {
        expected: 'the delta lies within the bulk list',
        actual: `${missing.count} UPCs are not in it, e.g. ${missing.first.join(', ')}`,
        exchange: delta.exchange,
      },
    ]);
  },
});

const deltaDiffers = defineRule({
  id: 'C.delta-windows-differ',
  statement: 'C.delta-windows',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The three windows do not show the very same products.',
  how: 'If the 1-week delta has a row and the 13-week delta is no larger, the window is likely ignored. Everything may have changed in one week, so this only advises.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc'],
  repeat: 'pass',
  probe: deltaSteps,
  judge(seen) {
    const sizes = [one(seen.one), one(seen.four), one(seen.thirteen)].map((reading) => reading.folds.upcs.size);
    if (sizes[0] === 0) return nothingSeen('the 1-week delta is empty');
    if (sizes[0] !== sizes[2]) return passed({ exchanges: 3, distinct: sizes[2] ?? 0 });
    return failed([
      {
        expected: 'more changes in 13 weeks than in one',
        actual: `${sizes[0]} in each`,
        exchange: one(seen.thirteen).exchange,
      },
    ]);
  },
});

const deltaFresh = defineRule({
  id: 'C.delta-fresh',
  statement: 'C.delta-weekly',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The delta stands at the same data week as the bulk list.',
  how: 'The as-of of the delta is compared with that of the bulk list; more than one data week apart is reported.',
  subjects: [DELTA],
  needs: () => [...deltaNeeds, 'updateProducts.fields.asOf', 'allProducts.request', 'allProducts.fields.asOf'],
  repeat: 'pass',
  probe: () => ({ bulk: step({ operation: BULK, wants: 'content' }), delta: deltaStep(1) }),
  judge(seen) {
    const day = (reading: Reading) =>
      reading.observation?.values.asOf?.find((value) => typeof value === 'number') as number | undefined;
    const [bulk, delta] = [day(one(seen.bulk)), day(one(seen.delta))];
    if (bulk === undefined || delta === undefined)
      return nothingSeen('an answer holds no as-of where the profile reads one');
    if (Math.abs(bulk - delta) <= 7) return passed({ exchanges: 2, distinct: 1 });
    return failed([
      {
        expected: 'one data week in the bulk list and the delta',
        actual: `their as-ofs are ${Math.abs(bulk - delta)} days apart`,
        exchange: one(seen.delta).exchange,
      },
    ]);
  },
});

export const productReference: readonly Rule[] = [
  categoriesListed,
  categoriesKnown,
  upcRule,
  bulkUnique,
  marketRule({
    id: 'C.us-market',
    statement: 'C.us-market',
    which: 'products',
    subjects: [BULK as OperationKey],
    needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.market'],
  }),
  historySpan,
  historyWindow,
  filterSound,
  bulkWhole,
  filterComplete,
  lookupBulk,
  lookupExample,
  malformedUpc,
  deltaAnswered,
  deltaNested,
  deltaSpan,
  deltaWindow,
  deltaComplete,
  deltaListed,
  deltaDiffers,
  deltaFresh,
  categoryAgrees,
  requiredRule({
    id: 'C.products-categorised',
    statement: 'C.product-category',
    demands: 'A product of the bulk list belongs to a category.',
    subject: BULK,
    fields: ['category', 'categoryId'],
  }),
];
