/**
 * The openings of the document as data. Those of an operation follow from its row, so that each operation, input or field is
 * named in one place.
 */
import { countableFor } from './catalogue-graph.ts';
import { FIELDS, type Field, INPUTS, type Input, SALES_FILTERS } from './fields.ts';
import { OPERATION_KINDS, type OperationKind } from './operation-kinds.ts';
import {
  OPERATIONS,
  type Operation,
  type OperationKey,
  type OperationName,
  operationOf,
  type StatedOperation,
} from './operations.ts';
import { JOB_KINDS, type JobKind } from './resources.ts';

/** Openings of the interface as a whole. */
export const GENERAL_OPENINGS = {
  auth: { section: '5', asks: 'how requests are authenticated', fill: 'auth' },
  dataWeek: { section: '8', asks: 'the meaning of dates and the last day of a data week', fill: 'dataWeek' },
  upcExamples: { section: '8', asks: 'UPCs of products that exist in the service', fill: 'examples.upc' },
  catalogueIdExamples: {
    section: '4.2',
    asks: 'ids of two catalogues that exist in the service, or one if Catalogues lists the ids',
    fill: 'examples.catalogueId',
  },
  measureExamples: {
    section: '2',
    asks: 'a measure of each catalogue: no operation lists measures',
    fill: 'examples.measure or examples.byCatalogue',
  },
  distinguishing: {
    section: '4.2',
    asks: 'which responses of group B depend on the catalogue',
    fill: 'catalogue.distinguishing',
  },
  onePerList: {
    section: '8',
    asks: 'whether all pages of one list are of one data week',
    fill: 'dataWeek.onePerList',
    optional: true,
  },
  oneReload: {
    section: '8',
    asks: 'whether a reload changes all lists at once, so that they are of one data week',
    fill: 'dataWeek.oneReload',
    optional: true,
  },
  deltaDates: {
    section: '8',
    asks: 'which dates of a product decide whether a delta contains it',
    fill: 'delta.dates',
    optional: true,
  },
  parentItems: {
    section: '2',
    asks: 'which lists of group B are trees: where the item is that an item names as the one above it',
    fill: 'catalogue.parentItems',
    optional: true,
  },
  itemsOnce: {
    section: '2',
    asks: 'which lists of group B contain each item once',
    fill: 'catalogue.itemsOnce',
    optional: true,
  },
  distinguishes: {
    section: '2',
    asks: 'which responses of group B are never equal for two dimensions, attributes, groups, hierarchies, levels or measures',
    fill: 'catalogue.distinguishes',
    optional: true,
  },
  deltaKinds: {
    section: '8',
    asks: 'how a delta writes that a product is new, changed or removed',
    fill: 'delta.kinds',
    optional: true,
  },
  deltaNewBy: {
    section: '4.3',
    asks: 'the date of a product by which a delta calls it new',
    fill: 'delta.newBy',
    optional: true,
  },
  deltaWithinBulk: {
    section: '8',
    asks: 'whether each product of a delta that is not removed is in the bulk list',
    fill: 'delta.withinBulk',
    optional: true,
  },
  deltaRemovedUnlisted: {
    section: '8',
    asks: 'whether the bulk list lacks each product that a delta shows as removed',
    fill: 'delta.removedUnlisted',
    optional: true,
  },
  deltaInLookUp: {
    section: '8',
    asks: 'whether the look-up knows each product of a delta that is not removed',
    fill: 'delta.inLookUp',
    optional: true,
  },
  deltaLatestValues: {
    section: '8',
    asks: 'the fields of which a row of a delta shows the latest value',
    fill: 'delta.latestValues',
    optional: true,
  },
  percentChange: {
    section: '4.4',
    asks: 'base, unit and rounding of the percentage change',
    fill: 'figures.percentChange',
  },
  codes: {
    section: '2',
    asks: 'which responses contain codes, and what they mean',
    fill: 'codes',
    optional: true,
  },
  metadataPairs: {
    section: '4.4',
    asks: 'whether a row of the metadata names a sub-category with its category and a brand with its manufacturer',
    fill: 'metadata.pairs',
    optional: true,
  },
  productNames: {
    section: '4.3',
    asks: 'whether other operations list the sub-category, manufacturer and brand of each product',
    fill: 'products.listed',
    optional: true,
  },
  firstActiveBefore: {
    section: '8',
    asks: 'which dates of a product are never before its first activity',
    fill: 'products.firstActiveBefore',
    optional: true,
  },
  windowsOrdered: {
    section: '4.4',
    asks: 'whether sales of a longer window are never below those of a shorter one',
    fill: 'figures.windowsOrdered',
    optional: true,
  },
  checkDigit: {
    section: '8',
    asks: 'whether the last digit of each UPC is its check digit',
    fill: 'upc.checkDigit',
    optional: true,
  },
  sums: {
    section: '4.4',
    asks: 'whether category rows are the sums of brand rows',
    fill: 'figures.sums',
    optional: true,
  },
} as const;

const JOB_OPENINGS = Object.fromEntries(
  JOB_KINDS.flatMap((kind) => [
    [
      `job.${kind}`,
      {
        section: '2',
        asks: `which POST starts a ${kind} job and where its response contains the job id, or the id of an existing job`,
        fill: `jobs.${kind}`,
      },
    ],
    [
      `jobStates.${kind}`,
      {
        section: '3',
        asks: `which states a ${kind} job can have`,
        fill: `jobs.${kind}.states`,
        optional: true,
      },
    ],
    [
      `jobOrder.${kind}`,
      {
        section: '3',
        asks: `whether a ${kind} job passes through its states in their order and never returns to an earlier one`,
        fill: `jobs.${kind}.statesInOrder`,
        optional: true,
      },
    ],
    [
      `jobIds.${kind}`,
      {
        section: '2',
        asks: `whether each start of a ${kind} job returns an id of its own`,
        fill: `jobs.${kind}.distinctIds`,
        optional: true,
      },
    ],
    [
      `jobLocation.${kind}`,
      {
        section: '2',
        asks: `whether the Location header of the start of a ${kind} job is the address of its status`,
        fill: `jobs.${kind}.locationIsStatus`,
        optional: true,
      },
    ],
    [
      `jobFinal.${kind}`,
      {
        section: '3',
        asks: `which states of a ${kind} job are final, and how long it takes to reach one`,
        fill: `jobs.${kind}.final`,
        optional: true,
      },
    ],
  ]),
) as Record<JobOpening, { section: string; asks: string; fill: string; optional?: true }>;

type JobOpening = `${'job' | 'jobStates' | 'jobFinal' | 'jobOrder' | 'jobIds' | 'jobLocation'}.${JobKind}`;

type ListKind = { [K in OperationKind]: (typeof OPERATION_KINDS)[K]['isList'] extends true ? K : never }[OperationKind];

type PartOf<R extends StatedOperation> =
  | 'request'
  | 'rows'
  | `inputs.${R['inputs'][number]}`
  | `fields.${R['fields'][number]}`
  | (R extends { readonly demandedIfRequired: readonly Field[] }
      ? `required.${R['demandedIfRequired'][number]}`
      : never)
  | (R['kind'] extends ListKind ? 'counts' | `rowCounts.${OperationName}` : never)
  | (R['kind'] extends ListKind ? (R['inputs'] extends readonly [] ? never : 'echoes') : never);

export type OpeningId =
  | keyof typeof GENERAL_OPENINGS
  | JobOpening
  | { [N in OperationName]: `${N}.${PartOf<Extract<StatedOperation, { readonly name: N }>>}` }[OperationName];

export interface Opening {
  readonly id: OpeningId;
  readonly section: string;
  /** The information that the document does not show. */
  readonly asks: string;
  /** The key of the profile that fills the opening. */
  readonly fill: string;
  readonly operation?: OperationKey;
  /** A fact that a profile may add. While it is open, the rules that need it do not apply. */
  readonly optional?: true;
  readonly part?:
    | { readonly kind: 'request' | 'rows' | 'counts' | 'echoes' }
    | { readonly kind: 'rowCounts'; readonly of: OperationKey }
    | { readonly kind: 'input'; readonly input: Input }
    | { readonly kind: 'field' | 'required'; readonly field: Field };
}

const isList = ({ kind }: Operation): boolean => OPERATION_KINDS[kind].isList;

/** The operations whose response is a list. */
export const listOperations = (): OperationKey[] => OPERATIONS.filter(isList).map(({ key }) => key);

/**
 * The inputs that the response of a list may repeat. The UPC of a look-up and the id of a job are fields.
 * @example echoedInputs('GET /PLATFORMAPI/prodRef/v1/updateProducts') // ['window', 'category', 'categoryId']
 */
export function echoedInputs(key: OperationKey): readonly Input[] {
  const operation = operationOf(key);
  return isList(operation) ? operation.inputs : [];
}

const FILTER_INPUTS: readonly Input[] = [...SALES_FILTERS, 'categoryId'];

/** The inputs that a request of an operation needs, without the optional filters of groups C and D. */
export const neededInputs = (key: OperationKey): readonly Input[] =>
  operationOf(key).inputs.filter((input) => !FILTER_INPUTS.includes(input));

/**
 * The operations whose requests can lack what they need: an input, or the members of the body of a POST of group A, which
 * the document does not name. The UPC of a look-up is part of its path.
 */
export const OPERATIONS_WITH_INPUTS: readonly OperationKey[] = OPERATIONS.filter(
  ({ key, method, group }) =>
    (group === 'A' && method === 'POST') || neededInputs(key).some((input) => input !== 'upc'),
).map(({ key }) => key);

/** Whether a rule of its own demands a field of every row, always or where the profile marks it required. */
export function hasRequiredRule(key: OperationKey, field: Field): boolean {
  const { demanded = [], demandedIfRequired = [], demandedIfBound = [] } = operationOf(key);
  return [...demanded, ...demandedIfRequired, ...demandedIfBound].includes(field);
}

function openingsOfOperation(operation: Operation): Opening[] {
  const { key, name, section, inputs, fields, optional = [], demandedIfRequired = [] } = operation;
  const at = `operations["${key}"]`;
  const partOpening = (part: string, asks: string, fill: string, detail: Opening['part']): Opening => ({
    id: `${name}.${part}` as OpeningId,
    section,
    asks,
    fill,
    operation: key,
    part: detail,
  });
  return [
    partOpening('request', `the form of a valid request to ${key}`, `${at}.request`, { kind: 'request' }),
    ...inputs.map((input) => ({
      ...partOpening(
        `inputs.${input}`,
        `which part of the request contains ${INPUTS[input]}`,
        `{${input}} in ${at}.request`,
        {
          kind: 'input',
          input,
        },
      ),
      // A saved map may be requested with a constant id.
      ...(input === 'mapId' && { optional: true as const }),
    })),
    partOpening('rows', 'the selector of the rows in the response', `${at}.response.rows`, { kind: 'rows' }),
    ...fields.map((field) => ({
      ...partOpening(
        `fields.${field}`,
        `the selector of ${FIELDS[field].means} in the response`,
        `${at}.response.fields.${field}`,
        {
          kind: 'field',
          field,
        },
      ),
      ...(optional.includes(field) && { optional: true as const }),
    })),
    ...demandedIfRequired.map((field) => ({
      ...partOpening(
        `required.${field}`,
        `whether every row has ${FIELDS[field].means}`,
        `required in ${at}.response.fields.${field}`,
        { kind: 'required', field },
      ),
      optional: true as const,
    })),
    ...(isList(operation)
      ? [
          {
            ...partOpening(
              'counts',
              'which counts the response states, and what each one counts',
              `${at}.response.counts`,
              {
                kind: 'counts',
              },
            ),
            optional: true as const,
          },
        ]
      : []),
    ...countableFor(key).map((of) => ({
      ...partOpening(
        `rowCounts.${operationOf(of).name}`,
        `where a row states how many rows ${of} returns for it`,
        `${at}.response.counts with of: ${of}`,
        { kind: 'rowCounts', of },
      ),
      optional: true as const,
    })),
    ...(echoedInputs(key).length > 0
      ? [
          {
            ...partOpening(
              'echoes',
              `where the response repeats what the request selects: ${echoedInputs(key).join(', ')}`,
              `${at}.response.echoes`,
              { kind: 'echoes' },
            ),
            optional: true as const,
          },
        ]
      : []),
  ];
}

export const OPENINGS: readonly Opening[] = [
  ...Object.entries({ ...GENERAL_OPENINGS, ...JOB_OPENINGS }).map(([id, row]) => ({ id: id as OpeningId, ...row })),
  ...OPERATIONS.flatMap(openingsOfOperation),
];

const byId = new Map<string, Opening>(OPENINGS.map((each) => [each.id, each]));

/** Returns the opening of an id; every id of the type has one. */
export function openingById(id: OpeningId): Opening {
  return byId.get(id) as Opening;
}

/** Parts that the document requires: a profile can leave them open, but not declare them absent. */
const REQUIRED_PARTS: readonly OpeningId[] = [
  'updateProducts.inputs.window',
  ...OPERATIONS.flatMap(({ name, demanded = [] }: Operation) =>
    demanded.map((field) => `${name}.fields.${field}` as OpeningId),
  ),
];

/** The parts of an operation that an implementation may lack, e.g. `fields.manufacturer` of CategoryPerformance. */
export function optionalParts(key: OperationKey): string[] {
  return OPENINGS.filter(
    (each) => each.operation === key && (each.optional || each.part?.kind === 'field' || each.part?.kind === 'input'),
  )
    .filter((each) => !REQUIRED_PARTS.includes(each.id))
    .map((each) => each.id.slice(each.id.indexOf('.') + 1));
}

/**
 * Where the rules read a field of an operation: in each row, once per response, or in either place;
 * undefined if no rule reads it.
 * @example placeOfField('GET /PLATFORMAPI/prodRef/v1/allProducts', 'upc') // 'row'
 */
export function placeOfField(key: OperationKey, field: Field): 'row' | 'response' | 'either' | undefined {
  const { name, group, kind, fields } = operationOf(key);
  // What tells the items of two catalogues apart may be stated once per response.
  if (field === 'grain' && group === 'B') return 'either';
  if (field === 'grain') return fields.includes('upc') || fields.includes('sales4Weeks') ? 'row' : undefined;
  if (!fields.includes(field)) return undefined;
  if (field === 'asOf') return 'response';
  if (field === 'market' || OPERATION_KINDS[kind].isOneItem) return 'either';
  // Sub-categories may be listed separately from the categories.
  return name === 'allCategories' && field === 'subCategory' ? 'either' : 'row';
}
