/** The limits of a run: of a profile, and of a target in the configuration file. */
import { z } from 'zod';

/** In ms, at most a day. */
const duration = z.int().positive().max(86_400_000);

export const limits = z.strictObject({
  requestsPerSecond: z.number().positive().optional().describe('Requests per second at most.'),
  timeoutMs: z
    .int()
    .positive()
    .optional()
    .describe(
      'Bounds the connection, the head of a response, and each pause within a body; a response may take an hour in all, or ten times this. Default 30 000.',
    ),
  maxRequests: z
    .int()
    .positive()
    .optional()
    .describe(
      'Maximum number of requests, including pages, retries, redirects and token requests; default 10 000, at depth thorough 200 000.',
    ),
  maxSubjects: z
    .int()
    .positive()
    .optional()
    .describe('Maximum number of subjects of one draw, such as products to look up; default 10 000.'),
  maxDurationMs: duration.optional().describe('After this time a run sends nothing more; default: none.'),
  retryForMs: duration
    .optional()
    .describe('How long a run waits, once, for a service that stops responding in mid-run; default: it does not wait.'),
  maxBodyBytes: z.int().positive().optional().describe('Length of a body above which it is not read to its end.'),
  minBytesPerSecond: z
    .number()
    .nonnegative()
    .optional()
    .describe('Minimum average speed of a response body within each window; default 100, 0 for no minimum.'),
  rateWindowMs: z
    .int()
    .positive()
    .optional()
    .describe('Length of a window of minimum speed; default one minute, or twice timeoutMs if that is longer.'),
});
