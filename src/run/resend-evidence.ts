/**
 * Sends the requests that repeated failures rest on once more. A repetition reads the lists long before the responses that it
 * compares with them, so that reloads can give it the same wrong picture twice; and a server error can occur twice by chance.
 */
import { operationOf } from '../contract/index.ts';
import type { FailedJudgement, Step } from '../rule/index.ts';
import type { Judged } from './confirm-failure.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { UnitVerdict } from './judge-unit.ts';
import { type GraphNode, resultOf } from './request-graph.ts';
import type { FetchResult } from './request-spec.ts';
import type { Unit } from './types.ts';

/** How often a request that got a server error twice is sent again, spaced by pauses and by another request. */
const ERROR_CHECKS = 4;

export interface ResendContext {
  readonly log: ExchangeLog;
  /** Sends the request of a step with inputs; `repetition` numbers equal requests. */
  readonly send: (step: Step, inputs: GraphNode['spec']['inputs']) => Promise<GraphNode>;
  readonly pause: () => Promise<unknown>;
}

/** A request of a step of a failed unit. */
interface StepRequest {
  readonly step: Step;
  readonly node: GraphNode;
}

const statusOf = (result: FetchResult | undefined): number | undefined => result?.exchanges[0]?.response?.status;

const exchangeIdsOf = ({ firstResult, finalResult }: GraphNode, log: ExchangeLog): (string | undefined)[] =>
  [...(firstResult?.exchanges ?? []), ...(finalResult?.exchanges ?? [])].map((each) => log.idOf(each));

const requestsOf = ({ execution }: Judged<unknown>): StepRequest[] =>
  [...execution.nodes].flatMap(([name, nodes]) => nodes.map((node) => ({ step: execution.steps[name] as Step, node })));

/** Whether a request changes nothing. A server error may have changed something and is sent again nevertheless. */
const isRead = ({ step }: StepRequest): boolean => operationOf(step.operation).safety === 'read';

/**
 * The verdicts of repeated failures after their requests were sent again. Server errors that do not return each time are no
 * proof; a relation is not decided if its responses change now.
 */
export async function resendEvidence(
  failures: readonly Judged<FailedJudgement>[],
  context: ResendContext,
): Promise<Map<Unit, UnitVerdict>> {
  const transient = await transientErrors(failures, context);
  const verdicts = new Map<Unit, UnitVerdict>();
  for (const failure of failures) verdicts.set(failure.execution.unit, await verdictOf(failure, transient, context));
  return verdicts;
}

async function verdictOf(
  failure: Judged<FailedJudgement>,
  transient: ReadonlySet<string | undefined>,
  context: ResendContext,
): Promise<UnitVerdict> {
  const { execution, judgement } = failure;
  const [first] = judgement.findings;
  const findings = judgement.findings.filter(({ exchange }) => !transient.has(exchange));
  if (findings.length === 0)
    return {
      verdict: 'inconclusive',
      because: `intermittent errors: ${first?.actual}, but not each time`,
      doubted: judgement,
    };
  const isRelation = execution.unit.rule.repeat === 'pass';
  if (isRelation && (await changesNow(failure, context))) {
    const because = `the responses changed between equal requests; the last one: ${first?.expected}: ${first?.actual}`;
    return { verdict: 'inconclusive', because, doubted: judgement };
  }
  return { ...judgement, findings };
}

/** The exchanges of failures with a server error that an equal request does not get, of several in a row. */
async function transientErrors(
  failures: readonly Judged<FailedJudgement>[],
  { log, send, pause }: ResendContext,
): Promise<Set<string | undefined>> {
  const suspects = new Map<GraphNode, StepRequest & { readonly id: string; readonly other: StepRequest | undefined }>();
  for (const failure of failures) {
    const requests = requestsOf(failure);
    const isError = ({ node }: StepRequest) => (statusOf(resultOf(node)) ?? 0) >= 500;
    const other = requests.find((each) => isRead(each) && !isError(each));
    for (const { exchange: id } of failure.judgement.findings) {
      const cited = requests.find((each) => isError(each) && exchangeIdsOf(each.node, log).includes(id));
      if (cited && id !== undefined) suspects.set(cited.node, { ...cited, id, other });
    }
  }
  const transient = new Set<string | undefined>();
  for (let check = 0; check < ERROR_CHECKS && suspects.size > 0; check++) {
    await pause();
    for (const [node, { step, id, other }] of suspects) {
      const again = statusOf(resultOf(await send(step, node.spec.inputs)));
      if (again !== undefined && again < 500 && again !== 429) {
        transient.add(id);
        suspects.delete(node);
      }
      if (other) await send(other.step, other.node.spec.inputs);
    }
  }
  return transient;
}

/** Whether one of the responses that a relation compares changes when its lists and then the cited requests are sent again. */
async function changesNow(failure: Judged<FailedJudgement>, { log, send }: ResendContext): Promise<boolean> {
  const cited = new Set(failure.judgement.findings.map(({ exchange }) => exchange));
  // The response about a job changes as the job proceeds.
  const requests = requestsOf(failure).filter((each) => isRead(each) && operationOf(each.step.operation).group !== 'A');
  const lists = requests.filter(({ step }) => !step.each);
  const drawn = requests.filter(({ step }) => step.each);
  const citedDrawn = drawn.filter(({ node }) => exchangeIdsOf(node, log).some((id) => cited.has(id)));
  for (const { step, node } of [...lists, ...(citedDrawn.length > 0 ? citedDrawn : drawn)]) {
    const [earlier, now] = [resultOf(node), resultOf(await send(step, node.spec.inputs))];
    const status = statusOf(now) ?? 500;
    if (status >= 500 || status === 429) continue;
    if (statusOf(earlier) !== status || earlier?.observation?.digest !== now?.observation?.digest) return true;
  }
  return false;
}
