/** A rule: a testable form of one statement of the document, as one literal. */

import type { ObservableStatementId, OpeningId, OperationKey, PromiseName } from '../contract/index.ts';
import type { Row } from '../reading/types.ts';
import type { Declarations } from './declarations.ts';
import type { RuleSetVersion } from './rule-set.ts';
import type { Reading, Step, Steps } from './step.ts';

export type { Reading, SchemaReading } from './step.ts';

/** The basis of a rule. `stated`, `derived` and `profile` gate; `http` and `plausible` are advisory unless `--strict`. */
export const BASES = {
  stated: { gating: true, means: 'the document states it' },
  derived: { gating: true, means: 'it follows from the document by set logic or arithmetic' },
  profile: { gating: true, means: 'the profile of the implementer states it' },
  http: { gating: false, means: 'HTTP itself demands it' },
  plausible: { gating: false, means: 'probably intended, but the document does not state it' },
} as const;

export type Basis = keyof typeof BASES;

export const VERDICTS = ['pass', 'fail', 'inconclusive', 'untested', 'not-applicable', 'error'] as const;

export type Verdict = (typeof VERDICTS)[number];

export type Seen<S extends Steps> = {
  readonly [N in keyof S]: readonly (S[N] extends Step<infer F> | undefined ? Reading<F> : never)[];
};

/** A reading with its rows instead of its folds. */
export interface EditableReading extends Omit<Reading, 'folds'> {
  readonly rows: readonly Row[];
}

export type EditableReadings<S extends Steps = Steps> = { readonly [N in keyof S]: readonly EditableReading[] };

/** How many subjects of one kind a judge inspected, of how many that it knows. */
export interface Coverage {
  /** The kind in the plural, e.g. `products`, `categories`, `catalogue nodes`, `jobs`. */
  readonly of: string;
  readonly looked: number;
  /** How many there are; absent if the responses do not show it. */
  readonly known?: number;
}

export interface Evidence {
  readonly exchanges: number;
  readonly rows: number;
  readonly distinct: number;
  /** Absent if the rule draws no sample. */
  readonly coverage?: readonly Coverage[];
}

export interface Finding {
  /**
   * What is wrong, in a few words that never change: a status 500 differs from a 404, a missing `upc` from one of 11
   * digits; another row, value or count does not.
   * @example 'upc-too-few-digits'
   */
  readonly kind: string;
  readonly expected: string;
  readonly actual: string;
  /** The id of the exchange. */
  readonly exchange?: string;
  /** Index of the row, counted from 0 over all pages. */
  readonly row?: number;
  /** The version of the rule set that brought this demand, if later than that of its rule. */
  readonly since?: RuleSetVersion;
}

export interface FailedJudgement {
  readonly verdict: 'fail';
  readonly findings: readonly Finding[];
  readonly basis?: Basis;
}

export type Judgement =
  | { readonly verdict: 'pass'; readonly evidence: Partial<Evidence>; readonly note?: string }
  | FailedJudgement
  | {
      /** `not-applicable`: the profile states nothing about any received response. */
      readonly verdict: 'inconclusive' | 'untested' | 'not-applicable';
      readonly because: string;
      /** The version of the rule set that brought the demand that is not decided, if later than that of its rule. */
      readonly since?: RuleSetVersion;
      /** The failure that is in doubt: it decides whether the check gates. */
      readonly doubted?: FailedJudgement;
      /** Paths that cannot exist return the same 2xx, so that its content proves nothing. */
      readonly provesNothing?: true;
    };

export interface Rule<S extends Steps = Steps> {
  /** Never changed or reused; held by a snapshot test. */
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly basis: Basis;
  /** The basis under a profile that states the demand; absent or undefined: `basis`. A failure may have another one. */
  readonly declaredBasis?: (declarations: Declarations, subject: OperationKey) => Basis | undefined;
  /** The first version of the rule set with this rule. */
  readonly since: RuleSetVersion;
  /** The demand on the server, in one sentence. */
  readonly demands: string;
  /** How the demand is judged, for `mdwi explain`. */
  readonly how: string;
  /**
   * The legal server that looks most like the violation, and what tells them apart, for `mdwi explain`.
   * @example 'A server that lists a product again after its delisting, which is legal, looks like this violation; the as-of dates of both responses tell them apart.'
   */
  readonly looksLike?: string;
  /** The operations that it judges, with one verdict each. */
  readonly subjects: readonly OperationKey[];
  /**
   * `provesNothing` of this rule applies to all verdicts on the operation, so it also runs when it is not selected; its
   * own verdict is then not reported.
   */
  readonly precondition?: true;
  /** It runs only at depth `standard` and `thorough`, and is untested at `quick`. */
  readonly notQuick?: true;
  /** It judges an operation only if the profile promises this about it; it is not applicable otherwise. */
  readonly promise?: PromiseName;
  /** What else its judge reads of the promises of a profile. */
  readonly reads?: readonly PromiseName[];
  /** The openings that it needs; it is untested if one is not filled. */
  needs(subject: OperationKey): readonly Need[];
  /**
   * The rule runs once more before it fails. The verdict if the second attempt passes: `pass` for relations between
   * responses (a reload happened in between), `inconclusive` for server errors.
   */
  readonly repeat?: 'pass' | 'inconclusive';
  /** It compares the as-of dates themselves. Other relations (`repeat: 'pass'`) fail only within one as-of date. */
  readonly comparesAsOf?: true;
  probe(subject: OperationKey, declarations: Declarations): S;
  /** Why it has no steps although the profile states what it judges, as a sentence; the check is then untested. */
  unjudged?(subject: OperationKey, declarations: Declarations): string | undefined;
  judge(seen: Seen<S>, context: JudgeContext): Judgement;
  /** Changes the readings of a pass by the smallest defect that the judge must report; returns the changed steps. */
  counterexample?(seen: EditableReadings<S>, context: JudgeContext): Partial<EditableReadings<S>>;
}

/** One opening, or several of which one must be filled. */
export type Need = OpeningId | readonly OpeningId[];

/** The context of a judge: the statements of the profile about the parts that the document leaves open. */
export interface JudgeContext {
  readonly subject: OperationKey;
  readonly declarations: Declarations;
}

/** A text of one sentence, or several. */
export type Sentences = string | readonly string[];

/** A rule as it is written: a sentence per line. */
export interface RuleLiteral<S extends Steps> extends Omit<Rule<S>, 'how' | 'looksLike' | 'basis' | 'since'> {
  /** Default: `profile`. */
  readonly basis?: Basis;
  /** Default: 0.2.0, the version of most rules. */
  readonly since?: RuleSetVersion;
  readonly how: Sentences;
  readonly looksLike?: Sentences;
  /** Whether the profile states what the rule judges; where it does not, the rule has no steps. Default: it does. */
  readonly isStated?: (declarations: Declarations, subject: OperationKey) => boolean;
}

const joined = (sentences: Sentences): string => [sentences].flat().join(' ');

/** Infers the step types of a rule literal; the engine uses it as `Rule`. */
export function defineRule<S extends Steps>(literal: RuleLiteral<S>): Rule {
  const { how, looksLike, isStated = () => true, probe, unjudged, ...rule } = literal;
  return {
    basis: 'profile',
    since: '0.2.0',
    ...rule,
    how: joined(how),
    ...(looksLike && { looksLike: joined(looksLike) }),
    probe: (...of: Parameters<typeof probe>) => (isStated(of[1], of[0]) ? probe(...of) : {}),
    ...(unjudged && {
      unjudged: (...of: Parameters<typeof unjudged>) => (isStated(of[1], of[0]) ? unjudged(...of) : undefined),
    }),
  } as unknown as Rule;
}
