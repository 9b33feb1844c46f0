/** The HTTP server of the simulator. It uses `node:http` directly, so that faults and oddities control every byte. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import { chunksOf, deliverBody, pause } from './behaviors/deliver-body.ts';
import { BodySpool } from './body-spool.ts';
import { CONTROL_PATH } from './control/control-path.ts';
import { type ControlOptions, startControlServer } from './control/server.ts';
import type { Send } from './deviations/types.ts';
import { Cors } from './http/cors.ts';
import { mayHaveBody } from './http/half-open.ts';
import { type Access, type Certificate, startLocalServer } from './http/local-server.ts';
import { makeCertificate } from './http/make-certificate.ts';
import { readRequestBody } from './http/read-upload.ts';
import { writeChunks } from './http/write-chunks.ts';
import { type InProcessSimulator, inProcess } from './in-process.ts';
import { createSimulation, MAX_BODY_BYTES, type SimulatedResponse, type SimulationOptions } from './simulation.ts';

export interface SimulatorOptions extends Access, Omit<SimulationOptions, 'checksClientCertificates'> {
  /** 0 selects a free port. */
  readonly port?: number;
  /** The address to listen on, e.g. `0.0.0.0` for all of the machine. Default: the loopback address. */
  readonly host?: string | undefined;
  /** Serves HTTPS: with this certificate, or with one that is made at the start (needs the package `selfsigned`). */
  readonly tls?: boolean | Certificate | undefined;
  /**
   * Of HTTPS: demands a client certificate that one of these authorities (PEM) issued, for the operations that need one by
   * the profile, else for every connection. Default: none.
   */
  readonly clientCa?: string | undefined;
  /** Starts a control server, too, so that programs in other languages can steer the simulator. Default: none. */
  readonly control?: Omit<ControlOptions, 'host' | 'tls'>;
}

export interface Simulator extends InProcessSimulator {
  readonly port: number;
  /** The control server, e.g. `http://127.0.0.1:9001/__mdwi`, if there is one. */
  readonly controlUrl?: string;
  /** The certificate of HTTPS, PEM: clients trust the simulator by it. */
  readonly certificate?: string;
  close(): Promise<void>;
}

const send: Send = async (response, { status, headers, body, delivery }) => {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (isWhole && !delivery) {
    response.end(body);
    return;
  }
  if (isWhole && status !== 204 && status !== 304) response.setHeader('Content-Length', Buffer.byteLength(body));
  const all = chunksOf(body);
  if (!delivery && Symbol.iterator in all) return writeChunks(response, all);
  response.flushHeaders();
  const chunks = delivery ? deliverBody(all, delivery) : all;
  // A closed client connection or a body that fails on purpose ends this response only.
  await pipeline(Readable.from(chunks), response).catch(() => response.destroy());
};

/** Returns a function that writes a time as the header Date. The clock seldom moves, and the text of a time is slow to write. */
function dateWriter(): (time: Date) => string {
  let written = new Date(0);
  let text = written.toUTCString();
  return (time) => {
    if (time.getTime() !== written.getTime()) [written, text] = [time, time.toUTCString()];
    return text;
  };
}

/** Sends a response as the behaviors of the simulator decide. */
async function deliver(response: ServerResponse, reply: SimulatedResponse): Promise<void> {
  const { delayMs = 0, resetConnection } = reply.delivery ?? {};
  if (delayMs > 0) {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    await pause(delayMs, closed.signal);
  }
  if (resetConnection) response.socket?.resetAndDestroy();
  else await (reply.send ? reply.send(response, reply, send) : send(response, reply));
}

/**
 * Starts a simulator, on the loopback address unless `host` is another.
 *
 * @example
 * const simulator = await startSimulator({ products: 100, fault: 'filter-ignored' });
 * await fetch(`${simulator.url}/PLATFORMAPI/prodRef/v1/allCategories`);
 * await simulator.close();
 *
 * @throws when an option is not valid or the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, host } = options;
  if (options.clientCa !== undefined && !options.tls) throw new Error('client certificates need HTTPS: set tls, too');
  const spool = new BodySpool();
  const simulation = await createSimulation(
    { ...options, checksClientCertificates: options.clientCa !== undefined },
    spool,
  );
  const tls = typeof options.tls === 'object' ? options.tls : options.tls ? await makeCertificate(host) : undefined;
  let ownOrigin = '';
  const dateHeader = dateWriter();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.sendDate = false;
    response.setHeader('Date', dateHeader(simulation.clock.now()));
    const { method = '', url: target = '', headers } = request;
    const body = mayHaveBody(request) ? await readRequestBody(request, MAX_BODY_BYTES) : new Uint8Array();
    // Links in responses begin with the name by which the client knows the server.
    const origin = headers.host === undefined ? ownOrigin : `${tls ? 'https' : 'http'}://${headers.host}`;
    const hasClientCertificate = options.clientCa === undefined ? undefined : (request.socket as TLSSocket).authorized;
    const reply = simulation.respond({ method, origin, target, headers, body, hasClientCertificate });
    await deliver(response, reply);
  };
  const cors = new Cors(options.cors);
  const server = await startLocalServer({
    port,
    host,
    tls,
    clientCa: options.clientCa,
    isCertificateOptional: simulation.clientCertificates === 'some',
    name: 'simulator',
    cors,
    allowHosts: options.allowHosts,
    onRequest: (request, response) => {
      cors.setHeaders(request, response);
      handle(request, response).catch((error: unknown) => {
        // An internal error, not a simulated one, so the response says so.
        if (response.headersSent || response.destroyed) return response.destroy();
        response.writeHead(500, { 'content-type': 'text/plain' }).end(`the simulator itself failed: ${error}`);
      });
    },
  });
  ownOrigin = server.origin;
  const control =
    options.control &&
    (await startControlServer(simulation, { ...options.control, host, tls }).catch(async (error: unknown) => {
      await server.close();
      throw error;
    }));
  return Object.assign(inProcess(simulation, `${ownOrigin}${simulation.basePath}`), {
    port: server.port,
    ...(tls && { certificate: tls.cert }),
    ...(control && { controlUrl: `${control.origin}${CONTROL_PATH}` }),
    close: async () => {
      await Promise.all([server.close(), control?.close()]);
      spool.close();
    },
  });
}
