import type { OperationKey } from './operations.ts';

/** The resources that the document implies in section 2, with their identifiers and relations. */
export const RESOURCES = {
  catalogue: {
    identifiedBy: 'catalogue id (type and format not shown)',
    has: ['dimensions', 'logical dimensions', 'refresh dates'],
  },
  dimension: { identifiedBy: 'not shown', has: ['attributes', 'groups', 'hierarchies', 'rows'] },
  group: { identifiedBy: 'not shown', has: ['levels', 'level values'] },
  hierarchy: { identifiedBy: 'not shown', has: ['levels', 'level values'] },
  measure: { identifiedBy: 'not shown', has: ['share prompts'] },
  product: { identifiedBy: '12-digit UPC', has: ['characteristics', 'a category'] },
  category: { identifiedBy: 'category name', has: ['sub-categories'] },
  performanceRecord: {
    identifiedBy: 'category, sub-category, manufacturer, brand',
    has: ['dollar sales of 4, 12 and 52 weeks', 'last-year dollar sales', 'dollar percentage change'],
  },
  job: { identifiedBy: 'not shown', has: ['a status per job kind'] },
} as const;

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
