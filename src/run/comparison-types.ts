/** The types of what a run shows of earlier runs: its comparison with a baseline, its history and the snapshot for later ones. */
import type { OperationKey } from '../contract/index.ts';
import type { Outcome } from './outcome-names.ts';

/** A check that differs between two runs; `was` and `is` are verdicts, or evidence in words. */
export interface CheckChange {
  /** In a report of several runs. */
  readonly target?: string;
  readonly rule: string;
  readonly operation: OperationKey;
  readonly was?: string;
  readonly is?: string;
  /** Why a proof is lost. */
  readonly why?: string;
  /** The check does not gate. */
  readonly advisory?: true;
}

/** The difference to an earlier run. Only checks in the scope of both are compared. */
export interface RunComparison {
  /** The file of the earlier run. */
  readonly baseline: string;
  /** Failures that the baseline has do not set the exit code. */
  readonly failOnNew?: true;
  readonly newFailures: readonly CheckChange[];
  readonly fixed: readonly CheckChange[];
  /** Checks that passed or failed then and are not decided now. */
  readonly lostProofs: readonly CheckChange[];
  readonly changedEvidence: readonly CheckChange[];
  readonly notComparable: readonly {
    readonly target?: string;
    readonly rule: string;
    readonly operation: OperationKey;
    readonly why: string;
  }[];
}

/** What earlier runs of the same target show. */
export interface RunHistory {
  /** The runs with their numbers of checks, oldest first; the last one is this run. */
  readonly trend: readonly {
    readonly startedAt: string;
    readonly outcome: Outcome;
    readonly failed: number;
    readonly proved: number;
    readonly provable: number;
  }[];
  readonly checks: readonly {
    readonly rule: string;
    readonly operation: OperationKey;
    /** When the present row of failures began, in ISO 8601. */
    readonly firstFailedOn?: string;
    /** Since when its verdict changes from run to run, in ISO 8601. */
    readonly flakySince?: string;
  }[];
  /** Observations over several runs, which give no verdict. */
  readonly notes: readonly string[];
}

/** A digest of the unfiltered lists that the run read, which the history compares with those of other runs. */
export interface RunSnapshot {
  readonly deltas: readonly {
    readonly weeks: number;
    readonly products: number;
    /** Equal for equal sets of products. */
    readonly digest: string;
    /** The as-of date, `2026-11-14`, if the profile declares where it is. */
    readonly asOf?: string;
  }[];
  /** The newest refresh date of each item; without `id` if items have none. */
  readonly refreshDates: readonly { readonly id?: string; readonly date: string }[];
  readonly products?: {
    readonly count: number;
    /** UPCs of the bulk list: all, or those up to `bound` in the order of `sampleOrder`. */
    readonly sample: readonly string[];
    readonly bound?: number;
  };
}
