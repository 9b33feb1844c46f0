/** Sends requests to a simulation without HTTP: a trial whose deviation does not concern the connection needs no socket. */
import { batchChunks } from '../../simulator/http/write-chunks.ts';
import type { SimulatedResponse, Simulation } from '../../simulator/simulation.ts';
import type { Network } from '../commands/network.ts';

type SourceDispatcher = NonNullable<ReturnType<NonNullable<Network['dispatcherFor']>>>;
type DispatchOptions = Parameters<SourceDispatcher['dispatch']>[0];
type DispatchHandler = Parameters<SourceDispatcher['dispatch']>[1];
type DispatchController = Parameters<NonNullable<DispatchHandler['onResponseEnd']>>[0];

/** The address of a simulation. It resolves nowhere: a request that is not dispatched here fails. */
export const SIMULATION_ORIGIN = 'http://simulation.invalid';

/** Header lines as Node presents them to a server. */
function receivedHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = { host: new URL(SIMULATION_ORIGIN).host };
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name, value] = [(lines[at] as string).toLowerCase(), lines[at + 1] as string];
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** Whether a response has no body (RFC 9110, sections 9.3.2, 15.3.5 and 15.4.5). */
const hasNoBody = (method: string, { status }: SimulatedResponse): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

/** The header lines of a response as undici presents them, with those that a server adds. */
function sentHeaders({ headers, body }: SimulatedResponse, isBodyless: boolean, date: Date): Buffer[] {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const framing: [string, string] = isWhole
    ? ['Content-Length', `${Buffer.byteLength(body)}`]
    : ['Transfer-Encoding', 'chunked'];
  const lines = [
    ['Date', date.toUTCString()],
    ...Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => [name, `${each}`])),
    ...(isBodyless ? [] : [framing]),
  ];
  return lines.flat().map((each) => Buffer.from(each as string, 'latin1'));
}

/** The controller of one exchange: the reader of the body pauses and aborts it. */
class Controller implements DispatchController {
  paused = false;
  aborted = false;
  reason: Error | null = null;
  rawHeaders: Buffer[] = [];
  #resumed: (() => void) | undefined;

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.resume();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.#resumed?.();
  }

  /** Resolves once the reader is ready for the next chunk. */
  async ready(): Promise<void> {
    if (this.paused)
      await new Promise<void>((resolve) => {
        this.#resumed = resolve;
      });
  }
}

const piecesOf = (body: SimulatedResponse['body']) =>
  typeof body === 'string' || body instanceof Uint8Array ? [body] : Symbol.iterator in body ? batchChunks(body) : body;

async function respond(
  simulation: Simulation,
  { method, path, headers, body }: DispatchOptions,
  handler: DispatchHandler,
): Promise<void> {
  const controller = new Controller();
  handler.onRequestStart?.(controller, {});
  const fail = (error: Error): void => handler.onResponseError?.(controller, error);
  if (controller.aborted) return;
  const response = simulation.respond({
    method,
    origin: SIMULATION_ORIGIN,
    target: path,
    headers: receivedHeaders(headers as string[]),
    body: typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : new Uint8Array(),
  });
  const isBodyless = hasNoBody(method, response);
  controller.rawHeaders = sentHeaders(response, isBodyless, simulation.clock.now());
  handler.onResponseStart?.(controller, response.status, {}, '');
  try {
    if (!isBodyless)
      for await (const piece of piecesOf(response.body)) {
        if (controller.aborted) return;
        handler.onResponseData?.(controller, Buffer.from(piece));
        await controller.ready();
      }
  } catch {
    // A server ends the connection where its body fails.
    return fail(Object.assign(new Error('the body failed'), { code: 'ECONNRESET' }));
  }
  if (!controller.aborted) handler.onResponseEnd?.(controller, {});
}

/** A dispatcher of undici that answers requests to `SIMULATION_ORIGIN` from a simulation. */
export const simulationDispatcher = (simulation: Simulation): SourceDispatcher => ({
  dispatch(request, handler) {
    setImmediate(() => void respond(simulation, request, handler));
    return true;
  },
});
