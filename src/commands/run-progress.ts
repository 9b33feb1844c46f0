/** The progress of a run by groups of operations, with the maximum number of requests that the plan shows. */
import { GROUPS, type Group, isOperationKey, type OperationKey, operationOf } from '../contract/index.ts';
import type { Profile } from '../profile/schema.ts';
import type { Rule } from '../rule/index.ts';
import type { KnownRequests } from '../run/request-spec.ts';
import type { Selection } from '../run/types.ts';
import { isInteractive, type Progress, type ProgressGroup, startProgress } from '../terminal/progress.ts';
import { maxRequestsOf } from './with-limits.ts';

interface PlannedRun {
  readonly rules: readonly Rule[];
  readonly selection: Selection;
  readonly profile: Profile;
  readonly base: string;
}

/** The groups to which a run sends requests. */
export interface RunGroups {
  readonly groups: readonly ProgressGroup[];
  /** Replaces the bounds of the plan by the requests that are known; an operation keeps its bound while lists are missing. */
  readonly learn: (known: KnownRequests) => void;
}

/** A greater maximum of an operation says nothing: it is shown when the lists have arrived. */
const GREATEST_BOUND = 1000;

/** Returns the groups of a run, whose bounds follow from its plan. */
export async function plannedGroups({ rules, selection, profile, base }: PlannedRun): Promise<RunGroups> {
  const { boundOf, planRequests } = await import('../run/plan.ts');
  const planned = Map.groupBy(planRequests(rules, selection, profile, base), ({ operation }) => operation);
  const maxima = new Map([...planned].map(([operation, requests]) => [operation, boundOf(requests).requests]));
  const unboundedOperations = new Set(
    [...maxima].flatMap(([operation, max]) => (max > GREATEST_BOUND ? [operation] : [])),
  );
  const bounds = new Map(
    [...planned].map(([operation, requests]) => [
      operation,
      boundOf(unboundedOperations.has(operation) ? requests.filter(({ exact }) => exact) : requests).requests,
    ]),
  );
  const most = maxRequestsOf(profile, selection);
  const groups = (Object.keys(GROUPS) as Group[]).flatMap((group): ProgressGroup[] => {
    const isIn = (operation: OperationKey): boolean => operationOf(operation).group === group;
    if (![...bounds.keys()].some(isIn)) return [];
    return [
      {
        name: `${group}  ${GROUPS[group].title}`,
        get bound() {
          const ofGroup = [...bounds].filter(([operation]) => isIn(operation));
          return Math.min(
            most,
            ofGroup.reduce((sum, [, bound]) => sum + bound, 0),
          );
        },
        get mayGrow() {
          return [...unboundedOperations].some(isIn);
        },
        has: (what) => isOperationKey(what) && isIn(what),
      },
    ];
  });
  return {
    groups,
    learn({ count, incomplete }) {
      for (const [operation, bound] of bounds) {
        const known = count.get(operation) ?? 0;
        if (!incomplete.has(operation)) unboundedOperations.delete(operation);
        bounds.set(operation, incomplete.has(operation) ? Math.max(known, bound) : known);
      }
    },
  };
}

/** Shows the progress of a run on standard error; the plan is made only for a terminal. */
export async function startRunProgress(run: PlannedRun): Promise<Progress & Partial<Pick<RunGroups, 'learn'>>> {
  const planned = isInteractive(process.stderr) ? await plannedGroups(run) : undefined;
  return { ...startProgress({ groups: planned?.groups ?? [] }), ...(planned && { learn: planned.learn }) };
}
