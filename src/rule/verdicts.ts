/** Constructors of judgements, and judgements of common folds. */
import type { Field, OperationKey } from '../contract/index.ts';
import { sentStatus } from '../exchange/types.ts';
import type { Declarations } from './declarations.ts';
import { firstOfEachKind } from './finding-kinds.ts';
import { type BreachAt, type Breaches, type Repeats, type Tally, tally } from './fold.ts';
import { isBlocking } from './served.ts';
import type { Basis, Evidence, Finding, JudgeContext, Judgement, Reading } from './types.ts';

export const passed = (evidence: Partial<Evidence>, note?: string): Judgement => ({
  verdict: 'pass',
  evidence,
  ...(note && { note }),
});
/** A failure with its first findings, at least one of each kind; `basis` if it differs from that of the rule. */
export const failed = (findings: readonly Finding[], basis?: Basis): Judgement => ({
  verdict: 'fail',
  findings: firstOfEachKind(findings),
  ...(basis && { basis }),
});
export const inconclusive = (because: string): Judgement => ({ verdict: 'inconclusive', because });
export const untested = (because: string): Judgement => ({ verdict: 'untested', because });
/** The profile states nothing about any response that was received. */
export const notApplicable = (because: string): Judgement => ({ verdict: 'not-applicable', because });

/** Whether a response has a 2xx status and is no refusal. */
export const isOk = (reading: Reading): boolean =>
  reading.head !== undefined && reading.head.status >= 200 && reading.head.status < 300;

/** Whether a response has a 2xx status and a body without a problem. */
export const isReadable = (reading: Reading): boolean => isOk(reading) && !reading.observation?.problem;

/** Whether a list was read to its end. */
export const isWhole = (reading: Reading): boolean => isReadable(reading) && reading.observation?.complete === true;

/** One finding for each row, all in one exchange. */
export const findingsAt = (
  { exchange }: Pick<Reading, 'exchange'>,
  expected: string,
  breaches: readonly BreachAt[],
  more: Pick<Finding, 'since'> = {},
): Finding[] =>
  breaches.map(({ kind, message, index }) => ({ kind, expected, actual: message, exchange, row: index, ...more }));

/** A failure on basis `profile`: its selector may be wrong. */
export const failedByProfile = (reading: Reading, kind: string, expected: string, actual: string): Judgement =>
  failed([{ kind, expected, actual, exchange: reading.exchange }], 'profile');

/** The evidence of several readings: the sum of their rows. */
export function evidenceOf(readings: readonly Reading[], distinct = 0): Evidence {
  return {
    exchanges: readings.length,
    rows: readings.reduce((sum, reading) => sum + (reading.observation?.rows ?? 0), 0),
    distinct,
  };
}

/** What every row must contain in a field, for `judgeTally`. */
export interface FieldDemand {
  readonly field: Field;
  /** What each row must contain, for the finding. */
  readonly expected: string;
  /** The profile names a converter for the field, so that a value it does not accept is a failure. */
  readonly declared: boolean;
  /** The selector of the profile, quoted where it may be wrong. */
  readonly selector: string;
  readonly nullable: boolean;
}

/** The demand that the response of the judged operation contains a field, with what the profile declares about the field. */
export const fieldDemand = (
  { subject, declarations }: JudgeContext,
  field: Field,
  expected: string,
  { nullable }: { readonly nullable: boolean } = { nullable: false },
): FieldDemand => ({
  field,
  expected,
  declared: declarations.converter(subject, field) !== undefined,
  selector: quoteSelector(subject, declarations.selector(subject, field)),
  nullable,
});

/** The tally of a field that the profile reads once per response instead of per row; undefined for any other. */
export function tallyOnce(reading: Reading, field: Field): Tally | undefined {
  const values = reading.observation?.values[field];
  if (!values) return undefined;
  const running = tally(field).start(reading.inputs);
  (values.length === 0 ? [undefined] : values).forEach((value, at) => {
    running.row({ [field]: value }, at);
  });
  return running.done();
}

/**
 * Judges a value that every row must contain. Missing in some rows: fail. Missing in all rows: fail on basis `profile`,
 * with its selector, which may be wrong. No value convertible, and no converter declared: inconclusive, since the document
 * does not define the format.
 */
export function judgeTally(reading: Reading, perRow: Tally, demand: FieldDemand): Judgement {
  const found = perRow.rows === 0 ? perRow : (tallyOnce(reading, demand.field) ?? perRow);
  if (found.rows === 0) return untested('the list has no rows');
  const gaps = demand.nullable ? 0 : found.nulls + found.missing;
  if (found.unconverted > 0 && !demand.declared && found.values === 0) {
    const first = found.firstUnconverted[0]?.message ?? '';
    return inconclusive(`no value at ${demand.selector} could be converted (${first}): set its converter with \`as\``);
  }
  if (gaps > 0 && gaps === found.rows) {
    return failed(
      findingsAt(
        reading,
        `${demand.expected} (the profile reads it at ${demand.selector})`,
        firstOfEachKind(found.firstGaps, 1),
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
    return untested(`every value at ${demand.selector} is null or absent, which the profile allows`);
  return passed({ exchanges: 1, rows: found.rows, distinct: found.distinct });
}

/** Combines judgements of one rule and subject: fail takes precedence over inconclusive, and inconclusive over pass. */
export function combine(judgements: readonly Judgement[]): Judgement {
  const fails = judgements.filter((each) => each.verdict === 'fail');
  if (fails.length > 0) {
    const [first] = fails;
    const basis = fails.every((each) => each.basis === first?.basis) ? first?.basis : undefined;
    return failed(
      fails.flatMap((each) => each.findings),
      basis,
    );
  }
  const blocking = judgements.find((each) => each.verdict === 'inconclusive');
  if (blocking) return blocking;
  const passes = judgements.filter((each) => each.verdict === 'pass');
  if (passes.length === 0) return judgements[0] ?? untested('nothing to judge');
  const sum = (of: 'exchanges' | 'rows' | 'distinct') =>
    passes.reduce((total, each) => total + (each.evidence[of] ?? 0), 0);
  const coverage = passes.flatMap((each) => each.evidence.coverage ?? []);
  return passed({
    exchanges: sum('exchanges'),
    rows: sum('rows'),
    distinct: sum('distinct'),
    ...(coverage.length > 0 && { coverage }),
  });
}

/** The kind of a finding that a status shows, e.g. `status-404`. */
export function kindOfStatus({ head }: Reading): string {
  if (!head) return 'no-response';
  return head.refusal ? 'refused' : `status-${head.status}`;
}

/**
 * Whether a response has one of the statuses that the profile states, on the wire or as its refusal; undefined if it is a
 * refusal without a stated status, so that this is not known.
 */
export function hasStatus({ head }: Reading, stated: readonly number[]): boolean | undefined {
  if (!head) return false;
  if (stated.includes(sentStatus(head))) return true;
  if (head.refusal && !head.refusal.isStated) return undefined;
  return stated.includes(head.status);
}

/** The meanings of statuses that a profile may state of requests that a service refuses. */
type Refused = 'unknown' | 'malformed' | 'missing';

/** Whether a response has a status that the profile states, or another one that contradicts it; overloads and denials show nothing. */
export function statusResult(reading: Reading, meaning: Refused, { statuses }: Declarations) {
  const stated = statuses(reading.operation);
  const isStated = hasStatus(reading, stated[meaning] ?? []);
  if (isStated === true) return 'stated';
  const status = reading.head?.status ?? 0;
  if (isStated === undefined || status === 0 || isBlocking(status, stated)) return 'nothing';
  return isOk(reading) || status >= 400 ? 'wrong' : 'nothing';
}

/** The finding about a response without the stated status. `accepted` is the kind of a 2xx. */
export const otherStatus = (
  reading: Reading,
  meaning: Refused,
  { about, accepted, actual = describeResponse(reading) }: { about: string; accepted: string; actual?: string },
  { statuses }: Declarations,
): Finding => ({
  kind: isOk(reading) ? accepted : kindOfStatus(reading),
  expected: `status ${(statuses(reading.operation)[meaning] ?? []).join(' or ')} for ${about}, as the profile states in statuses.${meaning} of ${reading.operation}`,
  actual,
  exchange: reading.exchange,
});

/** Describes a response in a finding: `status 404 (text/html)`, `no response: …`. */
export function describeResponse(reading: Reading): string {
  if (!reading.head) return `no response: ${reading.failure ?? 'no request was sent'}`;
  const type = reading.head.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const { refusal } = reading.head;
  const refused = refusal ? `, a refusal: ${refusal.because}` : '';
  return `status ${sentStatus(reading.head)}${type ? ` (${type})` : ''}${refused}`;
}

/** The text of a selector of an operation in a finding. */
export const quoteSelector = (operation: OperationKey, selector: string | undefined): string =>
  `${selector ?? 'a function'} of ${operation}`;

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

/**
 * Decides comparisons by a ladder, of which the first rung that holds decides: a finding fails; a doubt is inconclusive; where
 * nothing was compared, the rule says what that means; otherwise the demand is proved, and what was compared is the evidence.
 * @example decide({ of: [bulk], compared: rows, findings }, { nothing: 'the list has no rows' })
 */
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

/** Judges `everyRow` folds of readings: any breach fails; no checked row is untested. */
export const judgeRowFailures = <R extends Reading>(
  readings: readonly R[],
  breachesOf: (reading: R) => Breaches,
  expected: string,
  more: (reading: R) => Pick<Finding, 'since'> = () => ({}),
): Judgement =>
  decide(
    readings.map((reading) => ({
      of: [reading],
      compared: breachesOf(reading).checked,
      findings: findingsAt(reading, expected, breachesOf(reading).first, more(reading)),
    })),
    { nothing: 'no row contains the values that this rule compares', counted: 'rows' },
  );

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
