/** Responds to requests without HTTP: routes and reads them, queries the world and writes the response. It uses no module of Node. */
import type { IncomingHttpHeaders } from 'node:http';
import { answerRequest, type SeenRequest, see } from './answer-request.ts';
import { ActiveBehaviors } from './behaviors/active-behaviors.ts';
import type { Behavior } from './behaviors/behaviors.ts';
import { checkedEdits } from './control/checked-edits.ts';
import type { Hooks, UnroutedRequest } from './deviations/types.ts';
import { loadDialect } from './dialects/index.ts';
import { DIALECT_NAMES, isDialectName } from './dialects/names.ts';
import type { Dialect, DialectResponse } from './dialects/types.ts';
import { RequestJournal } from './journal/request-journal.ts';
import { problemOfRoute, withProblem } from './journal/request-problem.ts';
import { type Clock, createClock } from './model/clock.ts';
import type { JobControl } from './model/jobs.ts';
import type { EditableProducts } from './model/product-edits.ts';
import type { Rejected } from './model/types.ts';
import { createWorld, type World } from './model/world.ts';
import { type BodyFiles, ResponseCache } from './response-cache.ts';
import { route } from './router.ts';

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
  /** Whether a server checks the certificates of clients before their requests arrive here. Default: no. */
  readonly checksClientCertificates?: boolean;
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
  /** Whether the connection has a client certificate that the server accepts; absent: the server checks no certificates. */
  readonly hasClientCertificate?: boolean | undefined;
}

export interface Simulation {
  /** The prefix of all paths, without a slash at its end. */
  readonly basePath: string;
  /** The operations for which clients authenticate by certificates; absent: none. */
  readonly clientCertificates: Dialect['clientCertificates'];
  /** The absolute URLs of the profile at which clients get tokens and sessions. */
  readonly loginUrls: readonly string[];
  /** Simulates weekly reloads. */
  readonly clock: Clock;
  /** Returns the response to a request, without its `Date`: the server sets it by the clock. A body that is an iterable is generated while it is read. */
  respond(request: ReceivedRequest): SimulatedResponse;
  /** The behaviors that are switched on. */
  readonly behaviors: ActiveBehaviors;
  /** The products of the current data, which a user can edit. */
  readonly products: EditableProducts;
  /** The jobs that clients started and will start. */
  readonly jobs: JobControl;
  /** What the simulator does not do as the profile says, one sentence for each operation. Empty for built-in dialects. */
  readonly approximations: readonly string[];
  /** The received requests, and what is wrong with them. */
  readonly journal: RequestJournal;
  /** Restores data, clock and behaviors as they were at the start, and empties the journal. */
  reset(): Promise<void>;
}

export interface SimulatedResponse extends DialectResponse {
  /** Sends the response over HTTP in place of the usual way, if an oddity changes what happens on the connection. */
  readonly send?: NonNullable<Hooks['send']>;
}

const UNCHECKED_CERTIFICATES =
  'auth is not simulated: client certificates are checked by a server with --tls and --tls-client-ca only';

/** The largest body of a request. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Creates a simulation. Two simulations share nothing.
 *
 * @example
 * const simulation = await createSimulation({ products: 100 });
 * const { status } = simulation.respond({ method: 'GET', origin: 'http://localhost', target: '/webservices/testService', headers: {}, body: new Uint8Array() });
 *
 * @param files keeps bodies that are too long for memory
 * @throws when an option is not valid
 */
export async function createSimulation(options: SimulationOptions = {}, files?: BodyFiles): Promise<Simulation> {
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
  const dialect: Dialect = typeof dialectOption === 'string' ? await loadDialect(dialectOption) : dialectOption;
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
  const cache = new ResponseCache(files);
  const initialBehaviors: readonly Behavior[] = [
    ...(fault === undefined ? [] : [{ fault }]),
    ...(oddity === undefined ? [] : [{ oddity }]),
  ];
  await behaviors.set(initialBehaviors);

  const isCacheable = !dialect.hasExpiringCredentials && dialect.clientCertificates !== 'some';
  const revisionOfData = (): string => `${clock.asOf()} ${world.products.revision()}`;

  const respond = (received: ReceivedRequest): SimulatedResponse => {
    const { method, origin, target, headers, body } = received;
    const revision = revisionOfData();
    const key = behaviors.isEmpty && isCacheable ? cache.keyOf(received, revision) : undefined;
    const cached = key === undefined ? undefined : cache.get(key);
    if (cached) {
      journal.add(cached.entry);
      return cached.response;
    }
    const queryStart = target.indexOf('?');
    const fullPath = queryStart < 0 ? target : target.slice(0, queryStart);
    // A path outside the base path is unknown; the empty path is unknown, too.
    const base = `${origin}${basePath}`;
    const bytes = body ?? new Uint8Array();
    const beside = dialect.respondBeside?.({ method, base, path: fullPath, target, headers, body: bytes });
    if (beside) return beside;
    const path = fullPath.startsWith(`${basePath}/`) ? fullPath.slice(basePath.length) : '';
    const request: UnroutedRequest = {
      method,
      base,
      path: dialect.locate?.(path) ?? path,
      query: new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart + 1)),
      target,
      headers,
      body: bytes,
      hasClientCertificate: received.hasClientCertificate,
    };
    const routed = route(request);
    const operation = routed.kind === 'operation' ? routed.operation.key : undefined;
    const hooks = behaviors.hooksFor(operation);
    const seen: SeenRequest = {
      inputs: {},
      problem: problemOfRoute({ method, path: request.path, fullPath, basePath }, routed),
    };
    const written = body ? answerRequest(world, dialect, hooks, request, routed, seen) : rejectLargeBody(request, seen);
    const { inputs, problem, notes, kind } = seen;
    const entry = {
      method,
      path: request.path || path || fullPath,
      ...(operation && { operation }),
      inputs,
      ...(problem && { problem }),
      ...(notes && { notes }),
      status: written.status,
    };
    journal.add(entry);
    const response = problem ? withProblem(written, problem) : written;
    if (hooks.send) return { ...response, send: hooks.send };
    if (key === undefined || kind === undefined) return response;
    return cache.add(key, kind, { response, entry }, () => revision === revisionOfData());
  };
  const rejectLargeBody = (request: UnroutedRequest, seen: SeenRequest): DialectResponse => {
    const rejected: Rejected = { kind: 'rejected', reason: 'tooLarge', detail: 'the body is larger than 10 MB' };
    see(rejected, seen);
    return dialect.write(rejected, request);
  };
  return {
    basePath,
    clientCertificates: dialect.clientCertificates,
    loginUrls: dialect.loginUrls ?? [],
    get approximations() {
      const own = dialect.approximations?.() ?? [];
      return dialect.clientCertificates && !options.checksClientCertificates ? [UNCHECKED_CERTIFICATES, ...own] : own;
    },
    journal,
    clock,
    behaviors,
    get products() {
      return { ...world.products, edits: checkedEdits(world.products.edits) };
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
      cache.clear();
    },
  };
}
