import type { OperationKey } from './operations.ts';

/** The seven job kinds of section 2 and the status operation of each (section 4.1). */
export const JOB_STATUS = {
  drive: 'GET /webservices/getDriveJobStatus',
  fileEnhancement: 'GET /webservices/getFileEnhancementJobStatus',
  location: 'GET /webservices/getLocationJobStatus',
  mapExport: 'GET /webservices/getMapExportJobStatus',
  prospect: 'GET /webservices/getProspectJobStatus',
  variablePull: 'GET /webservices/getPullVarJobStatus',
  report: 'GET /webservices/getReportJobStatus',
} as const satisfies Record<string, OperationKey>;

export type JobKind = keyof typeof JOB_STATUS;
export const JOB_KINDS = Object.keys(JOB_STATUS) as JobKind[];
