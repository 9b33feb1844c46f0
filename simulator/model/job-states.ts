/** The states of a job that succeeds. Each status request moves it to the next, and the last one stays. */

export const JOB_STATES = ['queued', 'running', 'done'] as const;

/** A job fails only if a user of the simulator asks for it. */
export type JobState = (typeof JOB_STATES)[number] | 'failed';

const FINAL_STATES: readonly JobState[] = ['done', 'failed'];

/** Whether a job in this state has ended. */
export const isFinal = (state: JobState): boolean => FINAL_STATES.includes(state);

/** The place of a state in the life of a job: a job never returns to a lower one. */
export const stageOf = (state: JobState): number =>
  isFinal(state) ? JOB_STATES.length : JOB_STATES.indexOf(state as (typeof JOB_STATES)[number]);

/** The states that follow a state in a job that succeeds. */
export const statesAfter = (state: JobState): readonly JobState[] => JOB_STATES.slice(stageOf(state) + 1);
