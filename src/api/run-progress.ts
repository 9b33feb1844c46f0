/** The progress of a run by groups of operations, with the maximum number of requests that the plan shows. */
import { GROUPS, type Group, isOperationKey, operationOf } from '../contract/index.ts';
import type { Profile } from '../profile/schema.ts';
import type { Rule } from '../rule/index.ts';
import type { Selection } from '../run/types.ts';
import { isInteractive, type Progress, type ProgressGroup, startProgress } from '../terminal/progress.ts';

interface PlannedRun {
  readonly rules: readonly Rule[];
  readonly selection: Selection;
  readonly profile: Profile;
  readonly base: string;
}

/** The groups to which a run sends requests. */
export async function plannedGroups({ rules, selection, profile, base }: PlannedRun): Promise<ProgressGroup[]> {
  const { boundOf, planRequests } = await import('../run/plan.ts');
  const byGroup = Map.groupBy(
    planRequests(rules, selection, profile, base),
    ({ operation }) => operationOf(operation).group,
  );
  return (Object.keys(GROUPS) as Group[]).flatMap((group) => {
    const planned = byGroup.get(group);
    if (planned === undefined) return [];
    const has = (what: string): boolean => isOperationKey(what) && operationOf(what).group === group;
    return [{ name: `${group}  ${GROUPS[group].title}`, bound: boundOf(planned).requests, has }];
  });
}

/** Shows the progress of a run on standard error; the plan is made only for a terminal. */
export const startRunProgress = async (run: PlannedRun): Promise<Progress> =>
  startProgress({ groups: isInteractive(process.stderr) ? await plannedGroups(run) : [] });
