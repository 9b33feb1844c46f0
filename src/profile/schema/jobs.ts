/** Jobs of a kind: how they are started, and their states (sections 2 and 3: not shown). */
import { z } from 'zod';
import type { OperationKey } from '../../contract/index.ts';
import { fact, flag, optional, reject } from './keys.ts';
import { request, scalarSchema } from './request.ts';

/** @param operationKey the schema of an operation's key */
export const jobKind = (operationKey: z.ZodType<OperationKey, OperationKey>) => {
  const start = z.union([
    operationKey,
    z.strictObject({
      operation: operationKey.describe('The POST that starts the job.'),
      request: request.describe('Its request, in place of that of the operation.'),
    }),
  ]);
  return z
    .strictObject({
      start: optional(
        z.union([operationKey, z.array(start).min(1)]),
        'The POST that starts a job of this kind, or a list of them, each with its own request where it differs from that of the operation; response.fields.jobId of the POST selects the job id.',
      ),
      example: optional(
        scalarSchema,
        'The id of an existing job of this kind, to read its status without starting one.',
      ),
      unknown: optional(
        scalarSchema,
        'A well-formed id that no job of this kind has; default: made from the id of a started job.',
      ),
      states: fact(z.array(scalarSchema).min(1), 'Every state that such a job can have, as the service writes it.'),
      final: fact(z.array(scalarSchema).min(1), 'The states that never change again.'),
      patienceSeconds: optional(
        z.number().positive().max(86_400),
        'The time in which a started job reaches a final state.',
      ),
      keepsFinal: flag(
        'Whether a job that has ended stays known and final for the time of a run, also on replicas; false: it may become unknown.',
      ),
      statesInOrder: flag(
        'A job passes through states in their order, may leave some out, and never returns to an earlier one.',
      ),
      distinctIds: flag('Each accepted start returns an id of its own, also for equal requests.'),
      locationIsStatus: flag(
        'The Location header of a 2xx response to a start is the address of the status of the job.',
      ),
      pollSeconds: optional(
        z.number().positive(),
        'The pause between two requests of the status; a longer Retry-After is obeyed. Default 5.',
      ),
    })
    .superRefine(({ states, final, patienceSeconds, keepsFinal, statesInOrder }, context) => {
      if (statesInOrder && !states) reject(context, ['statesInOrder'], 'the states are missing: set states');
      const listed = (states || undefined)?.map(String);
      const unlisted = listed && (final || []).find((each) => !listed.includes(String(each)));
      if (unlisted !== undefined) reject(context, ['final'], `“${unlisted}” is not one of states`);
      for (const [key, value] of Object.entries({ patienceSeconds, keepsFinal }))
        if (value !== undefined && !final) reject(context, [key], 'the final states are missing: set final');
    });
};

export type JobProfile = z.output<ReturnType<typeof jobKind>>;
