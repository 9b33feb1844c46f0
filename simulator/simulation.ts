/** Responds to requests without HTTP: routes and reads them, queries the world and writes the response. It uses no module of Node. */
import type { IncomingHttpHeaders } from 'node:http';
import { ActiveBehaviors } from './behaviors/active-behaviors.ts';
import type { Behavior } from './behaviors/behaviors.ts';
import type { BehaviorHooks } from './behaviors/types.ts';
import { DIALECTS } from './dialects/index.ts';
import { DIALECT_NAMES, isDialectName } from './dialects/names.ts';
import { type Dialect, type DialectRequest, type DialectResponse, isRejected } from './dialects/types.ts';
import { RequestJournal } from './journal/request-journal.ts';
import { problemOfRejection, problemOfRoute, type RequestProblem } from './journal/request-problem.ts';
import { type Clock, createClock } from './model/clock.ts';
import type { Jobs } from './model/jobs.ts';
import { cutPage, withEcho } from './model/page.ts';
import type { EditableProducts } from './model/product-edits.ts';
import type { ModelAnswer, Query, Rejected } from './model/types.ts';
import { createWorld, type World } from './model/world.ts';
import type { OddityHooks, UnroutedRequest } from './oddities/types.ts';
import { type RouteMatch, route } from './router.ts';

/** The data of a simulator, its dialect and its one deliberate fault or oddity. */
export interface SimulationOptions {
  /** The name of a built-in dialect, or a dialect built from a profile. Default: `reference`. */
  readonly dialect?: string | Dialect;
  readonly seed?: number;
  /** The Saturday that ends the newest data week, `YYYY-MM-DD`. */
  readonly asOf?: string;
  readonly products?: number;
  /** The name of one fault. Without a fault the simulator conforms. */
  readonly fault?: string;
  /** The name of one oddity, which is unusual but conforming behaviour. */
  readonly oddity?: string;
  /** The prefix of all paths (section 4), e.g. `/api`. */
  readonly basePath?: string;
}

/** A request as it arrives. */
export interface ReceivedRequest {
  readonly method: string;
  /** The scheme and authority that the client uses, e.g. `http://127.0.0.1:8080`: the beginning of links in responses. */
  readonly origin: string;
  /** In origin-form: path and query as sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Undefined: larger than `MAX_BODY_BYTES`. */
  readonly body: Uint8Array | undefined;
}

export interface Simulation {
  /** The prefix of all paths, without a slash at its end. */
  readonly basePath: string;
  /** Simulates weekly reloads. */
  readonly clock: Clock;
  /** Returns the response to a request, without its `Date`: the server sets it by the clock. A body that is an iterable is generated while it is read. */
  respond(request: ReceivedRequest): SimulatedResponse;
  /** The behaviors that are switched on. */
  readonly behaviors: ActiveBehaviors;
  /** The products of the current data, which a user can edit. */
  readonly products: EditableProducts;
  /** The jobs that clients started. */
  readonly jobs: Jobs;
  /** The received requests, and what is wrong with them. */
  readonly journal: RequestJournal;
  /** Restores data, clock and behaviors as they were at the start, and empties the journal. */
  reset(): Promise<void>;
}

export interface SimulatedResponse extends DialectResponse {
  /** Sends the response over HTTP in place of the usual way, if an oddity changes what happens on the connection. */
  readonly send?: NonNullable<OddityHooks['send']>;
}

/** The largest body of a request. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** What the journal shows of a request. */
interface SeenRequest {
  inputs: Query;
  problem?: RequestProblem | undefined;
}

function see(read: Query | Rejected, seen: SeenRequest): void {
  if (isRejected(read)) seen.problem = problemOfRejection(read);
  else seen.inputs = read;
}

/** Checks a request that a behavior responds to in place of the world. No job is started, and no status request counted. */
function checkUnanswered(world: World, dialect: Dialect, target: ReturnType<typeof targetOf>, seen: SeenRequest): void {
  const query = dialect.read(target);
  see(query, seen);
  const { name, safety } = target.operation;
  if (isRejected(query) || safety !== 'read' || query.jobId !== undefined) return;
  const answer = world.answer(name, query);
  if (answer.kind === 'rejected') see(answer, seen);
}

const targetOf = (request: UnroutedRequest, { operation, upc }: Extract<RouteMatch, { kind: 'operation' }>) => ({
  ...request,
  operation,
  ...(upc !== undefined && { upc }),
});

/** Routes and reads a request, queries the world and writes the reply. Hooks of a fault or oddity change each step. */
function answerRequest(
  world: World,
  dialect: Dialect,
  hooks: BehaviorHooks,
  request: UnroutedRequest,
  routed: RouteMatch,
  seen: SeenRequest,
): DialectResponse {
  const write = (answer: ModelAnswer, target: DialectRequest): DialectResponse => {
    const written = dialect.write(answer, target);
    const reply =
      answer.kind === 'wrongMethod' && written.status === 405
        ? { ...written, headers: { ...written.headers, Allow: answer.allow.join(', ') } }
        : written;
    const { operation } = target;
    return hooks.finish?.(reply, { request, answer, ...(operation && { operation }) }) ?? reply;
  };
  const earlyReply = hooks.before?.(request, world);
  if (earlyReply) {
    if (routed.kind === 'operation') checkUnanswered(world, dialect, targetOf(request, routed), seen);
    return earlyReply;
  }
  const match = hooks.route ? hooks.route(request, route) : routed;
  if (match.kind === 'unknownPath') return write({ kind: 'noSuchPath' }, request);
  if (match.kind === 'wrongMethod') return write({ kind: 'wrongMethod', allow: match.allow }, request);
  const target = targetOf(request, match);
  const { operation } = match;
  const readQuery = dialect.read(target);
  see(readQuery, seen);
  if (isRejected(readQuery)) return write(readQuery, target);
  const codings = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  const query = hooks.query?.(readQuery, { operation, world, codings }) ?? readQuery;
  const correctAnswer: ModelAnswer = withEcho(world.answer(operation.name, query), readQuery);
  if (correctAnswer.kind === 'rejected') see(correctAnswer, seen);
  const answer = hooks.answer?.(correctAnswer, { operation, world, codings, query }) ?? correctAnswer;
  const reply = write(cutPage(answer, query), target);
  return hooks.reply?.(reply, { operation: operation.name }) ?? reply;
}

/** The characters of a header value (RFC 9110, 5.5) that every client reads alike. */
const asHeaderValue = (text: string): string =>
  text
    .replace(/[“”]/g, '"')
    .replace(/’/g, "'")
    .replace(/[^ -~]/g, '?')
    .slice(0, 500);

/** Adds what is wrong with the request. Conforming clients never see the header. */
const withProblem = (response: DialectResponse, { code, detail }: RequestProblem): DialectResponse => ({
  ...response,
  headers: { ...response.headers, 'X-Mdwi-Problem': `${code}; ${asHeaderValue(detail)}` },
});

/**
 * Creates a simulation. Two simulations share nothing.
 *
 * @example
 * const simulation = await createSimulation({ products: 100 });
 * const { status } = simulation.respond({ method: 'GET', origin: 'http://localhost', target: '/webservices/testService', headers: {}, body: new Uint8Array() });
 *
 * @throws when an option is not valid
 */
export async function createSimulation(options: SimulationOptions = {}): Promise<Simulation> {
  const {
    dialect: dialectOption = 'reference',
    seed = 1,
    asOf = '2026-11-14',
    products = 1000,
    fault,
    oddity,
  } = options;
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  if (basePath !== '' && !basePath.startsWith('/')) throw new Error(`base path ${basePath} must begin with a slash`);
  if (typeof dialectOption === 'string' && !isDialectName(dialectOption)) {
    throw new Error(`unknown dialect ${JSON.stringify(dialectOption)}; the dialects are ${DIALECT_NAMES.join(', ')}`);
  }
  const dialect: Dialect = typeof dialectOption === 'string' ? await DIALECTS[dialectOption]() : dialectOption;
  if (fault !== undefined && oddity !== undefined)
    throw new Error(`a simulator has either a fault or an oddity: choose ${fault} or ${oddity}`);
  const clock = createClock(asOf);
  const createData = (): World => {
    const plain = createWorld({ seed, products, clock, listsRemovals: dialect.statesRemovals });
    return dialect.adaptWorld?.(plain) ?? plain;
  };
  let world = createData();
  const behaviors = new ActiveBehaviors();
  const journal = new RequestJournal();
  const initialBehaviors: readonly Behavior[] = [
    ...(fault === undefined ? [] : [{ fault }]),
    ...(oddity === undefined ? [] : [{ oddity }]),
  ];
  await behaviors.set(initialBehaviors);

  const respond = ({ method, origin, target, headers, body }: ReceivedRequest): SimulatedResponse => {
    const queryStart = target.indexOf('?');
    const fullPath = queryStart < 0 ? target : target.slice(0, queryStart);
    // A path outside the base path is unknown; the empty path is unknown, too.
    const path = fullPath.startsWith(`${basePath}/`) ? fullPath.slice(basePath.length) : '';
    const request: UnroutedRequest = {
      method,
      base: `${origin}${basePath}`,
      path: dialect.locate?.(path) ?? path,
      query: new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart + 1)),
      headers,
      body: body ?? new Uint8Array(),
    };
    const routed = route(request);
    const operation = routed.kind === 'operation' ? routed.operation.key : undefined;
    const hooks = behaviors.hooksFor(operation);
    const seen: SeenRequest = { inputs: {}, problem: problemOfRoute(request, routed) };
    const written = body ? answerRequest(world, dialect, hooks, request, routed, seen) : rejectLargeBody(request, seen);
    const { inputs, problem } = seen;
    journal.add({
      method,
      path: request.path || path || fullPath,
      ...(operation && { operation }),
      inputs,
      ...(problem && { problem }),
      status: written.status,
    });
    const response = problem ? withProblem(written, problem) : written;
    return hooks.send ? { ...response, send: hooks.send } : response;
  };
  const rejectLargeBody = (request: UnroutedRequest, seen: SeenRequest): DialectResponse => {
    const rejected: Rejected = { kind: 'rejected', reason: 'tooLarge', detail: 'the body is larger than 10 MB' };
    see(rejected, seen);
    return dialect.write(rejected, request);
  };
  return {
    basePath,
    journal,
    clock,
    behaviors,
    get products() {
      return world.products;
    },
    get jobs() {
      return world.jobs;
    },
    respond,
    async reset() {
      await behaviors.set(initialBehaviors);
      clock.set(asOf);
      world = createData();
      journal.clear();
    },
  };
}
