/** Replays for a program: the public functions `startReplay` and `createReplay`. */
import { type Replay, type ReplayOptions, startReplay } from '../../simulator/replay/replay.ts';
import { connectFetch } from '../client/in-process/connect-fetch.ts';
import type { ProfileInput } from '../profile/schema.ts';
import { UsageError } from '../usage-error.ts';
import { findRecording, profileForReplay, replayOptionsOf, verifyBodies } from './open-replay.ts';
import { type DisposableServer, disposable } from './start-simulator.ts';

/** The options of a replay; the recording is found by its name. */
export interface ReplayServerOptions
  extends Pick<ReplayOptions, 'port' | 'strict' | 'allowHosts' | 'cors' | 'onMiss' | 'onMessage'> {
  /** The name of the recording: the user’s own, else a bundled one. */
  readonly recording: string;
  /** The folder of the recordings; default: `recordings`. */
  readonly recordingsDir?: string;
  /** Default: that of the recording. It names the credentials, which do not count when requests are matched. */
  readonly profile?: string | ProfileInput;
  /** Credentials besides those of the profile. */
  readonly secrets?: readonly string[];
}

/** What a program can do with a replay. */
export interface InProcessReplay extends Pick<Replay, 'url' | 'urlOf' | 'missCount'> {
  /** Sends a request in the same process, without the network: the origin of its URL does not matter. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** The public members of a replay. */
export interface ReplayServer extends InProcessReplay, Pick<Replay, 'port' | 'close'> {}

async function openRecordedReplay(
  { recording: name, recordingsDir, profile, secrets, ...others }: ReplayServerOptions,
  origin?: string,
): Promise<ReplayServer> {
  const recording = findRecording(name, recordingsDir);
  await verifyBodies(recording);
  const offline = await profileForReplay(recording, profile);
  const options = { ...others, recording, ...replayOptionsOf(offline, recording, secrets) };
  const { accept, ...replay } = await startReplay({ ...options, ...(origin !== undefined && { origin }) });
  return { ...replay, fetch: connectFetch(new URL(replay.url).origin, accept) };
}

/**
 * Serves a recording on the loopback address. A request that it does not hold gets status 502 with an explanation; nothing
 * reaches the network.
 *
 * @throws UsageError if the recording is missing or damaged
 * @example
 * await using replay = await startReplay({ recording: 'reference' });
 * const response = await fetch(`${replay.url}/webservices/testService`);
 */
export const startReplayServer = async (options: ReplayServerOptions): Promise<DisposableServer<ReplayServer>> =>
  disposable(await openRecordedReplay(options));

/** The options of a replay without a port. */
export interface CreateReplayOptions extends Omit<ReplayServerOptions, 'port' | 'allowHosts' | 'cors'> {
  /** The origin of the service as the client knows it; the recording has the base path. Default: `http://localhost`. */
  readonly origin?: string;
}

/**
 * Opens a recording without a port: `fetch` responds in the same process as the server of `startReplay` does, and nothing
 * has to be closed.
 *
 * @throws UsageError if the recording is missing or damaged
 * @example
 * const replay = await createReplay({ recording: 'reference' });
 * const response = await replay.fetch(new Request(`${replay.url}/webservices/testService`));
 */
export async function createReplay({
  origin = 'http://localhost',
  ...options
}: CreateReplayOptions): Promise<InProcessReplay> {
  if (URL.parse(origin)?.origin !== origin)
    throw new UsageError(`origin ${JSON.stringify(origin)}: an origin is needed, e.g. https://api.example`);
  const { url, urlOf, missCount, fetch } = await openRecordedReplay(options, origin);
  return { url, urlOf, missCount, fetch };
}
