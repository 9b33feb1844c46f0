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

const opening = <const F extends string>(section: string, fill: F, asks: string) => ({ section, asks, fill });
const fact = <const F extends string>(section: string, fill: F, asks: string) => ({
  ...opening(section, fill, asks),
  optional: true as const,
});

/** Openings of the interface as a whole. */
export const GENERAL_OPENINGS = {
  auth: opening('5', 'auth', 'how requests are authenticated'),
  dataWeek: opening('8', 'dataWeek', 'the meaning of dates and the last day of a data week'),
  upcExamples: opening('8', 'examples.upc', 'UPCs of products that exist in the service'),
  catalogueIdExamples: opening(
    '4.2',
    'examples.catalogueId',
    'ids of two catalogues that exist in the service, or one if Catalogues lists the ids',
  ),
  measureExamples: opening(
    '2',
    'examples.measure or examples.byCatalogue',
    'a measure of each catalogue: no operation lists measures',
  ),
  distinguishing: opening('4.2', 'catalogue.distinguishing', 'which responses of group B depend on the catalogue'),
  onePerList: fact('8', 'dataWeek.onePerList', 'whether all pages of one list are of one data week'),
  oneReload: fact(
    '8',
    'dataWeek.oneReload',
    'whether a reload changes all lists at once, so that they are of one data week',
  ),
  deltaDates: fact('8', 'delta.dates', 'which dates of a product decide whether a delta contains it'),
  parentItems: fact(
    '2',
    'catalogue.parentItems',
    'which lists of group B are trees: where the item is that an item names as the one above it',
  ),
  itemsOnce: fact('2', 'catalogue.itemsOnce', 'which lists of group B contain each item once'),
  distinguishes: fact(
    '2',
    'catalogue.distinguishes',
    'which responses of group B are never equal for two dimensions, attributes, groups, hierarchies, levels or measures',
  ),
  deltaKinds: fact('8', 'delta.kinds', 'how a delta writes that a product is new, changed or removed'),
  deltaNewBy: fact('4.3', 'delta.newBy', 'the date of a product by which a delta calls it new'),
  deltaWithinBulk: fact(
    '8',
    'delta.withinBulk',
    'whether each product of a delta that is not removed is in the bulk list',
  ),
  deltaRemovedUnlisted: fact(
    '8',
    'delta.removedUnlisted',
    'whether the bulk list lacks each product that a delta shows as removed',
  ),
  deltaInLookUp: fact('8', 'delta.inLookUp', 'whether the look-up knows each product of a delta that is not removed'),
  deltaLatestValues: fact('8', 'delta.latestValues', 'the fields of which a row of a delta shows the latest value'),
  percentChange: opening('4.4', 'figures.percentChange', 'base, unit and rounding of the percentage change'),
  codes: fact('2', 'codes', 'which responses contain codes, and what they mean'),
  metadataPairs: fact(
    '4.4',
    'metadata.pairs',
    'whether a row of the metadata names a sub-category with its category and a brand with its manufacturer',
  ),
  productNames: fact(
    '4.3',
    'products.listed',
    'whether other operations list the sub-category, manufacturer and brand of each product',
  ),
  firstActiveBefore: fact(
    '8',
    'products.firstActiveBefore',
    'which dates of a product are never before its first activity',
  ),
  windowsOrdered: fact(
    '4.4',
    'figures.windowsOrdered',
    'whether sales of a longer window are never below those of a shorter one',
  ),
  checkDigit: fact('8', 'upc.checkDigit', 'whether the last digit of each UPC is its check digit'),
  sums: fact('4.4', 'figures.sums', 'whether category rows are the sums of brand rows'),
};

/** Openings of each kind of job: where the profile fills one, below the key of the kind, and what it asks. */
const JOB_ROWS = {
  job: {
    section: '2',
    fill: '',
    asks: 'which POST starts a KIND job and where its response contains the job id, or the id of an existing job',
  },
  jobStates: { section: '3', fill: '.states', asks: 'which states a KIND job can have' },
  jobOrder: {
    section: '3',
    fill: '.statesInOrder',
    asks: 'whether a KIND job passes through its states in their order and never returns to an earlier one',
  },
  jobIds: { section: '2', fill: '.distinctIds', asks: 'whether each start of a KIND job returns an id of its own' },
  jobLocation: {
    section: '2',
    fill: '.locationIsStatus',
    asks: 'whether the Location header of the start of a KIND job is the address of its status',
  },
  jobFinal: {
    section: '3',
    fill: '.final',
    asks: 'which states of a KIND job are final, and how long it takes to reach one',
  },
};
type JobOpening = `${keyof typeof JOB_ROWS}.${JobKind}`;

const jobOpenings = (kind: JobKind): Opening[] =>
  Object.entries(JOB_ROWS).map(([name, { section, fill, asks }]) => ({
    id: `${name}.${kind}` as JobOpening,
    ...(fill === '' ? opening : fact)(section, `jobs.${kind}${fill}`, asks.replace('KIND', kind)),
  }));

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

/** The optional inputs that select rows of a list. */
export const FILTER_INPUTS: readonly Input[] = [...SALES_FILTERS, 'categoryId'];

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
  const partOpening = (
    part: string,
    detail: Opening['part'],
    isOptional: boolean,
    fill: string,
    asks: string,
  ): Opening => ({
    id: `${name}.${part}` as OpeningId,
    section,
    asks,
    fill,
    operation: key,
    part: detail,
    ...(isOptional && { optional: true }),
  });
  const echoed = echoedInputs(key);
  return [
    partOpening('request', { kind: 'request' }, false, `${at}.request`, `the form of a valid request to ${key}`),
    ...inputs.map((input) =>
      partOpening(
        `inputs.${input}`,
        { kind: 'input', input },
        // A saved map may be requested with a constant id.
        input === 'mapId',
        `{${input}} in ${at}.request`,
        `which part of the request contains ${INPUTS[input]}`,
      ),
    ),
    partOpening('rows', { kind: 'rows' }, false, `${at}.response.rows`, 'the selector of the rows in the response'),
    ...fields.map((field) =>
      partOpening(
        `fields.${field}`,
        { kind: 'field', field },
        optional.includes(field),
        `${at}.response.fields.${field}`,
        `the selector of ${FIELDS[field].means} in the response`,
      ),
    ),
    ...demandedIfRequired.map((field) =>
      partOpening(
        `required.${field}`,
        { kind: 'required', field },
        true,
        `required in ${at}.response.fields.${field}`,
        `whether every row has ${FIELDS[field].means}`,
      ),
    ),
    ...(isList(operation)
      ? [
          partOpening(
            'counts',
            { kind: 'counts' },
            true,
            `${at}.response.counts`,
            'which counts the response states, and what each one counts',
          ),
        ]
      : []),
    ...countableFor(key).map((of) =>
      partOpening(
        `rowCounts.${operationOf(of).name}`,
        { kind: 'rowCounts', of },
        true,
        `${at}.response.counts with of: ${of}`,
        `where a row states how many rows ${of} returns for it`,
      ),
    ),
    ...(echoed.length > 0
      ? [
          partOpening(
            'echoes',
            { kind: 'echoes' },
            true,
            `${at}.response.echoes`,
            `where the response repeats what the request selects: ${echoed.join(', ')}`,
          ),
        ]
      : []),
  ];
}

export const OPENINGS: readonly Opening[] = [
  ...Object.entries(GENERAL_OPENINGS).map(([id, row]) => ({ id: id as OpeningId, ...row })),
  ...JOB_KINDS.flatMap(jobOpenings),
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
