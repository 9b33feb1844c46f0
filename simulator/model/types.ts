/**
 * The neutral questions and answers between a dialect and the world. A dialect reads a request into a `Query` and writes
 * an `Answer`; the world knows nothing of HTTP, a dialect nothing of how the world is made.
 *
 * Values reach a dialect as they are meant to be seen. A fault may have put text where a figure belongs, left a name out
 * or spoilt a UPC: write what is there in your own spelling, and what your spelling cannot express as it stands.
 */
import type { DeltaWeeks, Input, JobKind } from '../../src/contract/index.ts';

/** Days since 1970-01-01. */
export type Day = number;

/** What is asked, in neutral words; what is `undefined` was not asked for. */
export interface Query {
  /** Decoded once from the path, otherwise as sent: the world decides whether it is 12 digits. */
  readonly upc?: string;
  readonly category?: string;
  readonly categoryId?: string;
  readonly subCategory?: string;
  readonly manufacturer?: string;
  readonly brand?: string;
  /** Weeks of a delta; without it all three windows are answered. */
  readonly window?: number;
  readonly catalogueId?: string;
  readonly dimension?: string;
  readonly group?: string;
  readonly hierarchy?: string;
  readonly level?: string;
  readonly attribute?: string;
  readonly measure?: string;
  readonly jobId?: string;
  /** Rows to pass over and rows to give; without them the whole list. Applied last, after any fault. */
  readonly offset?: number;
  readonly limit?: number;
}

/** A row of the bulk list or of a delta. Optional members are always there, unless a fault took them away. */
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
  /** Absent when nothing changed within a year. */
  readonly changedOn?: Day;
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
}

/** The names that identify a row of sales; category rows have no manufacturer and brand. */
export interface SalesNames {
  readonly category?: string;
  readonly subCategory?: string;
  readonly manufacturer?: string;
  readonly brand?: string;
}

/** Dollars or percent. `null`: there is none (last year was zero); absent or text: a fault. */
export type Figure = number | string | null | undefined;

export interface PerformanceRow extends SalesNames {
  readonly market: string;
  readonly sales4Weeks: Figure;
  readonly sales12Weeks: Figure;
  readonly sales52Weeks: Figure;
  readonly salesLastYear: Figure;
  readonly percentChange: Figure;
}

export interface Item {
  readonly id?: string;
  readonly name?: string;
  /** Of refresh dates only. */
  readonly date?: Day;
}

export const JOB_STATES = ['queued', 'running', 'done'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Every list may be walked more than once; `next` is the offset of the page behind this one, where there is one. */
export type ModelAnswer =
  | {
      readonly kind: 'products';
      readonly asOf: Day;
      readonly market: string;
      readonly rows: Iterable<ProductRow>;
      readonly next?: number;
    }
  | { readonly kind: 'product'; readonly product: Product }
  | {
      readonly kind: 'deltas';
      readonly asOf: Day;
      readonly windows: readonly { readonly weeks: DeltaWeeks; readonly rows: Iterable<ProductRow> }[];
      readonly next?: number;
    }
  | { readonly kind: 'categories'; readonly categories: readonly Category[] }
  | {
      readonly kind: 'performance';
      readonly asOf: Day;
      readonly market: string;
      readonly rows: readonly PerformanceRow[];
      readonly next?: number;
    }
  /** Every combination sales can be filtered by. */
  | { readonly kind: 'available'; readonly rows: readonly SalesNames[] }
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  | { readonly kind: 'jobStarted'; readonly jobId: string; readonly jobKind: JobKind }
  | {
      readonly kind: 'jobStatus';
      readonly jobId: string;
      readonly jobKind: JobKind;
      /** An oddity may have put another word here, a fault none. */
      readonly state: JobState;
      /** How often this status was read, this time included. */
      readonly reads: number;
    }
  /** A survey that was stored, a saved map, a thematic. */
  | { readonly kind: 'thing'; readonly id?: string }
  | { readonly kind: 'working' }
  | Unknown
  | Refused
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'noSuchPath' }
  | { readonly kind: 'wrongMethod'; readonly allow: readonly string[] };

/** Asked for rightly, but not there. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly input: Input;
  readonly value: string;
}

/** Not asked for rightly. */
export interface Refused {
  readonly kind: 'refused';
  readonly reason: 'missing' | 'malformed' | 'unreadable' | 'tooLarge' | 'unauthorized';
  readonly input?: Input;
  readonly detail: string;
}
