/** Answers one request: routes and reads it, queries the world and writes the response, with the hooks of behaviors between. */
import type { BehaviorHooks } from './behaviors/types.ts';
import { type Dialect, type DialectRequest, type DialectResponse, isRejected } from './dialects/types.ts';
import { problemOfRejection, type RequestProblem } from './journal/request-problem.ts';
import { cutPage, withEcho } from './model/page.ts';
import type { ModelAnswer, Query, Rejected } from './model/types.ts';
import type { World } from './model/world.ts';
import type { UnroutedRequest } from './oddities/types.ts';
import { type RouteMatch, route } from './router.ts';

/** What the journal shows of a request. */
export interface SeenRequest {
  inputs: Query;
  problem?: RequestProblem | undefined;
  /** The kind of the answer, if the world gave one. */
  kind?: ModelAnswer['kind'];
}

export function see(read: Query | Rejected, seen: SeenRequest): void {
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
export function answerRequest(...given: Parameters<typeof writeReply>): DialectResponse {
  const reply = writeReply(...given);
  const [, , hooks] = given;
  return hooks.encode?.(reply) ?? reply;
}

/** The reply before a content coding. */
function writeReply(
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
  const readQuery = hooks.read?.(target, (each) => dialect.read(each), { world }) ?? dialect.read(target);
  see(readQuery, seen);
  if (isRejected(readQuery)) return write(readQuery, target);
  const codings = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  const query = hooks.query?.(readQuery, { operation, world, codings }) ?? readQuery;
  const correctAnswer: ModelAnswer = withEcho(world.answer(operation.name, query), readQuery);
  seen.kind = correctAnswer.kind;
  if (correctAnswer.kind === 'rejected') see(correctAnswer, seen);
  const answer = hooks.answer?.(correctAnswer, { operation, world, codings, query }) ?? correctAnswer;
  const reply = write(cutPage(answer, query), target);
  return hooks.reply?.(reply, { operation: operation.name }) ?? reply;
}
