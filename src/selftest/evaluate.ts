/** Evaluates the results of trials by the gates of the suite. Pure. */
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import { faultNamed } from '../../simulator/faults/index.ts';
import { oddityNamed } from '../../simulator/oddities/index.ts';
import type { Rule } from '../rule/index.ts';
import type { Outcome } from '../run/outcome-names.ts';
import type { Trial, TrialResult, TrialVerdict } from './perform-trial.ts';
import { isRelated } from './related-statements.ts';

export const SELFTEST_GATES = {
  'rule-never-fails': 'every rule fails at least once',
  'fault-missed': 'a rule of the broken statement catches every fault',
  'unrelated-rule': 'no rule of an unrelated statement fails on a fault',
  'false-alarm': 'no rule fails on a dialect or an oddity',
  'evidence-lost': 'no oddity removes more evidence than necessary',
  'undue-pass': 'no rule passes on a degenerate server',
  'own-error': 'no rule throws an error',
} as const;
export type SelftestGate = keyof typeof SELFTEST_GATES;

export interface Problem {
  readonly gate: SelftestGate;
  readonly says: string;
}

/** The rules that failed on a fault, in all tried dialects. */
export interface Kill {
  readonly fault: string;
  readonly statement: string;
  readonly strict: boolean;
  readonly dialects: readonly string[];
  /** The dialects in which a rule of the broken statement failed. */
  readonly caughtIn: readonly string[];
  readonly rules: readonly string[];
}

export interface Evaluation {
  readonly ok: boolean;
  /** A summary in one line. */
  readonly says: string;
  readonly problems: readonly Problem[];
  readonly kills: readonly Kill[];
}

type ResultOf<K extends Trial['kind']> = TrialResult & { readonly trial: Extract<Trial, { kind: K }> };
const resultsOf = <K extends Trial['kind']>(results: readonly TrialResult[], kind: K): ResultOf<K>[] =>
  results.filter((each): each is ResultOf<K> => each.trial.kind === kind);

export type FaultResult = ResultOf<'fault'>;
export const isOfFault = (result: TrialResult): result is FaultResult => result.trial.kind === 'fault';

/** The rules that failed on no fault. */
export function neverFailingRules(results: readonly TrialResult[], rules: readonly Rule[]): readonly Rule[] {
  const failing = new Set(results.filter(isOfFault).flatMap(({ failed }) => failed.map(({ rule }) => rule)));
  return rules.filter(({ id }) => !failing.has(id));
}

const OUTCOME_RANKS: Partial<Record<Outcome, number>> = {
  conformant: 0,
  partial: 1,
  undetermined: 2,
  nonconformant: 3,
};
const rankOf = (outcome: Outcome): number => OUTCOME_RANKS[outcome] ?? 3;

/** The name of a trial in a problem. */
export function describeTrial(trial: Trial): string {
  const profile = 'empty' in trial && trial.empty ? 'the empty profile' : 'its profile';
  const name = trial.kind === 'plain' ? 'the plain simulator' : `${trial.kind} ${trial.name}`;
  return trial.kind === 'fault' ? `${name} in ${trial.dialect}` : `${name} in ${trial.dialect}, under ${profile}`;
}

const describeVerdict = ({ rule, operation, says }: TrialVerdict): string => `${rule} on ${operation}: ${says}`;

/** Whether a trial catches its fault: by a gating rule of the broken statement; by any rule of it if the fault is `strict`. */
export function isCaught({ trial, failed }: FaultResult): boolean {
  const { statement, strict } = faultNamed(trial.name);
  return failed.some((verdict) => verdict.statement === statement && (verdict.gating || strict === true));
}

function killsOf(faults: readonly FaultResult[]): Kill[] {
  return [...Map.groupBy(faults, ({ trial }) => trial.name)].map(([name, results]) => {
    const { statement, strict = false } = faultNamed(name);
    return {
      fault: name,
      statement,
      strict,
      dialects: results.map(({ trial }) => trial.dialect),
      caughtIn: results.filter(isCaught).map(({ trial }) => trial.dialect),
      rules: [...new Set(results.flatMap(({ failed }) => failed.map(({ rule }) => rule)))].sort(),
    };
  });
}

/** Checks the outcome of an oddity: at least that of its plain dialect, or the weakest one that it allows. */
function evidenceLost(oddity: ResultOf<'oddity'>, plain: readonly ResultOf<'plain'>[]): string[] {
  const { name, dialect, empty } = oddity.trial;
  const plainOutcome =
    plain.find(({ trial }) => trial.dialect === dialect && trial.empty === empty)?.outcome ?? 'partial';
  const { weakestOutcome: own = 'conformant', weakestOutcomeUnderEmptyProfile = own } = oddityNamed(name);
  const weakestOutcome = empty ? weakestOutcomeUnderEmptyProfile : own;
  const least = Math.max(rankOf(plainOutcome), rankOf(weakestOutcome));
  if (oddity.outcome === 'nonconformant' || rankOf(oddity.outcome) <= least) return [];
  return [`${describeTrial(oddity.trial)}: ${oddity.outcome}, ${oddity.reason ?? 'some checks stayed untested'}`];
}

/** Verdicts that a gate does not allow. */
const describeAll = ({ trial }: TrialResult, verdicts: readonly TrialVerdict[]): string[] =>
  verdicts.map((verdict) => `${describeTrial(trial)}: ${describeVerdict(verdict)}`);

/**
 * Evaluates the results of trials by the gates. `whole`: all faults were tried, so that a rule that never failed is a
 * problem.
 */
export function evaluate(results: readonly TrialResult[], rules: readonly Rule[], isComplete: boolean): Evaluation {
  const faults = results.filter(isOfFault);
  const plain = resultsOf(results, 'plain');
  const oddities = resultsOf(results, 'oddity');
  const degenerate = resultsOf(results, 'degenerate');
  const kills = killsOf(faults);
  const neverFailing = neverFailingRules(results, rules);
  const missed = kills.filter(({ caughtIn }) => caughtIn.length === 0);
  const falseAlarms = [
    ...plain.flatMap((each) => describeAll(each, each.failed)),
    ...oddities.flatMap((each) =>
      describeAll(
        each,
        each.failed.filter(({ gating }) => gating),
      ),
    ),
  ];
  const passes = degenerate.flatMap((each) => describeAll(each, each.passed));
  const byGate: Record<SelftestGate, readonly string[]> = {
    'rule-never-fails': isComplete
      ? neverFailing.map(({ id }) => `${id} fails on no fault, so it detects nothing`)
      : [],
    'fault-missed': missed.map(
      ({ fault, statement, dialects }) =>
        `${fault} breaks ${statement}; no rule of that statement failed in ${dialects.join(', ')}`,
    ),
    'unrelated-rule': faults.flatMap(({ trial, failed }) => {
      const { statement } = faultNamed(trial.name);
      const unrelated = failed.filter((verdict) => !isRelated(statement, verdict.statement));
      return unrelated.map(
        (each) => `${describeTrial(trial)} breaks ${statement}, but another rule failed: ${describeVerdict(each)}`,
      );
    }),
    'false-alarm': falseAlarms,
    'evidence-lost': oddities.flatMap((each) => evidenceLost(each, plain)),
    'undue-pass': passes,
    'own-error': results.flatMap((each) => describeAll(each, each.errors)),
  };
  const problems = (Object.keys(byGate) as SelftestGate[]).flatMap((gate) =>
    byGate[gate].map((says): Problem => ({ gate, says })),
  );
  const counts = [
    `rules ${rules.length - neverFailing.length}/${rules.length} seen failing`,
    `faults ${kills.length - missed.length}/${kills.length} caught`,
    `false alarms ${falseAlarms.length} on ${DIALECT_NAMES.length} dialects × ${new Set(oddities.map(({ trial }) => trial.name)).size} oddities`,
    `degenerate servers ${passes.length} undue passes`,
  ];
  return { ok: problems.length === 0, says: counts.join(' · '), problems, kills };
}
