/** The recording gateway: a local reverse proxy for clients in any language. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Profile } from '../../src/profile/schema.ts';
import { isLaneName, lanePrefix, splitLane } from '../../src/recording/format/lane-name.ts';
import { operationFinder } from '../../src/recording/format/operation-finder.ts';
import { findOrigin } from '../../src/recording/format/origin.ts';
import type { Matching } from '../../src/recording/format/request-key.ts';
import { type Provenance, RecordingError } from '../../src/recording/format/schema.ts';
import { openRecorder } from '../../src/recording/record/open-recorder.ts';
import type { ProfileReading } from '../../src/recording/rerecord/generated-ids.ts';
import type { ResendPolicy } from '../../src/recording/rerecord/refresh.ts';
import { DiskError } from '../../src/recording/store/side-file.ts';
import { Protection, type ProtectionOptions } from '../../src/secrets/protection.ts';
import type { ScrubbedKind } from '../../src/secrets/receipt.ts';
import type { ReceivedCredential } from '../../src/secrets/received.ts';
import { FigureScrubber } from '../../src/secrets/scrub/figures.ts';
import { Cors } from '../http/cors.ts';
import { type Access, type LocalServer, startLocalServer } from '../http/local-server.ts';
import type { GatewayContext } from './context.ts';
import { forwardRequest } from './forward-request.ts';
import { createUpstream, type UpstreamTls } from './upstream.ts';

const SETTLE_MS = 20;

export interface GatewayOptions extends Access {
  /** The base address of the service, checked: origin and path, e.g. `https://host/api`. */
  readonly upstream: string;
  /** The folder of all recordings; this one goes to `dir/name`. */
  readonly dir: string;
  readonly name: string;
  /** 0 takes any free port. */
  readonly port?: number;
  /** What is known to be secret, from `protectionOf`; all else is found by names and shapes. */
  readonly protection?: ProtectionOptions;
  readonly matching?: Matching;
  /** What the profile reads of answers: ids that are minted anew, and values no mask may cover. */
  readonly reading?: ProfileReading;
  /** Before it is closed, some requests that change nothing are asked a second time, to learn what differs anyhow. */
  readonly askTwice?: ResendPolicy;
  /** What is replaced by invented data before it is kept, and by whose profile figures are found. */
  readonly scrub?: { readonly kinds: readonly ScrubbedKind[]; readonly profile: Profile };
  /** For a service behind TLS that asks for more than the usual. */
  readonly tls?: UpstreamTls;
  /** What the recording says about where it came from. */
  readonly about: Pick<Provenance, 'suite' | 'source' | 'profile' | 'profileSource' | 'safety' | 'made'> & {
    /** What the upstream is called there; default: its origin. */
    readonly upstream?: string;
  };
  /** Told, once each, why something is not kept; default: `tell`. */
  readonly refused?: (why: string) => void;
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
  /** Hides a credential that a client received elsewhere, as from a token endpoint, in all that is written from now on. */
  protect(credential: ReceivedCredential): void;
  /** How many exchanges were recorded. */
  recorded(): number;
  /**
   * Ends connections, asks twice what is to be, writes what is waiting, looks for secrets. Rejects like `broken`, or with
   * a LeakError.
   * @param how `atOnce`: nothing more is asked
   */
  close(how?: { readonly atOnce: boolean }): Promise<void>;
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
  const { matching = { headers: [], withoutQuery: [] } } = options;
  if (!NAME.test(name))
    throw new RecordingError(
      `“${name}” cannot name a recording: letters, digits, dots, dashes and underscores may, at most 100`,
    );
  const { origin } = new URL(address);
  const given = address.slice(address.indexOf('//') + 2).replace(/^[^/]*/, '');
  const protection = new Protection(options.protection);
  const { kinds: scrubbed = [], profile } = options.scrub ?? {};
  const refused = new Set<string>();
  const cors = new Cors(options.cors);
  const hide = (target: string): string => protection.url(target, { side: 'request' });
  const basePath = hide(given);
  const recorder = await openRecorder({
    dir,
    name,
    provenance: {
      ...about,
      upstream: about.upstream ?? hide(origin),
      basePath,
      matching,
    },
    protection,
    scrubbed,
    ...(options.reading && { reading: options.reading }),
  });
  const upstream = createUpstream(origin, options.tls);
  let own = '';
  let closing = false;
  const underway = new Set<Promise<void>>();
  const gate: GatewayContext = {
    origin,
    theirs: findOrigin(origin),
    upstream,
    recorder,
    protection,
    matching,
    cors,
    baseOf: (lane) => `${own}${lanePrefix(lane)}`,
    operationOf: operationFinder(given),
    ...(profile && scrubbed.includes('figures') && { figures: new FigureScrubber(profile) }),
    scrubsUploads: scrubbed.includes('uploads'),
    closing: () => closing,
    tell,
    refuse: (why) => {
      if (refused.has(why)) return;
      refused.add(why);
      (options.refused ?? tell)(why);
    },
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const split = splitLane(request.url ?? '');
    if (split) return forwardRequest(gate, split.lane, split.target, request, response);
    response.writeHead(400, { 'content-type': 'text/plain', 'x-mdwi-gateway': 'bad-target' });
    response.end('the lane behind /~/ must have letters, digits, dots and dashes only\n');
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = answer(request, response).catch((error: unknown) => {
      if (error instanceof DiskError) recorder.fail(error.cause);
      else tell(`the gateway itself failed at ${request.method} ${hide(request.url ?? '')}: ${error}`);
      if (response.headersSent || response.destroyed) return void response.destroy();
      response.writeHead(502, { 'content-type': 'text/plain', 'x-mdwi-gateway': 'failed' });
      response.end(`the gateway itself failed: ${hide(String(error))}\n`);
    });
    underway.add(exchange);
    void exchange.finally(() => underway.delete(exchange));
  };
  let server: LocalServer;
  try {
    server = await startLocalServer({ port, name: 'gateway', cors, allowHosts: options.allowHosts, answer: take });
  } catch (error) {
    await Promise.all([recorder.close(), upstream.close()]);
    throw error;
  }
  own = server.origin;
  return {
    url: `${own}${given}`,
    port: server.port,
    urlOf: (lane) => {
      if (!isLaneName(lane)) throw new RecordingError(`“${lane}” cannot name a lane`);
      return `${gate.baseOf(lane)}${given}`;
    },
    broken: recorder.broken,
    protect: (credential) => protection.receive(credential),
    recorded: () => recorder.kept,
    close: async (how) => {
      // Clients that left just now are still to be noticed.
      await sleep(SETTLE_MS);
      closing = true;
      await server.close();
      if (options.askTwice && !how?.atOnce) await recorder.learnMasks(options.askTwice);
      await upstream.close();
      await Promise.all(underway);
      await recorder.close();
    },
  };
}
