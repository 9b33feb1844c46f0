/** Values of a row or of a response that are wrong. */
import {
  ALL_PRODUCTS,
  type Field,
  LIMITS,
  operationOf,
  PERFORMANCE_OPERATIONS,
  UPDATE_PRODUCTS,
} from '../../contract/index.ts';
import type { Cell, Row } from '../../reading/types.ts';
import {
  changeCount,
  changeRow,
  changeValues,
  type ListChange,
  otherSource,
  quotedLike,
  sourceOf,
  withDigit,
} from '../changes.ts';
import type { Document } from '../document.ts';
import { identityOf, isWithin, type List, type RecordedWorld } from '../world.ts';
import { at, differingInputs, later, listName, PER_LIST, site } from './sites.ts';
import type { LegalSite, Operator, Site } from './types.ts';

const PRODUCT_LISTS = ['allProducts', 'updateProducts', 'products'];
const SALES = PERFORMANCE_OPERATIONS.map((key) => operationOf(key).name);
const isText = (cell: Cell): cell is string => typeof cell === 'string';
const isNumber = (cell: Cell): cell is number => typeof cell === 'number';

/** What is written in place of a value, by its row in a document. */
type NewText = (document: Document, row: number, field: Field, list: List) => string | undefined;

/** Changes some values of the row of an identity, in each document of a list that has it. */
export function withValues(
  list: List,
  id: string,
  fields: readonly Field[],
  textOf: NewText,
  isMeant: (before: Row, after: Row) => boolean,
): ListChange {
  return {
    list,
    edit(document) {
      const row = document.rows.findIndex((each) => identityOf(list, each) === id);
      if (row < 0) return undefined;
      const texts = Object.fromEntries(fields.map((field) => [field, textOf(document, row, field, list)]));
      return changeRow(document, row, texts, isMeant);
    },
  };
}

/** The drawn rows of a list that have a field. */
const rowsWith = (
  world: RecordedWorld,
  list: List,
  field: Field,
  isMeant: (row: Row) => boolean = () => true,
  count = PER_LIST,
): Row[] =>
  world.draw(
    list.rows.filter(
      (row) => row[field] !== undefined && row[field] !== null && identityOf(list, row) !== undefined && isMeant(row),
    ),
    count,
  );

/** The lists that show a row, by an identity that some operations have in common. */
const showing = (world: RecordedWorld, names: readonly string[], id: string, field: Field): List[] =>
  world
    .of(...names)
    .filter((list) => list.rows.some((row) => identityOf(list, row) === id && row[field] !== undefined));

/** A site in one list, and one in all lists that show the same value of the same row. */
function oneAndAll(
  world: RecordedWorld,
  list: List,
  row: Row,
  names: readonly string[],
  field: Field,
  change: (list: List, id: string) => ListChange,
  areAllLegal?: string,
): (Site | LegalSite)[] {
  const id = identityOf(list, row) as string;
  const all = showing(world, names, id, field);
  const one = site(list, at(list, row), [change(list, id)]);
  if (areAllLegal !== undefined) return [one, { operation: list.operation, otherWorld: areAllLegal }];
  return all.length > 1
    ? [
        one,
        site(
          list,
          at(list, row),
          all.map((each) => change(each, id)),
          'everywhere',
        ),
      ]
    : [one];
}

const isNoUpc = (cell: Cell): boolean => !(isText(cell) && new RegExp(`^\\d{${LIMITS.upcDigits}}$`).test(cell));

/** A UPC that has a digit less, or a letter in place of one. */
const upcWith = (change: (digit: string) => string) => (world: RecordedWorld) =>
  world.of(...PRODUCT_LISTS).flatMap((list) =>
    rowsWith(world, list, 'upc', ({ upc }) => isText(upc), 1).flatMap((row) =>
      oneAndAll(world, list, row, PRODUCT_LISTS, 'upc', (each, id) =>
        withValues(
          each,
          id,
          ['upc'],
          (document, index) => {
            const source = sourceOf(document, index, 'upc');
            return source && withDigit(source, -1, change);
          },
          (_, after) => isNoUpc(after.upc),
        ),
      ),
    ),
  );

/** Another last digit of a UPC, in all lists of products: its check digit does not fit any more. */
const otherCheckDigit = (world: RecordedWorld): (Site | LegalSite)[] => {
  const whole = world.unfiltered(ALL_PRODUCTS);
  if (!whole) return [];
  if (world.profile.data.upc?.checkDigit !== true)
    return [
      { operation: ALL_PRODUCTS, otherWorld: 'the last digit is no check digit: the profile does not promise it' },
    ];
  const lists = ['allProducts', 'updateProducts'];
  return rowsWith(world, whole, 'upc', ({ upc }) => isText(upc)).map((row) =>
    site(
      whole,
      at(whole, row),
      showing(world, lists, row.upc as string, 'upc').map((list) =>
        withValues(
          list,
          row.upc as string,
          ['upc'],
          (document, index) =>
            withDigit(sourceOf(document, index, 'upc') ?? '', -1, (digit) => String((Number(digit) + 1) % 10)),
          (before, after) => !isNoUpc(after.upc) && before.upc !== after.upc,
        ),
      ),
      'everywhere',
    ),
  );
};

/** The names of the category of a product that its row shows. */
const categoryFields = (row: Row): Field[] =>
  (['category', 'categoryId'] as const).filter((field) => isText(row[field]));

/** A product in another category than its filtered list or its look-up shows. */
function otherCategory(world: RecordedWorld): (Site | LegalSite)[] {
  const filtered = world.selected().filter(({ part }) => part.operation === ALL_PRODUCTS);
  const whole = world.unfiltered(ALL_PRODUCTS);
  if (!whole) return [];
  const change =
    (other: Row) =>
    (list: List, id: string): ListChange =>
      withValues(
        list,
        id,
        categoryFields(list.rows.find((row) => identityOf(list, row) === id) ?? {}),
        (document, _, field) => otherSource(list, world, document, field, (row) => row[field] === other[field]),
        (before, after) =>
          categoryFields(before).every((field) => before[field] !== after[field] && after[field] === other[field]),
      );
  const otherOf = (row: Row): Row | undefined =>
    whole.rows.find(
      (other) =>
        categoryFields(row).length > 0 &&
        categoryFields(row).every((field) => isText(other[field]) && other[field] !== row[field]),
    );
  const ofFiltered = filtered.flatMap(({ part }) =>
    rowsWith(world, part, 'upc', (row) => otherOf(row) !== undefined, 1).flatMap((row) => {
      const changed = change(otherOf(row) as Row);
      const id = identityOf(part, row) as string;
      // The filter is asked for one of the values that change.
      if (!categoryFields(row).some((field) => field in part.inputs)) return [];
      const everywhere = showing(world, PRODUCT_LISTS, id, 'category').map((list) => changed(list, id));
      return [
        site(part, at(part, row), [changed(part, id)]),
        ...(whole.rows.some((each) => each.upc === row.upc) ? [site(whole, at(whole, row), [changed(whole, id)])] : []),
        ...(everywhere.length > 1 ? [site(part, at(part, row), everywhere, 'everywhere')] : []),
      ];
    }),
  );
  const inBulk = new Map(whole.rows.map((row) => [row.upc, row]));
  const ofLookUps = world
    .of('products')
    .flatMap((list) =>
      list.rows.length === 1
        ? rowsWith(
            world,
            list,
            'category',
            (row) => inBulk.get(identityOf(list, row))?.category === row.category && otherOf(row) !== undefined,
            1,
          ).map((row) =>
            site(list, at(list, row), [change(otherOf(row) as Row)(list, identityOf(list, row) as string)]),
          )
        : [],
    );
  const unfiltered: LegalSite = {
    operation: ALL_PRODUCTS,
    otherWorld: 'the product belongs to the other category: no filtered list says otherwise',
  };
  return [...ofFiltered, ...world.draw(ofLookUps, 2 * PER_LIST), ...(filtered.length === 0 ? [unfiltered] : [])];
}

/** Another market than that of the document, in a row or in the response. */
const FOREIGN = 'Canada';
const foreignMarket = (names: readonly string[]) => (world: RecordedWorld) =>
  world.of(...names).flatMap((list): Site[] => [
    ...rowsWith(world, list, 'market', ({ market }) => isText(market), 1).map((row) =>
      site(list, at(list, row), [
        withValues(
          list,
          identityOf(list, row) as string,
          ['market'],
          (document, index) => quotedLike(sourceOf(document, index, 'market') ?? '', FOREIGN),
          (before, after) => after.market !== before.market && isText(after.market),
        ),
      ]),
    ),
    ...(list.pages.some(({ values }) => (values.get('market')?.length ?? 0) > 0)
      ? [
          site(list, `${listName(list)}: the market`, [
            { list, edit: (document) => changeValues(document, 'market', (written) => quotedLike(written, FOREIGN)) },
          ]),
        ]
      : []),
  ]);

/** A text with its year changed. */
const withYear = (source: string, years: number): string | undefined => {
  const year = /(?:19|20)\d\d/.exec(source);
  return year ? source.replace(year[0], String(Number(year[0]) + years)) : undefined;
};

/** A date of a row that is years before its window. */
const tooOld =
  (
    names: readonly string[],
    field: Field,
    years: number,
    isMeant: (row: Row, list: List, world: RecordedWorld) => boolean,
  ) =>
  (world: RecordedWorld) =>
    world.of(...names).flatMap((list) =>
      rowsWith(world, list, field, (row) => isNumber(row[field]) && isMeant(row, list, world), 1).map((row) =>
        site(list, at(list, row), [
          withValues(
            list,
            identityOf(list, row) as string,
            [field],
            (document, index) => withYear(sourceOf(document, index, field) ?? '', -years),
            (before, after) =>
              isNumber(after[field]) && isNumber(before[field]) && before[field] - after[field] > 360 * years,
          ),
        ]),
      ),
    );

/** Whether only the date of the change can be the reason why a window contains a row. */
const isByChange = (row: Row, { asOf, inputs }: List, world: RecordedWorld): boolean =>
  !world.isRemoval(row) &&
  isWithin({ changedOn: row.changedOn }, asOf, Number(inputs.window)) === true &&
  (!isNumber(row.firstActiveOn) || isWithin({ changedOn: row.firstActiveOn }, asOf, Number(inputs.window)) === false);

/** A figure with another first digit. */
const otherDigit = (source: string): string | undefined =>
  withDigit(source, 0, (digit) => String(digit === '9' ? 8 : Number(digit) + 1));

const figureChange =
  (field: Field) =>
  (list: List, id: string): ListChange =>
    withValues(
      list,
      id,
      [field],
      (document, index) => otherDigit(sourceOf(document, index, field) ?? ''),
      (before, after) =>
        isNumber(before[field]) && isNumber(after[field]) && Math.abs(before[field] - after[field]) >= 1,
    );

const LARGE_AMOUNT = 10_000;

/** The percentage of a row does not follow from its amounts. */
const otherPercentage = (world: RecordedWorld) =>
  world.declarations.percentChange === undefined
    ? []
    : world.of(...SALES).flatMap((list) =>
        rowsWith(
          world,
          list,
          'percentChange',
          // The rounding of small amounts permits other percentages.
          ({ percentChange, salesLastYear }) =>
            isNumber(percentChange) &&
            Math.abs(percentChange) >= 1 &&
            isNumber(salesLastYear) &&
            salesLastYear > LARGE_AMOUNT,
          1,
        ).flatMap((row) =>
          oneAndAll(
            world,
            list,
            row,
            [operationOf(list.operation).name],
            'percentChange',
            figureChange('percentChange'),
          ),
        ),
      );

/** A filtered row has another figure than the same row of the whole result, of one as-of date. */
const otherFigure = (field: Field) => (world: RecordedWorld) =>
  world.selected().flatMap(({ part, whole }): (Site | LegalSite)[] => {
    if (!SALES.includes(operationOf(part.operation).name)) return [];
    if (part.asOf === undefined || part.asOf !== whole.asOf)
      return [
        {
          operation: part.operation,
          otherWorld: 'the data are reloaded between the requests: no as-of date says that they are not',
        },
      ];
    return rowsWith(world, part, field, (row) => isNumber(row[field]) && row[field] > 0, 1).map((row) =>
      site(part, at(part, row), [figureChange(field)(part, identityOf(part, row) as string)]),
    );
  });

/** The sales of a category, in each response, differ from the sum of its brands. */
const otherSum = (world: RecordedWorld): (Site | LegalSite)[] =>
  world.of('categoryPerformance').flatMap((list): (Site | LegalSite)[] => {
    if (Object.keys(list.inputs).length > 0 || !list.isWhole) return [];
    if (world.profile.data.figures?.sums !== 'equal')
      return [
        {
          operation: list.operation,
          otherWorld: 'a category has sales of no listed brand: the profile does not promise sums',
        },
      ];
    return rowsWith(world, list, 'sales12Weeks', ({ sales12Weeks }) => isNumber(sales12Weeks) && sales12Weeks > 0).map(
      (row) => {
        const id = identityOf(list, row) as string;
        const lists = showing(world, ['categoryPerformance'], id, 'sales12Weeks');
        return site(
          list,
          at(list, row),
          lists.map((each) => figureChange('sales12Weeks')(each, id)),
          'everywhere',
        );
      },
    );
  });

/** A figure is not there. */
const WITHOUT: Record<string, string> = { json: 'null', ndjson: 'null', xml: '', csv: '', text: '' };
const noFigure = (field: Field) => (world: RecordedWorld) =>
  world.of(...SALES).flatMap((list) =>
    world.declarations.nullable(list.operation, field)
      ? []
      : rowsWith(world, list, field, (row) => isNumber(row[field]), 1).map((row) =>
          site(list, at(list, row), [
            withValues(
              list,
              identityOf(list, row) as string,
              [field],
              ({ notation }) => WITHOUT[notation],
              (_, after) => after[field] === null || after[field] === undefined,
            ),
          ]),
        ),
  );

/** The sales of 4 weeks are those of 52 weeks, and the reverse, in each response. */
const disordered = (world: RecordedWorld): (Site | LegalSite)[] =>
  world.of(...SALES).flatMap((list): (Site | LegalSite)[] => {
    if (Object.keys(list.inputs).length > 0) return [];
    if (world.profile.data.figures?.windowsOrdered !== true)
      return [
        {
          operation: list.operation,
          otherWorld: 'returns make the sales of a longer window lower: the profile does not promise an order',
        },
      ];
    const rows = rowsWith(
      world,
      list,
      'sales4Weeks',
      ({ sales4Weeks: less, sales52Weeks: more }) => isNumber(less) && isNumber(more) && less < more,
    );
    return rows.map((row) => {
      const id = identityOf(list, row) as string;
      const lists = showing(world, [operationOf(list.operation).name], id, 'sales4Weeks');
      const swap = (each: List): ListChange =>
        withValues(
          each,
          id,
          ['sales4Weeks', 'sales52Weeks'],
          (document, index, field) =>
            sourceOf(document, index, field === 'sales4Weeks' ? 'sales52Weeks' : 'sales4Weeks'),
          (before, after) => before.sales4Weeks === after.sales52Weeks && before.sales52Weeks === after.sales4Weeks,
        );
      return site(list, at(list, row), lists.map(swap), 'everywhere');
    });
  });

/** A later call has another figure than the first one, although both state one as-of date. */
const figureLater = (world: RecordedWorld): Site[] =>
  world
    .of(...SALES)
    .flatMap((list) =>
      list.asOf !== undefined && world.isRepeated(list)
        ? rowsWith(world, list, 'sales4Weeks', ({ sales4Weeks }) => isNumber(sales4Weeks) && sales4Weeks > 0, 1).map(
            (row) =>
              later(site(list, at(list, row), [figureChange('sales4Weeks')(list, identityOf(list, row) as string)])),
          )
        : [],
    );

/** A stated count is one too high. */
const otherCount = (world: RecordedWorld): Site[] =>
  world.lists.flatMap((list) =>
    list.pages.some((page) => page.counts.some((parts) => parts.length > 0)) && list.isWhole
      ? [site(list, `${listName(list)}: a count`, [{ list, edit: changeCount }])]
      : [],
  );

/** An item names another parent than the one that it is listed for. */
const otherParent = (world: RecordedWorld): (Site | LegalSite)[] =>
  world.lists.flatMap((list): (Site | LegalSite)[] => {
    if (operationOf(list.operation).group !== 'B') return [];
    const siblings = world.lists.filter((other) => other.operation === list.operation && other.isWhole);
    const [own] = list.rows.flatMap((row) => (isText(row.parent) ? [row.parent] : []));
    // Only a list that was read shows that the other parent lacks the item.
    const named = siblings.find((other) => {
      const [name, ...more] = differingInputs(list, other);
      const parent = other.inputs[name as 'level'];
      return (
        more.length === 0 &&
        other.rows.some((row) => isText(row.parent) && row.parent !== own && row.parent === String(parent))
      );
    });
    const parent = named?.rows.find((row) => isText(row.parent) && row.parent !== own)?.parent;
    if (own === undefined || !isText(parent)) return [];
    // Items of several parents may have one name: another list with it may be that of the parent.
    const listed = (row: Row): boolean =>
      siblings.some(
        (other) => other !== list && other.rows.some((each) => identityOf(other, each) === identityOf(list, row)),
      );
    if (list.rows.every(listed))
      return [
        {
          operation: list.operation,
          otherWorld: 'the other parent has the item, too: its list contains one of this name',
        },
      ];
    return rowsWith(world, list, 'parent', (row) => row.parent === own && !listed(row), 1).map((row) =>
      site(list, at(list, row), [
        withValues(
          list,
          identityOf(list, row) as string,
          ['parent'],
          (document) => otherSource(list, world, document, 'parent', (each) => each.parent === parent),
          (_, after) => after.parent === parent,
        ),
      ]),
    );
  });

const isAnyRow = (): boolean => true;

export const VALUE_OPERATORS: readonly Operator[] = [
  { name: 'UPC without a digit', statement: 'C.upc-12', says: 'A UPC has one digit less.', sites: upcWith(() => '') },
  {
    name: 'UPC with a letter',
    statement: 'C.upc-12',
    says: 'A UPC has a letter in place of a digit.',
    sites: upcWith(() => 'O'),
  },
  {
    name: 'UPC with another check digit',
    statement: 'C.upc-12',
    promise: 'upc.checkDigit',
    says: 'The last digit of a UPC is another one in all lists.',
    sites: otherCheckDigit,
  },
  {
    name: 'product in another category',
    statement: 'C.product-category',
    says: 'A product is shown in another category than the one whose list has it.',
    sites: otherCategory,
  },
  {
    name: 'product of another market',
    statement: 'C.us-market',
    says: 'The market of a product is not the US.',
    sites: foreignMarket(['allProducts']),
  },
  {
    name: 'sales of another market',
    statement: 'D.market',
    says: 'The market of a row is not Total US.',
    sites: foreignMarket(SALES),
  },
  {
    name: 'inactive product',
    statement: 'C.history-52',
    says: 'A product was last active two years earlier.',
    sites: tooOld(['allProducts'], 'activeOn', 2, isAnyRow),
  },
  {
    name: 'change before its window',
    statement: 'C.delta-windows',
    says: 'A change of a window is dated a year earlier.',
    sites: tooOld([operationOf(UPDATE_PRODUCTS).name], 'changedOn', 1, isByChange),
  },
  {
    name: 'percentage parts from its amounts',
    statement: 'D.five-figures',
    promise: 'figures.percentChange',
    says: 'The percentage change of a row is another.',
    sites: otherPercentage,
  },
  {
    name: 'figure differs in a filter',
    statement: 'D.filters',
    says: 'A filtered row has other sales of 4 weeks.',
    sites: otherFigure('sales4Weeks'),
  },
  {
    name: 'figure of last year differs in a filter',
    statement: 'D.filters',
    says: 'A filtered row has other sales of last year.',
    sites: otherFigure('salesLastYear'),
  },
  {
    name: 'category is not the sum',
    statement: 'D.category-performance',
    promise: 'figures.sums',
    says: 'The sales of a category are not the sum of its brands.',
    sites: otherSum,
  },
  ...(['sales4Weeks', 'sales12Weeks', 'sales52Weeks'] as const).map((field) => ({
    name: `no ${field}`,
    statement: 'D.five-figures' as const,
    says: 'A row lacks a figure.',
    sites: noFigure(field),
  })),
  {
    name: 'windows out of order',
    statement: 'D.windows',
    promise: 'figures.windowsOrdered',
    says: 'The sales of 4 and of 52 weeks change places.',
    sites: disordered,
  },
  {
    name: 'figure changes later',
    statement: 'D.windows',
    says: 'A row has other sales of 4 weeks when it is requested again.',
    sites: figureLater,
  },
  {
    name: 'count off by one',
    statement: 'operation.served',
    promise: 'response.counts',
    says: 'A stated count is one too high.',
    sites: otherCount,
  },
  {
    name: 'item of another parent',
    statement: 'B.graph',
    promise: 'response.fields.parent',
    says: 'An item names another parent.',
    sites: otherParent,
  },
];
