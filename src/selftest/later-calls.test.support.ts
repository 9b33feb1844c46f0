/** What a run sees of an operation that responds worse from a call on, or in a rhythm. */
import { LATER_CHANGES, type LaterCalls, type LaterChange, laterCall } from '../../simulator/faults/later-calls.ts';
import { judgeSimulation } from '../../suites/judge-in-process.test.support.ts';
import { DEFAULT_SAMPLING, type Depth, listOperations, type Operation } from '../contract/index.ts';
import { BASES } from '../rule/index.ts';
import type { Run } from '../run/types.ts';

export interface LaterCallCase {
  readonly dialect: string;
  readonly operation: Operation;
  readonly change: LaterChange;
  readonly calls: LaterCalls;
  readonly depth?: Depth;
}

export interface SeenLaterCall {
  readonly seen: 'caught' | 'inconclusive' | 'advisory' | 'unseen';
  /** The rules that saw it. */
  readonly by: readonly string[];
  /** The first finding or reason. */
  readonly says: string;
}

type Result = Run['results'][number];

async function judge({ dialect, operation, depth = 'standard' }: LaterCallCase, fault?: string): Promise<Run> {
  const selection = { safety: 'all', groups: [operation.group], sampling: { ...DEFAULT_SAMPLING, depth } } as const;
  return judgeSimulation({ dialect, products: 60, ...(fault && { fault }) }, { selection, strict: true });
}

/** The runs without a fault, by dialect, group and depth. */
const usualRuns = new Map<string, Promise<Run>>();

/** Judges the group of an operation with the fault, and returns the verdicts that differ from those without it. */
export async function seenOf(tried: LaterCallCase): Promise<SeenLaterCall> {
  const { dialect, operation, change, calls, depth } = tried;
  const key = JSON.stringify([dialect, operation.group, depth]);
  const usual = usualRuns.get(key) ?? judge(tried);
  usualRuns.set(key, usual);
  const verdicts = new Map((await usual).results.map((each) => [`${each.rule} ${each.operation}`, each.verdict]));
  const { results } = await judge(tried, laterCall(operation.name, change, calls).name);
  const changed = results.filter((each) => verdicts.get(`${each.rule} ${each.operation}`) !== each.verdict);
  const isGating = ({ basis }: Result) => BASES[basis].gating;
  const kinds: [SeenLaterCall['seen'], Result[]][] = [
    ['caught', changed.filter((each) => each.verdict === 'fail' && isGating(each))],
    ['inconclusive', changed.filter((each) => each.verdict === 'inconclusive' && isGating(each))],
    ['advisory', changed.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive')],
    ['unseen', changed.filter(({ verdict }) => verdict === 'untested')],
  ];
  const [seen, by] = kinds.find(([, found]) => found.length > 0) ?? ['unseen', []];
  const [first] = by;
  return { seen, by: [...new Set(by.map(({ rule }) => rule))], says: first?.findings[0]?.actual ?? first?.note ?? '' };
}

/** Whether a change can show in the responses of an operation. */
function applies(change: LaterChange, { key, name, safety, inputs, fields }: Operation): boolean {
  if (change === 'lacks-one') return listOperations().includes(key) || name === 'products' || safety === 'unclear';
  return change !== 'is-as-before' || inputs.length > 0 || fields.includes('jobId');
}

/** The changes that can show in the responses of an operation. */
export const changesOf = (operation: Operation): LaterChange[] =>
  (Object.keys(LATER_CHANGES) as LaterChange[]).filter((change) => applies(change, operation));
