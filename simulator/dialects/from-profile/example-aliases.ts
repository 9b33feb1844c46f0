/** Maps the example values of a profile to values of the world. */
import { type Field, type Input, isUpc, JOB_KINDS, type JobKind, SALES_FILTERS } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { JOB_STARTERS } from '../../model/job-starters.ts';
import { metadataNodes, type NodeKind } from '../../model/metadata.ts';
import type { World } from '../../model/world.ts';

/** The kinds of names; `refresh` is the id of a refresh date. */
export type AliasKind =
  | (Field & Input)
  | 'catalogueId'
  | 'dimension'
  | 'group'
  | 'hierarchy'
  | 'level'
  | 'attribute'
  | 'measure'
  | 'refresh';

/** The example values of a profile, each with the value of the world in place of which it is served. */
export interface Aliases {
  /** Converts a value of the profile to the value of the world; other values stay unchanged. */
  toWorld(kind: AliasKind, value: string): string;
  /** Converts a value of the world to the value of the profile; other values stay unchanged. */
  toProfile(kind: AliasKind, value: string): string;
  /** Converts example job ids to job ids of the world, and back. */
  readonly jobs: { toWorld(kind: JobKind, id: string): string; toProfile(id: string): string };
}

/** An example for which the world has no free value. */
export interface UnmatchedExample {
  readonly key: string;
  readonly why: string;
}

/** The kinds of metadata nodes (group B) per kind of name. */
export const NODE_KINDS_BY_ALIAS: Partial<Record<AliasKind, readonly NodeKind[]>> = {
  catalogueId: ['catalogue'],
  dimension: ['dimension'],
  group: ['group'],
  hierarchy: ['hierarchy'],
  level: ['groupLevel', 'hierarchyLevel'],
  attribute: ['attribute'],
  measure: ['measure'],
};

/** The ids of these kinds that every catalogue has, so that all examples of group B belong to one catalogue. */
function idsEverywhere(kinds: readonly NodeKind[]): string[] {
  const nodes = metadataNodes();
  const catalogues = nodes.filter(({ kind }) => kind === 'catalogue');
  const ids = [...new Set(nodes.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id))];
  if (kinds.includes('catalogue')) return ids;
  return ids.filter((id) =>
    catalogues.every(({ key }) =>
      kinds.every((kind) =>
        nodes.some((node) => node.kind === kind && node.id === id && node.key.startsWith(`${key}/`)),
      ),
    ),
  );
}

/** Products below this index are at the edges of windows or are used by faults. */
const FIRST_FREE = 9;

/** Names of ASCII letters. Names with special characters stay unchanged, so that clients still get them. */
const isPlain = (name: string): boolean => /^[A-Za-z][a-z]+ [A-Z][a-z]+$/.test(name);

/** Assigns a value of the world to every example of a profile, and reports the examples without one. */
export function createAliases(
  { examples = {}, operations, unknownUpc, jobs, dataWeek }: ProfileData,
  world: World,
): Aliases & { readonly unmatched: readonly UnmatchedExample[] } {
  const unmatched: UnmatchedExample[] = [];
  const worldValues = new Map<string, string>();
  const profileValues = new Map<string, string>();
  const examplesOf = (input: Input): string[] => (examples[input] ?? []).map(String);
  const addAlias = (kind: AliasKind, profileValue: string, worldValue: string): void => {
    worldValues.set(`${kind} ${profileValue}`, worldValue);
    profileValues.set(`${kind} ${worldValue}`, profileValue);
  };
  const reportUnmatched = (input: Input, nth: number, what: string): void => {
    unmatched.push({ key: `examples.${input}[${nth}]`, why: what });
  };

  const asOf = world.clock.asOf();
  const isKnownUpc = (upc: string): boolean => world.products.byUpc(upc, asOf) !== undefined;
  const swapUpcs = (one: string, other: string): void => {
    addAlias('upc', one, other);
    addAlias('upc', other, one);
  };
  let next = FIRST_FREE;
  for (const [nth, upc] of examplesOf('upc').entries()) {
    if (!isUpc(upc) || isKnownUpc(upc)) continue;
    // A UPC with a leading zero replaces a UPC with a leading zero.
    const free = Array.from({ length: Math.min(world.products.count, 2000) }, (_, index) => index).filter(
      (index) => index >= next,
    );
    const upcOf = (index: number) => world.products.at(index, asOf).upc;
    const candidates = free.filter(
      (index) => !worldValues.has(`upc ${upcOf(index)}`) && !examplesOf('upc').includes(upcOf(index)),
    );
    const index = candidates.find((each) => upcOf(each).startsWith('0') === upc.startsWith('0')) ?? candidates[0];
    if (index === undefined)
      reportUnmatched('upc', nth, 'the world has too few products; --products sets their number');
    else swapUpcs(upc, upcOf(index));
    next = FIRST_FREE;
  }
  if (
    unknownUpc !== undefined &&
    isUpc(unknownUpc) &&
    isKnownUpc(unknownUpc) &&
    !worldValues.has(`upc ${unknownUpc}`)
  ) {
    const unknown = ['999999999993', '999999999986', '999999999979'].find(
      (upc) => !isKnownUpc(upc) && !examplesOf('upc').includes(upc),
    );
    if (unknown !== undefined) swapUpcs(unknownUpc, unknown);
  }

  const categories = world.answer('allCategories', {});
  const idOf = new Map(categories.kind === 'categories' ? categories.categories.map(({ id, name }) => [name, id]) : []);
  const salesRows = world.sales.filterNames();
  const rows = [...salesRows.filter(({ category }) => isPlain(category)).toReversed(), ...salesRows];
  const isKnown = (field: (typeof SALES_FILTERS)[number], name: string): boolean =>
    salesRows.some((row) => row[field] === name) || (field === 'category' && idOf.has(name));
  const mostExamples = Math.max(...[...SALES_FILTERS, 'categoryId' as const].map((field) => examplesOf(field).length));
  for (let nth = 0; nth < mostExamples; nth += 1) {
    const wanted = SALES_FILTERS.flatMap((field) => {
      const name = examplesOf(field)[nth];
      return name === undefined ? [] : [{ field, name, known: isKnown(field, name) }];
    });
    const free = (row: (typeof rows)[number]) =>
      wanted.every(
        ({ field, known }) =>
          known || (!profileValues.has(`${field} ${row[field]}`) && !examplesOf(field).includes(row[field])),
      );
    const id = examplesOf('categoryId')[nth];
    const isNewId = id !== undefined && ![...idOf.values()].includes(id);
    const hasFreeId = (row: (typeof rows)[number]) =>
      !isNewId || !profileValues.has(`categoryId ${idOf.get(row.category)}`);
    const row =
      rows.find(
        (each) =>
          free(each) && hasFreeId(each) && wanted.every(({ field, name, known }) => !known || each[field] === name),
      ) ?? rows.find((each) => free(each) && hasFreeId(each));
    if (!row) {
      for (const { field, known } of wanted)
        if (!known) reportUnmatched(field, nth, 'the world has no more free names');
      if (isNewId) reportUnmatched('categoryId', nth, 'the world has no more free categories');
      continue;
    }
    for (const { field, name, known } of wanted) if (!known) addAlias(field, name, row[field]);
    if (isNewId) addAlias('categoryId', id, idOf.get(row.category) as string);
  }

  for (const [kind, kinds] of Object.entries(NODE_KINDS_BY_ALIAS) as [AliasKind & Input, readonly NodeKind[]][]) {
    const ids = idsEverywhere(kinds);
    const all = examplesOf(kind);
    // If lists take their as-of date from a refresh date, the first catalogue must be the one refreshed at that date.
    const first =
      kind === 'catalogueId' && dataWeek?.refreshDate !== undefined && all[0] !== undefined && all[0] !== ids[0];
    if (first) {
      addAlias(kind, all[0] as string, ids[0] as string);
      if (ids.includes(all[0] as string)) addAlias(kind, ids[0] as string, all[0] as string);
    }
    for (const [nth, profileValue] of all.entries()) {
      if (ids.includes(profileValue) || worldValues.has(`${kind} ${profileValue}`)) continue;
      const worldValue = ids.find((each) => !profileValues.has(`${kind} ${each}`) && !all.includes(each));
      if (worldValue === undefined) reportUnmatched(kind, nth, `the world has ${ids.length} of them in each catalogue`);
      else addAlias(kind, profileValue, worldValue);
    }
  }
  // Examples of one catalogue or operation: each is another id of a node, which lists show by its other id.
  const special = [
    { at: 'examples', declared: examples.byCatalogue ?? {} },
    ...Object.entries(operations ?? {}).flatMap(([key, { examples: own = {} }]) => {
      const { byCatalogue = {}, ...ofOperation } = own;
      return [
        { at: `operations[${JSON.stringify(key)}].examples`, declared: byCatalogue },
        { at: `operations[${JSON.stringify(key)}]`, declared: { examples: ofOperation } },
      ];
    }),
  ];
  for (const { at, declared } of special)
    for (const [name, values] of Object.entries(declared))
      for (const [kind, kinds] of Object.entries(NODE_KINDS_BY_ALIAS) as [AliasKind & Input, readonly NodeKind[]][]) {
        const ids = idsEverywhere(kinds);
        for (const [nth, value] of (values[kind] ?? []).map(String).entries()) {
          if (ids.includes(value) || worldValues.has(`${kind} ${value}`)) continue;
          const path = name === 'examples' ? `${at}.examples` : `${at}.byCatalogue.${name}`;
          if (ids[nth] !== undefined) worldValues.set(`${kind} ${value}`, ids[nth]);
          else
            unmatched.push({
              key: `${path}.${kind}[${nth}]`,
              why: `the world has ${ids.length} of them in each catalogue`,
            });
        }
      }
  if (typeof dataWeek?.refreshDate === 'object') addAlias('refresh', String(dataWeek.refreshDate.id), 'weekly');

  const worldJobIds = new Map<string, string>();
  const profileJobIds = new Map<string, string>();
  for (const kind of JOB_KINDS) {
    const example = jobs?.[kind]?.example;
    for (const id of new Set([...(example === undefined ? [] : [String(example)]), ...examplesOf('jobId')])) {
      const [start] = Object.entries(JOB_STARTERS).find(([, each]) => each === kind) as [
        keyof typeof JOB_STARTERS,
        JobKind,
      ];
      const answer = world.answer(start, {});
      if (answer.kind !== 'jobStarted') continue;
      worldJobIds.set(`${kind} ${id}`, answer.jobId);
      profileJobIds.set(answer.jobId, id);
    }
  }
  return {
    unmatched,
    toWorld: (kind, value) => worldValues.get(`${kind} ${value}`) ?? value,
    toProfile: (kind, value) => profileValues.get(`${kind} ${value}`) ?? value,
    jobs: {
      toWorld: (kind, id) => worldJobIds.get(`${kind} ${id}`) ?? id,
      toProfile: (id) => profileJobIds.get(id) ?? id,
    },
  };
}
