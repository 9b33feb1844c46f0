/** The requests that start a job. It does not import the schema, so that a plan without a profile does not load zod. */
import type { OperationKey } from '../contract/index.ts';
import type { JobProfile } from './schema/jobs.ts';
import type { RequestTemplate } from './schema/request.ts';

/**
 * The requests that start a job, from one key or a list, each with its path below that of the kind.
 * @example startsIn('POST /webservices/drive') // [{ operation: 'POST /webservices/drive', path: ['start'] }]
 */
export function startsIn(start: JobProfile['start']): readonly {
  readonly operation: OperationKey;
  readonly request?: RequestTemplate;
  readonly path: readonly PropertyKey[];
}[] {
  if (start === undefined) return [];
  if (typeof start === 'string') return [{ operation: start, path: ['start'] }];
  return start.map((each, at) => ({
    ...(typeof each === 'string' ? { operation: each } : each),
    path: ['start', at],
  }));
}
