/** What a user can do with a running simulator over HTTP. A new route is one entry of the table. */
import { z } from 'zod';
import { isUpc, JOB_KINDS } from '../../src/contract/index.ts';
import { describeIssue } from '../../src/profile/first-issue.ts';
import { type Behavior, scopedBehaviorSchema } from '../behaviors/behaviors.ts';
import { isoDay } from '../model/clock.ts';
import { JOB_STATES, JobError } from '../model/jobs.ts';
import { ProductEditError, type ProductEdits } from '../model/product-edits.ts';
import type { Product } from '../model/types.ts';
import type { Simulation } from '../simulation.ts';
import { productValues } from './checked-edits.ts';

/** A request that cannot be done: its status and one sentence. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/__mdwi`; `{id}` is one segment. */
  readonly path: string;
  /** The names of its query parameters. */
  readonly parameters: readonly string[];
  /** Checks the body and does the work. @throws ControlError */
  readonly handle: (simulation: Simulation, id: string, body: unknown, query: URLSearchParams) => unknown;
}

function parse<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const checked = schema.safeParse(body, { reportInput: true });
  if (checked.success) return checked.data;
  const { path, sentence } = describeIssue(schema, checked.error.issues);
  if (path.length > 0) throw new ControlError(400, `${path.join('.')}: ${sentence}`);
  throw new ControlError(400, /^(is|must) /.test(sentence) ? `the body ${sentence}` : sentence);
}

const route = <S extends z.ZodType>(
  method: ControlRoute['method'],
  path: string,
  schema: S,
  handle: (
    simulation: Simulation,
    given: { readonly id: string; readonly body: z.infer<S>; readonly query: URLSearchParams },
  ) => unknown,
  parameters: readonly string[] = [],
): ControlRoute => ({
  method,
  path,
  parameters,
  handle: (simulation, id, body, query) => handle(simulation, { id, body: parse(schema, body), query }),
});

/** A request without a body. */
const nothing = z.undefined({ error: 'this request has no body' });

/** Refuses with the sentence of an error. */
const refuse = (error: unknown): never => {
  throw new ControlError(400, (error as Error).message);
};
const clockOf = ({ clock }: Simulation) => ({ asOf: isoDay(clock.asOf()), now: clock.now().toISOString() });
function setClock(simulation: Simulation, set: (simulation: Simulation) => void) {
  try {
    set(simulation);
  } catch (error) {
    refuse(error);
  }
  return clockOf(simulation);
}
const productOf = ({ activeOn, changedOn, firstActiveOn, ...names }: Product) => ({
  ...names,
  activeOn: isoDay(activeOn),
  firstActiveOn: isoDay(firstActiveOn),
  ...(changedOn !== undefined && { changedOn: isoDay(changedOn) }),
});

/** The words for `state` of a job. */
const JOB_CHANGES = ['hold', 'release', 'done', 'failed'] as const;
const nextJob = z.strictObject({
  kind: z.enum(JOB_KINDS),
  states: z
    .array(z.enum([...JOB_STATES, 'failed']))
    .min(1)
    .max(1000),
});

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new ControlError(404, `there is no ${what}`);
  return value;
};
function upcOf(id: string): string {
  if (isUpc(id)) return id;
  throw new ControlError(400, `${JSON.stringify(id.slice(0, 30))} is not a UPC: 12 digits are needed`);
}
/** Does what contradicts no data; what does gets 409. */
const allowed = <T>(change: () => T): T => {
  try {
    return change();
  } catch (error) {
    if (error instanceof ProductEditError || error instanceof JobError) throw new ControlError(409, error.message);
    throw error;
  }
};
const edit = <T>(change: (edits: ProductEdits) => T, { products }: Simulation): T =>
  allowed(() => change(products.edits));
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  route('POST', '/reset', nothing, (simulation) => simulation.reset()),
  route('GET', '/clock', nothing, clockOf),
  route('PUT', '/clock', z.strictObject({ asOf: z.string() }), (simulation, { body }) =>
    setClock(simulation, ({ clock }) => clock.set(body.asOf)),
  ),
  route('POST', '/clock/advance', z.strictObject({ weeks: z.int().min(1).max(520) }), (simulation, { body }) =>
    setClock(simulation, ({ clock }) => clock.advanceWeeks(body.weeks)),
  ),
  route('GET', '/behaviors', nothing, ({ behaviors }) => behaviors.list()),
  route('POST', '/behaviors', scopedBehaviorSchema, async ({ behaviors }, { body: { behavior, scope } }) => {
    // What the schema accepts can only name a fault or an oddity that does not exist.
    return behaviors.add(behavior as Behavior, scope).catch(refuse);
  }),
  route('DELETE', '/behaviors', nothing, ({ behaviors }) => behaviors.set([])),
  route('DELETE', '/behaviors/{id}', nothing, ({ behaviors }, { id }) => {
    found(
      behaviors.remove(id) || undefined,
      `behavior ${JSON.stringify(id.slice(0, 60))}; GET /__mdwi/behaviors lists them`,
    );
  }),
  route(
    'GET',
    '/requests',
    nothing,
    ({ journal }, { query }) => {
      try {
        return journal.requests(query.get('operation') ?? undefined);
      } catch (error) {
        return refuse(error);
      }
    },
    ['operation'],
  ),
  route('DELETE', '/requests', nothing, ({ journal }) => journal.clear()),
  route('GET', '/client', nothing, ({ journal }) => journal.client()),
  route('GET', '/jobs', nothing, ({ jobs }) => jobs.list()),
  route('POST', '/jobs/next', nextJob, ({ jobs }, { body: { kind, states } }) =>
    allowed(() => jobs.setNext(kind, states)),
  ),
  route('PATCH', '/jobs/{id}', z.strictObject({ state: z.enum(JOB_CHANGES) }), ({ jobs }, { id, body: { state } }) => {
    found(jobs.get(id), `job ${JSON.stringify(id.slice(0, 60))}; GET /__mdwi/jobs lists them`);
    return allowed(() => (state === 'hold' || state === 'release' ? jobs[state](id) : jobs.setState(id, state)));
  }),
  route('GET', '/products/{id}', nothing, ({ products, clock }, { id }) =>
    productOf(found(products.byUpc(upcOf(id), clock.asOf()), `product ${id}`)),
  ),
  route('PUT', '/products/{id}', productValues, (simulation, { id, body }) =>
    productOf(edit(({ add }) => add(upcOf(id), body), simulation)),
  ),
  route('PATCH', '/products/{id}', productValues, (simulation, { id, body }) =>
    productOf(edit(({ change }) => change(upcOf(id), body), simulation)),
  ),
  route('DELETE', '/products/{id}', nothing, (simulation, { id }) =>
    edit(({ delist }) => delist(upcOf(id)), simulation),
  ),
];
