/** The few ways a judge can speak. */
import type { Field, OperationKey } from '../contract/index.ts';
import { type BreachAt, type Breaches, type Repeats, type Tally, tally } from './folds.ts';
import type { Basis, Evidence, Finding, Judgement, Reading } from './types.ts';

export const passed = (evidence: Partial<Evidence>, note?: string): Judgement => ({
  verdict: 'pass',
  evidence,
  ...(note && { note }),
});
/** A failure; `basis` where it rests on something else than its rule does. */
export const failed = (findings: readonly Finding[], basis?: Basis): Judgement => ({
  verdict: 'fail',
  findings,
  ...(basis && { basis }),
});
export const undecided = (because: string): Judgement => ({ verdict: 'inconclusive', because });
export const nothingToJudge = (because: string): Judgement => ({ verdict: 'untested', because });
/** What is judged is optional to state, and nothing that came is what was stated. */
export const notRequested = (because: string): Judgement => ({ verdict: 'not-applicable', because });

/** Whether an answer is a 2xx. */
export const isOk = (reading: Reading): boolean =>
  reading.head !== undefined && reading.head.status >= 200 && reading.head.status < 300;

/** A finding per spot, all standing in one exchange. */
export const findingsAt = (reading: Reading, expected: string, spots: readonly BreachAt[]): Finding[] =>
  spots.map((spot) => ({ expected, actual: spot.message, exchange: reading.exchange, row: spot.index }));

/** Rows and distinct values of several readings together. */
export function evidenceOf(readings: readonly Reading[], distinct = 0): Evidence {
  return {
    exchanges: readings.length,
    rows: readings.reduce((sum, reading) => sum + (reading.observation?.rows ?? 0), 0),
    distinct,
  };
}

/** A judgement over `everyRow` folds of one or more readings: any breach fails, no row looked at proves nothing. */
export function judgeBreaches<R extends Reading>(
  readings: readonly R[],
  breachesOf: (reading: R) => Breaches,
  expected: string,
): Judgement {
  const findings = readings.flatMap((reading) => findingsAt(reading, expected, breachesOf(reading).first));
  if (findings.length > 0) return failed(findings.slice(0, 10));
  const looked = readings.reduce((sum, reading) => sum + breachesOf(reading).looked, 0);
  if (looked === 0) return nothingToJudge('no row carried the values this looks at');
  return passed({ ...evidenceOf(readings), rows: looked });
}

/** A judgement over a `repeats` fold: rows that stand more than once fail. */
export function judgeRepeats(
  reading: Reading & { readonly folds: { readonly repeats: Repeats } },
  expected: string,
  nothing: string,
): Judgement {
  const { looked, count, first, whole } = reading.folds.repeats;
  if (looked === 0) return nothingToJudge(nothing);
  if (count > 0)
    return failed(
      first.map((identity) => ({
        expected,
        actual: `${identity} stands more than once`,
        exchange: reading.exchange,
      })),
    );
  if (!whole) return undecided('more rows than can be compared');
  return passed({ ...evidenceOf([reading]), distinct: looked });
}

interface Demand {
  readonly field: Field;
  /** What each row must hold, for the finding. */
  readonly expected: string;
  /** The profile names a converter for the field, so values that do not fit it break the profile's word. */
  readonly declared: boolean;
  /** The profile's selector, quoted where the reading may be at fault. */
  readonly selector: string;
  readonly nullable: boolean;
}

/** How a field fares that the profile reads once for the whole answer, not per row; undefined for any other. */
function tallyOnce(reading: Reading, field: Field): Tally | undefined {
  const values = reading.observation?.values[field];
  if (!values) return undefined;
  const running = tally(field).start(reading.inputs);
  (values.length === 0 ? [undefined] : values).forEach((value, at) => {
    running.row({ [field]: value }, at);
  });
  return running.done();
}

/**
 * A value the document puts in every row. Missing in some rows: fail. In all of them while the rows were found: fail on
 * the profile's word, quoting its selector. Not convertible everywhere under no declared converter: undecided, for the
 * codec is open.
 */
export function judgeTally(reading: Reading, perRow: Tally, demand: Demand): Judgement {
  const found = perRow.rows === 0 ? perRow : (tallyOnce(reading, demand.field) ?? perRow);
  if (found.rows === 0) return nothingToJudge('the list has no rows');
  const gaps = demand.nullable ? 0 : found.nulls + found.missing;
  if (found.unconverted > 0 && !demand.declared && found.values === 0) {
    const first = found.firstUnconverted[0]?.message ?? '';
    return undecided(
      `no value read by ${demand.selector} could be understood (${first}): name its converter with \`as\``,
    );
  }
  if (gaps > 0 && gaps === found.rows) {
    return failed(
      findingsAt(
        reading,
        `${demand.expected} (the profile reads it at ${demand.selector})`,
        found.firstGaps.slice(0, 1),
      ),
      'profile',
    );
  }
  const findings = [
    ...findingsAt(reading, demand.expected, found.firstUnconverted),
    ...(gaps > 0 ? findingsAt(reading, demand.expected, found.firstGaps) : []),
  ];
  if (findings.length > 0) return failed(findings);
  if (found.values === 0)
    return nothingToJudge(`every value at ${demand.selector} is null or absent, which the profile allows`);
  return passed({ exchanges: 1, rows: found.rows, distinct: found.distinct });
}

/** Several judgements of one rule on one subject: a failure outweighs doubt, doubt outweighs a pass. */
export function combine(judgements: readonly Judgement[]): Judgement {
  const fails = judgements.filter((each) => each.verdict === 'fail');
  if (fails.length > 0) {
    const [first] = fails;
    const basis = fails.every((each) => each.basis === first?.basis) ? first?.basis : undefined;
    return failed(fails.flatMap((each) => each.findings).slice(0, 10), basis);
  }
  const doubt = judgements.find((each) => each.verdict === 'inconclusive');
  if (doubt) return doubt;
  const passes = judgements.filter((each) => each.verdict === 'pass');
  if (passes.length === 0) return judgements[0] ?? nothingToJudge('nothing to judge');
  const sum = (of: keyof Evidence) => passes.reduce((total, each) => total + (each.evidence[of] ?? 0), 0);
  return passed({ exchanges: sum('exchanges'), rows: sum('rows'), distinct: sum('distinct') });
}

/** How an answer is told in a finding: `404 text/html`, `no answer: …`. */
export function describeResponse(reading: Reading): string {
  if (!reading.head) return `no answer: ${reading.failure ?? 'nothing came'}`;
  const type = reading.head.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return `status ${reading.head.status}${type ? ` (${type})` : ''}`;
}

/** A name by which an operation's selector is quoted. */
export const quoteSelector = (operation: OperationKey, selector: string | undefined): string =>
  `${selector ?? 'a function'} of ${operation}`;
