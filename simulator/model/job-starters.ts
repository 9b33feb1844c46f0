import type { JobKind, OperationName } from '../../src/contract/index.ts';

/** The kind of job that each POST starts. This is our interpretation: section 2 names the kinds, section 4.1 the operations. */
export const JOB_STARTERS = {
  businesscount: 'prospect',
  createlist: 'prospect',
  drive: 'drive',
  executeReport: 'report',
  fileenhancement: 'fileEnhancement',
  importLocation: 'location',
  mapExport: 'mapExport',
  pullVariable: 'variablePull',
  updateLocation: 'location',
} as const satisfies Partial<Record<OperationName, JobKind>>;
