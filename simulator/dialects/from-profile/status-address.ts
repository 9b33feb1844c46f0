/** The Location header of the start of a job, where the profile promises that it is the address of the job's status. */
import { JOB_STATUS, type Operation, operationOf } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import type { ModelAnswer } from '../../model/types.ts';
import type { DialectResponse } from '../types.ts';

/**
 * Adds the header to the response to a start. If the profile reads the id in the query of Location, that query stays.
 * @param addressOf the URL of an operation, without query
 */
export function addStatusAddress(
  reply: DialectResponse,
  answer: ModelAnswer,
  { jobs }: ProfileData,
  addressOf: (operation: Operation) => string,
): DialectResponse {
  if (answer.kind !== 'jobStarted' || !jobs?.[answer.jobKind]?.locationIsStatus) return reply;
  const status = operationOf(JOB_STATUS[answer.jobKind]);
  const [name = 'Location', own] = Object.entries(reply.headers).find(([each]) => /^location$/i.test(each)) ?? [];
  const query = own === undefined ? `?job=${encodeURIComponent(answer.jobId)}` : String(own).replace(/^[^?]*/, '');
  return { ...reply, headers: { ...reply.headers, [name]: `${addressOf(status)}${query}` } };
}
