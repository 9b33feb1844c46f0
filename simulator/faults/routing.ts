/** Faults of paths and methods (sections 4, 4.2 and 9). */
import { type Group, type OperationName, operationNamed, operationOf, operationsOf } from '../../src/contract/index.ts';
import type { Asked, Match } from '../router.ts';
import type { Fault, Hooks } from './types.ts';

type Router = (asked: Asked) => Match;

const namesOf = (match: Match): OperationName | undefined =>
  match.is === 'operation' ? match.operation.name : undefined;

const missing = (name: OperationName): Hooks => ({
  route(asked, route) {
    const match = route(asked);
    return namesOf(match) === name ? { is: 'nowhere' } : match;
  },
});

/** The operation under another method only. */
const moved = (names: readonly OperationName[], method: string): Hooks => ({
  route(asked, route) {
    const found = ['GET', 'POST'].map((each) => route({ ...asked, method: each })).find((each) => namesOf(each));
    const name = found && namesOf(found);
    if (!found || !name || !names.includes(name)) return route(asked);
    return asked.method === method ? found : { is: 'wrongMethod', allow: [method] };
  },
});

/** All paths of a group in another spelling only: `spoken` is what is asked for, `written` what stands in the document. */
const respelled = (group: Group, written: string, spoken: string): Hooks => {
  const prefixes = new Set(operationsOf(group).map((key) => operationOf(key).path.split('/')[1]));
  return {
    route(asked: Asked, route: Router) {
      if (asked.path.startsWith(spoken) && !asked.path.startsWith(written)) {
        return route({ ...asked, path: written + asked.path.slice(spoken.length) });
      }
      return prefixes.has(asked.path.split('/')[1]) ? { is: 'nowhere' } : route(asked);
    },
  };
};

const failing = (name: OperationName): Hooks => ({
  answer: (answer, { operation }) =>
    operation.name === name ? { kind: 'broken', why: 'this operation always fails' } : answer,
});

const notServed = (name: OperationName, slug: string) =>
  ({
    name: `not-found-${slug}`,
    statement: 'operation.served',
    says: `${operationNamed(name).key} is not there: 404, as for any unknown path.`,
    hooks: missing(name),
  }) as const;

const otherMethod = (name: OperationName, slug: string, method: 'GET' | 'POST' | 'PUT') =>
  ({
    name: `wrong-method-${slug}`,
    statement: 'operation.served',
    says: `${operationNamed(name).path} answers ${method} only, and 405 to its documented method.`,
    hooks: moved([name], method),
  }) as const;

const alwaysFails = (name: OperationName, slug: string) =>
  ({
    name: `fails-${slug}`,
    statement: 'operation.served',
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
    says: 'Group B is served without the segment v1 only.',
    hooks: respelled('B', '/data-access/v1/', '/data-access/'),
  },
  {
    name: 'version-two-product-reference',
    statement: 'version.segment',
    says: 'Group C is served under v2 only.',
    hooks: respelled('C', '/PLATFORMAPI/prodRef/v1/', '/PLATFORMAPI/prodRef/v2/'),
  },
  {
    name: 'version-upper-case-retail',
    statement: 'version.segment',
    says: 'Group D is served under V1 only.',
    hooks: respelled('D', '/RetailMeasurement/v1/', '/RetailMeasurement/V1/'),
  },
  {
    name: 'version-added-webservices',
    statement: 'version.none',
    says: 'Group A is served under a version segment v1 only.',
    hooks: respelled('A', '/webservices/', '/webservices/v1/'),
  },
  {
    name: 'platform-lower-case',
    statement: 'platform.segment',
    says: 'Group C is served under platformapi in lower case only.',
    hooks: respelled('C', '/PLATFORMAPI/', '/platformapi/'),
  },
  {
    name: 'catalogue-get-only',
    statement: 'B.post',
    says: 'Group B answers GET only.',
    hooks: moved(
      operationsOf('B').map((key) => operationOf(key).name),
      'GET',
    ),
  },
  {
    name: 'refresh-dates-get-only',
    statement: 'B.post',
    says: 'RefreshDates answers GET only.',
    hooks: moved(['refreshDates'], 'GET'),
  },
] as const satisfies readonly Fault[];
