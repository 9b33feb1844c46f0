/** The execution of a unit: its steps, the requests that they have so far, and the progress of its polls. */
import type { Poll, Reading, Step, Steps } from '../rule/index.ts';
import { sourceNames } from '../rule/index.ts';
import type { GraphNode, RequestGraph } from './request-graph.ts';
import type { Unit } from './types.ts';

export interface UnitExecution {
  readonly unit: Unit;
  readonly steps: Steps;
  /** Whether the unit failed before, and is executed a second time to confirm that. */
  readonly isRepeated: boolean;
  /** The steps that wait for the responses of other steps. */
  readonly waiting: Map<string, Step>;
  /** By step that does not wait: its requests. */
  readonly nodes: Map<string, GraphNode[]>;
  /** By step with a `poll`: its progress. */
  readonly polls: Map<string, PollProgress>;
}

/** How long a poll paused so far, and the rest of the pause before its next request, in ms. */
export interface PollProgress {
  readonly waitedMs: number;
  readonly remainingMs: number;
}

/** An execution without requests. */
export const newExecution = (planned: Pick<UnitExecution, 'unit' | 'steps' | 'isRepeated'>): UnitExecution => ({
  ...planned,
  waiting: new Map(Object.entries(planned.steps)),
  nodes: new Map(),
  polls: new Map(),
});

/** The names of the steps whose responses a step needs before its first request. */
export const stepsBefore = ({ each, after = [] }: Step): readonly string[] => [
  ...(each ? sourceNames(each) : []),
  ...after,
];

/** Whether a poll reached its limit. */
export const isExhausted = (progress: PollProgress | undefined, { limitMs }: Poll): boolean =>
  (progress?.waitedMs ?? 0) >= limitMs;

/** The readings of a step of an execution, in the order of its requests; empty if there is no such step. */
export function stepReadings(graph: RequestGraph, { steps, nodes, polls }: UnitExecution, name: string): Reading[] {
  const step = steps[name];
  if (!step) return [];
  const readings = graph.readings(step, nodes.get(name));
  if (!step.poll || !isExhausted(polls.get(name), step.poll)) return readings;
  return readings.map((each, at) => (at === readings.length - 1 ? { ...each, exhausted: true as const } : each));
}
