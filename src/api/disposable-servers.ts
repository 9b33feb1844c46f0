/** Servers for a program: the public functions `startSimulator` and `startReplay`. */
import { type Replay, type ReplayOptions, startReplay } from '../../simulator/replay/replay.ts';
import type { Simulator, SimulatorOptions } from '../../simulator/server.ts';
import type { ProfileInput } from '../profile/schema.ts';
import { findRecording, profileForReplay, replayOptionsOf, verifyBodies } from './open-replay.ts';
import { startDialectSimulator } from './start-simulator.ts';

/** A server that `await using` closes. */
export type DisposableServer<S extends { close(): Promise<void> }> = S & { [Symbol.asyncDispose](): Promise<void> };

const disposable = <S extends { close(): Promise<void> }>(server: S): DisposableServer<S> =>
  Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });

/** The options of a simulator; its dialect is that of `profile`. */
export interface SimulatorServerOptions extends Omit<SimulatorOptions, 'dialect'> {
  /** The name of a bundled dialect, the path of a profile, or a profile. Default: `reference`. */
  readonly profile?: string | ProfileInput;
}

/**
 * Starts a simulator on the loopback address: a server for the 41 operations that conforms, unless it gets a `fault`.
 *
 * @throws UsageError if the profile describes what the simulator does not support
 * @example
 * await using simulator = await startSimulator({ profile: 'acme.yaml' });
 * const response = await fetch(`${simulator.url}/webservices/testService`);
 */
export async function startSimulatorServer({
  profile,
  ...options
}: SimulatorServerOptions = {}): Promise<DisposableServer<Simulator>> {
  return disposable(await startDialectSimulator(profile, options));
}

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

/**
 * Serves a recording on the loopback address. A request that it does not hold gets status 502 with an explanation; nothing
 * reaches the network.
 *
 * @throws UsageError if the recording is missing or damaged
 * @example
 * await using replay = await startReplay({ recording: 'reference' });
 * const response = await fetch(`${replay.url}/webservices/testService`);
 */
export async function startReplayServer(options: ReplayServerOptions): Promise<DisposableServer<Replay>> {
  const { recording: name, recordingsDir, profile, secrets, ...others } = options;
  const recording = findRecording(name, recordingsDir);
  await verifyBodies(recording);
  const offline = await profileForReplay(recording, profile);
  return disposable(await startReplay({ ...others, recording, ...replayOptionsOf(offline, recording, secrets) }));
}
