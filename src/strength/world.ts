/** What a captured run shows of a service: its lists, their rows, and what they have to do with each other. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Field,
  type Input,
  type OperationKey,
  operationOf,
  PAGING_INPUTS,
  SALES_FILTERS,
  UPDATE_PRODUCTS,
} from '../contract/index.ts';
import type { Exchange } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import type { Inputs } from '../profile/template.ts';
import type { Row } from '../reading/types.ts';
import { normaliseName } from '../rule/choose-names.ts';
import { type Declarations, declarationsOf } from '../rule/declarations.ts';
import { readingPlanOf } from '../run/fetch-request.ts';
import { isDocumented } from '../run/request-spec.ts';
import type { CapturedNode, CapturedRun } from './captured-run.ts';
import { type Document, readDocument } from './document.ts';

/** The responses to one request, whatever its pages, and each time it was sent. */
export interface List {
  readonly operation: OperationKey;
  /** Without those of paging. */
  readonly inputs: Inputs;
  readonly nodes: readonly CapturedNode[];
  /** All documents of all calls. */
  readonly documents: readonly Document[];
  /** The pages of the first call, and their rows. */
  readonly pages: readonly Document[];
  readonly rows: readonly Row[];
  /** Whether it was read to its end, and each of its pages has positions. */
  readonly isWhole: boolean;
  /** The as-of date, if each page of each call states the same one. */
  readonly asOf: number | undefined;
}

/** Two lists, one of which selects rows of the other. */
export interface Selected {
  readonly part: List;
  readonly whole: List;
  /** Whether a row of the whole is selected; undefined: it does not show it. */
  readonly selects: (row: Row) => boolean | undefined;
}

const IDENTITY: readonly Field[] = ['category', 'subCategory', 'manufacturer', 'brand'];

/** What identifies a row among those of its operation; undefined: nothing does. */
export function identityOf({ operation, inputs }: Pick<List, 'operation' | 'inputs'>, row: Row): string | undefined {
  const { name, group } = operationOf(operation);
  if (name === 'products') return String(row.upc ?? inputs.upc ?? '') || undefined;
  if (name === 'allProducts' || name === 'updateProducts') return typeof row.upc === 'string' ? row.upc : undefined;
  const key = group === 'B' || group === 'A' ? [row.id ?? row.name] : IDENTITY.map((field) => row[field]);
  return key.every((each) => each === undefined || each === null) ? undefined : JSON.stringify(key);
}

const withoutPaging = (inputs: Inputs): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !(PAGING_INPUTS as readonly string[]).includes(name)));

const sameName = (x: unknown, y: unknown): boolean => normaliseName(String(x)) === normaliseName(String(y));

export class RecordedWorld {
  readonly captured: CapturedRun;
  readonly profile: Profile;
  readonly declarations: Declarations;
  readonly lists: readonly List[];
  /** The requests that got no success, such as that of an unknown UPC. */
  readonly refused: readonly CapturedNode[];
  readonly #random: () => number;

  private constructor(captured: CapturedRun, profile: Profile, lists: readonly List[], seed: number) {
    this.captured = captured;
    this.profile = profile;
    this.declarations = declarationsOf(profile);
    this.lists = lists;
    this.refused = documentedNodes(captured).filter(({ result }) => {
      const status = result.exchanges[0]?.response?.status ?? 0;
      return result.observation === undefined && status >= 400 && status < 500;
    });
    this.#random = randomOf(seed);
  }

  /** Reads the lists of a captured run. */
  static async read(captured: CapturedRun, profile: Profile, seed: number): Promise<RecordedWorld> {
    const answered = documentedNodes(captured).filter(({ result }) => result.observation);
    const groups = Map.groupBy(answered, ({ spec }) => JSON.stringify([spec.operation, withoutPaging(spec.inputs)]));
    const documents = new Map<Exchange, Map<string, Promise<Document | undefined>>>();
    const documentOf = (exchange: Exchange, { spec, codes }: CapturedNode): Promise<Document | undefined> => {
      const known = documents.get(exchange) ?? new Map<string, Promise<Document | undefined>>();
      documents.set(exchange, known);
      const key = JSON.stringify([spec.operation, spec.inputs.window]);
      const read = known.get(key) ?? readDocument(exchange, readingPlanOf(profile, spec.operation, spec.inputs, codes));
      known.set(key, read);
      return read;
    };
    const lists: List[] = [];
    for (const nodes of groups.values()) {
      const [first] = nodes as [CapturedNode];
      const all: Document[] = [];
      let isReadable = true;
      for (const node of nodes)
        for (const exchange of new Set(node.sent)) {
          const document = await documentOf(exchange, node);
          if (document) all.push(document);
          else if ((exchange.response?.status ?? 500) < 300) isReadable = false;
        }
      const pages = all.filter(({ exchange }) => first.result.exchanges.includes(exchange));
      const dates = new Set(all.map(({ observation }) => observation.values.asOf?.[0]));
      const [asOf] = dates.size === 1 ? dates : [];
      lists.push({
        operation: first.spec.operation,
        inputs: withoutPaging(first.spec.inputs),
        nodes,
        documents: [...new Set(all)],
        pages,
        rows: pages.flatMap(({ rows }) => rows),
        isWhole: isReadable && first.result.observation?.complete === true,
        asOf: typeof asOf === 'number' ? asOf : undefined,
      });
    }
    return new RecordedWorld(captured, profile, lists, seed);
  }

  of(...names: readonly string[]): List[] {
    return this.lists.filter(({ operation }) => names.includes(operationOf(operation).name));
  }

  /** The list of an operation that no input selects from. */
  unfiltered(operation: OperationKey): List | undefined {
    return this.lists.find(
      (each) => each.operation === operation && Object.keys(each.inputs).length === 0 && each.isWhole,
    );
  }

  /** The lists of which one selects rows of the other: filtered lists, and the windows of a delta. */
  selected(): Selected[] {
    return this.lists.flatMap((part): Selected[] => {
      const { operation, inputs } = part;
      if (!part.isWhole) return [];
      if (operation === UPDATE_PRODUCTS) return this.#largerWindows(part);
      const filters = Object.keys(inputs) as Input[];
      const whole = this.unfiltered(operation);
      const isFilter = (name: Input) => name === 'categoryId' || (SALES_FILTERS as readonly Input[]).includes(name);
      if (filters.length === 0 || !filters.every(isFilter) || !whole) return [];
      const selects = (row: Row): boolean | undefined => {
        const shown = filters.map((name) => row[name as Field]);
        // A service may count a sub-category as a category of its own: what is not shown is not known.
        if (shown.some((each) => typeof each !== 'string')) return undefined;
        return filters.every((name, at) => sameName(shown[at], inputs[name]));
      };
      // The filter must select what the rows show; else its values mean something else.
      return part.rows.every((row) => selects(row) !== false) ? [{ part, whole, selects }] : [];
    });
  }

  #largerWindows(part: List): Selected[] {
    const { window, ...others } = part.inputs;
    return this.of('updateProducts').flatMap((whole): Selected[] => {
      const { window: larger, ...same } = whole.inputs;
      if (!(Number(larger) > Number(window)) || !whole.isWhole || !isDeepStrictEqual(others, same)) return [];
      return [
        {
          part,
          whole,
          selects: (row) => (this.isRemoval(row) ? undefined : isWithin(row, part.asOf, Number(window))),
        },
      ];
    });
  }

  /** Whether a row of a delta may show a removal, whose date is not that of a change. */
  isRemoval({ changeKind }: Row): boolean {
    const { kinds, statesNoRemovals } = this.declarations.delta;
    if (changeKind === undefined || statesNoRemovals) return false;
    return kinds === undefined || ![...kinds.new, ...kinds.changed].map(String).includes(String(changeKind));
  }

  /** Some of these, drawn by the seed: the first and the last among them. */
  draw<T>(from: readonly T[], count: number): T[] {
    if (from.length <= count) return [...from];
    const drawn = new Set([0, from.length - 1]);
    while (drawn.size < count) drawn.add(Math.floor(this.#random() * from.length));
    return [...drawn].slice(0, count).map((at) => from[at] as T);
  }

  /** How often the first call of a list was repeated. */
  isRepeated({ documents }: List): boolean {
    return documents.some(({ exchange }) => this.isLater(exchange));
  }

  /** Whether the same request was sent before. */
  isLater(exchange: Exchange): boolean {
    return this.captured.calls.get(this.captured.keyOf(exchange))?.[0] !== exchange;
  }
}

/** Whether a date lies within the last weeks before the as-of date; undefined near their first day, which a profile defines. */
function isDateWithin(date: number, asOf: number, weeks: number): boolean | undefined {
  const [age, days] = [asOf - date, weeks * 7];
  return age < 0 || Math.abs(age - days) <= 7 ? undefined : age < days;
}

/**
 * Whether a window has to contain a row, by its dates: true if the product changed within it; false if it did not and is not
 * new; undefined if the dates do not show it.
 */
export function isWithin(
  { changedOn, firstActiveOn }: Row,
  asOf: number | undefined,
  weeks: number,
): boolean | undefined {
  if (typeof changedOn !== 'number' || asOf === undefined) return undefined;
  const isChanged = isDateWithin(changedOn, asOf, weeks);
  if (isChanged !== false || typeof firstActiveOn !== 'number') return isChanged;
  return isDateWithin(firstActiveOn, asOf, weeks) === false ? false : undefined;
}

/** The requests of the document, after redirects, in the order in which they were sent. */
const documentedNodes = (captured: CapturedRun): CapturedNode[] =>
  [...captured.nodes.values()].filter(({ spec }) => isDocumented(spec) && spec.variant.without === undefined);

/** Numbers from 0 to 1, by the seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
