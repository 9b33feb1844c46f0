/** Judges a unit by each match of observed responses to its steps, and combines the results without false alarms. */
import { firstHeader } from '../../exchange/headers.ts';
import type { BindingValues } from '../../rule/binding-doubts.ts';
import {
  type Declarations,
  type Finding,
  firstOfEachKind,
  type Judgement,
  type Reading,
  type Rule,
  type Step,
  type Steps,
} from '../../rule/index.ts';
import { judgeUnit, type UnitVerdict } from '../../run/judge-unit.ts';
import type { Unit } from '../../run/types.ts';
import type { ProbeMatch } from './match-probes.ts';
import type { ObservedResponse } from './response-index.ts';

const WEEK_NOT_PROVED = 'but the compared responses are not proved to be of one data week';

/** The reading of an observed response. */
export function readingOf(response: ObservedResponse, step: Step): Reading {
  const [first] = response.exchanges;
  const acceptEncoding = firstHeader(first?.request.headers ?? [], 'accept-encoding');
  const failure = response.exchanges.find((each) => each.failure)?.failure;
  return {
    exchange: response.pages[0].id,
    operation: response.operation,
    inputs: response.inputs,
    ...(response.sentCodes && { sentCodes: response.sentCodes }),
    ...(acceptEncoding !== undefined && { acceptEncoding }),
    ...(first?.response && { head: first.response }),
    ...(failure && { failure: failure.message }),
    ...(response.observation && { observation: response.observation }),
    ...(response.signature && { signature: response.signature }),
    ...(response.schema && { schema: response.schema }),
    folds: Object.fromEntries(
      Object.entries(step.folds ?? {}).map(([name, fold]) => [name, response.folds.get(fold.key)]),
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
  values: BindingValues,
): UnitVerdict {
  const { rule } = unit;
  const failures: Failure[] = [];
  const others: UnitVerdict[] = [];
  let unproven: UnitVerdict | undefined;
  for (const { responses, isSameDataWeek } of matches) {
    const matchedSteps = Object.fromEntries(
      Object.entries(steps).map(([name, step]) => [name, responses.has(name) ? asObserved(step) : asUnobserved(step)]),
    );
    const readings = (name: string) =>
      (responses.get(name) ?? []).map((response) => readingOf(response, steps[name] as Step));
    const judged = judgeUnit(unit, matchedSteps, readings, declarations, values);
    if (judged.verdict !== 'fail') others.push(judged);
    else if (!isSameDataWeek && comparesResponses(rule, matchedSteps, responses))
      unproven ??= { verdict: 'untested', because: `${judged.findings[0]?.actual}; ${WEEK_NOT_PROVED}` };
    else failures.push({ judged, readings: [...responses.keys()].flatMap(readings) });
  }
  return combineFailures(rule, failures) ?? unproven ?? bestOf(others);
}

/**
 * Whether a rule compares the data of several responses. Values of one that are used to request another are not
 * compared, and server errors do not depend on the data week.
 */
function comparesResponses(
  { repeat }: Rule,
  steps: Steps,
  responses: ReadonlyMap<string, readonly ObservedResponse[]>,
): boolean {
  if (repeat !== undefined) return repeat === 'pass';
  return responses.size > 1 && Object.values(steps).every((step) => !step.each);
}

/** Combines the failures; untested if a server error was observed only once. */
function combineFailures(rule: Rule, failures: readonly Failure[]): UnitVerdict | undefined {
  const [first] = failures;
  if (!first) return undefined;
  if (rule.repeat !== undefined) {
    const proven = failures.filter(
      ({ judged, readings }) => isInContent(judged.findings, readings) || isMethodNotAllowed(judged.findings, readings),
    );
    if (proven.length > 0) return mergeFailures(proven);
    const exchanges = new Set(failures.flatMap(({ judged }) => judged.findings.map(({ exchange }) => exchange)));
    const [actual] = first.judged.findings.map((finding) => finding.actual);
    if (exchanges.size < 2) return { verdict: 'untested', because: `${actual}, but only once` };
  }
  return mergeFailures(failures);
}

/** Merges failures, with each finding once. */
function mergeFailures(failures: readonly Failure[]): UnitVerdict {
  const bases = new Set(failures.map(({ judged }) => judged.basis));
  // An advisory failure must not hide a gating one; gating ones of different bases are all shown.
  const strongest = bases.has(undefined)
    ? undefined
    : ([...bases].find((basis) => basis !== 'plausible') ?? 'plausible');
  const strongestFailures = failures.filter(({ judged }) => judged.basis === strongest || judged.basis !== 'plausible');
  const findings = new Map(
    strongestFailures.flatMap(({ judged }) => judged.findings.map((finding) => [JSON.stringify(finding), finding])),
  );
  return {
    verdict: 'fail',
    findings: firstOfEachKind([...findings.values()]),
    ...(strongest && { basis: strongest }),
  };
}

/** A pass takes precedence over undecided judgements. These are untested, since no request can be repeated. */
function bestOf(judged: readonly UnitVerdict[]): UnitVerdict {
  const suiteError = judged.find(({ verdict }) => verdict === 'error');
  if (suiteError) return suiteError;
  const passes = judged.filter((each) => each.verdict === 'pass');
  const [pass] = passes;
  if (pass) {
    const max = (count: 'exchanges' | 'rows' | 'distinct') =>
      Math.max(...passes.map(({ evidence }) => evidence[count] ?? 0));
    return { ...pass, evidence: { exchanges: max('exchanges'), rows: max('rows'), distinct: max('distinct') } };
  }
  const [first] = judged;
  if (!first || first.verdict === 'fail' || first.verdict === 'pass')
    return { verdict: 'untested', because: 'nothing was observed' };
  return first.verdict === 'inconclusive' ? { ...first, verdict: 'untested' } : first;
}
