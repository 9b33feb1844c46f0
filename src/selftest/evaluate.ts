/** From the results of trials to what is wrong with the suite, if anything (the gates). Pure. */
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import { faultNamed } from '../../simulator/faults/index.ts';
import { oddityNamed } from '../../simulator/oddities/index.ts';
import type { Rule } from '../rule/index.ts';
import type { Outcome } from '../run/types.ts';
import type { Trial, TrialMark, TrialResult } from './perform-trial.ts';
import { isRelated } from './related-statements.ts';

export const SELFTEST_GATES = {
  'rule-never-fails': 'every rule is seen failing',
  'fault-missed': 'every fault is caught by a rule of the statement it breaks',
  'unrelated-rule': 'no rule of an unrelated statement fails on a fault',
  'false-alarm': 'no dialect and no oddity fails anything',
  'evidence-lost': 'no oddity takes more evidence away than it must',
  'undue-pass': 'no rule passes on a degenerate server',
  'own-error': 'no rule breaks',
} as const;
export type SelftestGate = keyof typeof SELFTEST_GATES;

export interface Problem {
  readonly gate: SelftestGate;
  readonly says: string;
}

/** Which rules saw which fault fail, in all dialects it was tried in. */
export interface Kill {
  readonly fault: string;
  readonly statement: string;
  readonly strict: boolean;
  readonly dialects: readonly string[];
  /** The dialects in which a rule of its own statement caught it. */
  readonly caughtIn: readonly string[];
  readonly rules: readonly string[];
}

export interface Evaluation {
  readonly ok: boolean;
  /** One line. */
  readonly says: string;
  readonly problems: readonly Problem[];
  readonly kills: readonly Kill[];
}

type Of<K extends Trial['kind']> = TrialResult & { readonly trial: Extract<Trial, { kind: K }> };
const of = <K extends Trial['kind']>(results: readonly TrialResult[], kind: K): Of<K>[] =>
  results.filter((each): each is Of<K> => each.trial.kind === kind);

export type FaultResult = Of<'fault'>;
export const isOfFault = (result: TrialResult): result is FaultResult => result.trial.kind === 'fault';

/** The rules that no fault made fail. */
export function silentRules(results: readonly TrialResult[], rules: readonly Rule[]): readonly Rule[] {
  const seen = new Set(results.filter(isOfFault).flatMap(({ failed }) => failed.map(({ rule }) => rule)));
  return rules.filter(({ id }) => !seen.has(id));
}

const RANKS: Partial<Record<Outcome, number>> = { conformant: 0, partial: 1, undetermined: 2, nonconformant: 3 };
const rank = (outcome: Outcome): number => RANKS[outcome] ?? 3;

/** How a trial is named in a problem. */
export function describeTrial(trial: Trial): string {
  const profile = 'empty' in trial && trial.empty ? 'the empty profile' : 'its profile';
  const name = trial.kind === 'plain' ? 'the plain simulator' : `${trial.kind} ${trial.name}`;
  return trial.kind === 'fault' ? `${name} in ${trial.dialect}` : `${name} in ${trial.dialect}, under ${profile}`;
}

const tell = ({ rule, operation, says }: TrialMark): string => `${rule} on ${operation}: ${says}`;

/** Whether a fault is caught in a trial: by a gating rule of its statement, or by any where only a plausible reading breaks. */
export function isCaught({ trial, failed }: FaultResult): boolean {
  const { statement, strict } = faultNamed(trial.name);
  return failed.some((mark) => mark.statement === statement && (mark.gating || strict === true));
}

function killsOf(faults: readonly FaultResult[]): Kill[] {
  return [...Map.groupBy(faults, ({ trial }) => trial.name)].map(([name, tried]) => {
    const { statement, strict = false } = faultNamed(name);
    return {
      fault: name,
      statement,
      strict,
      dialects: tried.map(({ trial }) => trial.dialect),
      caughtIn: tried.filter(isCaught).map(({ trial }) => trial.dialect),
      rules: [...new Set(tried.flatMap(({ failed }) => failed.map(({ rule }) => rule)))].sort(),
    };
  });
}

/** What an oddity may leave to prove at least: what its dialect does as it is, or what its literal excuses. */
function weighEvidence(oddity: Of<'oddity'>, plain: readonly Of<'plain'>[]): Problem[] {
  const { name, dialect, empty } = oddity.trial;
  const own = plain.find(({ trial }) => trial.dialect === dialect && trial.empty === empty)?.outcome ?? 'partial';
  const { weakestOutcome = 'conformant' } = oddityNamed(name);
  if (oddity.outcome === 'nonconformant' || rank(oddity.outcome) <= Math.max(rank(own), rank(weakestOutcome)))
    return [];
  return [
    {
      gate: 'evidence-lost',
      says: `${describeTrial(oddity.trial)}: ${oddity.outcome}, ${oddity.reason ?? 'some checks stayed untested'}`,
    },
  ];
}

/**
 * Weighs the results of trials against the gates. `whole`: every fault was tried, so that a rule not seen failing
 * counts; with some trials only it does not.
 */
export function evaluate(results: readonly TrialResult[], rules: readonly Rule[], whole: boolean): Evaluation {
  const faults = results.filter(isOfFault);
  const plain = of(results, 'plain');
  const oddities = of(results, 'oddity');
  const degenerate = of(results, 'degenerate');
  const kills = killsOf(faults);
  const silent = silentRules(results, rules);
  const missed = kills.filter(({ caughtIn }) => caughtIn.length === 0);
  const alarms = [
    ...plain.flatMap((each) => each.failed.map((mark) => ({ each, mark }))),
    ...oddities.flatMap((each) => each.failed.filter(({ gating }) => gating).map((mark) => ({ each, mark }))),
  ];
  const passes = degenerate.flatMap((each) => each.passed.map((mark) => ({ each, mark })));
  const problems: Problem[] = [
    ...(whole ? silent : []).map(
      ({ id }): Problem => ({ gate: 'rule-never-fails', says: `${id} fails on no fault: it may as well not be there` }),
    ),
    ...missed.map(
      ({ fault, statement, dialects }): Problem => ({
        gate: 'fault-missed',
        says: `${fault} breaks ${statement}, which no rule of that statement saw in ${dialects.join(', ')}`,
      }),
    ),
    ...faults.flatMap(({ trial, failed }) => {
      const { statement } = faultNamed(trial.name);
      const foreign = failed.filter((mark) => !isRelated(statement, mark.statement));
      return foreign.map(
        (mark): Problem => ({
          gate: 'unrelated-rule',
          says: `${describeTrial(trial)} breaks ${statement}, but so failed ${tell(mark)}`,
        }),
      );
    }),
    ...alarms.map(
      ({ each, mark }): Problem => ({ gate: 'false-alarm', says: `${describeTrial(each.trial)}: ${tell(mark)}` }),
    ),
    ...oddities.flatMap((each) => weighEvidence(each, plain)),
    ...passes.map(
      ({ each, mark }): Problem => ({ gate: 'undue-pass', says: `${describeTrial(each.trial)}: ${tell(mark)}` }),
    ),
    ...results.flatMap((each) =>
      each.errors.map((mark): Problem => ({ gate: 'own-error', says: `${describeTrial(each.trial)}: ${tell(mark)}` })),
    ),
  ];
  const counts = [
    `rules ${rules.length - silent.length}/${rules.length} seen failing`,
    `faults ${kills.length - missed.length}/${kills.length} caught`,
    `false alarms ${alarms.length} on ${DIALECT_NAMES.length} dialects × ${new Set(oddities.map(({ trial }) => trial.name)).size} oddities`,
    `degenerate servers ${passes.length} undue passes`,
  ];
  return { ok: problems.length === 0, says: counts.join(' · '), problems, kills };
}
