/** Demands on group A, job-oriented web services: sections 1, 2 and 4.1. */
import type { Rule } from '../../src/rule/index.ts';
import { filtersListed, savedId, serviceTest } from './content.ts';
import { jobStarted, jobState, jobStatus } from './job-status.ts';

export const webservices: readonly Rule[] = [jobStarted, jobStatus, jobState, filtersListed, savedId, serviceTest];
