/** The owner’s example values, one by one, in the place of values the world knows. */
import { type Field, type Input, isUpc, JOB_KINDS, type JobKind, SALES_FILTERS } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { JOB_STARTERS } from '../../model/job-starters.ts';
import { metadataNodes, type NodeKind } from '../../model/metadata.ts';
import type { World } from '../../model/world.ts';

/** Names told apart by what they name; `refresh` is the id of a refresh date. */
export type Naming =
  | (Field & Input)
  | 'catalogueId'
  | 'dimension'
  | 'group'
  | 'hierarchy'
  | 'level'
  | 'attribute'
  | 'measure'
  | 'refresh';

export interface Aliases {
  /** The world’s word for the owner’s; other words stand for themselves. */
  toWorld(naming: Naming, value: string): string;
  toOwner(naming: Naming, value: string): string;
  /** The world’s job for an example id of this kind. */
  readonly jobs: { of(kind: JobKind, id: string): string; shown(id: string): string };
}

/** An example that no value of the world is left for. */
export interface Lacking {
  readonly key: string;
  readonly why: string;
}

/** Nodes of group B a name may stand for. */
export const NODES: Partial<Record<Naming, readonly NodeKind[]>> = {
  catalogueId: ['catalogue'],
  dimension: ['dimension'],
  group: ['group'],
  hierarchy: ['hierarchy'],
  level: ['groupLevel', 'hierarchyLevel'],
  attribute: ['attribute'],
  measure: ['measure'],
};

/** The ids of a kind that every catalogue has, so that whatever the examples of group B name belongs together. */
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

/** UPCs as far in as this stand at the edges of windows, or are spoken of by faults. */
const FIRST_FREE = 9;

/** Names of plain letters: the awkward ones must go on being met as they are. */
const isPlain = (name: string): boolean => /^[A-Za-z][a-z]+ [A-Z][a-z]+$/.test(name);

/** Finds a place for every example of a profile, and names those there is no place for. */
export function createAliases(
  { examples = {}, unknownUpc, jobs, dataWeek }: ProfileData,
  world: World,
): Aliases & { readonly lacking: readonly Lacking[] } {
  const lacking: Lacking[] = [];
  const inward = new Map<string, string>();
  const outward = new Map<string, string>();
  const told = (input: Input): string[] => (examples[input] ?? []).map(String);
  const pair = (naming: Naming, owner: string, own: string): void => {
    inward.set(`${naming} ${owner}`, own);
    outward.set(`${naming} ${own}`, owner);
  };
  const lack = (input: Input, nth: number, what: string): void => {
    lacking.push({ key: `examples.${input}[${nth}]`, why: what });
  };

  const asOf = world.clock.asOf();
  const knows = (upc: string): boolean => world.products.byUpc(upc, asOf) !== undefined;
  const swap = (one: string, other: string): void => {
    pair('upc', one, other);
    pair('upc', other, one);
  };
  let next = FIRST_FREE;
  for (const [nth, upc] of told('upc').entries()) {
    if (!isUpc(upc) || knows(upc)) continue;
    // What the world keeps under zeros stays under zeros.
    const free = Array.from({ length: Math.min(world.products.count, 2000) }, (_, index) => index).filter(
      (index) => index >= next,
    );
    const upcOf = (index: number) => world.products.at(index, asOf).upc;
    const like = free.filter((index) => !inward.has(`upc ${upcOf(index)}`) && !told('upc').includes(upcOf(index)));
    const index = like.find((each) => upcOf(each).startsWith('0') === upc.startsWith('0')) ?? like[0];
    if (index === undefined) lack('upc', nth, 'the world has too few products: more are had with --products');
    else swap(upc, upcOf(index));
    next = FIRST_FREE;
  }
  if (unknownUpc !== undefined && isUpc(unknownUpc) && knows(unknownUpc) && !inward.has(`upc ${unknownUpc}`)) {
    const unknown = ['999999999993', '999999999986', '999999999979'].find(
      (upc) => !knows(upc) && !told('upc').includes(upc),
    );
    if (unknown !== undefined) swap(unknownUpc, unknown);
  }

  const categories = world.answer('allCategories', {});
  const idOf = new Map(categories.kind === 'categories' ? categories.categories.map(({ id, name }) => [name, id]) : []);
  const sold = world.sales.available();
  const rows = [...sold.filter(({ category }) => isPlain(category)).toReversed(), ...sold];
  const isKnown = (field: (typeof SALES_FILTERS)[number], name: string): boolean =>
    sold.some((row) => row[field] === name) || (field === 'category' && idOf.has(name));
  const deepest = Math.max(...[...SALES_FILTERS, 'categoryId' as const].map((field) => told(field).length));
  for (let nth = 0; nth < deepest; nth += 1) {
    const wanted = SALES_FILTERS.flatMap((field) => {
      const name = told(field)[nth];
      return name === undefined ? [] : [{ field, name, known: isKnown(field, name) }];
    });
    const free = (row: (typeof rows)[number]) =>
      wanted.every(
        ({ field, known }) => known || (!outward.has(`${field} ${row[field]}`) && !told(field).includes(row[field])),
      );
    const id = told('categoryId')[nth];
    const strangeId = id !== undefined && ![...idOf.values()].includes(id);
    const freeId = (row: (typeof rows)[number]) => !strangeId || !outward.has(`categoryId ${idOf.get(row.category)}`);
    const row =
      rows.find(
        (each) =>
          free(each) && freeId(each) && wanted.every(({ field, name, known }) => !known || each[field] === name),
      ) ?? rows.find((each) => free(each) && freeId(each));
    if (!row) {
      for (const { field, known } of wanted) if (!known) lack(field, nth, 'the world has fewer names than that');
      if (strangeId) lack('categoryId', nth, 'the world has fewer categories than that');
      continue;
    }
    for (const { field, name, known } of wanted) if (!known) pair(field, name, row[field]);
    if (strangeId) pair('categoryId', id, idOf.get(row.category) as string);
  }

  for (const [naming, kinds] of Object.entries(NODES) as [Naming & Input, readonly NodeKind[]][]) {
    const ids = idsEverywhere(kinds);
    const all = told(naming);
    // Where lists stand at a refresh date, the first catalogue is the one that is refreshed by the as-of.
    const first =
      naming === 'catalogueId' && dataWeek?.refreshDate !== undefined && all[0] !== undefined && all[0] !== ids[0];
    if (first) {
      pair(naming, all[0] as string, ids[0] as string);
      if (ids.includes(all[0] as string)) pair(naming, ids[0] as string, all[0] as string);
    }
    for (const [nth, owner] of all.entries()) {
      if (ids.includes(owner) || inward.has(`${naming} ${owner}`)) continue;
      const own = ids.find((each) => !outward.has(`${naming} ${each}`) && !all.includes(each));
      if (own === undefined) lack(naming, nth, `the world has ${ids.length} of them in each catalogue`);
      else pair(naming, owner, own);
    }
  }
  if (typeof dataWeek?.refreshDate === 'object') pair('refresh', String(dataWeek.refreshDate.id), 'weekly');

  const started = new Map<string, string>();
  const shown = new Map<string, string>();
  for (const kind of JOB_KINDS) {
    const example = jobs?.[kind]?.example;
    for (const id of new Set([...(example === undefined ? [] : [String(example)]), ...told('jobId')])) {
      const [start] = Object.entries(JOB_STARTERS).find(([, each]) => each === kind) as [
        keyof typeof JOB_STARTERS,
        JobKind,
      ];
      const answer = world.answer(start, {});
      if (answer.kind !== 'jobStarted') continue;
      started.set(`${kind} ${id}`, answer.jobId);
      shown.set(answer.jobId, id);
    }
  }
  return {
    lacking,
    toWorld: (naming, value) => inward.get(`${naming} ${value}`) ?? value,
    toOwner: (naming, value) => outward.get(`${naming} ${value}`) ?? value,
    jobs: { of: (kind, id) => started.get(`${kind} ${id}`) ?? id, shown: (id) => shown.get(id) ?? id },
  };
}
