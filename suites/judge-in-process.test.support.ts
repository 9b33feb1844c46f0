/** Judges services and simulations without a port, for tests whose subject is not the wire. */
import { createSimulation, type SimulationOptions } from '../simulator/simulation.ts';
import { APP_ORIGIN } from '../src/client/in-process/app-source.ts';
import { judgeTarget, type Target } from '../src/commands/judge-target.ts';
import { parseProfile } from '../src/profile/parse-profile.ts';
import type { Profile } from '../src/profile/schema.ts';
import type { Run, Selection } from '../src/run/types.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from '../src/selftest/simulation-dispatcher.ts';

export interface ServiceRequest {
  /** Method and path, like the key of an operation. */
  readonly key: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON body; an empty object without one. */
  readonly json: { readonly [member: string]: never };
}

/** The response of a service: status, body and media type (JSON, if none); undefined: 404. */
export type Answer = (request: ServiceRequest) => readonly [status: number, body: unknown, type?: string] | undefined;

const wait = async () => undefined;

const responseOf = ([status, body, type = 'application/json']: NonNullable<ReturnType<Answer>>): Response =>
  new Response(status === 204 ? null : typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': type },
  });

/** Judges a small service with a profile, as YAML. */
export function judgeService(
  profile: string | Profile,
  answer: Answer,
  selection: Partial<Selection> = {},
  target: Partial<Target> = {},
): Promise<Run> {
  const app = async (request: Request): Promise<Response> => {
    const { pathname: path, searchParams: query } = new URL(request.url);
    const json = JSON.parse((await request.text()) || '{}');
    const key = `${request.method} ${path}`;
    return responseOf(answer({ key, path, query, headers: request.headers, json }) ?? [404, {}]);
  };
  return judgeTarget({
    base: APP_ORIGIN,
    app,
    profile: typeof profile === 'string' ? parseProfile(profile, 't.yaml', {}) : profile,
    selection: { safety: 'read', ...selection },
    wait,
    ...target,
  });
}

/** Judges a simulation, by default with the profile of its dialect and all operations. */
export async function judgeSimulation(options: SimulationOptions, target: Partial<Target> = {}): Promise<Run> {
  const dispatcher = simulationDispatcher(await createSimulation(options));
  const { dialect = 'reference' } = options;
  return judgeTarget({
    base: SIMULATION_ORIGIN,
    network: { secrets: [], dispatcherFor: (origin) => (origin === SIMULATION_ORIGIN ? dispatcher : undefined) },
    profile: target.profile ?? (await patchedProfile(dialect as Parameters<typeof patchedProfile>[0])),
    selection: { safety: 'all' },
    wait,
    ...target,
  });
}
