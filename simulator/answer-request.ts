/** Answers one request: routes and reads it, queries the world and writes the response, with the hooks of behaviors between. */

import type { Hooks, UnroutedRequest } from './deviations/types.ts';
import { type Dialect, type DialectRequest, type DialectResponse, isRejected } from './dialects/types.ts';
import { checkRequest } from './journal/check-request.ts';
import { problemOfRejection, type RequestProblem } from './journal/request-problem.ts';
import { TrackedQuery } from './journal/tracked-query.ts';
import { cutPage, withEcho } from './model/page.ts';
import type { ModelAnswer, Query, Rejected } from './model/types.ts';
import type { World } from './model/world.ts';
import { type RouteMatch, route } from './router.ts';

/** What the journal shows of a request. */
export interface SeenRequest {
  inputs: Query;
  problem?: RequestProblem | undefined;
  /** What is unusual, but no mistake. */
  notes?: readonly RequestProblem[];
  /** The kind of the answer, if the world gave one. */
  kind?: ModelAnswer['kind'];
}

export function see(read: Query | Rejected, seen: SeenRequest): void {
  if (isRejected(read)) seen.problem = problemOfRejection(read);
  else seen.inputs = read;
}

/** Notes mistakes in a request that is not rejected, and in the names of one that lacks something. */
function seeDetails(
  world: World,
  dialect: Dialect,
  target: ReturnType<typeof targetOf>,
  seen: SeenRequest,
  understood: { readonly query?: Query; readonly answer?: ModelAnswer } = {},
): void {
  const { problem } = seen;
  if (problem && problem.code !== 'missing') return;
  const found = checkRequest(target, { dialect, world, ...understood });
  const [first] = found;
  const notes = found.filter(({ severity }) => severity === 'note');
  if (notes.length > 0) seen.notes = notes;
  if (first?.severity !== 'mistake') return;
  if (problem) seen.problem = { ...problem, detail: `${problem.detail}; ${first.detail}` };
  else seen.problem = first;
}

/** Checks a request that a behavior responds to in place of the world. No job is started, and no status request counted. */
function checkUnanswered(world: World, dialect: Dialect, target: ReturnType<typeof targetOf>, seen: SeenRequest): void {
  const query = dialect.read(target);
  see(named(query, dialect, target), seen);
  const { name, safety } = target.operation;
  const isRead = !isRejected(query) && safety === 'read' && query.jobId === undefined;
  const answer = isRead ? named(world.answer(name, query), dialect, target) : undefined;
  if (answer?.kind === 'rejected') see(answer, seen);
  seeDetails(world, dialect, target, seen, { ...(!isRejected(query) && { query }), ...(answer && { answer }) });
}

/** A rejection for a missing input, which says where the dialect expects it. */
function named<T extends object>(read: T, { expects }: Dialect, { operation }: ReturnType<typeof targetOf>): T {
  if (!isRejected(read) || read.reason !== 'missing' || read.input === undefined) return read;
  const place = expects?.(operation).places?.[read.input];
  if (!place) return read;
  const values = read.input === 'window' ? ', for 1, 4 or 13 weeks' : '';
  return { ...read, detail: `${place.name} is needed ${place.part}${values}` };
}

const targetOf = (request: UnroutedRequest, { operation, upc }: Extract<RouteMatch, { kind: 'operation' }>) => ({
  ...request,
  query: new TrackedQuery(request.query),
  operation,
  ...(upc !== undefined && { upc }),
});

/** Routes and reads a request, queries the world and writes the reply. Hooks of a fault or oddity change each step. */
export function answerRequest(...given: Parameters<typeof writeReply>): DialectResponse {
  const reply = writeReply(...given);
  const [, , hooks] = given;
  return hooks.encode?.(reply) ?? reply;
}

/** The reply before a content coding. */
function writeReply(
  world: World,
  dialect: Dialect,
  hooks: Hooks,
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
  const readQuery = named(
    hooks.read?.(target, (each) => dialect.read(each), { world }) ?? dialect.read(target),
    dialect,
    target,
  );
  see(readQuery, seen);
  if (isRejected(readQuery)) {
    const reply = write(readQuery, target);
    seeDetails(world, dialect, target, seen);
    return reply;
  }
  const codings = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  const query = hooks.query?.(readQuery, { operation, world, codings }) ?? readQuery;
  const correctAnswer: ModelAnswer = withEcho(named(world.answer(operation.name, query), dialect, target), readQuery);
  seen.kind = correctAnswer.kind;
  if (correctAnswer.kind === 'rejected') see(correctAnswer, seen);
  const answer = hooks.answer?.(correctAnswer, { operation, world, codings, query }) ?? correctAnswer;
  const reply = write(cutPage(answer, query), target);
  // After the response is written: a dialect may ask for parameters of a page then.
  seeDetails(world, dialect, target, seen, { query: readQuery, answer: correctAnswer });
  return hooks.reply?.(reply, { operation: operation.name }) ?? reply;
}
