/** A simulator without a port: a program sends requests with `fetch`, steers it and inspects it. It uses no module of Node. */
import { createFetch } from './fetch.ts';
import type { RequestJournal } from './journal/request-journal.ts';
import { createSimulation, type Simulation, type SimulationOptions } from './simulation.ts';

export interface InProcessSimulator
  extends Pick<Simulation, 'approximations' | 'loginUrls' | 'behaviors' | 'products' | 'jobs' | 'clock' | 'reset'>,
    Pick<RequestJournal, 'requests' | 'client'> {
  /** The base URL, including the base path. */
  readonly url: string;
  /** Responds to a request in the same process, without the network: the origin of its URL does not matter. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
}

export interface InProcessOptions extends Omit<SimulationOptions, 'basePath' | 'checksClientCertificates'> {
  /** The address of the service as the client knows it; its path is the prefix of all paths. Default: `http://localhost`. */
  readonly baseUrl?: string;
}

/** Returns what a program can do with a simulation. @param url the base URL of the simulation */
export const inProcess = (simulation: Simulation, url: string): InProcessSimulator => ({
  url,
  fetch: createFetch(simulation),
  clock: simulation.clock,
  approximations: simulation.approximations,
  loginUrls: simulation.loginUrls,
  behaviors: simulation.behaviors,
  get products() {
    return simulation.products;
  },
  get jobs() {
    return simulation.jobs;
  },
  requests: (operation) => simulation.journal.requests(operation),
  client: () => simulation.journal.client(),
  reset: () => simulation.reset(),
});

/**
 * Creates a simulator without a port.
 *
 * @example
 * const simulator = await createInProcess({ baseUrl: 'https://api.example/v2', products: 100 });
 * const response = await simulator.fetch(new Request(`${simulator.url}/webservices/testService`));
 * @throws when an option is not valid
 */
export async function createInProcess({
  baseUrl = 'http://localhost',
  ...options
}: InProcessOptions = {}): Promise<InProcessSimulator> {
  const { origin, pathname, protocol, search, hash } = URL.parse(baseUrl) ?? { protocol: '' };
  if (!/^https?:$/.test(protocol) || pathname === undefined || search !== '' || hash !== '')
    throw new Error(
      `${JSON.stringify(baseUrl)} is not a base URL: it begins with https:// or http:// and has no query`,
    );
  const simulation = await createSimulation({ ...options, basePath: pathname });
  return inProcess(simulation, `${origin}${simulation.basePath}`);
}
