/** The HTTP server of the simulator. It uses `node:http` directly, so that faults and oddities control every byte. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DIALECTS } from './dialects/index.ts';
import { DIALECT_NAMES, isDialectName } from './dialects/names.ts';
import { type Chunk, type Dialect, type DialectRequest, type DialectResponse, isRefused } from './dialects/types.ts';
import type { Hooks } from './faults/types.ts';
import { Cors } from './http/cors.ts';
import { type Access, startLocalServer } from './http/local-server.ts';
import { type Clock, createClock } from './model/clock.ts';
import { cutPage, withEcho } from './model/page.ts';
import type { ModelAnswer } from './model/types.ts';
import { createWorld, type World } from './model/world.ts';
import type { OddityHooks, Send, UnroutedRequest } from './oddities/types.ts';
import { route } from './router.ts';

export interface SimulatorOptions extends Access {
  /** 0 selects a free port. */
  readonly port?: number;
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

export interface Simulator {
  /** The base URL, including the base path. */
  readonly url: string;
  readonly port: number;
  /** Simulates weekly reloads. */
  readonly clock: Clock;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const BATCH_CHARACTERS = 64 * 1024;

/** Returns the body, or undefined when it is too large. The rest is read and discarded, so that the client gets the response. */
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

/** Joins small text chunks: dialects write lists row by row, and one socket write per row is slow. */
function* batch(chunks: Iterable<Chunk>): Generator<Chunk> {
  let buffered = '';
  for (const chunk of chunks) {
    if (typeof chunk === 'string') {
      buffered += chunk;
      if (buffered.length < BATCH_CHARACTERS) continue;
      yield buffered;
    } else {
      if (buffered !== '') yield buffered;
      yield chunk;
    }
    buffered = '';
  }
  if (buffered !== '') yield buffered;
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
  // A closed client connection or a body that fails on purpose ends this response only.
  await pipeline(Readable.from(chunks), response).catch(() => response.destroy());
};

/** Routes and reads a request, queries the world and writes the reply. Hooks of a fault or oddity change each step. */
function answerRequest(
  world: World,
  dialect: Dialect,
  hooks: Hooks & OddityHooks,
  request: UnroutedRequest,
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
  if (earlyReply) return earlyReply;
  const match = hooks.route ? hooks.route(request, route) : route(request);
  if (match.kind === 'unknownPath') return write({ kind: 'noSuchPath' }, request);
  if (match.kind === 'wrongMethod') return write({ kind: 'wrongMethod', allow: match.allow }, request);
  const { operation, upc } = match;
  const routed = { ...request, operation, ...(upc !== undefined && { upc }) };
  const readQuery = dialect.read(routed);
  if (isRefused(readQuery)) return write(readQuery, routed);
  const codings = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  const query = hooks.query?.(readQuery, { operation, world, codings }) ?? readQuery;
  const correctAnswer: ModelAnswer = withEcho(world.answer(operation.name, query), readQuery);
  const answer = hooks.answer?.(correctAnswer, { operation, world, codings, query }) ?? correctAnswer;
  const reply = write(cutPage(answer, query), routed);
  return hooks.reply?.(reply, { operation: operation.name }) ?? reply;
}

/** The hooks of the chosen fault or oddity. Their tables are loaded only when one is chosen. */
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
  const hooks = await hooksOf(options);
  const clock = createClock(asOf);
  const plain = createWorld({ seed, products, clock });
  const world = dialect.adaptWorld?.(plain) ?? plain;
  let url = '';

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.sendDate = false;
    response.setHeader('Date', clock.now().toUTCString());
    const body = await readBody(request);
    const target = request.url ?? '';
    const queryStart = target.indexOf('?');
    const fullPath = queryStart < 0 ? target : target.slice(0, queryStart);
    // A path outside the base path is unknown; the empty path is unknown, too.
    const path = fullPath.startsWith(`${basePath}/`) ? fullPath.slice(basePath.length) : '';
    const unrouted = {
      method: request.method ?? '',
      base: url,
      path: dialect.locate?.(path) ?? path,
      query: new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart + 1)),
      headers: request.headers,
      body: body ?? new Uint8Array(),
    };
    const reply = body
      ? answerRequest(world, dialect, hooks, unrouted)
      : dialect.write({ kind: 'refused', reason: 'tooLarge', detail: 'the body is larger than 10 MB' }, unrouted);
    await (hooks.send ? hooks.send(response, reply, send) : send(response, reply));
  };
  const cors = new Cors(options.cors);
  const server = await startLocalServer({
    port,
    name: 'simulator',
    cors,
    allowHosts: options.allowHosts,
    onRequest: (request, response) => {
      const lines = cors.linesFor(request, new Set());
      for (let at = 0; at < lines.length; at += 2) response.setHeader(lines[at] as string, lines[at + 1] as string);
      handle(request, response).catch((error: unknown) => {
        // An internal error, not a simulated one, so the response says so.
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
