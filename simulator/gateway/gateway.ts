/** The recording gateway: a local reverse proxy for clients in any language. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationFinder } from '../../src/exchange/operation-finder.ts';
import type { ProxySettings } from '../../src/exchange/wire/proxy.ts';
import type { Profile } from '../../src/profile/schema.ts';
import { lanePrefix, nameProblem, nameRule, splitLane } from '../../src/recording/format/names.ts';
import { originPattern } from '../../src/recording/format/origin.ts';
import type { Matching } from '../../src/recording/format/request-key.ts';
import { type Provenance, RecordingError } from '../../src/recording/format/schema.ts';
import { openRecorder } from '../../src/recording/record/open-recorder.ts';
import type { ResendPolicy } from '../../src/recording/rerecord/learn-masks.ts';
import type { ProfileReader } from '../../src/recording/rerecord/profile-reader.ts';
import { DiskError } from '../../src/recording/store/side-file.ts';
import { Protection, type ProtectionOptions } from '../../src/secrets/hide-in-exchange.ts';
import type { ReceivedCredential } from '../../src/secrets/received.ts';
import type { ScrubbedKind } from '../../src/secrets/redaction-receipt.ts';
import { FigureScrubber } from '../../src/secrets/scrub/figures.ts';
import { Cors } from '../http/cors.ts';
import { type Access, type LocalServer, startLocalServer } from '../http/local-server.ts';
import type { GatewayContext } from './context.ts';
import { forwardRequest } from './forward-request.ts';
import { createUpstream, type UpstreamTls } from './upstream.ts';

const SETTLE_MS = 20;

export interface GatewayOptions extends Access {
  /** The base address of the service: origin and path, e.g. `https://host/api`. The caller has validated it. */
  readonly upstream: string;
  /** The folder that contains all recordings. The gateway writes to its subfolder `name`. */
  readonly dir: string;
  readonly name: string;
  /** 0 takes any free port. */
  readonly port?: number;
  /** The known secrets, from `protectionOf`; other secrets are found by their names and formats. */
  readonly protection?: ProtectionOptions;
  readonly matching?: Matching;
  /** Reads responses as the profile declares: finds ids that are generated per run, and values that must not be masked. */
  readonly profileReader?: ProfileReader;
  /** Before it closes, the gateway sends some safe requests a second time, to learn which values always change. */
  readonly resendPolicy?: ResendPolicy;
  /** What is replaced by invented data in the recording; the profile locates the figures. */
  readonly scrub?: { readonly kinds: readonly ScrubbedKind[]; readonly profile: Profile };
  /** For a service with its own certificate authority, or one that requires a client certificate. */
  readonly tls?: UpstreamTls;
  /** The proxies to the service; default: none. */
  readonly proxy?: ProxySettings;
  /** Members of the provenance that is stored in the recording, such as `made`, the commands that recorded it. */
  readonly about: Pick<Provenance, 'suite' | 'source' | 'profile' | 'profileSource' | 'safety' | 'made'> & {
    /** The recorded name of the upstream; default: its origin. */
    readonly upstream?: string;
  };
  /** Called once per reason why an exchange is not recorded; default: `onMessage`. */
  readonly onNotRecorded?: (why: string) => void;
  /** Called with messages for the user: failures of the upstream and internal errors. */
  readonly onMessage?: (message: string) => void;
}

export interface Gateway {
  /** The base address for clients of the main lane, the upstream’s base path included. */
  readonly url: string;
  readonly port: number;
  /** The base address of a lane. */
  urlOf(lane: string): string;
  /** Rejects with a RecordingError when the gateway cannot record any more. */
  readonly broken: Promise<never>;
  /** Hides a credential that a client received elsewhere, e.g. from a token endpoint, in everything recorded later. */
  protect(credential: ReceivedCredential): void;
  /** How many exchanges were recorded. */
  recordedCount(): number;
  /**
   * Ends connections, sends the second requests, writes pending exchanges and scans for secrets. Rejects like `broken`,
   * or with a LeakError.
   * @param how `atOnce`: without second requests
   */
  close(how?: { readonly atOnce: boolean }): Promise<void>;
}

/**
 * Starts a gateway on the loopback address. It records each exchange while it forwards it.
 *
 * @example
 * const gateway = await startGateway({ upstream: 'https://host/api', dir: 'recordings', name: 'host', about });
 * await fetch(`${gateway.url}/webservices/testService`);
 * await gateway.close();
 *
 * @throws RecordingError when the folder cannot hold a recording, an Error when the port is taken
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { upstream: address, dir, name, port = 0, about, onMessage: report = () => undefined } = options;
  const { matching = { headers: [], withoutQuery: [] } } = options;
  const problem = nameProblem('recording', name);
  if (problem) throw new RecordingError(problem);
  const { origin } = new URL(address);
  const upstreamPath = address.slice(address.indexOf('//') + 2).replace(/^[^/]*/, '');
  const protection = new Protection(options.protection);
  const { kinds: scrubbed = [], profile } = options.scrub ?? {};
  const reportedReasons = new Set<string>();
  const cors = new Cors(options.cors);
  const hideSecrets = (url: string): string => protection.url(url, { side: 'request' });
  const basePath = hideSecrets(upstreamPath);
  const recorder = await openRecorder({
    dir,
    name,
    provenance: {
      ...about,
      upstream: about.upstream ?? hideSecrets(origin),
      basePath,
      matching,
    },
    protection,
    scrubbed,
    ...(options.profileReader && { profileReader: options.profileReader }),
  });
  const upstream = createUpstream(origin, options.tls, options.proxy);
  let ownOrigin = '';
  let isClosing = false;
  const pending = new Set<Promise<void>>();
  const context: GatewayContext = {
    origin,
    upstreamPattern: originPattern(origin),
    upstream,
    recorder,
    protection,
    matching,
    cors,
    baseOf: (lane) => `${ownOrigin}${lanePrefix(lane)}`,
    operationOf: operationFinder(upstreamPath),
    ...(profile && scrubbed.includes('figures') && { figureScrubber: new FigureScrubber(profile) }),
    scrubsUploads: scrubbed.includes('uploads'),
    isClosing: () => isClosing,
    report,
    reportNotRecorded: (why) => {
      if (reportedReasons.has(why)) return;
      reportedReasons.add(why);
      (options.onNotRecorded ?? report)(why);
    },
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const split = splitLane(request.url ?? '');
    if (split) return forwardRequest(context, split.lane, split.target, request, response);
    response.writeHead(400, { 'content-type': 'text/plain', 'x-mdwi-gateway': 'bad-target' });
    response.end(`the name of a lane, after /~/, ${nameRule('lane')}\n`);
  };
  const handleRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = respond(request, response).catch((error: unknown) => {
      if (error instanceof DiskError) recorder.fail(error.cause);
      else report(`internal error in the gateway at ${request.method} ${hideSecrets(request.url ?? '')}: ${error}`);
      if (response.headersSent || response.destroyed) return void response.destroy();
      response.writeHead(502, { 'content-type': 'text/plain', 'x-mdwi-gateway': 'failed' });
      response.end(`internal error in the gateway: ${hideSecrets(String(error))}\n`);
    });
    pending.add(exchange);
    void exchange.finally(() => pending.delete(exchange));
  };
  let server: LocalServer;
  try {
    server = await startLocalServer({
      port,
      name: 'gateway',
      cors,
      allowHosts: options.allowHosts,
      onRequest: handleRequest,
    });
  } catch (error) {
    await Promise.all([recorder.close(), upstream.close()]);
    throw error;
  }
  ownOrigin = server.origin;
  return {
    url: `${ownOrigin}${upstreamPath}`,
    port: server.port,
    urlOf: (lane) => {
      const problem = nameProblem('lane', lane);
      if (problem) throw new RecordingError(problem);
      return `${context.baseOf(lane)}${upstreamPath}`;
    },
    broken: recorder.failed,
    protect: (credential) => protection.receive(credential),
    recordedCount: () => recorder.recordedCount,
    close: async (how) => {
      // The close events of clients that just disconnected have to arrive first.
      await sleep(SETTLE_MS);
      isClosing = true;
      await server.close();
      if (options.resendPolicy && !how?.atOnce) await recorder.learnMasks(options.resendPolicy);
      await upstream.close();
      await Promise.all(pending);
      await recorder.close();
    },
  };
}
