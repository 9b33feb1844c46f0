/** Maps the example values of a profile to values of the world. */
import { JOB_KINDS, type JobKind } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { JOB_STARTERS } from '../../model/job-starters.ts';
import type { World } from '../../model/world.ts';
import { aliasNodes } from './alias-nodes.ts';
import { aliasSalesNames } from './alias-sales-names.ts';
import { AliasTable, type UnmatchedExample } from './alias-table.ts';
import { aliasUpcs } from './alias-upcs.ts';

/** Converts between the example values of a profile and the values of the world that they replace. */
export interface Aliases extends Pick<AliasTable, 'toWorld' | 'toProfile'> {
  /** Converts example job ids to job ids of the world, and back. */
  readonly jobs: { toWorld(kind: JobKind, id: string): string; toProfile(id: string): string };
}

/** Starts a job of the world for each example job id of each kind. */
function createJobAliases(jobs: ProfileData['jobs'], jobIds: readonly string[], world: World): Aliases['jobs'] {
  const worldJobIds = new Map<string, string>();
  const profileJobIds = new Map<string, string>();
  for (const kind of JOB_KINDS) {
    const example = jobs?.[kind]?.example;
    for (const id of new Set([...(example === undefined ? [] : [String(example)]), ...jobIds])) {
      const [starter] = Object.entries(JOB_STARTERS).find(([, each]) => each === kind) as [
        keyof typeof JOB_STARTERS,
        JobKind,
      ];
      const answer = world.answer(starter, {});
      if (answer.kind !== 'jobStarted') continue;
      worldJobIds.set(`${kind} ${id}`, answer.jobId);
      profileJobIds.set(answer.jobId, id);
    }
  }
  return {
    toWorld: (kind, id) => worldJobIds.get(`${kind} ${id}`) ?? id,
    toProfile: (id) => profileJobIds.get(id) ?? id,
  };
}

/** Assigns a value of the world to every example of a profile, and reports the examples without one. */
export function createAliases(
  profile: ProfileData,
  world: World,
): Aliases & { readonly unmatched: readonly UnmatchedExample[] } {
  const { examples = {}, unknownUpc, jobs, dataWeek } = profile;
  const aliases = new AliasTable(examples);
  aliasUpcs(aliases, world, unknownUpc);
  aliasSalesNames(aliases, world);
  aliasNodes(aliases, profile);
  if (typeof dataWeek?.refreshDate === 'object') aliases.add('refresh', String(dataWeek.refreshDate.id), 'weekly');
  return {
    unmatched: aliases.unmatched,
    toWorld: (kind, value) => aliases.toWorld(kind, value),
    toProfile: (kind, value) => aliases.toProfile(kind, value),
    jobs: createJobAliases(jobs, aliases.examplesOf('jobId'), world),
  };
}
