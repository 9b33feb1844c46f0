/** The recording gateway: a local reverse proxy for clients in any language. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Matching } from '../../src/exchange/har/key.ts';
import { isLaneName, lanePrefix, splitLane } from '../../src/exchange/har/lane.ts';
import { operationFinder } from '../../src/exchange/har/operation.ts';
import { findOrigin } from '../../src/exchange/har/origin.ts';
import { createProtector, type Secrets } from '../../src/exchange/har/protect.ts';
import { type Provenance, RecordingError } from '../../src/exchange/har/schema.ts';
import { openRecorder } from './open-recorder.ts';
import { relay } from './relay.ts';
import { DiskError } from './side-file.ts';
import type { Gate } from './types.ts';
import { createUpstream } from './upstream.ts';

const LOOPBACK = '127.0.0.1';
/** Longer than clients keep idle connections, so that none meets the keep-alive race. */
const KEEP_ALIVE_MS = 120_000;
const MAX_HEADER_BYTES = 256 * 1024;

export interface GatewayOptions {
  /** The base address of the service, checked: origin and path, e.g. `https://host/api`. */
  readonly upstream: string;
  /** The folder of all recordings; this one goes to `dir/name`. */
  readonly dir: string;
  readonly name: string;
  /** 0 takes any free port. */
  readonly port?: number;
  readonly secrets?: Secrets;
  readonly matching?: Matching;
  /** A certificate authority to trust besides the usual ones, PEM. */
  readonly ca?: string;
  /** What the recording says about where it came from. */
  readonly about: Pick<Provenance, 'suite' | 'source' | 'profile' | 'safety'> & {
    /** What the upstream is called there; default: its origin. */
    readonly upstream?: string;
  };
  /** Told what clients can only guess: why the upstream did not answer, our own errors. */
  readonly tell?: (message: string) => void;
}

export interface Gateway {
  /** The base address for clients of the main lane, the upstream’s base path included. */
  readonly url: string;
  readonly port: number;
  /** The base address of a lane. */
  urlOf(lane: string): string;
  /** Rejects with a RecordingError when nothing can be recorded any more. */
  readonly broken: Promise<never>;
  /** How many exchanges were recorded. */
  recorded(): number;
  /** Ends connections and writes what is waiting. Rejects like `broken`. */
  close(): Promise<void>;
}

/** A name that is one folder, whatever the system. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Starts a gateway on the loopback address; what passes through it is recorded as it goes.
 *
 * @example
 * const gateway = await startGateway({ upstream: 'https://host/api', dir: 'recordings', name: 'host', about });
 * await fetch(`${gateway.url}/webservices/testService`);
 * await gateway.close();
 *
 * @throws RecordingError when the folder cannot be recorded to, an Error when the port is taken
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { upstream: address, dir, name, port = 0, about, tell = () => undefined } = options;
  const { secrets = { values: [], headers: [], query: [] }, matching = { headers: [], withoutQuery: [] } } = options;
  if (!NAME.test(name))
    throw new RecordingError(
      `“${name}” cannot name a recording: letters, digits, dots, dashes and underscores may, at most 100`,
    );
  const { origin } = new URL(address);
  const basePath = address.slice(address.indexOf('//') + 2).replace(/^[^/]*/, '');
  const protector = createProtector(secrets);
  const recorder = await openRecorder({
    dir,
    name,
    provenance: {
      ...about,
      upstream: about.upstream ?? protector.text(origin),
      basePath,
      matching: { headers: [...matching.headers], withoutQuery: [...matching.withoutQuery] },
      masks: [],
      redaction: { placeholders: {}, rules: ['declared values', 'credential headers'], scannedBytes: 0 },
    },
  });
  const upstream = createUpstream(origin, options.ca);
  let own = '';
  let closing = false;
  const underway = new Set<Promise<void>>();
  const gate: Gate = {
    origin,
    theirs: findOrigin(origin),
    upstream,
    recorder,
    protector,
    matching,
    baseOf: (lane) => `${own}${lanePrefix(lane)}`,
    operationOf: operationFinder(basePath),
    closing: () => closing,
    tell,
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const given = request.url ?? '';
    const split = splitLane(given.startsWith(`${own}/`) ? given.slice(own.length) : given);
    if (split?.target.startsWith('/')) return relay(gate, split.lane, split.target, request, response);
    response.writeHead(400, { 'content-type': 'text/plain', 'x-mdwi-gateway': 'bad-target' });
    response.end(
      `a path of the service is needed, or /~/LANE before it with a lane of letters, digits, dots and dashes\n`,
    );
  };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS });
  server.on('request', (request, response) => {
    const exchange = answer(request, response).catch((error: unknown) => {
      if (error instanceof DiskError) recorder.fail(error.cause);
      else tell(`the gateway itself failed at ${request.method} ${protector.text(request.url ?? '')}: ${error}`);
      if (response.headersSent || response.destroyed) return void response.destroy();
      response.writeHead(502, { 'content-type': 'text/plain', 'x-mdwi-gateway': 'failed' });
      response.end(`the gateway itself failed: ${protector.text(String(error))}\n`);
    });
    underway.add(exchange);
    void exchange.finally(() => underway.delete(exchange));
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, LOOPBACK, resolve);
    });
  } catch (error) {
    await Promise.all([recorder.close(), upstream.close()]);
    throw error;
  }
  const bound = (server.address() as AddressInfo).port;
  own = `http://${LOOPBACK}:${bound}`;
  return {
    url: `${own}${basePath}`,
    port: bound,
    urlOf: (lane) => {
      if (!isLaneName(lane)) throw new RecordingError(`“${lane}” cannot name a lane`);
      return `${gate.baseOf(lane)}${basePath}`;
    },
    broken: recorder.broken,
    recorded: () => recorder.kept,
    close: async () => {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await upstream.close();
      await Promise.all(underway);
      await recorder.close();
    },
  };
}
