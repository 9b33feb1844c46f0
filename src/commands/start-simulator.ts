/** Starts the simulator in the dialect of a profile. */
import type { Dialect } from '../../simulator/dialects/types.ts';
import { createInProcess, type InProcessOptions, type InProcessSimulator } from '../../simulator/in-process.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/server.ts';
import { createSimulation, type Simulation, type SimulationOptions } from '../../simulator/simulation.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile, ProfileInput } from '../profile/schema.ts';
import { startInDialect } from './start-in-dialect.ts';

/** The data of a simulator, and its one deliberate fault or oddity. */
export type SimulatorModel = Pick<SimulatorOptions, 'seed' | 'asOf' | 'products' | 'fault' | 'oddity' | 'basePath'>;

/** Starts in a built-in dialect, or in that of a profile, which may be a file. */
const withDialect = <S>(profile: string | ProfileInput, start: (dialect: string | Dialect) => Promise<S>): Promise<S> =>
  startInDialect(profile, (source) => loadProfile(source), start);

/** A server that `await using` closes. */
export type DisposableServer<S extends { close(): Promise<void> }> = S & { [Symbol.asyncDispose](): Promise<void> };

export const disposable = <S extends { close(): Promise<void> }>(server: S): DisposableServer<S> =>
  Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });

/** The options of a simulator; its dialect is that of `profile`. */
export interface SimulatorServerOptions extends Omit<SimulatorOptions, 'dialect'> {
  /** The name of a bundled dialect, the path of a profile, or a profile. Default: `reference`. */
  readonly profile?: string | ProfileInput;
}

/**
 * Starts a simulator on the loopback address: a server for the 41 operations that conforms, unless it gets a `fault`.
 *
 * @throws UsageError if the profile is not valid
 * @example
 * await using simulator = await startSimulator({ profile: 'acme.yaml' });
 * const response = await fetch(`${simulator.url}/webservices/testService`);
 */
export async function startSimulatorServer({
  profile = 'reference',
  ...options
}: SimulatorServerOptions = {}): Promise<DisposableServer<Simulator>> {
  return disposable(await withDialect(profile, (dialect) => startSimulator({ ...options, dialect })));
}

/**
 * Creates a simulation, without HTTP, in the dialect of a loaded profile.
 *
 * @throws UsageError if the profile is not valid
 */
export const createDialectSimulation = (
  profile: Profile,
  options: Omit<SimulationOptions, 'dialect'>,
): Promise<Simulation> =>
  startInDialect(
    profile.source.replace(/^bundled:/, ''),
    async () => profile,
    (dialect) => createSimulation({ ...options, dialect }),
  );

/** The options of a simulator without a port; its dialect is that of `profile`. */
export interface CreateSimulatorOptions extends Omit<InProcessOptions, 'dialect'> {
  /** The name of a bundled dialect, the path of a profile, or a profile. Default: `reference`. */
  readonly profile?: string | ProfileInput;
}

/**
 * Creates a simulator without a port: `fetch` responds in the same process, and nothing has to be closed.
 *
 * @throws UsageError if the profile is not valid
 * @example
 * const simulator = await createSimulator({ profile: 'acme.yaml' });
 * const response = await simulator.fetch(new Request(`${simulator.url}/webservices/testService`));
 */
export const createSimulator = ({
  profile = 'reference',
  ...options
}: CreateSimulatorOptions = {}): Promise<InProcessSimulator> =>
  withDialect(profile, (dialect) => createInProcess({ ...options, dialect }));

/** The `wait` of a run against the simulator, whose jobs proceed with each request and not with time. */
export const withoutWaiting = async (): Promise<void> => undefined;
