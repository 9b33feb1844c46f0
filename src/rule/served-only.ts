/** Operations of which nothing but their presence can be judged, and why: sections 1, 2 and 4.1 show no more. */
import type { OperationName } from '../contract/index.ts';

const starts = (kind: string) =>
  `what it does is not shown; the status of a ${kind} job it may start is judged at that kind’s status operation`;

export const SERVED_ONLY = {
  businesscount: 'what it counts and answers is not shown',
  createlist: 'what list it creates and answers is not shown',
  createSurvey: 'what survey it creates and answers is not shown',
  drive: starts('drive'),
  executeReport: starts('report'),
  fileenhancement: starts('file enhancement'),
  importLocation: starts('location'),
  mapExport: starts('map export'),
  pullVariable: starts('variable pull'),
  updateLocation: 'what it updates and answers is not shown',
} as const satisfies { readonly [N in OperationName]?: string };
