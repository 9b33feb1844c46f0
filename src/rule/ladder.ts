/**
 * The ladder of decisions. The first rung that holds decides: a finding fails; a doubt is inconclusive; where nothing was
 * compared, the rule says what that means; otherwise the demand is proved, and what was compared is the evidence.
 */
import type { Breaches, Repeats } from './check-folds.ts';
import type { Basis, Evidence, Finding, Judgement, Reading } from './types.ts';
import { evidenceOf, failed, findingsAt, inconclusive, passed, untested } from './verdicts.ts';

/** What one comparison shows. */
export interface Comparison {
  /** The readings that it compared: the evidence of a pass. */
  readonly of?: readonly Reading[];
  /** The number of compared rows or values; 0 and absent: nothing was compared. */
  readonly compared?: number;
  /** What contradicts the demand. */
  readonly findings?: readonly Finding[];
  /** The basis of these findings, if it is not that of the rule. */
  readonly basis?: Basis | undefined;
  /** Why a difference proves nothing, or why nothing can be compared. */
  readonly doubt?: string | undefined;
}

/** What a ladder needs besides the comparisons. */
export interface Ladder {
  /** The rung of no comparison: a reason, of `untested`, or another judgement. */
  readonly nothing: string | Judgement;
  /** What the number of comparisons is in the evidence; default `distinct`. */
  readonly counted?: 'rows' | 'distinct' | 'both';
  /** The evidence of a pass where it is not that of the compared readings. */
  readonly evidence?: Partial<Evidence>;
  /** The note of a pass. */
  readonly note?: string | undefined;
}

/** Decides comparisons. @example decide({ of: [bulk], compared: rows, findings }, { nothing: 'the list has no rows' }) */
export function decide(
  found: Comparison | readonly Comparison[],
  { nothing, counted = 'distinct', evidence, note }: Ladder,
): Judgement {
  const comparisons = [found].flat() as readonly Comparison[];
  const findings = comparisons.flatMap((each) => each.findings ?? []);
  if (findings.length > 0) return failed(findings, comparisons.find((each) => each.findings?.length)?.basis);
  const doubtful = comparisons.find(({ doubt }) => doubt !== undefined);
  if (doubtful?.doubt !== undefined) return inconclusive(doubtful.doubt);
  const compared = comparisons.reduce((sum, each) => sum + (each.compared ?? 0), 0);
  if (compared === 0) return typeof nothing === 'string' ? untested(nothing) : nothing;
  const readings = [...new Set(comparisons.flatMap((each) => each.of ?? []))];
  const counts = counted === 'both' ? { rows: compared, distinct: compared } : { [counted]: compared };
  return passed({ ...evidenceOf(readings), ...counts, ...evidence }, note);
}

/** A finding about one response. */
export const findingIn = (
  { exchange }: Pick<Reading, 'exchange'>,
  kind: string,
  expected: string,
  actual: string,
  more: Pick<Finding, 'row' | 'since'> = {},
): Finding => ({ kind, expected, actual, exchange, ...more });

/** Compares rows by an `everyRow` fold: each breach is a finding. */
export const rowFailures = <R extends Reading>(
  readings: readonly R[],
  breachesOf: (reading: R) => Breaches,
  expected: string,
  more: (reading: R) => Pick<Finding, 'since'> = () => ({}),
): Comparison[] =>
  readings.map((reading) => ({
    of: [reading],
    compared: breachesOf(reading).checked,
    findings: findingsAt(reading, expected, breachesOf(reading).first, more(reading)),
  }));

/** The rung of no comparison of rows. */
export const NO_VALUES = 'no row contains the values that this rule compares';

/** Judges `everyRow` folds of readings: any breach fails; no checked row is untested. */
export const judgeRowFailures = <R extends Reading>(...of: Parameters<typeof rowFailures<R>>): Judgement =>
  decide(rowFailures(...of), { nothing: NO_VALUES, counted: 'rows' });

/** Judges a `repeats` fold: rows that occur more than once fail. */
export function judgeRepeats(
  reading: Reading & { readonly folds: { readonly repeats: Repeats } },
  expected: string,
  nothing: string,
): Judgement {
  const { checked, first, complete } = reading.folds.repeats;
  const findings = first.map((identity) =>
    findingIn(reading, 'repeated', expected, `${identity} occurs more than once`),
  );
  const doubt = complete ? undefined : 'there are too many rows to compare';
  return decide(checked === 0 ? {} : { of: [reading], compared: checked, findings, doubt }, { nothing });
}
