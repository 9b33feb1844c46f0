/** The simulator's HTTP side: bare `node:http`, so that wrong and hostile answers can be given byte for byte. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DIALECTS } from './dialects/index.ts';
import { DIALECT_NAMES, isDialectName } from './dialects/names.ts';
import { type Chunk, type Dialect, type DialectRequest, isRefused, type Reply } from './dialects/types.ts';
import type { Hooks } from './faults/types.ts';
import { Cors } from './http/cors.ts';
import { type Access, startLocalServer } from './http/local-server.ts';
import { type Clock, createClock } from './model/clock.ts';
import { cutPage } from './model/page.ts';
import type { ModelAnswer } from './model/types.ts';
import { createWorld, type World } from './model/world.ts';
import type { OddityHooks, Send, UnroutedRequest } from './oddities/types.ts';
import { route } from './router.ts';

export interface SimulatorOptions extends Access {
  /** 0 takes any free port. */
  readonly port?: number;
  /** One of ours by its name, or one made of a profile. Default: `reference`. */
  readonly dialect?: string | Dialect;
  readonly seed?: number;
  /** The Saturday that ends the newest data week, `YYYY-MM-DD`. */
  readonly asOf?: string;
  readonly products?: number;
  /** The name of one fault; without it the simulator conforms. */
  readonly fault?: string;
  /** The name of one oddity: conforming still, but not in the plain way. */
  readonly oddity?: string;
  /** What all paths are appended to (section 4), e.g. `/api`. */
  readonly basePath?: string;
}

export interface Simulator {
  /** The base address, base path included. */
  readonly url: string;
  readonly port: number;
  /** Moves weekly reloads on. */
  readonly clock: Clock;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const BATCH_CHARACTERS = 64 * 1024;

/** The body, or undefined when it is too large; the rest of it is then read and forgotten, so that the answer arrives. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

/** Small texts are sent together: a list is written row by row, but not sent so. */
function* batch(chunks: Iterable<Chunk>): Generator<Chunk> {
  let held = '';
  for (const chunk of chunks) {
    if (typeof chunk === 'string') {
      held += chunk;
      if (held.length < BATCH_CHARACTERS) continue;
      yield held;
    } else {
      if (held !== '') yield held;
      yield chunk;
    }
    held = '';
  }
  if (held !== '') yield held;
}

const send: Send = async (response, { status, headers, body }) => {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (typeof body === 'string' || body instanceof Uint8Array) {
    response.end(body);
    return;
  }
  response.flushHeaders();
  const chunks = Symbol.iterator in body ? batch(body) : body;
  // A client that hangs up, or a body that breaks off on purpose, ends this answer and nothing else.
  await pipeline(Readable.from(chunks), response).catch(() => response.destroy());
};

/** From a request to its reply: route, read, ask the world, write; a fault or an oddity may take hold in between. */
function answerRequest(world: World, dialect: Dialect, hooks: Hooks & OddityHooks, asked: UnroutedRequest): Reply {
  const write = (answer: ModelAnswer, request: DialectRequest): Reply => {
    const written = dialect.write(answer, request);
    const reply =
      answer.kind === 'wrongMethod' && written.status === 405
        ? { ...written, headers: { ...written.headers, Allow: answer.allow.join(', ') } }
        : written;
    const { operation } = request;
    return hooks.finish?.(reply, { asked, answer, ...(operation && { operation }) }) ?? reply;
  };
  const instead = hooks.before?.(asked, world);
  if (instead) return instead;
  const match = hooks.route ? hooks.route(asked, route) : route(asked);
  if (match.is === 'nowhere') return write({ kind: 'noSuchPath' }, asked);
  if (match.is === 'wrongMethod') return write({ kind: 'wrongMethod', allow: match.allow }, asked);
  const { operation, upc } = match;
  const request = { ...asked, operation, ...(upc !== undefined && { upc }) };
  const read = dialect.read(request);
  if (isRefused(read)) return write(read, request);
  const query = hooks.ask?.(read, { operation, world }) ?? read;
  const right: ModelAnswer = world.answer(operation.name, query);
  const answer = hooks.answer?.(right, { operation, world, query }) ?? right;
  const reply = write(cutPage(answer, query), request);
  return hooks.reply?.(reply, { operation: operation.name }) ?? reply;
}

/** What a fault or an oddity changes; their tables are loaded only for one. */
async function hooksOf({ fault, oddity }: SimulatorOptions): Promise<Hooks & OddityHooks> {
  if (fault !== undefined) return (await import('./faults/index.ts')).faultNamed(fault).hooks;
  if (oddity !== undefined) return (await import('./oddities/index.ts')).oddityNamed(oddity).start();
  return {};
}

/**
 * Starts a simulator on the loopback address.
 *
 * @example
 * const simulator = await startSimulator({ products: 100, fault: 'filter-ignored' });
 * await fetch(`${simulator.url}/PLATFORMAPI/prodRef/v1/allCategories`);
 * await simulator.close();
 *
 * @throws when an option is not valid or the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const {
    port = 0,
    dialect: spoken = 'reference',
    seed = 1,
    asOf = '2026-11-14',
    products = 1000,
    fault,
    oddity,
  } = options;
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  if (basePath !== '' && !basePath.startsWith('/')) throw new Error(`base path ${basePath} must begin with a slash`);
  if (typeof spoken === 'string' && !isDialectName(spoken)) {
    throw new Error(`no dialect ${JSON.stringify(spoken)}; there are ${DIALECT_NAMES.join(', ')}`);
  }
  const dialect: Dialect = typeof spoken === 'string' ? await DIALECTS[spoken]() : spoken;
  if (fault !== undefined && oddity !== undefined)
    throw new Error(`a fault and an oddity at once: choose ${fault} or ${oddity}`);
  const hooks = await hooksOf(options);
  const clock = createClock(asOf);
  const bare = createWorld({ seed, products, clock });
  const world = dialect.settle?.(bare) ?? bare;
  let url = '';

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.sendDate = false;
    response.setHeader('Date', clock.now().toUTCString());
    const body = await readBody(request);
    const target = request.url ?? '';
    const mark = target.indexOf('?');
    const whole = mark < 0 ? target : target.slice(0, mark);
    // A path outside the base path leads nowhere, which the empty path does too.
    const path = whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : '';
    const asked = {
      method: request.method ?? '',
      base: url,
      path: dialect.locate?.(path) ?? path,
      query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
      headers: request.headers,
      body: body ?? new Uint8Array(),
    };
    const reply = body
      ? answerRequest(world, dialect, hooks, asked)
      : dialect.write({ kind: 'refused', reason: 'tooLarge', detail: 'the body is larger than 10 MB' }, asked);
    await (hooks.send ? hooks.send(response, reply, send) : send(response, reply));
  };
  const cors = new Cors(options.cors);
  const server = await startLocalServer({
    port,
    name: 'simulator',
    cors,
    allowHosts: options.allowHosts,
    answer: (request, response) => {
      const lines = cors.linesFor(request, new Set());
      for (let at = 0; at < lines.length; at += 2) response.setHeader(lines[at] as string, lines[at + 1] as string);
      handle(request, response).catch((error: unknown) => {
        // Our own error, not a simulated one: say so where the developer looks.
        if (response.headersSent || response.destroyed) return response.destroy();
        response.writeHead(500, { 'content-type': 'text/plain' }).end(`the simulator itself failed: ${error}`);
      });
    },
  });
  url = `${server.origin}${basePath}`;
  return {
    url,
    port: server.port,
    clock,
    close: () => server.close(),
  };
}
