/** Judges a unit by each match of observed responses to its steps, and combines the results without false alarms. */
import type { Declarations, Finding, Judgement, Reading, Rule, Step, Steps } from '../../rule/index.ts';
import { judgeUnit, type UnitVerdict } from '../judge-unit.ts';
import type { Unit } from '../types.ts';
import type { ProbeMatch } from './match-probes.ts';
import type { ObservedResponse } from './response-index.ts';

const MOST_FINDINGS = 10;
const NOT_PROVED = 'but the compared responses are not proved to be of one data week';

/** The reading of an observed response. */
export function readingOf(answer: ObservedResponse, step: Step): Reading {
  const [first] = answer.exchanges;
  const failure = answer.exchanges.find((each) => each.failure)?.failure;
  return {
    exchange: answer.pages[0].id,
    operation: answer.operation,
    inputs: answer.inputs,
    ...(first?.response && { head: first.response }),
    ...(failure && { failure: failure.message }),
    ...(answer.observation && { observation: answer.observation }),
    ...(answer.signature && { signature: answer.signature }),
    ...(answer.schema && { schema: answer.schema }),
    folds: Object.fromEntries(
      Object.entries(step.folds ?? {}).map(([name, fold]) => [name, answer.folds.get(fold.key)]),
    ),
  };
}

const isOk = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;

/** Whether all findings are in responses that were read completely and are not empty: these are proof by themselves. */
function isInContent(findings: readonly Finding[], readings: readonly Reading[]): boolean {
  return findings.every(({ exchange }) => {
    const cited = readings.find((each) => each.exchange === exchange);
    const { observation } = cited ?? {};
    if (!observation || !isOk(cited?.head?.status) || observation.problem) return false;
    return observation.rows > 0 || Object.values(observation.values).some((values) => values.length > 0);
  });
}

/** Whether all findings are 405: neither the data nor overload causes this status. */
const isMethodNotAllowed = (findings: readonly Finding[], readings: readonly Reading[]): boolean =>
  findings.every(({ exchange }) => readings.find((each) => each.exchange === exchange)?.head?.status === 405);

/** A step that is judged by itself may use an incomplete list. */
const asObserved = (step: Step): Step =>
  step.alsoMatches && step.accepts === 'complete' ? { ...step, accepts: 'content' } : step;

/** A step without observed responses has no readings. */
function asUnobserved({ each: _, ...step }: Step): Step {
  return step;
}

interface Failure {
  readonly judged: Extract<Judgement, { verdict: 'fail' }>;
  readonly readings: readonly Reading[];
}

/** Judges a unit by each match of its steps. */
export function judgeObserved(
  unit: Unit,
  steps: Steps,
  matches: readonly ProbeMatch[],
  declarations: Declarations,
): UnitVerdict {
  const { rule } = unit;
  const failures: Failure[] = [];
  const others: UnitVerdict[] = [];
  let unproven: UnitVerdict | undefined;
  for (const { answers, isOneWeek } of matches) {
    const bound = Object.fromEntries(
      Object.entries(steps).map(([name, step]) => [name, answers.has(name) ? asObserved(step) : asUnobserved(step)]),
    );
    const readings = (name: string) =>
      (answers.get(name) ?? []).map((answer) => readingOf(answer, steps[name] as Step));
    const judged = judgeUnit(unit, bound, readings, declarations);
    if (judged.verdict !== 'fail') others.push(judged);
    else if (!isOneWeek && comparesAnswers(rule, bound, answers))
      unproven ??= { verdict: 'untested', because: `${judged.findings[0]?.actual}; ${NOT_PROVED}` };
    else failures.push({ judged, readings: [...answers.keys()].flatMap(readings) });
  }
  return failing(rule, failures) ?? unproven ?? best(others);
}

/**
 * Whether a rule compares the data of several responses. Values that are drawn from one to request another are not
 * compared, and server errors do not depend on the data week.
 */
function comparesAnswers(
  { repeat }: Rule,
  steps: Steps,
  answers: ReadonlyMap<string, readonly ObservedResponse[]>,
): boolean {
  if (repeat !== undefined) return repeat === 'pass';
  return answers.size > 1 && Object.values(steps).every((step) => !step.each);
}

/** Combines the failures; untested if a server error was observed only once. */
function failing(rule: Rule, failures: readonly Failure[]): UnitVerdict | undefined {
  const [first] = failures;
  if (!first) return undefined;
  if (rule.repeat !== undefined) {
    const proven = failures.filter(
      ({ judged, readings }) => isInContent(judged.findings, readings) || isMethodNotAllowed(judged.findings, readings),
    );
    if (proven.length > 0) return merged(proven);
    const exchanges = new Set(failures.flatMap(({ judged }) => judged.findings.map(({ exchange }) => exchange)));
    const [actual] = first.judged.findings.map((finding) => finding.actual);
    if (exchanges.size < 2) return { verdict: 'untested', because: `${actual}, but only once` };
  }
  return merged(failures);
}

/** Merges failures, with each finding once. */
function merged(failures: readonly Failure[]): UnitVerdict {
  const bases = new Set(failures.map(({ judged }) => judged.basis));
  // An advisory failure must not hide a gating one.
  const strongest = bases.has(undefined)
    ? undefined
    : ([...bases].find((basis) => basis !== 'plausible') ?? 'plausible');
  const of = failures.filter(({ judged }) => judged.basis === strongest);
  const findings = new Map(
    of.flatMap(({ judged }) => judged.findings.map((finding) => [JSON.stringify(finding), finding])),
  );
  return {
    verdict: 'fail',
    findings: [...findings.values()].slice(0, MOST_FINDINGS),
    ...(strongest && { basis: strongest }),
  };
}

/** A pass takes precedence over undecided judgements. These are untested, since no request can be repeated. */
function best(judged: readonly UnitVerdict[]): UnitVerdict {
  const own = judged.find(({ verdict }) => verdict === 'error');
  if (own) return own;
  const passes = judged.filter((each) => each.verdict === 'pass');
  const [pass] = passes;
  if (pass) {
    const most = (of: 'exchanges' | 'rows' | 'distinct') =>
      Math.max(...passes.map(({ evidence }) => evidence[of] ?? 0));
    return { ...pass, evidence: { exchanges: most('exchanges'), rows: most('rows'), distinct: most('distinct') } };
  }
  const [first] = judged;
  if (!first || first.verdict === 'fail' || first.verdict === 'pass')
    return { verdict: 'untested', because: 'nothing was observed' };
  return first.verdict === 'inconclusive' ? { ...first, verdict: 'untested' } : first;
}
