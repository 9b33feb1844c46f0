/** The states of a job. Each status request moves it to the next, and the last one stays. */

export const JOB_STATES = ['queued', 'running', 'done'] as const;

export type JobState = (typeof JOB_STATES)[number];
