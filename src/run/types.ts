/** The types of a run and its results. */

import type { Depth, OpeningId, Operation, OperationKey, Safety, SafetyClass, Sampling } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import type { Basis, Evidence, Finding, Rule, Verdict } from '../rule/index.ts';
import type { RunComparison, RunHistory, RunSnapshot } from './comparison-types.ts';
import type { InterruptSignal } from './interruption.ts';
import type { Outcome } from './outcome-names.ts';
import type { RunWaiver, WaiverNote } from './waiver-types.ts';

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

/** One cause that explains many results. */
export interface RunCause {
  readonly sentence: string;
  readonly operations: readonly OperationKey[];
  /** The number of results that it explains. */
  readonly count: number;
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
    /** The refusals (429, 503) that were waited for, and for how long; and the pauses between requests. */
    readonly waits?: { readonly refusals: number; readonly refusedMs: number; readonly pausedMs: number };
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
  /** The keys of the profile that nothing reads or judges, each with the reason. */
  readonly unread?: readonly { readonly key: string; readonly why: string }[];
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
