/** Compares a failed unit with its repetition: a failure that the repetition does not confirm is inconclusive. */
import { areOfSeveralAsOfs } from '../rule/data-weeks.ts';
import type { Declarations, FailedJudgement, Reading } from '../rule/index.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { UnitVerdict } from './judge-unit.ts';
import { REPEATED, resultOf } from './request-graph.ts';
import type { RequestSpec } from './request-spec.ts';
import type { UnitExecution } from './unit-execution.ts';

/** An execution of a unit with its judgement. */
export interface Judged<Verdict> {
  readonly execution: UnitExecution;
  readonly judgement: Verdict;
}

interface ConfirmationContext {
  readonly log: ExchangeLog;
  readonly declarations: Declarations;
  /** The readings of a step of an execution. */
  readonly readingsOf: (execution: UnitExecution, name: string) => readonly Reading[];
}

/** The verdict of a failed unit after its repetition. */
export function confirmFailure(
  failed: Judged<FailedJudgement>,
  repeated: Judged<UnitVerdict>,
  context: ConfirmationContext,
): UnitVerdict {
  const { repeat } = repeated.execution.unit.rule;
  const second = repeated.judgement;
  if (second.verdict === 'pass') {
    const because = `${failed.judgement.findings[0]?.actual ?? 'it failed'} at first; the repetition passed`;
    return repeat === 'pass'
      ? { ...second, note: because }
      : { verdict: 'inconclusive', because, doubted: failed.judgement };
  }
  if (second.verdict === 'untested') return { verdict: 'inconclusive', because: second.because };
  if (second.verdict !== 'fail') return second;
  if (isIntermittent(failed.execution, repeated.execution, second, context.log)) {
    const because = `intermittent errors: ${second.findings[0]?.actual}, which the first request did not get`;
    return { verdict: 'inconclusive', because, doubted: second };
  }
  const doubt =
    repeat === 'pass' && areOfSeveralWeeks(repeated.execution, context)
      ? 'the compared responses state different as-of dates'
      : changesBetweenReplicas(repeated.execution) ||
          (repeat === 'pass' && hasChanged(failed.execution, repeated.execution))
        ? 'the responses changed between two equal requests'
        : undefined;
  if (doubt === undefined) return second;
  const because = `${doubt}; the last one: ${second.findings[0]?.expected}: ${second.findings[0]?.actual}`;
  return { verdict: 'inconclusive', because, doubted: second };
}

/** Whether the responses that a relation compares are of different data weeks by their own as-of dates. */
function areOfSeveralWeeks(execution: UnitExecution, { declarations, readingsOf }: ConfirmationContext): boolean {
  if (execution.unit.rule.comparesAsOf) return false;
  const readings = Object.entries(execution.steps).flatMap(([name, { fromAllRules }]) =>
    fromAllRules ? [] : readingsOf(execution, name),
  );
  return areOfSeveralAsOfs(readings, declarations);
}

/** Whether a request that was sent several times in a row got different responses, from replicas with different data. */
const changesBetweenReplicas = ({ nodes }: UnitExecution): boolean =>
  [...nodes.values()].flat().some(({ firstResult, finalResult }) => firstResult?.changed || finalResult?.changed);

/** Whether a request of the repetition got another response than the equal request before. */
function hasChanged(failed: UnitExecution, repeated: UnitExecution): boolean {
  const earlier = digestsOf(failed);
  return [...digestsOf(repeated)].some(([key, digest]) => earlier.has(key) && earlier.get(key) !== digest);
}

/** The digest of each response, keyed by request, because the repetition may send different requests. */
const digestsOf = ({ nodes }: UnitExecution): Map<string, string | undefined> =>
  new Map([...nodes.values()].flat().map((node) => [requestIdOf(node.spec), resultOf(node)?.observation?.digest]));

/** Identifies a request, without its repetition number. */
const requestIdOf = ({ operation, inputs, variant }: RequestSpec): string =>
  JSON.stringify([operation, inputs, variant]);

/** Whether all findings are server errors that the same requests, such as the second of equal ones, did not get the first time. */
function isIntermittent(
  failed: UnitExecution,
  repeated: UnitExecution,
  { findings }: FailedJudgement,
  log: ExchangeLog,
): boolean {
  const statusesOf = ({ nodes }: UnitExecution) =>
    [...nodes.values()].flat().map(({ spec, firstResult }) => {
      const exchange = firstResult?.exchanges[0];
      const request = `${requestIdOf(spec)} ${spec.repetition % REPEATED}`;
      return { request, id: exchange && log.idOf(exchange), status: exchange?.response?.status };
    });
  const withoutError = new Set(
    statusesOf(failed).flatMap(({ request, status = 500 }) => (status < 500 ? [request] : [])),
  );
  const withNewError = new Set(
    statusesOf(repeated).flatMap(({ request, id, status = 0 }) =>
      status >= 500 && withoutError.has(request) ? [id] : [],
    ),
  );
  return findings.every(({ exchange }) => exchange !== undefined && withNewError.has(exchange));
}
