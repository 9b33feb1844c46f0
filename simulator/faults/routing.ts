/** Faults of paths and methods (sections 4, 4.2 and 9). */
import { type OperationName, operationNamed, operationOf, operationsOf } from '../../src/contract/index.ts';
import type { Query } from '../model/types.ts';
import type { RouteMatch } from '../router.ts';
import type { Fault, Hooks } from './types.ts';

const nameOf = (match: RouteMatch): OperationName | undefined =>
  match.kind === 'operation' ? match.operation.name : undefined;

const withoutPath = (name: OperationName): Hooks => ({
  route(request, route) {
    const match = route(request);
    return nameOf(match) === name ? { kind: 'unknownPath' } : match;
  },
});

/** Serves these operations under these methods only. */
const onlyUnderMethods = (names: readonly OperationName[], ...methods: readonly string[]): Hooks => ({
  route(request, route) {
    const found = ['GET', 'POST'].map((method) => route({ ...request, method })).find((match) => nameOf(match));
    const name = found && nameOf(found);
    if (!found || !name || !names.includes(name)) return route(request);
    return methods.includes(request.method) ? found : { kind: 'wrongMethod', allow: methods };
  },
});

/** Serves a group under another path prefix. With `only`, the documented prefix is unknown; otherwise both are served. */
const underPrefix = (documented: string, served: string, only: boolean): Hooks => ({
  route(request, route) {
    const isServed =
      request.path.startsWith(served) && (served.startsWith(documented) || !request.path.startsWith(documented));
    if (isServed) return route({ ...request, path: documented + request.path.slice(served.length) });
    return only && request.path.startsWith(documented) ? { kind: 'unknownPath' } : route(request);
  },
});

/** The defaults of a server that ignores the body of a GET. */
const DEFAULT_QUERY: Query = {
  catalogueId: 'CAT-RETAIL',
  dimension: 'product',
  attribute: 'label',
  group: 'top-sellers',
  hierarchy: 'standard',
  level: 'level-1',
  measure: 'dollars',
};
const withDefaults: Hooks['query'] = (query, { operation }) =>
  operation.group === 'B' ? { ...DEFAULT_QUERY, ...query } : query;
const CATALOGUE = operationsOf('B').map((key) => operationOf(key).name);

const failing = (name: OperationName): Hooks => ({
  answer: (answer, { operation }) =>
    operation.name === name ? { kind: 'internalError', why: 'this operation always fails' } : answer,
});

const notServed = (name: OperationName, slug: string) =>
  ({
    name: `not-found-${slug}`,
    statement: 'operation.served',
    group: operationNamed(name).group,
    says: `${operationNamed(name).key} is not served: 404, as for any unknown path.`,
    hooks: withoutPath(name),
  }) as const;

const otherMethod = (name: OperationName, slug: string, method: 'GET' | 'POST' | 'PUT') =>
  ({
    name: `wrong-method-${slug}`,
    statement: 'operation.served',
    group: operationNamed(name).group,
    says: `${operationNamed(name).path} accepts ${method} only and answers 405 to its documented method.`,
    hooks: onlyUnderMethods([name], method),
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
    says: 'Group B is served only without the segment v1.',
    hooks: underPrefix('/data-access/v1/', '/data-access/', true),
  },
  {
    name: 'version-two-product-reference',
    statement: 'version.segment',
    group: 'C',
    says: 'Group C is served only under v2.',
    hooks: underPrefix('/PLATFORMAPI/prodRef/v1/', '/PLATFORMAPI/prodRef/v2/', true),
  },
  {
    name: 'version-missing-retail',
    statement: 'version.segment',
    group: 'D',
    says: 'Group D is served only without the segment v1.',
    hooks: underPrefix('/RetailMeasurement/v1/', '/RetailMeasurement/', true),
  },
  {
    name: 'version-optional-retail',
    statement: 'version.segment',
    group: 'D',
    says: 'Group D is also served without the segment v1.',
    strict: true,
    hooks: underPrefix('/RetailMeasurement/v1/', '/RetailMeasurement/', false),
  },
  {
    name: 'version-two-too-product-reference',
    statement: 'version.segment',
    group: 'C',
    says: 'Group C is also served under v2.',
    strict: true,
    hooks: underPrefix('/PLATFORMAPI/prodRef/v1/', '/PLATFORMAPI/prodRef/v2/', false),
  },
  {
    name: 'version-added-webservices',
    statement: 'version.none',
    group: 'A',
    says: 'Group A is served only under a version segment v1.',
    hooks: underPrefix('/webservices/', '/webservices/v1/', true),
  },
  {
    name: 'version-optional-webservices',
    statement: 'version.none',
    group: 'A',
    says: 'Group A is also served under a version segment v1.',
    strict: true,
    hooks: underPrefix('/webservices/', '/webservices/v1/', false),
  },
  {
    name: 'platform-lower-case',
    statement: 'platform.segment',
    group: 'C',
    says: 'Group C is served only under platformapi in lower case.',
    hooks: underPrefix('/PLATFORMAPI/', '/platformapi/', true),
  },
  {
    name: 'platform-any-case',
    statement: 'platform.segment',
    group: 'C',
    says: 'Group C is also served under platformapi in lower case.',
    strict: true,
    hooks: underPrefix('/PLATFORMAPI/', '/platformapi/', false),
  },
  {
    name: 'catalogue-get-only',
    statement: 'B.post',
    says: 'Group B accepts GET only and uses a default catalogue when the request names none.',
    hooks: { ...onlyUnderMethods(CATALOGUE, 'GET'), query: withDefaults },
  },
  {
    name: 'refresh-dates-get-only',
    statement: 'B.post',
    says: 'RefreshDates accepts GET only and uses a default catalogue when the request names none.',
    hooks: { ...onlyUnderMethods(['refreshDates'], 'GET'), query: withDefaults },
  },
  {
    name: 'catalogue-get-too',
    statement: 'B.post',
    says: 'Group B accepts GET besides POST and uses a default catalogue when the request names none.',
    strict: true,
    hooks: { ...onlyUnderMethods(CATALOGUE, 'GET', 'POST'), query: withDefaults },
  },
] as const satisfies readonly Fault[];
