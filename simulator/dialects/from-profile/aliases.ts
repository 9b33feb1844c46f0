/**
 * The aliases of a profile: the values of the world that its example values replace. A kind has a rule that selects a free
 * value of the world for an example; the table holds what is assigned so far, and the examples without a value.
 */
import {
  type Field,
  type Input,
  isUpc,
  JOB_KINDS,
  type JobKind,
  type OperationName,
  SALES_FILTERS,
} from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { JOB_STARTERS } from '../../model/jobs.ts';
import { metadataNodes, type NodeKind } from '../../model/metadata.ts';
import type { World } from '../../model/world.ts';
import { idOfNode, qualifiedKinds } from './qualified-ids.ts';
import type { Unwritable } from './write-path.ts';

/** The kinds of metadata nodes whose ids are examples of an input. */
export const NODE_KINDS_BY_ALIAS = {
  catalogueId: ['catalogue'],
  dimension: ['dimension'],
  group: ['group'],
  hierarchy: ['hierarchy'],
  level: ['groupLevel', 'hierarchyLevel'],
  attribute: ['attribute'],
  measure: ['measure'],
} as const satisfies { readonly [I in Input]?: readonly NodeKind[] };
type NodeAlias = keyof typeof NODE_KINDS_BY_ALIAS;
export const NODE_ALIASES = Object.keys(NODE_KINDS_BY_ALIAS) as NodeAlias[];

/** The kinds of values that have aliases; `refresh` is the id of a refresh date. */
export type AliasKind = (Field & Input) | NodeAlias | 'refresh';

type Examples = NonNullable<ProfileData['examples']>;
const listOf = (examples: Omit<Examples, 'byCatalogue'>, input: Input): string[] => (examples[input] ?? []).map(String);

/** Products below this index are at the edges of windows or are used by faults, so they keep their UPCs. */
const FIRST_CANDIDATE = 10;
/** The number of products that are candidates, since a world may be large. */
const MAX_PRODUCTS = 2000;
/** UPCs for the profile's `unknownUpc`, in case a product of the world has that UPC. */
const UNKNOWN_UPCS = ['999999999993', '999999999986', '999999999979'];

export const SALES_NAMES = [...SALES_FILTERS, 'categoryId'] as const;
/** Names of ASCII letters. They are replaced first, so that responses still have names with special characters. */
const isPlain = (name: string): boolean => /^[A-Za-z][a-z]+ [A-Z][a-z]+$/.test(name);

/** The ids of these kinds that every catalogue has, so that all examples of group B belong to one catalogue. */
function idsOfEveryCatalogue(kinds: readonly NodeKind[], qualified: ReadonlySet<string>): string[] {
  const nodes = metadataNodes().map((node) => ({ ...node, id: idOfNode(node, qualified) }));
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

/** The examples of one catalogue or operation, with their places in the profile. */
function specificExamples({ examples, operations = {} }: ProfileData) {
  const ofCatalogues = (path: string, { byCatalogue = {} }: Partial<Examples> = {}) =>
    Object.entries(byCatalogue).map(([name, values]) => ({ path: `${path}.byCatalogue.${name}`, values }));
  return [
    ...ofCatalogues('examples', examples),
    ...Object.entries(operations).flatMap(([key, { examples: own = {} }]) => {
      const path = `operations[${JSON.stringify(key)}].examples`;
      return [...ofCatalogues(path, own), { path, values: own }];
    }),
  ];
}

/** Converts between the example values of a profile and the values of the world that they replace. */
export class Aliases {
  /** The examples for which the world has no free value. */
  readonly unmatched: Unwritable[] = [];
  readonly #worldValues = new Map<string, string>();
  readonly #profileValues = new Map<string, string>();

  /** Assigns a value of the world to every example of a profile. */
  constructor(profile: ProfileData, world: World) {
    const { examples = {}, unknownUpc, jobs, dataWeek } = profile;
    this.#assignUpcs(listOf(examples, 'upc'), world, unknownUpc);
    this.#assignSalesNames(examples, world);
    this.#assignNodes(profile);
    if (typeof dataWeek?.refreshDate === 'object') this.#add('refresh', String(dataWeek.refreshDate.id), 'weekly');
    this.#startJobs(jobs, listOf(examples, 'jobId'), world);
  }

  /** Converts a value of the profile to the value of the world; other values stay unchanged. */
  readonly toWorld = (kind: AliasKind, profileValue: string): string =>
    this.#worldValues.get(`${kind} ${profileValue}`) ?? profileValue;

  /** Converts a value of the world to the value of the profile; other values stay unchanged. */
  readonly toProfile = (kind: AliasKind, worldValue: string): string =>
    this.#profileValues.get(`${kind} ${worldValue}`) ?? worldValue;

  /** Converts example job ids to job ids of the world, and back. */
  readonly jobs = {
    toWorld: (kind: JobKind, id: string): string => this.#worldValues.get(`${kind} job ${id}`) ?? id,
    toProfile: (id: string): string => this.#profileValues.get(`job ${id}`) ?? id,
  };

  /** @param isShown whether responses show the world value as the profile value; otherwise only requests use it */
  #add(kind: AliasKind, profileValue: string, worldValue: string, isShown = true): void {
    this.#worldValues.set(`${kind} ${profileValue}`, worldValue);
    if (isShown) this.#profileValues.set(`${kind} ${worldValue}`, profileValue);
  }

  #swap(kind: AliasKind, one: string, other: string): void {
    this.#add(kind, one, other);
    this.#add(kind, other, one);
  }

  #isAssigned(kind: AliasKind, profileValue: string): boolean {
    return this.#worldValues.has(`${kind} ${profileValue}`);
  }

  #isTaken(kind: AliasKind, worldValue: string | undefined): boolean {
    return this.#profileValues.has(`${kind} ${worldValue}`);
  }

  /** Swaps each example UPC that the world lacks with the UPC of a product, and `unknownUpc` if the world has it. */
  #assignUpcs(examples: readonly string[], { products, clock }: World, unknownUpc: string | undefined): void {
    const asOf = clock.asOf();
    const isKnown = (upc: string): boolean => products.byUpc(upc, asOf) !== undefined;
    for (const [index, upc] of examples.entries()) {
      if (!isUpc(upc) || isKnown(upc)) continue;
      const end = Math.min(products.count, MAX_PRODUCTS);
      const free: string[] = [];
      for (let at = FIRST_CANDIDATE; at < end; at++) free.push(products.at(at, asOf).upc);
      const candidates = free.filter((each) => !this.#isAssigned('upc', each) && !examples.includes(each));
      // A UPC with a leading zero replaces a UPC with a leading zero.
      const chosen = candidates.find((each) => each.startsWith('0') === upc.startsWith('0')) ?? candidates[0];
      if (chosen !== undefined) this.#swap('upc', upc, chosen);
      else
        this.unmatched.push({
          key: `examples.upc[${index}]`,
          why: 'the world has too few products; --products sets their number',
        });
    }
    if (unknownUpc === undefined || !isUpc(unknownUpc) || !isKnown(unknownUpc)) return;
    const unknown = UNKNOWN_UPCS.find((upc) => !isKnown(upc) && !examples.includes(upc));
    if (unknown !== undefined && !this.#isAssigned('upc', unknownUpc)) this.#swap('upc', unknownUpc, unknown);
  }

  /** The examples of names and category ids at one index belong together, so they get the names of one row of sales. */
  #assignSalesNames(examples: Examples, world: World): void {
    const listed = world.answer('allCategories', {});
    const categoryIds = new Map(
      listed.kind === 'categories' ? listed.categories.map(({ id, name }) => [name, id]) : [],
    );
    const names = world.sales.filterNames();
    const salesRows = names.map((row) => ({ ...row, categoryId: categoryIds.get(row.category) as string }));
    const rows = [...salesRows.filter(({ category }) => isPlain(category)).toReversed(), ...salesRows];
    const isKnownName = (field: (typeof SALES_NAMES)[number], name: string): boolean =>
      salesRows.some((row) => row[field] === name) ||
      (field === 'category' && categoryIds.has(name)) ||
      (field === 'categoryId' && [...categoryIds.values()].includes(name));
    const most = Math.max(...SALES_NAMES.map((field) => listOf(examples, field).length));
    for (let index = 0; index < most; index += 1) {
      const wanted = SALES_NAMES.flatMap((field) => {
        const name = listOf(examples, field)[index];
        return name === undefined ? [] : [{ field, name, isKnown: isKnownName(field, name) }];
      });
      const added = wanted.filter(({ isKnown }) => !isKnown);
      const isFree = (row: (typeof rows)[number]) =>
        added.every(
          ({ field }) =>
            !this.#isTaken(field, row[field]) &&
            (field === 'categoryId' || !listOf(examples, field).includes(row[field])),
        );
      const hasKnownNames = (row: (typeof rows)[number]) =>
        wanted.every(({ field, name, isKnown }) => !isKnown || field === 'categoryId' || row[field] === name);
      const row = rows.find((each) => isFree(each) && hasKnownNames(each)) ?? rows.find(isFree);
      for (const { field, name } of added)
        if (row) this.#add(field, name, row[field]);
        else
          this.unmatched.push({
            key: `examples.${field}[${index}]`,
            why: `the world has no more free ${field === 'categoryId' ? 'categories' : 'names'}`,
          });
    }
  }

  /** Assigns an id of the world to each example id of group B. */
  #assignNodes(profile: ProfileData): void {
    const { dataWeek, examples = {} } = profile;
    const qualified = qualifiedKinds(profile);
    for (const { path, values } of [{ path: 'examples', values: examples }, ...specificExamples(profile)])
      for (const kind of NODE_ALIASES) {
        const ids = idsOfEveryCatalogue(NODE_KINDS_BY_ALIAS[kind], qualified);
        const isGeneral = path === 'examples';
        const listed = listOf(values, kind);
        const [first] = listed;
        const [firstId] = ids as [string];
        // If lists take their as-of date from a refresh date, the first example must be the catalogue refreshed at that date.
        const isDated = isGeneral && kind === 'catalogueId' && dataWeek?.refreshDate !== undefined;
        if (isDated && first !== undefined && first !== firstId) {
          this.#add(kind, first, firstId);
          if (ids.includes(first)) this.#add(kind, firstId, first);
        }
        for (const [index, example] of listed.entries()) {
          if (ids.includes(example) || this.#isAssigned(kind, example)) continue;
          // An example of one catalogue or operation is another id of a node, which lists show by its other id.
          const id = isGeneral ? ids.find((each) => !this.#isTaken(kind, each) && !listed.includes(each)) : ids[index];
          if (id !== undefined) this.#add(kind, example, id, isGeneral);
          else
            this.unmatched.push({
              key: `${path}.${kind}[${index}]`,
              why: `the world has ${ids.length} of them in each catalogue`,
            });
        }
      }
  }

  /** Starts a job of the world for each example job id of each kind. */
  #startJobs(jobs: ProfileData['jobs'], ids: readonly string[], world: World): void {
    for (const kind of JOB_KINDS) {
      const example = jobs?.[kind]?.example;
      const starter = Object.entries(JOB_STARTERS).find(([, each]) => each === kind)?.[0] as OperationName;
      for (const id of new Set([...(example === undefined ? [] : [String(example)]), ...ids])) {
        const answer = world.answer(starter, {});
        if (answer.kind !== 'jobStarted') continue;
        this.#worldValues.set(`${kind} job ${id}`, answer.jobId);
        this.#profileValues.set(`job ${answer.jobId}`, id);
      }
    }
  }
}
