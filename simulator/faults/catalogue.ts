/** Faults of group B (sections 1, 2 and 4.2). */
import { type OperationName, operationOf, operationsOf } from '../../src/contract/index.ts';
import type { Query } from '../model/types.ts';
import { onItems, onRequest } from './hooks.ts';
import type { Fault, Hooks, ProfilePatch } from './types.ts';

const ALL: readonly OperationName[] = operationsOf('B').map((key) => operationOf(key).name);
const WITHIN_DIMENSION: readonly OperationName[] = [
  'dimensionAttributes',
  'dimensionGroups',
  'dimensionHierarchies',
  'dimensionRows',
];

/** Facts that an implementer may state about the ids below the catalogue. */
const distinguishing = (input: string, ...operations: readonly string[]) => ({
  catalogue: { distinguishes: { [input]: operations } },
});

/** The same ids, except that the id of one input is always the first one. */
const always =
  (input: 'dimension' | 'hierarchy' | 'level' | 'attribute' | 'group', id: string) =>
  (query: Query): Query =>
    query[input] === undefined ? query : { ...query, [input]: id };

/** Ids that only one catalogue of the simulator has: requests for them need no catalogue. */
const OWNERS: Readonly<Record<string, string>> = {
  market: 'CAT-RETAIL',
  household: 'CAT-PANEL',
  outlet: 'CAT-AUDIT',
};
const catalogueOfDimension = (query: Query): Query => {
  const owner = OWNERS[query.dimension ?? ''];
  return owner === undefined ? query : { ...query, catalogueId: owner };
};

/** A known id of each kind. */
const KNOWN_IDS: Query = {
  catalogueId: 'CAT-RETAIL',
  dimension: 'product',
  attribute: 'label',
  group: 'top-sellers',
  hierarchy: 'standard',
  level: 'level-1',
  measure: 'dollars',
};

/** Answers requests with unknown ids as if they were known ones. */
const answeringUnknown = (names: readonly OperationName[], isAnswered: (input: string) => boolean): Hooks => ({
  answer(answer, { operation, world, query }) {
    if (answer.kind !== 'unknown' || !names.includes(operation.name) || !isAnswered(answer.input)) return answer;
    const known = { ...query, [answer.input]: KNOWN_IDS[answer.input as keyof Query] };
    return world.answer(operation.name, known);
  },
});

const forOneCatalogue = (query: Query): Query => ({ ...query, catalogueId: 'CAT-RETAIL' });

/** Moves the refresh dates, which are the last days of data weeks. */
export const refreshedAfter = (days: number): Hooks =>
  onItems(['refreshDates'], (items) =>
    items.map((item) => ({ ...item, ...(item.date !== undefined && { date: item.date + days }) })),
  );

/** A list whose rows are read without an id and a name. */
export const WITHOUT_IDS: ProfilePatch = {
  operations: {
    'POST /data-access/v1/Catalogue/Measure/SharePrompts': {
      response: { fields: { id: null, name: null } },
      none: ['fields.id', 'fields.name'],
    },
  },
};

export const CATALOGUE_FAULTS = [
  {
    name: 'catalogue-ignored',
    statement: 'B.catalogue-id',
    says: 'Every operation of group B returns the data of one catalogue and ignores the requested id.',
    hooks: onRequest(ALL, forOneCatalogue),
  },
  {
    name: 'catalogue-ignored-dimensions',
    statement: 'B.catalogue-id',
    says: 'LogicalDimensions returns the data of one catalogue and ignores the requested id.',
    hooks: onRequest(['logicalDimensions'], forOneCatalogue),
  },
  {
    name: 'catalogue-ignored-refresh-dates',
    statement: 'B.catalogue-id',
    says: 'RefreshDates returns the data of one catalogue and ignores the requested id.',
    hooks: onRequest(['refreshDates'], forOneCatalogue),
  },
  {
    name: 'catalogue-ignored-attributes',
    statement: 'B.catalogue-id',
    says: 'Dimension/Attributes finds a dimension by its id alone, in whichever catalogue it is.',
    hooks: onRequest(['dimensionAttributes'], catalogueOfDimension),
  },
  {
    name: 'catalogue-ignored-level-values',
    statement: 'B.catalogue-id',
    says: 'Group/Level/Values finds the ids of one level in any catalogue, whatever catalogue is requested.',
    hooks: onRequest(['groupLevelValues'], (query) =>
      query.level === 'level-2' ? catalogueOfDimension(query) : query,
    ),
  },
  {
    name: 'catalogue-known-alone',
    statement: 'B.graph',
    says: 'Hierarchy/Levels knows the hierarchies of one catalogue only; the profile states that each listed item is known.',
    profile: { catalogue: { connected: true } },
    hooks: onRequest(['hierarchyLevels'], (query) =>
      query.catalogueId === 'CAT-RETAIL' ? query : { ...query, hierarchy: `${query.hierarchy}-unknown` },
    ),
  },
  {
    name: 'catalogue-listed-but-unknown',
    statement: 'B.graph',
    says: 'LogicalDimensions does not know one of the catalogues that are listed; the profile states that each listed item is known.',
    profile: { catalogue: { connected: true } },
    hooks: onRequest(['logicalDimensions'], (query) =>
      query.catalogueId === 'CAT-AUDIT' ? { ...query, catalogueId: 'CAT-NONE' } : query,
    ),
  },
  {
    name: 'last-level-of-another-catalogue',
    statement: 'B.graph',
    says: 'Hierarchy/Levels lists a level of another catalogue after the others; the profile states that each listed item is known.',
    profile: { catalogue: { connected: true } },
    hooks: onItems(['hierarchyLevels'], (items) => [...items, { id: 'panel-level', name: 'Level of the panel' }]),
  },
  {
    name: 'last-hierarchy-of-second-catalogue-unknown',
    statement: 'B.graph',
    says: 'Hierarchy/Levels does not know the last hierarchy of the last dimension of the second catalogue; the profile states that each listed item is known.',
    profile: { catalogue: { connected: true } },
    hooks: onRequest(['hierarchyLevels'], (query) =>
      query.dimension === 'household' && query.hierarchy === 'custom' ? { ...query, hierarchy: 'none' } : query,
    ),
  },
  {
    name: 'level-values-empty',
    statement: 'B.graph',
    says: 'Group/Level/Values returns an empty list for a listed level; the profile states that it is never empty.',
    profile: { catalogue: { neverEmpty: ['POST /data-access/v1/Catalogue/Group/Level/Values'] } },
    hooks: onItems(['groupLevelValues'], (items, { query }) => (query.level === 'level-2' ? [] : items)),
  },
  {
    name: 'hierarchy-ignored',
    statement: 'B.metadata',
    says: 'Hierarchy/Levels returns the levels of the first hierarchy for each hierarchy; the profile states that they differ.',
    profile: distinguishing('hierarchy', 'POST /data-access/v1/Catalogue/Hierarchy/Levels'),
    hooks: onRequest(['hierarchyLevels'], always('hierarchy', 'standard')),
  },
  {
    name: 'hierarchy-ignored-with-its-levels',
    statement: 'B.metadata',
    says: 'Each hierarchy has levels with ids of its own, but Hierarchy/Level/Values returns the values of the first hierarchy; the profile states that they differ.',
    profile: {
      catalogue: {
        distinguishes: {
          hierarchy: ['POST /data-access/v1/Catalogue/Hierarchy/Level/Values'],
          level: ['POST /data-access/v1/Catalogue/Hierarchy/Level/Values'],
        },
      },
    },
    hooks: {
      ...onRequest(['hierarchyLevelValues'], (query) => ({
        ...query,
        hierarchy: 'standard',
        ...(query.level !== undefined && { level: query.level.replace(/^.*:/, '') }),
      })),
      ...onItems(['hierarchyLevels'], (items, { query }) =>
        items.map((item) => ({ ...item, id: `${query.hierarchy}:${item.id}` })),
      ),
    },
  },
  {
    name: 'level-ignored',
    statement: 'B.metadata',
    says: 'Hierarchy/Level/Values returns the values of the first level for each level; the profile states that they differ.',
    profile: distinguishing('level', 'POST /data-access/v1/Catalogue/Hierarchy/Level/Values'),
    hooks: onRequest(['hierarchyLevelValues'], always('level', 'level-1')),
  },
  {
    name: 'attribute-ignored',
    statement: 'B.metadata',
    says: 'Attribute/Values returns the values of the first attribute for each attribute; the profile states that they differ.',
    profile: distinguishing('attribute', 'POST /data-access/v1/Catalogue/Attribute/Values'),
    hooks: onRequest(['attributeValues'], always('attribute', 'label')),
  },
  {
    name: 'dimension-ignored',
    statement: 'B.metadata',
    says: 'Dimension/Groups returns the groups of one dimension for each dimension; the profile states that they differ.',
    profile: distinguishing('dimension', 'POST /data-access/v1/Catalogue/Dimension/Groups'),
    hooks: onRequest(['dimensionGroups'], always('dimension', 'product')),
  },
  {
    name: 'group-ignored',
    statement: 'B.metadata',
    says: 'Group/Levels returns the levels of one group for each group; the profile states that they differ.',
    profile: distinguishing('group', 'POST /data-access/v1/Catalogue/Group/Levels'),
    hooks: onRequest(['groupLevels'], always('group', 'top-sellers')),
  },
  {
    name: 'unknown-catalogue-answered',
    statement: 'B.metadata',
    says: 'A request for an unknown catalogue is answered for the first one, although the profile states what an unknown id gets.',
    hooks: answeringUnknown(ALL, (input) => input === 'catalogueId'),
  },
  {
    name: 'unknown-catalogue-of-the-form-answered',
    statement: 'B.metadata',
    says: 'A request for an unknown catalogue is answered for the first one if its id has the form of the others, and refused as malformed otherwise.',
    hooks: {
      answer(answer, { operation, world, query }) {
        if (answer.kind !== 'unknown' || answer.input !== 'catalogueId') return answer;
        return /^CAT-[A-Z]+$/.test(answer.value)
          ? world.answer(operation.name, forOneCatalogue(query))
          : { kind: 'rejected', reason: 'malformed', input: 'catalogueId', detail: 'no id of a catalogue' };
      },
    },
  },
  {
    name: 'unknown-id-answered-dimension-rows',
    statement: 'B.metadata',
    says: 'Dimension/Rows answers a request with an unknown id for a known one, although the profile states what an unknown id gets.',
    hooks: answeringUnknown(['dimensionRows'], () => true),
  },
  {
    name: 'unknown-id-fails-group-levels',
    statement: 'B.metadata',
    says: 'Group/Levels fails with 500 for an unknown id, although the profile states another status.',
    hooks: {
      answer: (answer, { operation }) =>
        answer.kind === 'unknown' && operation.name === 'groupLevels'
          ? { kind: 'internalError', why: 'no such node' }
          : answer,
    },
  },
  {
    name: 'unknown-id-answered-share-prompts',
    statement: 'B.metadata',
    says: 'SharePrompts, of which the profile reads neither ids nor names, answers an unknown measure or catalogue for a known one.',
    profile: WITHOUT_IDS,
    dialects: ['reference'],
    hooks: answeringUnknown(['measureSharePrompts'], () => true),
  },
  {
    name: 'dimension-rows-unknown',
    statement: 'B.graph',
    says: 'Dimension/Rows treats every dimension of the catalogue as unknown.',
    strict: true,
    hooks: onRequest(['dimensionRows'], (query) => ({ ...query, catalogueId: `${query.catalogueId} ` })),
  },
  {
    name: 'catalogues-without-one',
    statement: 'B.metadata',
    says: 'Catalogues does not list the requested catalogue.',
    strict: true,
    hooks: onItems(['catalogues'], (items, { query }) => items.filter(({ id }) => id !== query.catalogueId)),
  },
  {
    name: 'attributes-nameless',
    statement: 'B.metadata',
    says: 'One attribute of a dimension has neither id nor name.',
    hooks: onItems(['dimensionAttributes'], (items) => [...items.slice(0, -1), {}]),
  },
  {
    name: 'values-nameless-in-second-catalogue',
    statement: 'B.metadata',
    says: 'The values of one attribute of the second catalogue have neither ids nor names.',
    hooks: onItems(['attributeValues'], (items, { query }) =>
      query.dimension === 'household' ? items.map(() => ({})) : items,
    ),
  },
  {
    name: 'share-prompts-nameless',
    statement: 'B.metadata',
    says: 'The share prompts have neither ids nor names.',
    hooks: onItems(['measureSharePrompts'], (items) => items.map(() => ({}))),
  },
  {
    name: 'refresh-date-impossible',
    statement: 'B.metadata',
    says: 'One refresh date is not a valid date.',
    hooks: onItems(['refreshDates'], (items) =>
      items.map((item, at) => (at === 0 ? { ...item, date: Number.NaN } : item)),
    ),
  },
  {
    name: 'refresh-dates-empty',
    statement: 'B.metadata',
    says: 'RefreshDates returns an empty list for a catalogue that is loaded weekly.',
    strict: true,
    hooks: onItems(['refreshDates'], () => []),
  },
  {
    name: 'dimension-listed-but-unknown',
    statement: 'B.graph',
    says: 'LogicalDimensions lists a dimension that is unknown to the operations for one dimension.',
    strict: true,
    hooks: onItems(['logicalDimensions'], (items) => [{ id: 'phantom', name: 'Phantom' }, ...items]),
  },
  {
    name: 'groups-of-another-dimension',
    statement: 'B.graph',
    says: 'The groups listed for a dimension have no levels in that dimension.',
    strict: true,
    hooks: onItems(['dimensionGroups'], (items) => items.map((item) => ({ ...item, id: `other-${item.id}` }))),
  },
  {
    name: 'hierarchy-levels-of-another-catalogue',
    statement: 'B.graph',
    says: 'The levels listed for a hierarchy belong to another catalogue, so their values are unknown.',
    strict: true,
    hooks: onItems(['hierarchyLevels'], (items) => items.map((item) => ({ ...item, id: `panel-${item.id}` }))),
  },
  {
    name: 'dimension-children-unknown',
    statement: 'B.graph',
    says: 'Attributes, groups, hierarchies and rows are unknown for every dimension but the first.',
    strict: true,
    hooks: onRequest(WITHIN_DIMENSION, (query) =>
      query.dimension === 'product' ? query : { ...query, dimension: `${query.dimension}-unknown` },
    ),
  },
  {
    name: 'refresh-date-of-another-weekday',
    statement: 'B.metadata',
    says: 'The refresh date is two days after the day of the reload that the profile states.',
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: { reloadDay: 3 } } },
    dialects: ['reference', 'hypermedia', 'tabular', 'xml'],
    hooks: refreshedAfter(5),
  },
] as const satisfies readonly Fault[];
