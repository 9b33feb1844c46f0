/** The limits of a run: of a profile, and of a target in the configuration file. */
import { z } from 'zod';
import { optional } from './keys.ts';

/** In ms, at most a day. */
const duration = z.int().positive().max(86_400_000);

export const limits = z.strictObject({
  requestsPerSecond: optional(z.number().positive(), 'Requests per second at most.'),
  timeoutMs: optional(
    z.int().positive(),
    'Bounds the connection, the head of a response, and each pause within a body; a response may take an hour in all, or ten times this. Default 30 000.',
  ),
  maxRequests: optional(
    z.int().positive(),
    'Maximum number of requests, including pages, retries, redirects and token requests; default 10 000, at depth thorough 200 000.',
  ),
  maxSubjects: optional(
    z.int().positive(),
    'Maximum number of subjects of one draw, such as products to look up; default 10 000.',
  ),
  maxDurationMs: optional(duration, 'After this time a run sends nothing more; default: none.'),
  retryForMs: optional(
    duration,
    'How long a run waits, once, for a service that stops responding in mid-run; default: it does not wait.',
  ),
  maxBodyBytes: optional(z.int().positive(), 'Length of a body above which it is not read to its end.'),
  minBytesPerSecond: optional(
    z.number().nonnegative(),
    'Minimum average speed of a response body within each window; default 100, 0 for no minimum.',
  ),
  rateWindowMs: optional(
    z.int().positive(),
    'Length of a window of minimum speed; default one minute, or twice timeoutMs if that is longer.',
  ),
});
