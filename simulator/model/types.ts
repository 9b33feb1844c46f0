/**
 * The neutral queries and answers between a dialect and the world. A dialect reads a request into a `Query` and writes a
 * `ModelAnswer` as a response. The world is independent of HTTP, and a dialect is independent of the data.
 *
 * A fault may replace a figure by text, remove a name or change a UPC. A dialect writes such a value in its own format, or
 * unchanged when its format cannot express the value.
 */
import type {
  DeltaWeeks,
  Input,
  JobKind,
  OperationName,
  SALES_FIGURES,
  SalesFilter,
} from '../../src/contract/index.ts';
import type { JobState } from './jobs.ts';

/** Days since 1970-01-01. */
export type Day = number;

/** The inputs that a query has as numbers, or as the range of a page. */
type NumericInput = 'window' | 'page' | 'offset' | 'cursor' | 'pageSize';

/**
 * The neutral inputs of a request. `undefined`: the request does not contain the input. The UPC is percent-decoded once from
 * the path, otherwise as sent: the world validates the 12 digits.
 */
export type Query = { readonly [I in Exclude<Input, NumericInput>]?: string } & {
  /** Weeks of a delta. Without it the answer has all three windows. */
  readonly window?: number;
  /** The page of a list; default: the whole list. Applied last, after any fault. */
  readonly offset?: number;
  readonly limit?: number;
};

/** A row of the bulk list or of a delta. Only a fault omits optional members other than `changedOn`. */
export interface ProductRow {
  readonly upc: string;
  readonly description: string;
  readonly category?: string;
  readonly categoryId?: string;
  readonly subCategory: string;
  readonly manufacturer: string;
  readonly brand: string;
  readonly market: string;
  readonly activeOn: Day;
  /** Absent without a change within a year. */
  readonly changedOn?: Day;
  /** In a row of a delta: the latest ones. */
  readonly characteristics?: readonly Characteristic[];
  /** `new`, `changed` or `removed`; in a row of a delta only. */
  readonly changeKind?: string;
  /** Also a change: equal to `changedOn` if it is the latest event of the product. */
  readonly firstActiveOn: Day;
}

export interface Characteristic {
  readonly name: string;
  readonly value: string;
}

export interface Product extends ProductRow {
  readonly characteristics: readonly Characteristic[];
}

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly subCategories: readonly string[];
  /** The number of its products, in dialects that state it. */
  readonly products?: () => number;
}

/** The names that identify a row of sales. Category rows have neither manufacturer nor brand. */
export type SalesNames = { readonly [N in SalesFilter]?: string };

/** Dollars or percent. `null`: undefined, because last year is zero; absent or text: a fault. */
export type Figure = number | string | null | undefined;

export type PerformanceRow = SalesNames & { readonly market: string } & {
  readonly [F in (typeof SALES_FIGURES)[number]]: Figure;
};

/** Numbers of items, by the operation that lists them. */
export type ItemCounts = { readonly [N in OperationName]?: number };

export interface Item {
  readonly id?: string;
  readonly name?: string;
  /** The id of the node below which it is listed. */
  readonly parent?: string;
  /** The id of the item above it in a tree of items. */
  readonly parentItem?: string;
  /** For refresh dates only. */
  readonly date?: Day;
  /** How many items other operations list for it, in dialects that state it. */
  readonly counts?: ItemCounts;
}

/** A page of a list: `offset` rows precede it, and it has at most `limit` rows. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** What a list states about itself and its request, in dialects that do. */
export interface ListStatement {
  /** The number of rows of all pages. Default: those of the answer. */
  readonly total?: () => number;
  /** The page that is requested; absent: the whole list. Only a dialect knows the rows of categories and filter names, and cuts them. */
  readonly page?: PageRange;
  /** The offset of the next page, if any. */
  readonly next?: number;
  /** The inputs that the response repeats. */
  readonly echo?: Query;
}

/** Every list can be iterated repeatedly. */
export type ModelAnswer =
  | (ListStatement & {
      readonly kind: 'products';
      readonly asOf: Day;
      readonly market: string;
      readonly rows: Iterable<ProductRow>;
    })
  | { readonly kind: 'product'; readonly asOf: Day; readonly product: Product }
  | (ListStatement & {
      readonly kind: 'deltas';
      readonly asOf: Day;
      readonly windows: readonly {
        readonly weeks: DeltaWeeks;
        readonly rows: Iterable<ProductRow>;
        /** The number of rows of all pages. Default: those of the answer. */
        readonly total?: () => number;
      }[];
    })
  | (ListStatement & { readonly kind: 'categories'; readonly asOf: Day; readonly categories: readonly Category[] })
  | (ListStatement & {
      readonly kind: 'performance';
      readonly asOf: Day;
      readonly market: string;
      readonly rows: readonly PerformanceRow[];
    })
  /** The metadata: every combination of filter names with sales. */
  | (ListStatement & {
      readonly kind: 'filterNames';
      readonly asOf: Day;
      readonly rows: readonly SalesNames[];
      readonly markets?: readonly string[];
    })
  | (ListStatement & { readonly kind: 'items'; readonly asOf?: Day; readonly items: readonly Item[] })
  | { readonly kind: 'jobStarted'; readonly jobId: string; readonly jobKind: JobKind }
  | {
      readonly kind: 'jobStatus';
      readonly jobId: string;
      readonly jobKind: JobKind;
      /** An oddity may replace it by another word, a fault by undefined. */
      readonly state: JobState;
      /** The number of status requests for the job, including this one. */
      readonly statusRequests: number;
    }
  /** A stored survey, a saved map or a thematic. */
  | { readonly kind: 'savedItem'; readonly id?: string }
  /** The result of `testService`. */
  | { readonly kind: 'serviceOk' }
  | Unknown
  | Rejected
  /** Only a fault returns it; dialects write it as 500. */
  | { readonly kind: 'internalError'; readonly why: string }
  | { readonly kind: 'noSuchPath' }
  | { readonly kind: 'wrongMethod'; readonly allow: readonly string[] };

/** A valid value that does not exist. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly input: Input;
  readonly value: string;
}

/** An invalid request. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly reason: 'missing' | 'malformed' | 'unreadable' | 'tooLarge' | 'unauthorized';
  readonly input?: Input;
  readonly detail: string;
}
