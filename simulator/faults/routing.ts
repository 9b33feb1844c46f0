/** Faults of paths and methods (sections 4, 4.2 and 9). */
import { type OperationName, operationNamed } from '../../src/contract/index.ts';
import { failing } from '../deviations/changes.ts';
import { onOperations } from '../deviations/places.ts';
import type { Hooks } from '../deviations/types.ts';
import type { RouteMatch } from '../router.ts';
import { KNOWN_IDS, OF_CATALOGUES } from './catalogue.ts';
import { faultOf, inA, inB, inC, inD } from './fault.ts';

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

/** Group B with the defaults of a server that ignores the body of a GET. */
const withDefaults = (names: readonly OperationName[], ...methods: readonly string[]): Hooks => ({
  ...onlyUnderMethods(names, ...methods),
  query: (query, { operation }) => (operation.group === 'B' ? { ...KNOWN_IDS, ...query } : query),
});

/** A fault that concerns every request to an operation; its name ends with `slug`. */
const unserved = (kind: string, slug: string, name: OperationName, says: string, hooks: Hooks) =>
  faultOf(operationNamed(name).group)(`${kind}-${slug}`, 'operation.served', { says, hooks });

const notServed = (name: OperationName, slug: string) =>
  unserved(
    'not-found',
    slug,
    name,
    `${operationNamed(name).key} is not served: 404, as for any unknown path.`,
    withoutPath(name),
  );

const otherMethod = (name: OperationName, slug: string, method: 'GET' | 'POST' | 'PUT') =>
  unserved(
    'wrong-method',
    slug,
    name,
    `${operationNamed(name).path} accepts ${method} only and answers 405 to its documented method.`,
    onlyUnderMethods([name], method),
  );

const alwaysFails = (name: OperationName, slug: string) =>
  unserved(
    'fails',
    slug,
    name,
    `${operationNamed(name).key} answers 500 to every request.`,
    onOperations([name], failing('this operation always fails')),
  );

const RETAIL = '/RetailMeasurement/v1/';
const PRODUCTS = '/PLATFORMAPI/prodRef/v1/';

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
  inB('version-missing-catalogue', 'version.segment', {
    says: 'Group B is served only without the segment v1.',
    hooks: underPrefix('/data-access/v1/', '/data-access/', true),
  }),
  inC('version-two-product-reference', 'version.segment', {
    says: 'Group C is served only under v2.',
    hooks: underPrefix(PRODUCTS, '/PLATFORMAPI/prodRef/v2/', true),
  }),
  inD('version-missing-retail', 'version.segment', {
    says: 'Group D is served only without the segment v1.',
    hooks: underPrefix(RETAIL, '/RetailMeasurement/', true),
  }),
  inD('version-optional-retail', 'version.segment', {
    says: 'Group D is also served without the segment v1.',
    strict: true,
    hooks: underPrefix(RETAIL, '/RetailMeasurement/', false),
  }),
  inC('version-two-too-product-reference', 'version.segment', {
    says: 'Group C is also served under v2.',
    strict: true,
    hooks: underPrefix(PRODUCTS, '/PLATFORMAPI/prodRef/v2/', false),
  }),
  inA('version-added-webservices', 'version.none', {
    says: 'Group A is served only under a version segment v1.',
    hooks: underPrefix('/webservices/', '/webservices/v1/', true),
  }),
  inA('version-optional-webservices', 'version.none', {
    says: 'Group A is also served under a version segment v1.',
    strict: true,
    hooks: underPrefix('/webservices/', '/webservices/v1/', false),
  }),
  inC('platform-lower-case', 'platform.segment', {
    says: 'Group C is served only under platformapi in lower case.',
    hooks: underPrefix('/PLATFORMAPI/', '/platformapi/', true),
  }),
  inC('platform-any-case', 'platform.segment', {
    says: 'Group C is also served under platformapi in lower case.',
    strict: true,
    hooks: underPrefix('/PLATFORMAPI/', '/platformapi/', false),
  }),
  inB('catalogue-get-only', 'B.post', {
    says: 'Group B accepts GET only and uses a default catalogue when the request names none.',
    hooks: withDefaults(OF_CATALOGUES, 'GET'),
  }),
  inB('refresh-dates-get-only', 'B.post', {
    says: 'RefreshDates accepts GET only and uses a default catalogue when the request names none.',
    hooks: withDefaults(['refreshDates'], 'GET'),
  }),
  inB('catalogue-get-too', 'B.post', {
    says: 'Group B accepts GET besides POST and uses a default catalogue when the request names none.',
    strict: true,
    hooks: withDefaults(OF_CATALOGUES, 'GET', 'POST'),
  }),
];
