/**
 * The 41 operations of the interface document, section 4, in its own order and words.
 * `key` names an operation everywhere: in rules, profiles, reports and on the command line.
 * `name` is a short name that occurs only in opening ids. The rest of a row says what requests and responses may contain.
 */
import { SALES_FILTERS, type SalesFilter } from './fields.ts';
import {
  ACKNOWLEDGEMENT,
  JOB_START,
  JOB_STATE,
  metadata,
  type OperationKind,
  type OperationParts,
  performance,
  tree,
} from './operation-kinds.ts';

export const GROUPS = {
  A: { title: 'Job-oriented web services', slug: 'webservices', prefix: '/webservices/' },
  B: { title: 'Catalogue metadata', slug: 'catalogue', prefix: '/data-access/v1/' },
  C: { title: 'Product reference', slug: 'product-reference', prefix: '/PLATFORMAPI/prodRef/v1/' },
  D: { title: 'Retail measurement', slug: 'retail-measurement', prefix: '/RetailMeasurement/v1/' },
} as const;

export type Group = keyof typeof GROUPS;

/**
 * What a request to an operation may do to a live service. Our interpretation of the names, not part of the document:
 * `read` changes nothing, `job` starts work, `write` stores something, `unclear` could be either.
 */
export const SAFETY_CLASSES = ['read', 'job', 'write', 'unclear'] as const;
export type SafetyClass = (typeof SAFETY_CLASSES)[number];

/** The levels of `--safety`: each level allows all previous ones and one class more. */
export const SAFETY_LADDER = {
  read: ['read'],
  job: ['read', 'job'],
  write: ['read', 'job', 'write'],
  all: ['read', 'job', 'write', 'unclear'],
} as const satisfies Record<string, readonly SafetyClass[]>;
export type Safety = keyof typeof SAFETY_LADDER;

interface OperationRow extends OperationParts {
  readonly key: string;
  readonly name: string;
  readonly group: Group;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly section: string;
  readonly safety: SafetyClass;
}

const row = <
  M extends 'GET' | 'POST',
  P extends string,
  N extends string,
  G extends Group,
  const K extends OperationParts,
>(
  method: M,
  path: P,
  name: N,
  group: G,
  section: string,
  safety: SafetyClass,
  parts: K,
) => ({ key: `${method} ${path}` as const, name, group, method, path, section, safety, ...parts });

const a = <M extends 'GET' | 'POST', N extends string, const K extends OperationParts>(
  method: M,
  name: N,
  safety: SafetyClass,
  parts: K,
) => row(method, `/webservices/${name}`, name, 'A', '4.1', safety, parts);
const b = <P extends string, N extends string, const K extends OperationParts>(tail: P, name: N, parts: K) =>
  row('POST', `/data-access/v1/${tail}`, name, 'B', '4.2', 'read', parts);
const c = <P extends string, N extends string, const K extends OperationParts>(tail: P, name: N, parts: K) =>
  row('GET', `/PLATFORMAPI/prodRef/v1/${tail}`, name, 'C', '4.3', 'read', parts);
const d = <P extends string, N extends string, const K extends OperationParts>(tail: P, name: N, parts: K) =>
  row('GET', `/RetailMeasurement/v1/${tail}`, name, 'D', '4.4', 'read', parts);

const ROWS = [
  a('POST', 'businesscount', 'job', JOB_START),
  a('POST', 'createlist', 'write', JOB_START),
  a('POST', 'createSurvey', 'write', ACKNOWLEDGEMENT),
  a('POST', 'drive', 'job', JOB_START),
  a('POST', 'executeReport', 'job', JOB_START),
  a('POST', 'fileenhancement', 'job', JOB_START),
  a('GET', 'getAllProspectFilters', 'read', {
    kind: 'list',
    inputs: [],
    fields: ['id', 'name'],
    demandedIfBound: ['id', 'name'],
  }),
  a('GET', 'getDriveJobStatus', 'read', JOB_STATE),
  a('GET', 'getFileEnhancementJobStatus', 'read', JOB_STATE),
  a('GET', 'getLocationJobStatus', 'read', JOB_STATE),
  a('GET', 'getMapExportJobStatus', 'read', JOB_STATE),
  a('GET', 'getProspectJobStatus', 'read', JOB_STATE),
  a('GET', 'getPullVarJobStatus', 'read', JOB_STATE),
  a('GET', 'getReportJobStatus', 'read', JOB_STATE),
  a('GET', 'getSaveMap', 'unclear', { kind: 'item', inputs: ['mapId'], fields: ['id'], demandedIfBound: ['id'] }),
  a('GET', 'getSaveThematicId', 'unclear', { kind: 'item', inputs: [], fields: ['id'], demandedIfBound: ['id'] }),
  a('POST', 'importLocation', 'write', JOB_START),
  a('POST', 'mapExport', 'job', JOB_START),
  a('POST', 'pullVariable', 'job', JOB_START),
  a('GET', 'testService', 'read', ACKNOWLEDGEMENT),
  a('POST', 'updateLocation', 'write', JOB_START),

  b('Catalogues', 'catalogues', { ...metadata(), inputs: ['catalogueId'], fields: ['id', 'name', 'asOf'] }),
  b('Catalogue/Attribute/Values', 'attributeValues', tree('dimension', 'attribute')),
  b('Catalogue/LogicalDimensions', 'logicalDimensions', metadata()),
  b('Catalogue/RefreshDates', 'refreshDates', {
    ...metadata(),
    inputs: ['catalogueId'],
    fields: ['id', 'name', 'parent', 'date', 'asOf'],
    demandedIfBound: ['id', 'name', 'date'],
  }),
  b('Catalogue/Dimension/Attributes', 'dimensionAttributes', metadata('dimension')),
  b('Catalogue/Dimension/Groups', 'dimensionGroups', metadata('dimension')),
  b('Catalogue/Dimension/Hierarchies', 'dimensionHierarchies', metadata('dimension')),
  b('Catalogue/Dimension/Rows', 'dimensionRows', tree('dimension')),
  b('Catalogue/Group/Levels', 'groupLevels', metadata('dimension', 'group')),
  b('Catalogue/Group/Level/Values', 'groupLevelValues', tree('dimension', 'group', 'level')),
  b('Catalogue/Hierarchy/Levels', 'hierarchyLevels', metadata('dimension', 'hierarchy')),
  b('Catalogue/Hierarchy/Level/Values', 'hierarchyLevelValues', tree('dimension', 'hierarchy', 'level')),
  b('Catalogue/Measure/SharePrompts', 'measureSharePrompts', metadata('measure')),

  c('allCategories', 'allCategories', {
    kind: 'list',
    inputs: [],
    fields: ['category', 'categoryId', 'subCategory', 'asOf'],
    optional: ['asOf'],
    demandedIfRequired: ['category', 'categoryId', 'subCategory'],
  }),
  c('allProducts', 'allProducts', {
    kind: 'list',
    inputs: ['category', 'categoryId'],
    fields: [
      'upc',
      'category',
      'categoryId',
      'subCategory',
      'manufacturer',
      'brand',
      'market',
      'activeOn',
      'changedOn',
      'firstActiveOn',
      'characteristics',
      'asOf',
    ],
    optional: ['subCategory', 'manufacturer', 'brand', 'changedOn', 'firstActiveOn', 'characteristics'],
    demanded: ['upc'],
    demandedIfRequired: ['category', 'categoryId', 'market', 'activeOn'],
  }),
  c('products/{upc}', 'products', {
    kind: 'item',
    inputs: ['upc'],
    fields: ['upc', 'characteristics', 'category', 'categoryId', 'subCategory', 'changedOn', 'firstActiveOn', 'asOf'],
    optional: ['subCategory', 'changedOn', 'firstActiveOn', 'asOf'],
    demanded: ['characteristics'],
  }),
  c('updateProducts', 'updateProducts', {
    kind: 'list',
    inputs: ['window', 'category', 'categoryId'],
    fields: ['upc', 'category', 'categoryId', 'subCategory', 'changedOn', 'changeKind', 'characteristics', 'asOf'],
    optional: ['subCategory', 'changeKind', 'characteristics'],
    demanded: ['upc'],
    demandedIfRequired: ['category', 'categoryId', 'changedOn'],
  }),

  d('BrandPerformance/Metadata', 'performanceMetadata', {
    kind: 'names',
    inputs: [],
    fields: [...SALES_FILTERS, 'asOf'],
    optional: ['asOf'],
  }),
  d('CategoryPerformance', 'categoryPerformance', performance('category', ['category', 'subCategory', 'market'])),
  d('BrandPerformance', 'brandPerformance', performance('brand', [...SALES_FILTERS, 'market'])),
] as const satisfies readonly OperationRow[];

export type StatedOperation = (typeof ROWS)[number];
export type OperationKey = StatedOperation['key'];
export type OperationName = StatedOperation['name'];
export interface Operation extends OperationRow {
  readonly key: OperationKey;
  readonly name: OperationName;
}

export const OPERATIONS: readonly Operation[] = ROWS;

const byKey = new Map<string, Operation>(OPERATIONS.map((each) => [each.key, each]));
const byName = new Map<string, Operation>(OPERATIONS.map((each) => [each.name, each]));

export const isOperationKey = (text: string): text is OperationKey => byKey.has(text);

/** Returns the operation of a key; every key of the type has one. */
export function operationOf(key: OperationKey): Operation {
  return byKey.get(key) as Operation;
}

/** Returns the operation of a short name, e.g. `operationNamed('allProducts').path`. */
export function operationNamed(name: OperationName): Operation {
  return byName.get(name) as Operation;
}

type KeyOfKind<K extends OperationKind> = Extract<StatedOperation, { readonly kind: K }>['key'];

/** Returns the keys of one kind, e.g. `operationsOfKind('jobStatus')` → seven keys. */
export const operationsOfKind = <K extends OperationKind>(kind: K): KeyOfKind<K>[] =>
  OPERATIONS.filter((each) => each.kind === kind).map((each) => each.key as KeyOfKind<K>);

export type PerformanceOperation = KeyOfKind<'performance'>;

/** Returns the filter that names what the rows of a performance operation are about, e.g. `brand`. */
export const ownFilterOf = (key: OperationKey): SalesFilter => operationOf(key).ownFilter as SalesFilter;

/** Returns the keys of one group in the document's order, e.g. `operationsOf('D')` → three keys. */
export function operationsOf(group: Group): OperationKey[] {
  return OPERATIONS.filter((each) => each.group === group).map((each) => each.key);
}
