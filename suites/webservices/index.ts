/** Demands on group A, job-oriented web services: sections 1, 2 and 4.1. */
import type { Rule } from '../../src/rule/index.ts';
import { filtersListed, savedId, serviceTest } from './content.ts';
import { furtherJobsEnd, jobEnds, stateListed, statesInOrder } from './job-ends.ts';
import { jobIdsDistinct, jobLocation, twoJobs } from './job-starts.ts';
import { jobStarted, jobState, jobStatus } from './job-status.ts';
import { unknownJob, unknownMap } from './unknown-job.ts';

export const webservices: readonly Rule[] = [
  jobStarted,
  jobStatus,
  jobState,
  twoJobs,
  unknownJob,
  jobIdsDistinct,
  jobLocation,
  stateListed,
  statesInOrder,
  jobEnds,
  furtherJobsEnd,
  filtersListed,
  savedId,
  unknownMap,
  serviceTest,
];
