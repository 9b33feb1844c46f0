/** From the ways in which observed answers fill a rule’s steps to one verdict that no conforming service need fear. */
import type { Declarations, Finding, Judgement, Reading, Rule, Step, Steps } from '../../rule/index.ts';
import { judgeUnit, type UnitVerdict } from '../judge-unit.ts';
import type { Unit } from '../types.ts';
import type { ProbeMatch } from './match-probes.ts';
import type { ObservedResponse } from './response-index.ts';

const MOST_FINDINGS = 10;
const NOT_PROVED = 'but what it compares is not proved to be of one data week';

/** An observed answer as a judge sees it. */
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

/** Whether a failure stands in answers that were read whole and hold something: those prove it by themselves. */
function isInContent(findings: readonly Finding[], readings: readonly Reading[]): boolean {
  return findings.every(({ exchange }) => {
    const cited = readings.find((each) => each.exchange === exchange);
    const { observation } = cited ?? {};
    if (!observation || !isOk(cited?.head?.status) || observation.problem) return false;
    return observation.rows > 0 || Object.values(observation.values).some((values) => values.length > 0);
  });
}

/** Whether every answer a failure cites refuses the method: no state of the data, and no overload, is told so. */
const isRefusal = (findings: readonly Finding[], readings: readonly Reading[]): boolean =>
  findings.every(({ exchange }) => readings.find((each) => each.exchange === exchange)?.head?.status === 405);

/** What is judged by itself is judged as far as it goes. */
const asObserved = (step: Step): Step =>
  step.observes && step.wants === 'whole' ? { ...step, wants: 'content' } : step;

/** A step that nothing was observed of stands there empty. */
function asUnseen({ each: _, ...step }: Step): Step {
  return step;
}

interface Failure {
  readonly judged: Extract<Judgement, { verdict: 'fail' }>;
  readonly readings: readonly Reading[];
}

/** Judges a unit by each way in which its steps were filled. */
export function judgeObserved(
  unit: Unit,
  steps: Steps,
  bindings: readonly ProbeMatch[],
  declares: Declarations,
): UnitVerdict {
  const { rule } = unit;
  const failures: Failure[] = [];
  const others: UnitVerdict[] = [];
  let doubted: UnitVerdict | undefined;
  for (const { answers, isOneWeek } of bindings) {
    const bound = Object.fromEntries(
      Object.entries(steps).map(([name, step]) => [name, answers.has(name) ? asObserved(step) : asUnseen(step)]),
    );
    const readings = (name: string) =>
      (answers.get(name) ?? []).map((answer) => readingOf(answer, steps[name] as Step));
    const judged = judgeUnit(unit, bound, readings, declares);
    if (judged.verdict !== 'fail') others.push(judged);
    else if (!isOneWeek && comparesAnswers(rule, bound, answers))
      doubted ??= { verdict: 'untested', because: `${judged.findings[0]?.actual}; ${NOT_PROVED}` };
    else failures.push({ judged, readings: [...answers.keys()].flatMap(readings) });
  }
  return failing(rule, failures) ?? doubted ?? best(others);
}

/**
 * Whether a judgement compares what different answers say of the data. Names drawn from one to ask another are no data,
 * and what a rule looks at once more for broken answers’ sake does not depend on the week.
 */
function comparesAnswers(
  { repeat }: Rule,
  steps: Steps,
  answers: ReadonlyMap<string, readonly ObservedResponse[]>,
): boolean {
  if (repeat !== undefined) return repeat === 'pass';
  return answers.size > 1 && Object.values(steps).every((step) => !step.each);
}

/** The failures as one, unless they were seen too seldom to be held against the service. */
function failing(rule: Rule, failures: readonly Failure[]): UnitVerdict | undefined {
  const [first] = failures;
  if (!first) return undefined;
  if (rule.repeat !== undefined) {
    const proved = failures.filter(
      ({ judged, readings }) => isInContent(judged.findings, readings) || isRefusal(judged.findings, readings),
    );
    if (proved.length > 0) return together(proved);
    const exchanges = new Set(failures.flatMap(({ judged }) => judged.findings.map(({ exchange }) => exchange)));
    const [actual] = first.judged.findings.map((finding) => finding.actual);
    if (exchanges.size < 2) return { verdict: 'untested', because: `${actual}, once only` };
  }
  return together(failures);
}

/** What several failures say, each finding once. */
function together(failures: readonly Failure[]): UnitVerdict {
  const bases = new Set(failures.map(({ judged }) => judged.basis));
  // What gates must not be hidden behind what only advises.
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

/** A pass counts whatever else could not be judged; what could not is untested: nobody can ask again. */
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
