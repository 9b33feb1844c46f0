/** Combines the candidate responses of the steps of a probe. */
import type { Step } from '../../rule/index.ts';
import type { ObservedResponse } from './response-index.ts';

/** The steps of a probe that send the same request, in the order of their repetition numbers. */
export type StepGroup = readonly (readonly [name: string, step: Step])[];

/** The responses of a group: one per repetition. */
export type ResponseSequence = readonly ObservedResponse[];

/** The maximum number of sequences of another group that are tried for one sequence, the nearest in time first. */
const MAX_NEAREST = 12;

/** The distinct repetition numbers of a group. */
export const repetitionsOf = (group: StepGroup): number[] => [
  ...new Set(group.map(([, { repetition = 0 }]) => repetition)),
];

/** The number of equal requests that must be observed; of optional ones, two are enough to compare them. */
export const neededOf = (group: StepGroup): number =>
  isOptionalGroup(group)
    ? Math.min(2, repetitionsOf(group).length)
    : repetitionsOf(group.filter(([, step]) => !step.optional)).length;

export const isOptionalGroup = (group: StepGroup): boolean => group.every(([, step]) => step.optional);

/** Groups the steps that send the same request. */
export function groupSteps(steps: StepGroup): StepGroup[] {
  const groups = Map.groupBy(steps, ([, { operation, inputs, variant, when }]) =>
    // A step with a condition is a later request, which may be absent.
    JSON.stringify([operation, inputs ?? {}, { ...variant, acceptEncoding: undefined }, when !== undefined]),
  );
  return [...groups.values()].map((group) =>
    group.toSorted(([, x], [, y]) => (x.repetition ?? 0) - (y.repetition ?? 0)),
  );
}

/** The possible sequences of a group: consecutive responses to the same request of the same client. */
export function sequencesOf(group: StepGroup, responses: readonly ObservedResponse[]): readonly ResponseSequence[] {
  const count = repetitionsOf(group).length;
  if (count === 1) return responses.map((response) => [response]);
  const needed = neededOf(group);
  const byRequest = Map.groupBy(responses, ({ pages: [first], inputs }) =>
    JSON.stringify([first.client, first.key, inputs]),
  );
  return [...byRequest.values()].flatMap((equal) => {
    const inOrder = equal.toSorted((x, y) => x.pages[0].order - y.pages[0].order);
    const length = Math.min(count, Math.max(needed, inOrder.length));
    return inOrder.slice(length - 1).map((_, at) => inOrder.slice(at, at + length));
  });
}

/** The responses of a sequence, by the name of their step. */
const byStep = (group: StepGroup, sequence: ResponseSequence): [string, ObservedResponse[]][] =>
  group.flatMap(([name, { repetition = 0 }]): [string, ObservedResponse[]][] => {
    const response = sequence[repetitionsOf(group).indexOf(repetition)];
    return response ? [[name, [response]]] : [];
  });

/** Whether the responses of steps with `after` follow those of the steps before. */
const isInOrder = (steps: StepGroup, responses: ReadonlyMap<string, readonly ObservedResponse[]>): boolean =>
  steps.every(([name, { after = [] }]) => {
    const page = responses.get(name)?.[0]?.pages[0];
    return after.every((before) => {
      const earlier = responses.get(before)?.[0]?.pages[0];
      return (
        !page || !earlier || (page.order > earlier.order && (page.startedAt !== undefined || page.key === earlier.key))
      );
    });
  });

/**
 * Combines the sequences of all groups so that each sequence occurs at least once, with the nearest ones of the other groups.
 *
 * @param sequences the sequences of each group, in the order of `groups`
 * @param areOfSameDataWeek prefers sequences that are proved to be of the same data week
 * @returns the responses of each combination, by the name of their step
 */
export function* combineSequences(
  groups: readonly StepGroup[],
  sequences: readonly (readonly ResponseSequence[])[],
  areOfSameDataWeek: (...responses: readonly ObservedResponse[]) => boolean,
): Generator<Map<string, readonly ObservedResponse[]>> {
  if (groups.length === 0) yield new Map();
  for (const [at, ofGroup] of sequences.entries()) {
    for (const first of ofGroup) {
      const chosen = new Map<number, ResponseSequence>([[at, first]]);
      let isComplete = true;
      for (const [other, candidates] of sequences.entries()) {
        if (other === at || !isComplete) continue;
        const nearest = nearestTo(first, candidates, (each) =>
          areOfSameDataWeek(...[...chosen.values()].flat(), ...each),
        );
        if (nearest) chosen.set(other, nearest);
        else isComplete = isOptionalGroup(groups[other] as StepGroup);
      }
      if (!isComplete) continue;
      // Also without the other groups if they are optional: the judgement is then independent of their time.
      if (groups.every((group, index) => index === at || isOptionalGroup(group)))
        yield new Map(byStep(groups[at] as StepGroup, first));
      const combined = new Map(
        [...chosen].flatMap(([index, sequence]) => byStep(groups[index] as StepGroup, sequence)),
      );
      // A later request that depends on a condition may be absent.
      for (const step of groups.flat()) if (step[1].when && !isInOrder([step], combined)) combined.delete(step[0]);
      if (isInOrder(groups.flat(), combined)) yield combined;
    }
  }
}

/** The sequence of the same client that is nearest in time; among the nearest, one that is preferred. */
function nearestTo(
  [first]: ResponseSequence,
  candidates: readonly ResponseSequence[],
  isPreferred: (candidate: ResponseSequence) => boolean,
): ResponseSequence | undefined {
  const [page] = (first as ObservedResponse).pages;
  const nearest = candidates
    .filter(([candidate]) => candidate?.pages[0].client === page.client)
    .map((candidate) => ({
      candidate,
      distance: Math.abs((candidate[0] as ObservedResponse).pages[0].order - page.order),
    }))
    .sort((x, y) => x.distance - y.distance)
    .slice(0, MAX_NEAREST)
    .map(({ candidate }) => candidate);
  return nearest.find(isPreferred) ?? nearest[0];
}
