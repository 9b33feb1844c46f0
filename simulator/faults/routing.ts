/** Faults of paths and methods (sections 4, 4.2 and 9). */
import { type OperationName, operationNamed, operationOf, operationsOf } from '../../src/contract/index.ts';
import type { Query } from '../model/types.ts';
import type { RouteMatch } from '../router.ts';
import type { Fault, Hooks } from './types.ts';

const namesOf = (match: RouteMatch): OperationName | undefined =>
  match.is === 'operation' ? match.operation.name : undefined;

const missing = (name: OperationName): Hooks => ({
  route(asked, route) {
    const match = route(asked);
    return namesOf(match) === name ? { is: 'nowhere' } : match;
  },
});

/** The operations under these methods and no others. */
const moved = (names: readonly OperationName[], ...methods: readonly string[]): Hooks => ({
  route(asked, route) {
    const found = ['GET', 'POST'].map((method) => route({ ...asked, method })).find((match) => namesOf(match));
    const name = found && namesOf(found);
    if (!found || !name || !names.includes(name)) return route(asked);
    return methods.includes(asked.method) ? found : { is: 'wrongMethod', allow: methods };
  },
});

/**
 * Paths of a group under another spelling. `only`: the documented spelling leads nowhere; else both are served.
 */
const respelled = (written: string, spoken: string, only: boolean): Hooks => ({
  route(asked, route) {
    const isSpoken = asked.path.startsWith(spoken) && (spoken.startsWith(written) || !asked.path.startsWith(written));
    if (isSpoken) return route({ ...asked, path: written + asked.path.slice(spoken.length) });
    return only && asked.path.startsWith(written) ? { is: 'nowhere' } : route(asked);
  },
});

/** What a server that overlooks the body of a GET would answer for. */
const FALLBACK: Query = {
  catalogueId: 'CAT-RETAIL',
  dimension: 'product',
  attribute: 'label',
  group: 'top-sellers',
  hierarchy: 'standard',
  level: 'level-1',
  measure: 'dollars',
};
const fallBack: Hooks['ask'] = (query, { operation }) => (operation.group === 'B' ? { ...FALLBACK, ...query } : query);
const CATALOGUE = operationsOf('B').map((key) => operationOf(key).name);

const failing = (name: OperationName): Hooks => ({
  answer: (answer, { operation }) =>
    operation.name === name ? { kind: 'broken', why: 'this operation always fails' } : answer,
});

const notServed = (name: OperationName, slug: string) =>
  ({
    name: `not-found-${slug}`,
    statement: 'operation.served',
    group: operationNamed(name).group,
    says: `${operationNamed(name).key} is not there: 404, as for any unknown path.`,
    hooks: missing(name),
  }) as const;

const otherMethod = (name: OperationName, slug: string, method: 'GET' | 'POST' | 'PUT') =>
  ({
    name: `wrong-method-${slug}`,
    statement: 'operation.served',
    group: operationNamed(name).group,
    says: `${operationNamed(name).path} answers ${method} only, and 405 to its documented method.`,
    hooks: moved([name], method),
  }) as const;

const alwaysFails = (name: OperationName, slug: string) =>
  ({
    name: `fails-${slug}`,
    statement: 'operation.served',
    group: operationNamed(name).group,
    says: `${operationNamed(name).key} answers 500 to every request.`,
    hooks: failing(name),
  }) as const;

export const ROUTING_FAULTS = [
  notServed('mapExport', 'map-export'),
  notServed('hierarchyLevelValues', 'hierarchy-level-values'),
  notServed('allCategories', 'all-categories'),
  notServed('performanceMetadata', 'performance-metadata'),
  otherMethod('getSaveMap', 'get-save-map', 'POST'),
  otherMethod('drive', 'drive', 'GET'),
  otherMethod('updateProducts', 'update-products', 'POST'),
  otherMethod('brandPerformance', 'brand-performance', 'PUT'),
  alwaysFails('getAllProspectFilters', 'prospect-filters'),
  alwaysFails('dimensionGroups', 'dimension-groups'),
  alwaysFails('allCategories', 'all-categories'),
  alwaysFails('categoryPerformance', 'category-performance'),
  {
    name: 'version-missing-catalogue',
    statement: 'version.segment',
    group: 'B',
    says: 'Group B is served without the segment v1 only.',
    hooks: respelled('/data-access/v1/', '/data-access/', true),
  },
  {
    name: 'version-two-product-reference',
    statement: 'version.segment',
    group: 'C',
    says: 'Group C is served under v2 only.',
    hooks: respelled('/PLATFORMAPI/prodRef/v1/', '/PLATFORMAPI/prodRef/v2/', true),
  },
  {
    name: 'version-missing-retail',
    statement: 'version.segment',
    group: 'D',
    says: 'Group D is served without the segment v1 only.',
    hooks: respelled('/RetailMeasurement/v1/', '/RetailMeasurement/', true),
  },
  {
    name: 'version-optional-retail',
    statement: 'version.segment',
    group: 'D',
    says: 'Group D is served without the segment v1 too.',
    strict: true,
    hooks: respelled('/RetailMeasurement/v1/', '/RetailMeasurement/', false),
  },
  {
    name: 'version-two-too-product-reference',
    statement: 'version.segment',
    group: 'C',
    says: 'Group C is served under v2 too.',
    strict: true,
    hooks: respelled('/PLATFORMAPI/prodRef/v1/', '/PLATFORMAPI/prodRef/v2/', false),
  },
  {
    name: 'version-added-webservices',
    statement: 'version.none',
    group: 'A',
    says: 'Group A is served under a version segment v1 only.',
    hooks: respelled('/webservices/', '/webservices/v1/', true),
  },
  {
    name: 'version-optional-webservices',
    statement: 'version.none',
    group: 'A',
    says: 'Group A is served under a version segment v1 too.',
    strict: true,
    hooks: respelled('/webservices/', '/webservices/v1/', false),
  },
  {
    name: 'platform-lower-case',
    statement: 'platform.segment',
    group: 'C',
    says: 'Group C is served under platformapi in lower case only.',
    hooks: respelled('/PLATFORMAPI/', '/platformapi/', true),
  },
  {
    name: 'platform-any-case',
    statement: 'platform.segment',
    group: 'C',
    says: 'Group C is served under platformapi in lower case too.',
    strict: true,
    hooks: respelled('/PLATFORMAPI/', '/platformapi/', false),
  },
  {
    name: 'catalogue-get-only',
    statement: 'B.post',
    says: 'Group B answers GET only, for a default catalogue where none is given.',
    hooks: { ...moved(CATALOGUE, 'GET'), ask: fallBack },
  },
  {
    name: 'refresh-dates-get-only',
    statement: 'B.post',
    says: 'RefreshDates answers GET only, for a default catalogue where none is given.',
    hooks: { ...moved(['refreshDates'], 'GET'), ask: fallBack },
  },
  {
    name: 'catalogue-get-too',
    statement: 'B.post',
    says: 'Group B answers GET beside POST, for a default catalogue where none is given.',
    strict: true,
    hooks: { ...moved(CATALOGUE, 'GET', 'POST'), ask: fallBack },
  },
] as const satisfies readonly Fault[];
