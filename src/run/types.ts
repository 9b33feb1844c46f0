/** The types of a run and its results. */
import type { Depth, OpeningId, Operation, OperationKey, Safety, SafetyClass, Sampling } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import type { Basis, Evidence, Finding, Rule, Verdict } from '../rule/index.ts';
import type { InterruptSignal } from './interruption.ts';

/** One rule on one subject operation: the unit of verdicts and of the three fractions. */
export interface Unit {
  readonly rule: Rule;
  readonly subject: Operation;
}

/** The units of a run. */
export interface Selection {
  readonly groups?: readonly string[];
  readonly operations?: readonly OperationKey[];
  readonly rules?: readonly string[];
  readonly skipRules?: readonly string[];
  /** Only these checks. */
  readonly checks?: readonly Pick<Result, 'rule' | 'operation'>[];
  readonly safety: Safety;
  /** How many subjects are drawn, and with which seed; default: depth `standard` with the default seed. */
  readonly sampling?: Sampling;
}

export interface ExchangeSummary {
  readonly id: string;
  readonly operation: OperationKey;
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  readonly failure?: string;
  /** The judged recording does not contain it. */
  readonly notRecorded?: true;
  /** The failed exchange whose request it sends again after a transport fault. */
  readonly retryOf?: string;
  readonly bytes: number;
  /** When the request was sent, in ISO 8601; absent if the traffic does not show it. */
  readonly startedAt?: string;
  readonly ms: number;
  /** For exchanges with findings: the command that repeats the request, and the beginning of the response. */
  readonly curl?: string;
  readonly begins?: string;
  /** For exchanges with findings: the inputs that a list supplied, e.g. the UPC of a look-up. */
  readonly inputs?: Inputs;
}

/** A finding in a report. */
export interface ReportedFinding extends Pick<Finding, 'expected' | 'actual' | 'exchange' | 'row'> {
  /**
   * Identifies what is wrong, not which row or value shows it: rule, operation and kind of finding.
   * @example 'C.upc-12-digits/allProducts/upc-too-few-digits'
   */
  readonly fingerprint?: string;
}

export interface Result {
  /** In a report of several runs: the target of the run that it is from. */
  readonly target?: string;
  readonly rule: string;
  readonly operation: OperationKey;
  readonly statement: string;
  readonly section: string;
  readonly basis: Basis;
  /** Whether a failure of this result makes the implementation nonconformant in this run. */
  readonly gating: boolean;
  readonly verdict: Verdict;
  readonly waived: boolean;
  /** The waiver that covers it; `waived` is then true. */
  readonly waiver?: WaiverNote;
  /** The version of the rule set that brought it, if not 0.1.0. */
  readonly since?: string;
  /** It would gate without the pin of the rule set, and is advice now. */
  readonly pinned?: true;
  /** A request behind it was sent again after a transport fault. */
  readonly retried?: true;
  /** The index in `Run.cause` of the cause that explains it. */
  readonly cause?: number;
  readonly evidence: Evidence;
  readonly findings: readonly ReportedFinding[];
  /** Why it neither passed nor failed, or a note on a pass. */
  readonly note?: string;
  /** Openings that must be filled to decide it. */
  readonly openings?: readonly OpeningId[];
  /** The safety class that a run must allow to decide it. */
  readonly needsSafety?: SafetyClass;
}

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
  }[];
  /** What is wrong with it, and the line to delete. */
  readonly message?: string;
}

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
  /** Checks that passed then and are not decided now. */
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

/** One cause that explains many results. */
export interface RunCause {
  readonly sentence: string;
  readonly operations: readonly OperationKey[];
  /** The number of results that it explains. */
  readonly count: number;
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

/** One run of a report of several runs, with its own scope. */
export interface RunPart {
  /** The file of the run. */
  readonly file: string;
  /** Why the run is missing: the file cannot be read. Then nothing else is known. */
  readonly missing?: string;
  /** The name of its target in the report, in `Result.target` if there are several targets. */
  readonly target?: string;
  readonly outcomeInScope?: string;
  readonly exitCode?: number;
  readonly reason?: string;
  readonly manifest?: Run['manifest'];
  readonly fractions?: Fractions;
  readonly history?: RunHistory;
}

export const OUTCOMES = [
  'conformant',
  'conformant-with-waivers',
  'partial',
  'nonconformant',
  'undetermined',
  'interrupted',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Fractions {
  /** Units testable under this profile / all units in scope. */
  readonly provable: readonly [number, number];
  /** Units passed / provable. */
  readonly proved: readonly [number, number];
  /** Provable, yet neither passed nor failed. */
  readonly unproved: number;
}

export interface Run {
  readonly schema: 1;
  readonly outcome: Outcome;
  /** The outcome with what it covers, e.g. `conformant (C, read, standard)`. */
  readonly outcomeInScope: string;
  readonly exitCode: number;
  /** Why the exit code is not 0, or why it is 0 despite failures, in one sentence. */
  readonly reason?: string;
  readonly manifest: {
    readonly suite: string;
    readonly target: string;
    readonly profile: string;
    readonly groups: readonly string[];
    readonly safety: Safety;
    readonly strict: boolean;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly requests: number;
    readonly node: string;
    /** The name of the target in the configuration. */
    readonly targetName?: string;
    /** SHA-256 of the data of the profile. */
    readonly profileHash?: string;
    /** The version of the rule set, if it is pinned. */
    readonly ruleSet?: string;
    /** The seed and the depth of the draw of samples. */
    readonly seed?: number;
    readonly depth?: Depth;
    /** The signal that interrupted the run, which is then partial. */
    readonly interrupted?: InterruptSignal;
    /** The options that the exit code depends on, besides `strict`. */
    readonly allowInconclusive?: true;
    readonly requireConformant?: true;
  };
  readonly fractions: Fractions;
  readonly results: readonly Result[];
  readonly exchanges: readonly ExchangeSummary[];
  /** Openings to fill next, those that block most rules first, and the rules that each makes provable. */
  readonly openings: readonly {
    readonly opening: OpeningId;
    readonly asks: string;
    readonly fill: string;
    readonly section: string;
    readonly rules: readonly string[];
  }[];
  /** Causes that explain many results, the one with most results first. */
  readonly cause?: readonly RunCause[];
  readonly waivers?: readonly RunWaiver[];
  readonly comparison?: RunComparison;
  readonly history?: RunHistory;
  readonly snapshot?: RunSnapshot;
  /** The inputs that lists supplied, by the operation that was requested with them. */
  readonly draws?: readonly { readonly operation: OperationKey; readonly inputs: readonly Inputs[] }[];
  /** In a report of several runs: the runs. */
  readonly parts?: readonly RunPart[];
}
