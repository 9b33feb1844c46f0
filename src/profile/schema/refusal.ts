/** Which 2xx responses are refusals: errors that a service reports in the body of a success (section 7: not shown). */
import { z } from 'zod';
import { flag, optional, reject } from './keys.ts';
import { scalarSchema } from './request.ts';
import { selector } from './selector.ts';

const values = z
  .union([scalarSchema, z.array(scalarSchema).min(1)])
  .transform((value) => (Array.isArray(value) ? value : [value]));

const CONDITIONS = ['is', 'isNot', 'present'] as const;

const condition = z
  .strictObject({
    at: selector.refine(
      (at) => typeof at !== 'string' || at.startsWith('$'),
      'is a selector within a row; a refusal concerns the whole response: write $… or $response.header.NAME',
    ),
    is: optional(values, 'A refusal if the value found is one of these, e.g. [ERROR, FAILED].'),
    isNot: optional(
      values,
      'A refusal if a value is found and is none of these, e.g. OK. Without a value: no refusal.',
    ),
    present: flag(
      'True: a refusal if a value is found. False: if none is. Null and blank texts are no values; an empty list is no refusal.',
    ),
    like: optional(
      z.int().min(400).max(599),
      'The status with which HTTP would say the same, e.g. 404 or 401. Default: none; any kind of refusal.',
    ),
  })
  .superRefine((declared, context) => {
    const stated = CONDITIONS.filter((each) => declared[each] !== undefined);
    if (stated.length === 1) return;
    reject(
      context,
      [],
      `needs exactly one condition, ${CONDITIONS.join(', ')}, but has ${stated.join(' and ') || 'none'}`,
    );
  });

export const refusal = z
  .union([condition, z.array(condition).min(1)])
  .transform((declared) => (Array.isArray(declared) ? declared : [declared]))
  .describe(
    'Which 2xx responses are refusals, e.g. { at: $.status, is: ERROR }; no rule reads such a response as a success. In a list, the first condition that applies counts.',
  );

export type RefusalCondition = z.output<typeof condition>;
