/**
 * The 41 operations of the interface document, section 4, in its own order and words.
 * `key` names an operation everywhere: in rules, profiles, reports and on the command line.
 * `name` is a short name that occurs only in opening ids.
 */

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

interface OperationRow {
  readonly key: string;
  readonly name: string;
  readonly group: Group;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly section: string;
  readonly safety: SafetyClass;
}

const row = <M extends 'GET' | 'POST', P extends string, N extends string, G extends Group>(
  method: M,
  path: P,
  name: N,
  group: G,
  section: string,
  safety: SafetyClass,
) => ({ key: `${method} ${path}` as const, name, group, method, path, section, safety });

const a = <M extends 'GET' | 'POST', N extends string>(method: M, name: N, safety: SafetyClass) =>
  row(method, `/webservices/${name}`, name, 'A', '4.1', safety);
const b = <P extends string, N extends string>(tail: P, name: N) =>
  row('POST', `/data-access/v1/${tail}`, name, 'B', '4.2', 'read');
const c = <P extends string, N extends string>(tail: P, name: N) =>
  row('GET', `/PLATFORMAPI/prodRef/v1/${tail}`, name, 'C', '4.3', 'read');
const d = <P extends string, N extends string>(tail: P, name: N) =>
  row('GET', `/RetailMeasurement/v1/${tail}`, name, 'D', '4.4', 'read');

export const OPERATIONS = [
  a('POST', 'businesscount', 'job'),
  a('POST', 'createlist', 'write'),
  a('POST', 'createSurvey', 'write'),
  a('POST', 'drive', 'job'),
  a('POST', 'executeReport', 'job'),
  a('POST', 'fileenhancement', 'job'),
  a('GET', 'getAllProspectFilters', 'read'),
  a('GET', 'getDriveJobStatus', 'read'),
  a('GET', 'getFileEnhancementJobStatus', 'read'),
  a('GET', 'getLocationJobStatus', 'read'),
  a('GET', 'getMapExportJobStatus', 'read'),
  a('GET', 'getProspectJobStatus', 'read'),
  a('GET', 'getPullVarJobStatus', 'read'),
  a('GET', 'getReportJobStatus', 'read'),
  a('GET', 'getSaveMap', 'unclear'),
  a('GET', 'getSaveThematicId', 'unclear'),
  a('POST', 'importLocation', 'write'),
  a('POST', 'mapExport', 'job'),
  a('POST', 'pullVariable', 'job'),
  a('GET', 'testService', 'read'),
  a('POST', 'updateLocation', 'write'),

  b('Catalogues', 'catalogues'),
  b('Catalogue/Attribute/Values', 'attributeValues'),
  b('Catalogue/LogicalDimensions', 'logicalDimensions'),
  b('Catalogue/RefreshDates', 'refreshDates'),
  b('Catalogue/Dimension/Attributes', 'dimensionAttributes'),
  b('Catalogue/Dimension/Groups', 'dimensionGroups'),
  b('Catalogue/Dimension/Hierarchies', 'dimensionHierarchies'),
  b('Catalogue/Dimension/Rows', 'dimensionRows'),
  b('Catalogue/Group/Levels', 'groupLevels'),
  b('Catalogue/Group/Level/Values', 'groupLevelValues'),
  b('Catalogue/Hierarchy/Levels', 'hierarchyLevels'),
  b('Catalogue/Hierarchy/Level/Values', 'hierarchyLevelValues'),
  b('Catalogue/Measure/SharePrompts', 'measureSharePrompts'),

  c('allCategories', 'allCategories'),
  c('allProducts', 'allProducts'),
  c('products/{upc}', 'products'),
  c('updateProducts', 'updateProducts'),

  d('BrandPerformance/Metadata', 'performanceMetadata'),
  d('CategoryPerformance', 'categoryPerformance'),
  d('BrandPerformance', 'brandPerformance'),
] as const satisfies readonly OperationRow[];

type Row = (typeof OPERATIONS)[number];
export type OperationKey = Row['key'];
export type OperationName = Row['name'];
export interface Operation extends OperationRow {
  readonly key: OperationKey;
  readonly name: OperationName;
}

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

/** Returns the keys of one group in the document's order, e.g. `operationsOf('D')` → three keys. */
export function operationsOf(group: Group): OperationKey[] {
  return OPERATIONS.filter((each) => each.group === group).map((each) => each.key);
}
