/** Faults of group B (sections 1, 2 and 4.2). */
import { type OperationName, operationNamed, operationOf, operationsOf } from '../../src/contract/index.ts';
import { combineHooks } from '../behaviors/combine-hooks.ts';
import { add, drop, every, failing, refusing, when } from '../deviations/changes.ts';
import { onAnswer, onItems, onRequest, stating } from '../deviations/places.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import type { Item, Query } from '../model/types.ts';
import { inB } from './fault.ts';

export const OF_CATALOGUES: readonly OperationName[] = operationsOf('B').map((key) => operationOf(key).name);
const WITHIN_DIMENSION = ['dimensionAttributes', 'dimensionGroups', 'dimensionHierarchies', 'dimensionRows'] as const;

/** Facts that an implementer may state about the ids below the catalogue. */
export const distinguishing = (name: OperationName, ...inputs: readonly string[]) => ({
  catalogue: { distinguishes: Object.fromEntries(inputs.map((input) => [input, [operationNamed(name).key]])) },
});
const CONNECTED = { catalogue: { connected: true } };

/** An operation ignores the id of one input and takes another one. */
const ignoring = (
  name: OperationName,
  input: 'dimension' | 'hierarchy' | 'level' | 'attribute' | 'group',
  id: string,
  what: string,
) =>
  inB(`${input}-ignored`, 'B.metadata', {
    says: `${what} for each ${input}; the profile states that they differ.`,
    profile: distinguishing(name, input),
    hooks: onRequest([name], (query) => query[input] !== undefined && { [input]: id }),
  });

/** Ids that only one catalogue of the simulator has: requests for them need no catalogue. */
const OWNERS: Readonly<Record<string, string>> = {
  market: 'CAT-RETAIL',
  household: 'CAT-PANEL',
  outlet: 'CAT-AUDIT',
};
const catalogueOfDimension = ({ dimension = '' }: Query) => {
  const catalogueId = OWNERS[dimension];
  return catalogueId && { catalogueId };
};

/** A known id of each kind. */
export const KNOWN_IDS: Query = {
  catalogueId: 'CAT-RETAIL',
  dimension: 'product',
  attribute: 'label',
  group: 'top-sellers',
  hierarchy: 'standard',
  level: 'level-1',
  measure: 'dollars',
};

/** Answers requests with unknown ids as if they were known ones. */
const answeringUnknown = (names: readonly OperationName[], isAnswered = (_input: string, _id: string) => true): Hooks =>
  onAnswer(
    'unknown',
    ({ input, value }, { operation, world, query }) =>
      isAnswered(input, value) && world.answer(operation.name, { ...query, [input]: KNOWN_IDS[input as keyof Query] }),
    names,
  );

const ofOneCatalogue = (name: string, what: string, operations: readonly OperationName[]) =>
  inB(name, 'B.catalogue-id', {
    says: `${what} returns the data of one catalogue and ignores the requested id.`,
    hooks: onRequest(operations, () => ({ catalogueId: 'CAT-RETAIL' })),
  });

const nameless = (items: readonly Item[]): readonly Item[] => items.map(() => ({}));
const isOfHousehold = ({ query }: Context): boolean => query.dimension === 'household';
const withPrefix = (prefix: string) => every<Item>(({ id }) => ({ id: `${prefix}${id}` }));

/** Moves the refresh dates, which are the last days of data weeks. */
export const refreshedAfter = (days: number): Hooks =>
  onItems(
    ['refreshDates'],
    every(({ date }) => (date === undefined ? {} : { date: date + days })),
  );

/** A list whose rows are read without an id and a name. */
export const WITHOUT_IDS = stating(['measureSharePrompts'], {
  response: { fields: { id: null, name: null } },
  none: ['fields.id', 'fields.name'],
});

export const CATALOGUE_FAULTS = [
  ofOneCatalogue('catalogue-ignored', 'Every operation of group B', OF_CATALOGUES),
  ofOneCatalogue('catalogue-ignored-dimensions', 'LogicalDimensions', ['logicalDimensions']),
  ofOneCatalogue('catalogue-ignored-refresh-dates', 'RefreshDates', ['refreshDates']),
  inB('catalogue-ignored-attributes', 'B.catalogue-id', {
    says: 'Dimension/Attributes finds a dimension by its id alone, in whichever catalogue it is.',
    hooks: onRequest(['dimensionAttributes'], catalogueOfDimension),
  }),
  inB('catalogue-ignored-level-values', 'B.catalogue-id', {
    says: 'Group/Level/Values finds the ids of one level in any catalogue, whatever catalogue is requested.',
    hooks: onRequest(['groupLevelValues'], (query) => query.level === 'level-2' && catalogueOfDimension(query)),
  }),
  inB('catalogue-known-alone', 'B.graph', {
    says: 'Hierarchy/Levels knows the hierarchies of one catalogue only; the profile states that each listed item is known.',
    profile: CONNECTED,
    hooks: onRequest(
      ['hierarchyLevels'],
      ({ catalogueId, hierarchy }) => catalogueId !== 'CAT-RETAIL' && { hierarchy: `${hierarchy}-unknown` },
    ),
  }),
  inB('catalogue-listed-but-unknown', 'B.graph', {
    says: 'LogicalDimensions does not know one of the catalogues that are listed; the profile states that each listed item is known.',
    profile: CONNECTED,
    hooks: onRequest(
      ['logicalDimensions'],
      (query) => query.catalogueId === 'CAT-AUDIT' && { catalogueId: 'CAT-NONE' },
    ),
  }),
  inB('last-level-of-another-catalogue', 'B.graph', {
    says: 'Hierarchy/Levels lists a level of another catalogue after the others; the profile states that each listed item is known.',
    profile: CONNECTED,
    hooks: onItems(
      ['hierarchyLevels'],
      add(() => [{ id: 'panel-level', name: 'Level of the panel' }]),
    ),
  }),
  inB('last-hierarchy-of-second-catalogue-unknown', 'B.graph', {
    says: 'Hierarchy/Levels does not know the last hierarchy of the last dimension of the second catalogue; the profile states that each listed item is known.',
    profile: CONNECTED,
    hooks: onRequest(
      ['hierarchyLevels'],
      ({ dimension, hierarchy }) => dimension === 'household' && hierarchy === 'custom' && { hierarchy: 'none' },
    ),
  }),
  inB('level-values-empty', 'B.graph', {
    says: 'Group/Level/Values returns an empty list for a listed level; the profile states that it is never empty.',
    profile: { catalogue: { neverEmpty: [operationNamed('groupLevelValues').key] } },
    hooks: onItems(['groupLevelValues'], (_, { query }) => query.level === 'level-2' && []),
  }),
  ignoring('hierarchyLevels', 'hierarchy', 'standard', 'Hierarchy/Levels returns the levels of the first hierarchy'),
  inB('hierarchy-ignored-with-its-levels', 'B.metadata', {
    says: 'Each hierarchy has levels with ids of its own, but Hierarchy/Level/Values returns the values of the first hierarchy; the profile states that they differ.',
    profile: distinguishing('hierarchyLevelValues', 'hierarchy', 'level'),
    hooks: {
      ...onRequest(['hierarchyLevelValues'], ({ level }) => ({
        hierarchy: 'standard',
        ...(level !== undefined && { level: level.replace(/^.*:/, '') }),
      })),
      ...onItems(['hierarchyLevels'], (items, context) => withPrefix(`${context.query.hierarchy}:`)(items, context)),
    },
  }),
  ignoring('hierarchyLevelValues', 'level', 'level-1', 'Hierarchy/Level/Values returns the values of the first level'),
  ignoring('attributeValues', 'attribute', 'label', 'Attribute/Values returns the values of the first attribute'),
  ignoring('dimensionGroups', 'dimension', 'product', 'Dimension/Groups returns the groups of one dimension'),
  ignoring('groupLevels', 'group', 'top-sellers', 'Group/Levels returns the levels of one group'),
  inB('unknown-catalogue-answered', 'B.metadata', {
    says: 'A request for an unknown catalogue is answered for the first one, although the profile states what an unknown id gets.',
    hooks: answeringUnknown(OF_CATALOGUES, (input) => input === 'catalogueId'),
  }),
  inB('unknown-catalogue-of-the-form-answered', 'B.metadata', {
    says: 'A request for an unknown catalogue is answered for the first one if its id has the form of the others, and refused as malformed otherwise.',
    hooks: combineHooks([
      answeringUnknown(OF_CATALOGUES, (input, id) => input === 'catalogueId' && /^CAT-[A-Z]+$/.test(id)),
      onAnswer(
        'unknown',
        ({ input }) => input === 'catalogueId' && refusing('no id of a catalogue', 'catalogueId')(),
        OF_CATALOGUES,
      ),
    ]),
  }),
  inB('unknown-id-answered-dimension-rows', 'B.metadata', {
    says: 'Dimension/Rows answers a request with an unknown id for a known one, although the profile states what an unknown id gets.',
    hooks: answeringUnknown(['dimensionRows']),
  }),
  inB('unknown-id-fails-group-levels', 'B.metadata', {
    says: 'Group/Levels fails with 500 for an unknown id, although the profile states another status.',
    hooks: onAnswer('unknown', failing('no such node'), ['groupLevels']),
  }),
  inB('unknown-id-answered-share-prompts', 'B.metadata', {
    says: 'SharePrompts, of which the profile reads neither ids nor names, answers an unknown measure or catalogue for a known one.',
    profile: WITHOUT_IDS,
    dialects: ['reference'],
    hooks: answeringUnknown(['measureSharePrompts']),
  }),
  inB('dimension-rows-unknown', 'B.graph', {
    says: 'Dimension/Rows treats every dimension of the catalogue as unknown.',
    strict: true,
    hooks: onRequest(['dimensionRows'], ({ catalogueId }) => ({ catalogueId: `${catalogueId} ` })),
  }),
  inB('catalogues-without-one', 'B.metadata', {
    says: 'Catalogues does not list the requested catalogue.',
    strict: true,
    hooks: onItems(
      ['catalogues'],
      drop(({ id }, { query }) => id === query.catalogueId),
    ),
  }),
  inB('attributes-nameless', 'B.metadata', {
    says: 'One attribute of a dimension has neither id nor name.',
    hooks: onItems(['dimensionAttributes'], (items) => [...items.slice(0, -1), {}]),
  }),
  inB('values-nameless-in-second-catalogue', 'B.metadata', {
    says: 'The values of one attribute of the second catalogue have neither ids nor names.',
    hooks: onItems(['attributeValues'], when(isOfHousehold, nameless)),
  }),
  inB('share-prompts-nameless', 'B.metadata', {
    says: 'The share prompts have neither ids nor names.',
    hooks: onItems(['measureSharePrompts'], nameless),
  }),
  inB('refresh-date-impossible', 'B.metadata', {
    says: 'One refresh date is not a valid date.',
    hooks: onItems(['refreshDates'], ([first, ...others]) =>
      first ? [{ ...first, date: Number.NaN }, ...others] : [],
    ),
  }),
  inB('refresh-dates-empty', 'B.metadata', {
    says: 'RefreshDates returns an empty list for a catalogue that is loaded weekly.',
    strict: true,
    hooks: onItems(['refreshDates'], () => []),
  }),
  inB('dimension-listed-but-unknown', 'B.graph', {
    says: 'LogicalDimensions lists a dimension that is unknown to the operations for one dimension.',
    strict: true,
    hooks: onItems(['logicalDimensions'], (items) => [{ id: 'phantom', name: 'Phantom' }, ...items]),
  }),
  inB('groups-of-another-dimension', 'B.graph', {
    says: 'The groups listed for a dimension have no levels in that dimension.',
    strict: true,
    hooks: onItems(['dimensionGroups'], withPrefix('other-')),
  }),
  inB('hierarchy-levels-of-another-catalogue', 'B.graph', {
    says: 'The levels listed for a hierarchy belong to another catalogue, so their values are unknown.',
    strict: true,
    hooks: onItems(['hierarchyLevels'], withPrefix('panel-')),
  }),
  inB('dimension-children-unknown', 'B.graph', {
    says: 'Attributes, groups, hierarchies and rows are unknown for every dimension but the first.',
    strict: true,
    hooks: onRequest(
      WITHIN_DIMENSION,
      ({ dimension }) => dimension !== 'product' && { dimension: `${dimension}-unknown` },
    ),
  }),
  inB('refresh-date-of-another-weekday', 'B.metadata', {
    says: 'The refresh date is two days after the day of the reload that the profile states.',
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: { reloadDay: 3 } } },
    dialects: ['reference', 'hypermedia', 'tabular', 'xml'],
    hooks: refreshedAfter(5),
  }),
];
