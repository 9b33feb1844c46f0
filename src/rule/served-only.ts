/** Operations of which only the presence can be judged, and why: sections 1, 2 and 4.1 show no more. */
import type { OperationName } from '../contract/index.ts';

const starts = (kind: string) =>
  `the document does not show what it does; the status operation of ${kind} jobs judges the job that it may start`;

export const SERVED_ONLY = {
  businesscount: 'the document does not show what it counts and returns',
  createlist: 'the document does not show which list it creates and what it returns',
  createSurvey: 'the document does not show which survey it creates and what it returns',
  drive: starts('drive'),
  executeReport: starts('report'),
  fileenhancement: starts('file enhancement'),
  importLocation: starts('location'),
  mapExport: starts('map export'),
  pullVariable: starts('variable pull'),
  updateLocation: 'the document does not show what it updates and returns',
} as const satisfies { readonly [N in OperationName]?: string };
