/** Responses that belong to another request, lie about themselves, or are not there. */
import { type OperationKey, operationOf, PERFORMANCE_OPERATIONS, UPDATE_PRODUCTS } from '../../contract/index.ts';
import type { Exchange } from '../../exchange/types.ts';
import type { CapturedNode } from '../captured-run.ts';
import { answeredAs, cutInHalf, type ListChange, withHead } from '../changes.ts';
import { identityOf, isWithin, type List, type RecordedWorld } from '../world.ts';
import { differingInputs, later, listName, PER_LIST, site } from './sites.ts';
import type { LegalSite, Operator, Site } from './types.ts';

const SALES = PERFORMANCE_OPERATIONS.map((key) => operationOf(key).name);

/** Answers the requests of a list with the pages of another one. */
const answeredLike = (list: Pick<List, 'nodes'>, other: Pick<List, 'nodes'>): ListChange => {
  const pages = other.nodes[0]?.result.exchanges ?? [];
  const own = list.nodes[0]?.result.exchanges ?? [];
  // Which page a later call asks for is known where there is one.
  return {
    list,
    replace: (exchange) =>
      pages.length === 1 && own.length === 1 ? answeredAs(exchange, pages[0] as Exchange) : undefined,
  };
};

const isSinglePage = (list: List): boolean => list.isWhole && list.nodes[0]?.result.exchanges.length === 1;
const idsOf = (list: List): Set<string | undefined> => new Set(list.rows.map((row) => identityOf(list, row)));
const isPartOf = (part: List, whole: List): boolean => [...idsOf(part)].every((id) => idsOf(whole).has(id));

/** A list that is selected by an input gets the response of another selection, or of the whole list. */
const otherSelection = (names: readonly string[], isWhole: boolean) => (world: RecordedWorld) => {
  const pairs = world
    .selected()
    .filter(({ part }) => names.includes(operationOf(part.operation).name) && isSinglePage(part));
  return pairs.flatMap(({ part, whole, selects }): Site[] => {
    const others = isWhole
      ? [whole]
      : pairs.map((each) => each.part).filter((each) => each.operation === part.operation && each !== part);
    const wrong = others.filter((other) => isSinglePage(other) && other.rows.some((row) => selects(row) === false));
    return world
      .draw(wrong, 1)
      .map((other) => site(part, `${listName(part)} as ${listName(other)}`, [answeredLike(part, other)]));
  });
};

/** A window gets the response of another one, although the windows are then not within each other, or a date is not within its window. */
const otherWindow = (world: RecordedWorld) =>
  world.of(operationOf(UPDATE_PRODUCTS).name).flatMap((list): (Site | LegalSite)[] => {
    const windows = world
      .of(operationOf(UPDATE_PRODUCTS).name)
      .filter((each) => Object.keys(each.inputs).join() === Object.keys(list.inputs).join());
    const weeks = Number(list.inputs.window);
    return windows.flatMap((other): (Site | LegalSite)[] => {
      if (
        other === list ||
        !isSinglePage(other) ||
        !isSinglePage(list) ||
        isPartOf(list, other) === isPartOf(other, list)
      )
        return [];
      const isBroken =
        windows.some((each) => each !== list && Number(each.inputs.window) < weeks && !isPartOf(each, other)) ||
        windows.some((each) => each !== list && Number(each.inputs.window) > weeks && !isPartOf(other, each)) ||
        other.rows.some(
          ({ changeKind, ...row }) => changeKind === undefined && isWithin(row, other.asOf, weeks) === false,
        );
      return isBroken
        ? [site(list, `${listName(list)} as ${listName(other)}`, [answeredLike(list, other)])]
        : [{ operation: list.operation, otherWorld: 'the same products changed in both windows' }];
    });
  });

/** A text that shows the UPC of a look-up, however it is written. */
const shows = (list: List, upc: string): boolean =>
  list.pages.some(({ text }) => text.includes(upc) || text.includes(upc.replace(/^0+/, '')));

/** A look-up gets the product of another UPC. */
const otherProduct = (rhythm: (each: Site) => Site) => (world: RecordedWorld) => {
  const lookUps = world.of('products').filter((list) => isSinglePage(list) && list.rows.length > 0);
  return world.draw(lookUps, 4 * PER_LIST).flatMap((list): (Site | LegalSite)[] => {
    const upc = String(list.inputs.upc);
    const other = lookUps.find((each) => each !== list && String(each.inputs.upc) !== upc);
    if (!other || (rhythm !== always && !world.isRepeated(list))) return [];
    const isShown = shows(other, String(other.inputs.upc)) && !shows(other, upc);
    return isShown
      ? [rhythm(site(list, `${listName(list)} as ${listName(other)}`, [answeredLike(list, other)]))]
      : [{ operation: list.operation, otherWorld: 'the product has these characteristics: the response shows no UPC' }];
  });
};
const always = (each: Site): Site => each;

/** The first refused request of an operation, with an input that is not known. */
const refusedOf = (world: RecordedWorld, operation: OperationKey): CapturedNode | undefined =>
  world.refused.find(({ spec }) => spec.operation === operation);

/** A product of the bulk list is not found. */
const notFound = (rhythm: (each: Site) => Site) => (world: RecordedWorld) => {
  const listed = new Set(world.of('allProducts').flatMap(({ rows }) => rows.map(({ upc }) => upc)));
  const lookUps = world.of('products').filter(({ inputs }) => listed.has(String(inputs.upc)));
  return world.draw(lookUps, 2 * PER_LIST).flatMap((list): Site[] => {
    const [answer] = refusedOf(world, list.operation)?.sent ?? [];
    if (!answer || (rhythm !== always && !world.isRepeated(list))) return [];
    return [
      rhythm(
        site(list, `${listName(list)} as an unknown UPC`, [
          { list, replace: (exchange) => answeredAs(exchange, answer) },
        ]),
      ),
    ];
  });
};

/** A UPC that the service refuses is found. */
const found = (isMalformed: boolean) => (world: RecordedWorld) => {
  const [product] = world.of('products').filter(isSinglePage);
  const answer = product?.nodes[0]?.result.exchanges[0];
  if (isMalformed && product && world.declarations.upcAdmits.length > 0)
    return [
      { operation: product.operation, otherWorld: 'the service reads other forms of a UPC: the profile states it' },
    ];
  const refused = world.refused.filter(({ spec: { operation, inputs } }) => {
    const isOf = operationOf(operation).name === 'products' && inputs.upc !== undefined;
    return isOf && /^\d{12}$/.test(String(inputs.upc)) !== isMalformed;
  });
  if (!product || !answer) return [];
  const isPromised = (world.declarations.statuses(product.operation).unknown ?? []).length > 0;
  if (!isMalformed && !(isPromised && shows(product, String(product.inputs.upc))))
    return [
      {
        operation: product.operation,
        otherWorld: 'there is a product of this UPC: the profile, or the response, does not say that there is none',
      },
    ];
  return world
    .draw(refused, 2 * PER_LIST)
    .map((node) =>
      site(product, `the look-up of ${JSON.stringify(node.spec.inputs.upc)} finds a product`, [
        { list: { nodes: [node] }, replace: (exchange) => answeredAs(exchange, answer) },
      ]),
    );
};

/** Whether two responses differ for a client. */
const differ = (x: List, y: List): boolean =>
  x.nodes[0]?.result.observation?.digest !== y.nodes[0]?.result.observation?.digest;

/** An operation of group B responds for one catalogue as for another one, whatever else is requested. */
const otherCatalogue = (world: RecordedWorld) => {
  const lists = world.lists.filter(
    (list) => operationOf(list.operation).group === 'B' && list.inputs.catalogueId !== undefined,
  );
  const ofCatalogues = Map.groupBy(lists, ({ operation, inputs }) => JSON.stringify([operation, inputs.catalogueId]));
  return [...ofCatalogues.values()].flatMap((own): (Site | LegalSite)[] => {
    const [first] = own as [List];
    const isSame =
      (list: List) =>
      (other: List): boolean =>
        other.operation === list.operation &&
        isSinglePage(other) &&
        differingInputs(list, other).join() === 'catalogueId';
    const pairs = own.map((list) => ({ list, others: lists.filter(isSame(list)) }));
    const catalogues = new Set(pairs[0]?.others.map(({ inputs }) => inputs.catalogueId));
    return [...catalogues].slice(0, 1).flatMap((catalogueId): (Site | LegalSite)[] => {
      const changes = pairs.map(({ list, others }) => ({
        list,
        other: others.find(({ inputs }) => inputs.catalogueId === catalogueId),
      }));
      // What the other catalogue has for the other requests is not known.
      if (!changes.every(({ list, other }) => other && isSinglePage(list))) return [];
      if (!changes.some(({ list, other }) => other && differ(list, other))) return [];
      if (!world.declarations.distinguishesCatalogues(first.operation))
        return [
          {
            operation: first.operation,
            otherWorld: 'both catalogues have the same metadata: the profile does not promise that they differ',
          },
        ];
      const where = `${operationOf(first.operation).name} for ${String(first.inputs.catalogueId)} as for ${String(catalogueId)}`;
      return [
        site(
          first,
          where,
          changes.map(({ list, other }) => answeredLike(list, other as List)),
          'everywhere',
        ),
      ];
    });
  });
};

/** A list of group B gets the response of another item of the same catalogue. */
const otherItem = (world: RecordedWorld) =>
  world.lists.flatMap((list): (Site | LegalSite)[] => {
    const { operation } = list;
    if (operationOf(operation).group !== 'B' || !isSinglePage(list)) return [];
    const others = world.lists.filter((other) => {
      if (other.operation !== operation || other === list || !isSinglePage(other) || !differ(list, other)) return false;
      const [name, ...more] = differingInputs(list, other);
      return name !== undefined && name !== 'catalogueId' && more.length === 0;
    });
    const promised = world.declarations.distinguishedInputs(operation) as readonly string[];
    const parents = new Set(list.rows.map(({ parent }) => parent));
    const isBroken = (other: List): boolean =>
      differingInputs(list, other).some((name) => promised.includes(name)) ||
      other.rows.some(({ parent }) => typeof parent === 'string' && !parents.has(parent) && isNamed(other, parent));
    const wrong = others.filter(isBroken);
    if (wrong.length > 0)
      return world
        .draw(wrong, 1)
        .map((other) => site(list, `${listName(list)} as ${listName(other)}`, [answeredLike(list, other)]));
    return others.length > 0
      ? [{ operation, otherWorld: 'both items have the same metadata: the profile does not promise that they differ' }]
      : [];
  });

/** Whether an input of a list is the parent that its rows name. */
const isNamed = ({ inputs }: List, parent: string): boolean =>
  Object.values(inputs).some((value) => String(value) === parent);

/** A request of every operation that the profile states to be valid. */
function answered(world: RecordedWorld, isMeant: (list: List) => boolean = () => true): List[] {
  const valid = world.lists.filter((list) => isMeant(list) && world.declarations.binds(list.operation, 'request'));
  return [...Map.groupBy(valid, ({ operation }) => operation).values()].flatMap((lists) => world.draw(lists, 1));
}

/** The response to a path of an operation that is not served. */
const unserved = ({ captured }: RecordedWorld, operation: OperationKey): Exchange | undefined =>
  [...captured.nodes.values()].find(
    ({ spec, result }) =>
      spec.operation === operation && spec.variant.path !== undefined && result.exchanges[0]?.response?.status === 404,
  )?.sent[0];

/** An operation is not there. */
const notThere = (world: RecordedWorld) =>
  answered(world, isListed).flatMap((list): Site[] => {
    const answer = unserved(world, list.operation);
    const all = {
      nodes: world.lists.filter(({ operation }) => operation === list.operation).flatMap(({ nodes }) => nodes),
    };
    return answer
      ? [
          site(
            list,
            `${listName(list)} as a path that is not served`,
            [{ list: all, replace: (exchange) => answeredAs(exchange, answer) }],
            'everywhere',
          ),
        ]
      : [];
  });

/** A valid request fails. */
const fails =
  (status: number, isMeant: (list: List) => boolean, rhythm: (each: Site) => Site) => (world: RecordedWorld) =>
    answered(world, isMeant).flatMap((list): Site[] =>
      rhythm === always || world.isRepeated(list)
        ? [
            rhythm(
              site(list, `${listName(list)}: status ${status}`, [
                { list, replace: (exchange) => withHead(exchange, { status }) },
              ]),
            ),
          ]
        : [],
    );

/** Whether the profile reads the bodies of a list: else it says nothing about their form. */
const isRead =
  ({ declarations }: RecordedWorld) =>
  ({ operation }: List): boolean =>
    declarations.readsBody(operation);

const OTHER_TYPES: Record<string, string> = {
  json: 'application/xml',
  ndjson: 'application/xml',
  xml: 'application/json',
  csv: 'application/json',
};

/** The Content-Type names another format than that of the body. */
const otherType = (world: RecordedWorld) =>
  answered(world, isRead(world)).flatMap((list): (Site | LegalSite)[] => {
    const [page] = list.pages;
    const type = page && OTHER_TYPES[page.notation];
    if (type === undefined) return [];
    return page?.plan.media === undefined
      ? [
          site(list, `${listName(list)}: Content-Type ${type}`, [
            { list, replace: (exchange) => withHead(exchange, { type }) },
          ]),
        ]
      : [
          {
            operation: list.operation,
            otherWorld: 'the format is as the profile states it, whatever Content-Type says',
          },
        ];
  });

/** The body ends in the middle. */
const cut = (world: RecordedWorld) =>
  answered(world, isRead(world)).flatMap((list): Site[] => {
    const texts = new Map(list.documents.map(({ exchange, text }) => [exchange, text]));
    const isClosed = list.pages[0]?.notation === 'json' || list.pages[0]?.notation === 'xml';
    const replace = (exchange: Exchange) => {
      const text = texts.get(exchange);
      return text === undefined ? undefined : cutInHalf(exchange, text);
    };
    return isClosed ? [site(list, `${listName(list)}: half of the body`, [{ list, replace }])] : [];
  });

/** Lists that other responses show to exist: none of them is empty, and a 404 cannot mean that. */
const LISTED = [
  'testService',
  'getAllProspectFilters',
  'allCategories',
  'allProducts',
  'performanceMetadata',
  ...SALES,
];
const isListed = ({ operation, inputs }: List): boolean =>
  LISTED.includes(operationOf(operation).name) && Object.keys(inputs).length === 0;
const isReadOnly = ({ operation }: List): boolean => operationOf(operation).safety === 'read';

export const ANSWER_OPERATORS: readonly Operator[] = [
  {
    name: 'category filter ignored',
    statement: 'C.category-filter',
    says: 'A filtered list is the whole list.',
    sites: otherSelection(['allProducts'], true),
  },
  {
    name: 'category filter of another category',
    statement: 'C.category-filter',
    says: 'A filtered list is that of another category.',
    sites: otherSelection(['allProducts'], false),
  },
  {
    name: 'sales filter ignored',
    statement: 'D.filters',
    says: 'A filtered result is the whole result.',
    sites: otherSelection(SALES, true),
  },
  {
    name: 'sales filter of another name',
    statement: 'D.filters',
    says: 'A filtered result is that of other names.',
    sites: otherSelection(SALES, false),
  },
  {
    name: 'window of another length',
    statement: 'C.delta-windows',
    says: 'A delta is that of another window.',
    sites: otherWindow,
  },
  {
    name: 'look-up of another UPC',
    statement: 'C.lookup',
    says: 'A look-up returns the product of another UPC.',
    sites: otherProduct(always),
  },
  {
    name: 'look-up of another UPC later',
    statement: 'C.lookup',
    says: 'A look-up returns another product when it is requested again.',
    sites: otherProduct(later),
  },
  {
    name: 'listed product not found',
    statement: 'C.lookup',
    says: 'The look-up of a listed product does not find it.',
    sites: notFound(always),
  },
  {
    name: 'listed product not found later',
    statement: 'C.lookup',
    says: 'The look-up of a listed product does not find it again.',
    sites: notFound(later),
  },
  {
    name: 'malformed UPC found',
    statement: 'C.upc-12',
    says: 'The look-up of a text that is no UPC finds a product.',
    sites: found(true),
  },
  {
    name: 'unknown UPC found',
    statement: 'C.lookup',
    promise: 'statuses.unknown',
    says: 'The look-up of an unknown UPC finds a product.',
    sites: found(false),
  },
  {
    name: 'metadata of another catalogue',
    statement: 'B.catalogue-id',
    promise: 'catalogue.distinguishing',
    says: 'The metadata are those of another catalogue.',
    sites: otherCatalogue,
  },
  {
    name: 'metadata of another item',
    statement: 'B.graph',
    promise: 'catalogue.distinguishes',
    says: 'A list is that of another dimension, group, hierarchy or level.',
    sites: otherItem,
  },
  {
    name: 'not there',
    statement: 'operation.served',
    says: 'The operation is answered like a path that is not served.',
    sites: notThere,
  },
  {
    name: 'server error',
    statement: 'operation.served',
    says: 'A valid request gets 500.',
    sites: fails(500, () => true, always),
  },
  {
    name: 'server error later',
    statement: 'operation.served',
    says: 'A valid request gets 500 when it is sent again.',
    sites: fails(500, isReadOnly, later),
  },
  {
    name: 'other Content-Type',
    statement: 'operation.served',
    says: 'The Content-Type names another format than that of the body.',
    sites: otherType,
  },
  { name: 'body cut off', statement: 'operation.served', says: 'The body ends in the middle.', sites: cut },
];
