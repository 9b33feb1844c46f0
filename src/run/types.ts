/** The types of a run and its results. */
import type { OpeningId, Operation, OperationKey, Safety } from '../contract/index.ts';
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
  readonly safety: Safety;
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
  readonly bytes: number;
  readonly ms: number;
  /** For exchanges with findings: the command that repeats the request, and the beginning of the response. */
  readonly curl?: string;
  readonly begins?: string;
}

export interface Result {
  readonly rule: string;
  readonly operation: OperationKey;
  readonly statement: string;
  readonly section: string;
  readonly basis: Basis;
  /** Whether a failure of this result makes the implementation nonconformant in this run. */
  readonly gating: boolean;
  readonly verdict: Verdict;
  readonly waived: boolean;
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
  /** Why it neither passed nor failed, or a note on a pass. */
  readonly note?: string;
  /** Openings that must be filled to decide it. */
  readonly openings?: readonly OpeningId[];
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
  /** The outcome with what it covers, e.g. `conformant (C, read)`. */
  readonly outcomeInScope: string;
  readonly exitCode: number;
  /** Why the exit code is not 0, in one sentence. */
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
    /** The signal that interrupted the run, which is then partial. */
    readonly interrupted?: InterruptSignal;
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
}
