/** The services that are learned: drawn ones, the bundled dialects, and the strangers, each with its true profile. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import { FAULTS } from '../../simulator/faults/index.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import type { Network } from '../../src/commands/network.ts';
import { createDialectSimulation } from '../../src/commands/start-simulator.ts';
import type { Group } from '../../src/contract/index.ts';
import { bundledPath } from '../../src/profile/bundled.ts';
import { checkProfile } from '../../src/profile/check-profile.ts';
import type { PlainObject } from '../../src/profile/plain-object.ts';
import type { Profile } from '../../src/profile/schema.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from '../../src/selftest/simulation-dispatcher.ts';
import { drawServices, SEED } from '../services/draw-service.ts';
import { buildStranger, commandOf, STRANGERS, type Stranger, startStranger } from '../strangers/servers.ts';
import { withOpaqueNames } from './opaque-names.ts';

export const KINDS = ['drawn', 'bundled', 'strangers'] as const;
export type Kind = (typeof KINDS)[number];

/** A running service. */
export interface Opened {
  readonly base: string;
  readonly network: Network;
  close(): Promise<void>;
}

/** `first` is learned and judged, the responses of `second` decide whether a binding is right. */
export type WorldName = 'first' | 'second';

export interface ServiceFault {
  readonly name: string;
  /** The groups whose responses it may change. */
  readonly groups: readonly Group[];
}

export interface Service {
  readonly name: string;
  readonly kind: Kind;
  /** The true profile as its author writes it. */
  readonly data: PlainObject;
  readonly truth: Profile;
  /** A stranger has one world only: its second one is the first. */
  open(world: WorldName, fault?: string): Promise<Opened>;
  /** Faults of some groups, always the same ones for a service. */
  faults(count: number, groups: readonly Group[]): ServiceFault[];
}

const WORLDS = {
  first: { seed: 1, asOf: '2026-11-14', products: 400 },
  second: { seed: 8, asOf: '2026-08-22', products: 150 },
} as const satisfies Record<WorldName, object>;

const STARTS = ['name', 'auth', 'authFor', 'authExcept', 'headers', 'prefixes'] as const;

/** The inputs of which no operation lists values. */
const UNLISTED = ['catalogueId', 'measure'] as const;

/** What a person must know before the learner sends anything: credentials, and values that no operation lists. */
export function startOf({ data }: Service): PlainObject {
  const examples = (data.examples ?? {}) as PlainObject;
  const unlisted = UNLISTED.flatMap((input) => (examples[input] === undefined ? [] : [[input, examples[input]]]));
  return {
    ...Object.fromEntries(STARTS.flatMap((key) => (data[key] === undefined ? [] : [[key, data[key]]]))),
    ...(unlisted.length > 0 && { examples: Object.fromEntries(unlisted) }),
  };
}

/** Checks a profile of a service as the product does. @throws ProfileError */
export const checkedProfile = (data: unknown, source: string): Profile =>
  checkProfile(data, source, { env: process.env, unset: 'refuse' });

/** Draws different faults of the simulator that need nothing of a profile or dialect. */
function drawFaults(seed: number, count: number, groups: readonly Group[]): ServiceFault[] {
  const portable = FAULTS.filter(({ profile, dialects, group }) => !profile && !dialects && groups.includes(group));
  return someOf(portable, count, seed).map(({ name, group }) => ({ name, groups: [group] }));
}

const someOf = <T>(all: readonly T[], count: number, seed: number): T[] =>
  fc
    .sample(fc.shuffledSubarray([...all], { minLength: all.length }), { seed: SEED + seed, numRuns: 1 })
    .flat()
    .slice(0, count);

const simulated = (name: string, kind: Kind, at: number, data: PlainObject, truth: Profile): Service => ({
  ...{ name, kind, data, truth },
  async open(world, fault) {
    const options = { ...WORLDS[world], ...(fault !== undefined && { fault }) };
    const simulation = await createDialectSimulation(truth, options);
    return inProcess(simulation);
  },
  faults: (count, groups) => drawFaults(at, count, groups),
});

function inProcess(simulation: Awaited<ReturnType<typeof createSimulation>>): Opened {
  const dispatcher = simulationDispatcher(simulation);
  return {
    base: SIMULATION_ORIGIN,
    network: { secrets: [], issuer: SIMULATION_ORIGIN, dispatcherFor: () => dispatcher },
    async close() {},
  };
}

/** The reference dialect in a world of the simulator: it states what a service may leave out. */
export const openReference = async (world: WorldName): Promise<Opened> =>
  inProcess(await createSimulation(WORLDS[world]));

/** The names of the violations of a stranger that concern some groups. */
function violationsOf(stranger: Stranger): string[] {
  const [program, ...args] = commandOf(stranger, stranger.start);
  return execFileSync(program, [...args, '--list'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([kind, name = '']) => (kind === 'violation' ? [name] : []));
}

function strangerService(stranger: Stranger): Service {
  const file = join(import.meta.dirname, '..', 'strangers', stranger.name, 'profile.yaml');
  const data = parse(readFileSync(file, 'utf8')) as PlainObject;
  return {
    ...{ name: stranger.name, kind: 'strangers', data, truth: checkedProfile(data, file) },
    async open(_, violation) {
      const { baseUrl, close } = await startStranger(
        stranger,
        violation === undefined ? [] : ['--violation', violation],
      );
      return { base: baseUrl, network: { secrets: [] }, close };
    },
    faults: (count, groups) => someOf(violationsOf(stranger), count, 0).map((name) => ({ name, groups })),
  };
}

/** The services of the kinds; `from` and `count` select drawn ones, of which `opaque` percent of the names are unknown words. A stranger whose language is not installed is left out. */
export function* servicesOf(kinds: readonly Kind[], from: number, count: number, opaque = 0): Generator<Service> {
  if (kinds.includes('drawn'))
    for (const [at, { name, profile }] of drawServices(from + count).entries()) {
      if (at < from) continue;
      const data = withOpaqueNames(profile as unknown as PlainObject, opaque);
      yield simulated(name, 'drawn', at, data, checkedProfile(data, name));
    }
  if (kinds.includes('bundled'))
    for (const [at, name] of DIALECT_NAMES.entries()) {
      const data = parse(readFileSync(bundledPath(`${name}.yaml`), 'utf8'), { merge: true }) as PlainObject;
      yield simulated(name, 'bundled', 1000 + at, data, checkedProfile(data, `bundled:${name}`));
    }
  if (kinds.includes('strangers'))
    for (const stranger of STRANGERS) {
      if (buildStranger(stranger)) yield strangerService(stranger);
      else console.log(`${stranger.name}: left out, its language is not installed`);
    }
}
