/** Jobs with the ids and states of a profile (sections 1 and 3: not shown). */
import type { JobKind } from '../../../src/contract/index.ts';
import type { JobProfile } from '../../../src/profile/schema/jobs.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { checkNext, JOB_STATES, type Job, type JobControl, JobError, type JobState } from '../../model/jobs.ts';
import type { Aliases } from './aliases.ts';

type States = Pick<JobProfile, 'states' | 'final'>;

/** What the names of final states of jobs that did not succeed contain, the clearest first. */
const FAILURE_NAMES = [/fail/i, /error/i, /abort|cancel|reject|kill|dead|expire|timed?.?out/i] as const;
const isFailure = (state: string): boolean => FAILURE_NAMES.some((names) => names.test(state));

/** The final states of a profile, as texts: those that it lists, or else the states whose names say so. */
function finalStates({ states, final }: States): readonly string[] {
  if (final) return final.map(String);
  const listed = (states || []).map(String);
  const success = listed.findLast((each) => !isFailure(each));
  return listed.filter((each) => each === success || isFailure(each));
}

/**
 * The state of the profile for a job that is done, and for one that failed: the final state whose name says so and that
 * follows those that are not final, or else the first and the second one. Undefined: the profile lists no such state.
 */
function endStates(declared: States): Readonly<Record<'done' | 'failed', string | undefined>> {
  if (!declared.states && !declared.final) return { done: 'done', failed: 'failed' };
  const final = finalStates(declared);
  const listed = (declared.states || []).map(String);
  const lastOther = listed.findLastIndex((each) => !final.includes(each));
  const successes = final.filter((each) => !isFailure(each));
  const done = successes.find((each) => listed.indexOf(each) > lastOther) ?? successes[0] ?? final[0];
  const others = final.filter((each) => each !== done);
  const byName = FAILURE_NAMES.map((names) => others.find((each) => names.test(each)));
  return { done, failed: byName.find((each) => each !== undefined) ?? others[0] };
}

/** The state of the profile in place of one of the world; those that are not final in their order. Another word is unchanged. */
export function stateAs(state: JobState, declared: States = {}): string {
  if (state === 'done' || state === 'failed') return endStates(declared)[state] ?? state;
  const at = JOB_STATES.indexOf(state);
  if (at < 0) return state;
  const listed = (declared.states || []).map(String);
  const final = finalStates(declared);
  const others = listed.filter((each) => !final.includes(each));
  return others[Math.min(at, others.length - 1)] ?? listed[0] ?? state;
}

/** Wraps the jobs of a world, so that they have the ids of the profile, and only states that it lists. */
export function adaptJobs(world: JobControl, declared: ProfileData['jobs'], ids: Aliases['jobs']): JobControl {
  const adapt = (job: Job): Job => ({ ...job, id: ids.toProfile(job.id) });
  /** Finds the id of the world: only there ids are unique over all kinds. */
  const ownId = (id: string): string => world.list().find((job) => ids.toProfile(job.id) === id)?.id ?? id;
  const refuseUnlisted = (kind: JobKind, states: readonly JobState[]): void => {
    const { states: listed, final } = declared?.[kind] ?? {};
    if (states.includes('failed') && endStates({ states: listed, final }).failed === undefined)
      throw new JobError(
        `no ${kind} job can fail here: the profile lists no state for it (jobs.${kind}: states and final are ${[
          listed,
          final,
        ]
          .map((each) => (each || []).join(', ') || 'not set')
          .join(' and ')})`,
      );
  };
  return {
    list: () => world.list().map(adapt),
    get(id) {
      const job = world.get(ownId(id));
      return job && adapt(job);
    },
    hold: (id) => adapt(world.hold(ownId(id))),
    release: (id) => adapt(world.release(ownId(id))),
    setState(id, state) {
      const own = ownId(id);
      const kind = world.get(own)?.kind;
      if (kind) refuseUnlisted(kind, [state]);
      return adapt(world.setState(own, state));
    },
    setNext(kind, states) {
      checkNext(kind, states);
      refuseUnlisted(kind, states);
      world.setNext(kind, states);
    },
  };
}
