/** The states of a job that succeeds. Each status request moves it to the next, and the last one stays. */

export const JOB_STATES = ['queued', 'running', 'done'] as const;

/** A job fails only if a user of the simulator asks for it. */
export type JobState = (typeof JOB_STATES)[number] | 'failed';
