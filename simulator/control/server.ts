/** The control server of a simulator: it has its own port and receives JSON requests below `/__mdwi`. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../../src/exchange/url.ts';
import { Cors } from '../http/cors.ts';
import { type Certificate, type LocalServer, startLocalServer } from '../http/local-server.ts';
import { readRequestBody } from '../http/read-upload.ts';
import type { Simulation } from '../simulation.ts';
import { CONTROL_PATH } from './control-path.ts';
import { CONTROL_ROUTES, ControlError, type ControlRoute } from './routes.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/** Where a control server listens and whom it serves. */
export interface ControlOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /**
   * Requests must have it in the header `Authorization: Bearer TOKEN`. Default: programs on this machine need no token, and
   * no page is served.
   */
  readonly token?: string | undefined;
  /** The address to listen on. Default: the loopback address. */
  readonly host?: string | undefined;
  /** Serves HTTPS with this certificate. Default: HTTP. */
  readonly tls?: Certificate | undefined;
  /** Host names besides those of loopback. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Origins of pages that may read responses. Default: none. */
  readonly cors?: readonly string[] | undefined;
}

const equalInConstantTime = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Refuses requests without the token. A page, whose requests have an Origin header, needs it even if none is set. */
function authorize({ headers }: IncomingMessage, token: string | undefined): void {
  if (token === undefined && headers.origin === undefined) return;
  if (token === undefined)
    throw new ControlError(
      403,
      'pages need a token here: start the simulator with a control token, and send it as “Authorization: Bearer TOKEN”',
    );
  // The name of a scheme is case-insensitive (RFC 9110, 11.1).
  const sent = (headers.authorization ?? '').replace(/^bearer +/i, 'Bearer ');
  if (!equalInConstantTime(sent, `Bearer ${token}`))
    throw new ControlError(
      401,
      'the header “Authorization: Bearer TOKEN” with the control token of the simulator is needed',
    );
}

function findRoute(method: string, path: string): { readonly route: ControlRoute; readonly id: string } {
  const segments = path.split('/');
  const matches = CONTROL_ROUTES.filter((route) => {
    const parts = route.path.split('/');
    return parts.length === segments.length && parts.every((part, at) => part === '{id}' || part === segments[at]);
  });
  const route = matches.find((each) => each.method === method);
  const routes = [...new Set(CONTROL_ROUTES.map((each) => `${each.method} ${CONTROL_PATH}${each.path}`))].join(', ');
  if (matches.length === 0) throw new ControlError(404, `there is no such route; the routes are ${routes}`);
  if (!route)
    throw new ControlError(405, `${CONTROL_PATH}${path} supports ${matches.map((each) => each.method).join(', ')}`);
  const at = route.path.split('/').indexOf('{id}');
  try {
    return { route, id: at < 0 ? '' : decodeURIComponent(segments[at] as string) };
  } catch {
    throw new ControlError(400, 'the path is not percent-encoded correctly');
  }
}

/** Reads a JSON body; undefined if it is empty. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readRequestBody(request, MAX_BODY_BYTES);
  if (!body) throw new ControlError(413, 'the body is larger than 1 MB');
  if (body.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ControlError(400, 'the body must be JSON in UTF-8');
  }
}

async function handleRequest(
  simulation: Simulation,
  token: string | undefined,
  request: IncomingMessage,
): Promise<unknown> {
  authorize(request, token);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
  if (!pathname.startsWith(`${CONTROL_PATH}/`))
    throw new ControlError(404, `the routes of the control server are below ${CONTROL_PATH}`);
  const { route, id } = findRoute(request.method ?? '', pathname.slice(CONTROL_PATH.length));
  const unknown = [...searchParams.keys()].find((name) => !route.parameters.includes(name));
  if (unknown !== undefined)
    throw new ControlError(
      400,
      `${JSON.stringify(unknown.slice(0, 60))} is no query parameter of ${route.method} ${CONTROL_PATH}${route.path}${route.parameters.length > 0 ? `; allowed: ${route.parameters.join(', ')}` : ''}`,
    );
  return route.handle(simulation, id, await readJson(request), searchParams);
}

function sendJson(response: ServerResponse, status: number, value: unknown, type = 'application/json'): void {
  if (value === undefined) return void response.writeHead(204).end();
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(`${JSON.stringify(value)}\n`);
}

/**
 * Starts the control server of a simulation, on the loopback address unless `host` is another.
 * @throws an Error when the port is taken, or when other machines could reach it without a token
 */
export async function startControlServer(simulation: Simulation, options: ControlOptions): Promise<LocalServer> {
  const cors = new Cors(options.cors);
  if (options.token === '') throw new Error('the control token must not be empty');
  if (options.token === undefined && options.host !== undefined && !isLoopback(options.host))
    throw new Error(`a control server that listens on ${options.host} needs a token`);
  return startLocalServer({
    port: options.port ?? 0,
    host: options.host,
    tls: options.tls,
    name: 'control',
    cors,
    allowHosts: options.allowHosts,
    onRequest: (request, response) => {
      cors.setHeaders(request, response);
      handleRequest(simulation, options.token, request).then(
        (value) => sendJson(response, 200, value),
        (error: unknown) => {
          const status = error instanceof ControlError ? error.status : 500;
          const detail = error instanceof Error ? error.message : String(error);
          if (status === 401) response.setHeader('www-authenticate', 'Bearer');
          sendJson(response, status, { status, detail }, 'application/problem+json');
        },
      );
    },
  });
}
