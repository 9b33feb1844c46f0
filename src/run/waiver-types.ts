/** The types of waivers, and of waivers in a run. */

import type { OperationKey } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';

/** What a report shows of a waiver beside the result that it covers. */
export interface WaiverNote {
  /** `FILE:LINE`. */
  readonly source: string;
  readonly reason: string;
  readonly owner?: string;
  /** A date, `2027-01-31`. */
  readonly expires?: string;
}

export const WAIVER_STATES = ['covers', 'expired', 'unknown', 'gone', 'not-asked'] as const;

/** A known failure that does not gate, as its author states it. */
export interface Waiver extends WaiverNote {
  /** A rule id, or a pattern with `*`. */
  readonly rule: string;
  /** An operation, or a pattern with `*`; default: every operation of the rule. */
  readonly operation?: string;
  /** The check passes now and then: the waiver is never `gone`. */
  readonly intermittent?: boolean;
  /** The findings that it covers; default: every failure of the rule. */
  readonly fingerprints?: readonly string[];
  /** Inputs of the requests that showed it: every run requests them as long as the lists contain them. */
  readonly inputs?: readonly Inputs[];
}

/** A waiver in this run: `gone` if its check passes now, `unknown` if it names no rule or operation, `not-asked` out of scope. */
export interface RunWaiver extends Waiver {
  /** Days until it expires, 0 on its last day; negative if it has expired. */
  readonly daysLeft?: number;
  readonly state: (typeof WAIVER_STATES)[number];
  readonly covers: readonly {
    readonly rule: string;
    readonly operation: OperationKey;
    readonly fingerprints: readonly string[];
    /** What the first of its findings shows. */
    readonly actual?: string;
  }[];
  /** What is wrong with it, and the line to delete. */
  readonly message?: string;
}
