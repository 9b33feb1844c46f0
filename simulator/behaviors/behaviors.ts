/** What can be switched on and off in a running simulator. A new behavior is one entry of the table. */
import { z } from 'zod';
import { isOperationKey, type OperationKey } from '../../src/contract/index.ts';
import { didYouMeanOperation } from '../../src/profile/did-you-mean.ts';
import { describeIssue } from '../../src/profile/first-issue.ts';
import type { Hooks } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';

/** The requests that a behavior applies to. Default: all. */
export interface BehaviorScope {
  /** One operation, e.g. `GET /PLATFORMAPI/prodRef/v1/allProducts`. */
  readonly operation?: OperationKey | undefined;
  /** The behavior is removed after this number of requests. Default: never. */
  readonly times?: number | undefined;
}

interface BehaviorKind<S extends z.ZodType> {
  readonly schema: S;
  /** Creates the hooks of one simulator, with their own state. */
  readonly start: (value: z.infer<S>) => Hooks | Promise<Hooks>;
}
const kind = <S extends z.ZodType>(schema: S, start: BehaviorKind<S>['start']): BehaviorKind<S> => ({ schema, start });

/** Changes what happens to each response on its way to the client. */
const delivery = (change: NonNullable<DialectResponse['delivery']>): Hooks => ({
  finish: (reply) => ({ ...reply, delivery: { ...reply.delivery, ...change } }),
});

/** Refuses requests beyond a number per period; a new period begins with the first request after the last one. */
function limitRate({ requests, perSeconds }: { requests: number; perSeconds: number }): Hooks {
  let endsAt = 0;
  let left = 0;
  return {
    before: () => {
      const now = performance.now();
      if (now >= endsAt) {
        endsAt = now + perSeconds * 1000;
        left = requests;
      }
      left -= 1;
      if (left >= 0) return undefined;
      return { status: 429, headers: { 'Retry-After': String(Math.ceil((endsAt - now) / 1000)) }, body: '' };
    },
  };
}

const positive = z.int().min(1);

/** Fields that frame a message: a wrong one makes clients wait for a body that does not come. */
const FRAMING_FIELDS = ['content-length', 'transfer-encoding'];
/** What Node and the Fetch standard accept as the name and the value of a field (RFC 9110, 5.1 and 5.5). */
const headers = z
  .record(
    z.string(),
    z
      .string()
      .regex(/^[\t -~\x80-\xff]*$/, { error: 'the value of a header is one line, without characters beyond Latin-1' }),
  )
  .superRefine((fields, { addIssue }) => {
    for (const name of Object.keys(fields)) {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
        addIssue({
          code: 'custom',
          path: [name],
          message: 'the name of a header has letters, digits and hyphens only',
        });
      if (FRAMING_FIELDS.includes(name.toLowerCase()))
        addIssue({
          code: 'custom',
          path: [name],
          message: 'the simulator frames responses itself; truncateAfterBytes ends a body early',
        });
    }
  });

export const BEHAVIORS = {
  /** One deliberate violation; `mdwi faults` lists them. */
  fault: kind(z.string(), async (name) => (await import('../faults/index.ts')).faultNamed(name).start()),
  /** One unusual but conforming behaviour; `mdwi oddities` lists them. */
  oddity: kind(z.string(), async (name) => (await import('../oddities/index.ts')).oddityNamed(name).start()),
  /** Delays the response. */
  latencyMs: kind(z.int().min(0).max(600_000), (delayMs) => delivery({ delayMs })),
  /** Responds with this instead of the usual response. */
  response: kind(
    z.strictObject({
      status: z.int().min(200).max(599),
      headers: headers.optional(),
      body: z.string().optional(),
    }),
    ({ status, headers: fields = {}, body = '' }) => ({ before: () => ({ status, headers: fields, body }) }),
  ),
  /** Responds 429 with Retry-After to more requests than these. */
  rateLimit: kind(z.strictObject({ requests: positive, perSeconds: z.number().positive().max(86_400) }), limitRate),
  /** Ends the connection after this many bytes of the body. */
  truncateAfterBytes: kind(z.int().min(0), (truncateAfterBytes) => delivery({ truncateAfterBytes })),
  /** Sends the body slowly. */
  bytesPerSecond: kind(positive, (bytesPerSecond) => delivery({ bytesPerSecond })),
  /** Resets the connection in place of a response. */
  resetConnection: kind(z.literal(true), () => delivery({ resetConnection: true })),
} as const satisfies Record<string, BehaviorKind<z.ZodType>>;

type Kinds = typeof BEHAVIORS;
export type BehaviorName = keyof Kinds;

/** One behavior: one member of the table with its value, e.g. `{ latencyMs: 300 }`. */
export type Behavior = {
  [K in BehaviorName]: { readonly [member in K]: z.infer<Kinds[K]['schema']> };
}[BehaviorName];

/** Creates the hooks of a behavior. @throws if it names a fault or an oddity that does not exist */
export function startBehavior(behavior: Behavior): Hooks | Promise<Hooks> {
  const [[name, value]] = Object.entries(behavior) as [[BehaviorName, never]];
  return BEHAVIORS[name].start(value);
}

const members = Object.fromEntries(Object.entries(BEHAVIORS).map(([name, { schema }]) => [name, schema.optional()]));

/** A behavior with its scope, as a user writes it: `{ latencyMs: 300, operation: 'GET /…', times: 2 }`. */
export const scopedBehaviorSchema = z
  .strictObject({
    ...(members as { [K in BehaviorName]: z.ZodOptional<Kinds[K]['schema']> }),
    operation: z
      .custom<OperationKey>((text) => typeof text === 'string' && isOperationKey(text), {
        error: ({ input }) =>
          `an operation as in the document is needed, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”${typeof input === 'string' ? didYouMeanOperation(input) : ''}`,
      })
      .optional(),
    times: positive.optional(),
  })
  .transform(({ operation, times, ...behavior }) => ({ behavior, scope: { operation, times } }))
  .refine(({ behavior }) => Object.keys(behavior).length === 1, {
    error: `exactly one of ${Object.keys(BEHAVIORS).join(', ')} is needed`,
  });

/**
 * Checks a behavior with its scope, and separates them.
 * @throws an Error of one sentence if it is none of the table or names no operation
 */
export function parseBehavior(given: object): { readonly behavior: Behavior; readonly scope: BehaviorScope } {
  const checked = scopedBehaviorSchema.safeParse(given, { reportInput: true });
  if (checked.success) return { behavior: checked.data.behavior as Behavior, scope: checked.data.scope };
  const { path, sentence } = describeIssue(scopedBehaviorSchema, checked.error.issues);
  throw new Error(path.length === 0 ? sentence : `${path.join('.')}: ${sentence}`);
}
