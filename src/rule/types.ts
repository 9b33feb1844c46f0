/** A rule: a testable form of one statement of the document, as one literal. */
import type { Field, Input, ObservableStatementId, OpeningId, OperationKey } from '../contract/index.ts';
import type { Variant } from '../exchange/request.ts';
import type { ResponseHead } from '../exchange/types.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import type { BodyBreach } from '../reading/check-body.ts';
import type { Signature } from '../reading/signature.ts';
import type { Observation, Row } from '../reading/types.ts';
import type { Declarations } from './declarations.ts';
import type { FoldMap, FoldResults } from './folds.ts';

/** What a rule rests on. `stated`, `derived` and `profile` gate; `http` and `plausible` advise unless `--strict`. */
export const BASES = {
  stated: { gating: true, means: 'the document says it' },
  derived: { gating: true, means: 'it follows from what the document says by set logic or arithmetic' },
  profile: { gating: true, means: 'the implementer’s own profile says it' },
  http: { gating: false, means: 'HTTP’s own rules say it' },
  plausible: { gating: false, means: 'likely meant, but the document does not say it' },
} as const;
export type Basis = keyof typeof BASES;

export const VERDICTS = ['pass', 'fail', 'inconclusive', 'untested', 'not-applicable', 'error'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Where an input of a step comes from. */
export type InputSource = { readonly value: InputValue } | { readonly example: Input; readonly nth?: number };

/** Runs a step once per row chosen from what an earlier step kept in a fold of rows. */
export interface Each {
  readonly from: string;
  /** The fold that holds the rows; absent: the values that stand once for the whole answer. */
  readonly fold?: string;
  /** Field of the chosen row → input of this step. */
  readonly as: { readonly [F in Field]?: Input };
  readonly max: number;
  /** Which rows to take, best first; default as they come. */
  readonly choose?: (rows: readonly Row[]) => readonly Row[];
}

export interface Step<F extends FoldMap = FoldMap> {
  readonly operation: OperationKey;
  readonly inputs?: { readonly [I in Input]?: InputSource };
  readonly each?: Each;
  readonly folds?: F;
  readonly variant?: Variant;
  /** Distinct occasions of one request are distinct requests; equal ones are sent once. */
  readonly occasion?: number;
  /**
   * What the rule can use: `content` a read 2xx body (anything else is inconclusive), `whole` the same read to its end,
   * `answer` any HTTP answer but a blocked one, `any` whatever came, failures too.
   */
  readonly wants: 'content' | 'whole' | 'answer' | 'any';
  /** Redirects are followed unless the rule looks at the first answer itself. */
  readonly follow?: boolean;
  /** Waits for these steps although it takes no value from them. */
  readonly after?: readonly string[];
  /** Its readings are those of all valid requests of its operation that the run sent, whichever rules asked for them. */
  readonly gathers?: true;
  /**
   * In traffic of others, which requests to the operation serve beside the one the probe would send: what the judge makes
   * of an answer must then hold whatever was asked for. Absent: only requests for exactly these inputs serve.
   */
  readonly observes?: (inputs: Inputs) => boolean;
  /** In traffic of others the rule can be judged where this was not asked: the judge is then shown no reading of it. */
  readonly spare?: true;
  /** How long the repetition of a failed rule waits before this step, in ms: what was just made may not be seen at once. */
  readonly settleMs?: number;
}

export type Steps = { readonly [name: string]: Step };

/** One instance of a step as the judge sees it. */
export interface Reading<F extends FoldMap = FoldMap> {
  /** Names the exchange in findings and reports, e.g. `#12`. */
  readonly exchange: string;
  readonly operation: OperationKey;
  readonly inputs: Inputs;
  /** Absent when no HTTP answer came. */
  readonly head?: ResponseHead;
  readonly failure?: string;
  /** The source is a recording that does not hold it, or not all of its pages; `failure` says so. */
  readonly notRecorded?: true;
  /** A 2xx whose body was read, or read up to its problem. */
  readonly observation?: Observation;
  /** What the schemas the profile states for the operation say of the answer; absent where it states none. */
  readonly schema?: SchemaReading;
  readonly signature?: Signature;
  readonly folds: FoldResults<F>;
}

/** An answer, with its further pages, held against the schema stated for its status. */
export interface SchemaReading {
  /** Answers and pages with a status for which a schema is stated. */
  readonly answers: number;
  /** Values held against it: bodies, rows, lines. */
  readonly looked: number;
  readonly breaches: readonly (BodyBreach & {
    readonly schema: string;
    /** Under which status it is stated: `200`, `2XX`, `default`. */
    readonly stated: string;
    /** The page it stands on, where that is not the first. */
    readonly page?: number;
  })[];
  /** Why not all of it could be held against the schema. */
  readonly unchecked?: string;
}

export type Seen<S extends Steps> = {
  readonly [N in keyof S]: readonly (S[N] extends Step<infer F> | undefined ? Reading<F> : never)[];
};

/** A reading with the rows themselves in place of what was folded out of them. */
export interface EditableReading extends Omit<Reading, 'folds'> {
  readonly rows: readonly Row[];
}
export type EditableReadings<S extends Steps = Steps> = { readonly [N in keyof S]: readonly EditableReading[] };

export interface Evidence {
  readonly exchanges: number;
  readonly rows: number;
  readonly distinct: number;
}

export interface Finding {
  readonly expected: string;
  readonly actual: string;
  /** The exchange the finding stands in. */
  readonly exchange?: string;
  /** Index of the row, counted from 0 over all pages. */
  readonly row?: number;
}

export type Judgement =
  | { readonly verdict: 'pass'; readonly evidence: Partial<Evidence>; readonly note?: string }
  | {
      readonly verdict: 'fail';
      readonly findings: readonly Finding[];
      readonly basis?: Basis;
      readonly evidence?: Partial<Evidence>;
    }
  | {
      /** `not-applicable`: what the profile states of an answer is not about any that came. */
      readonly verdict: 'inconclusive' | 'untested' | 'not-applicable';
      readonly because: string;
      /** The operation’s success is that of paths which cannot exist: whatever is read in it proves nothing. */
      readonly provesNothing?: true;
    };

export interface Rule<S extends Steps = Steps> {
  /** Stable for ever, never reused; pinned by a snapshot. */
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly basis: Basis;
  /** The version of the suite that brought it. */
  readonly since: string;
  /** What is demanded, in our own words. */
  readonly demands: string;
  /** How it is judged, for `mdwi explain`. */
  readonly how: string;
  /** The operations it gives a verdict on, one each. */
  readonly subjects: readonly OperationKey[];
  /**
   * Its doubt (`provesNothing`) bears on all that is judged of its operation: it is asked along with whatever rules are
   * selected, without being told of.
   */
  readonly guards?: true;
  /** Openings without which it stays untested. */
  needs(subject: OperationKey): readonly Need[];
  /**
   * Asked again once before it fails; what is said when the second attempt agrees: `pass` for relations between answers
   * (a reload fell in between), `inconclusive` for broken answers (once only).
   */
  readonly repeat?: 'pass' | 'inconclusive';
  probe(subject: OperationKey, declares: Declarations): S;
  judge(seen: Seen<S>, context: JudgeContext): Judgement;
  /** Breaks what the judge let pass, in the smallest way it must notice: the steps it names are seen otherwise. */
  counterexample?(seen: EditableReadings<S>, context: JudgeContext): Partial<EditableReadings<S>>;
}

/** One opening, or several of which any one will do. */
export type Need = OpeningId | readonly OpeningId[];

/** What a judge may know besides the answers: the profile's statements about the parts left open. */
export interface JudgeContext {
  readonly subject: OperationKey;
  readonly declares: Declarations;
}

/** Types a rule literal by its steps; the machine sees it as `Rule`. */
export function defineRule<S extends Steps>(rule: Rule<S>): Rule {
  return rule as unknown as Rule;
}

/** For steps whose answers are judged by themselves, whatever they were asked with. */
export const anything = (): boolean => true;

/** For steps whose answers are judged by themselves where nothing was asked to be left out of them. */
export const unfiltered = (inputs: Inputs): boolean => Object.keys(inputs).length === 0;

/** Types a step by its folds. */
export function step<F extends FoldMap>(literal: Step<F>): Step<F> {
  return literal;
}
