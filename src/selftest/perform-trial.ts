/** Performs one trial: judges a simulator with at most one deviation, or a degenerate server. */
import { degenerateNamed, startDegenerate } from '../../simulator/degenerate/index.ts';
import type { DialectName } from '../../simulator/dialects/names.ts';
import { faultNamed } from '../../simulator/faults/index.ts';
import { oddityNamed } from '../../simulator/oddities/index.ts';
import type { LegalBasis } from '../../simulator/oddities/oddity.ts';
import { type Simulator, startSimulator } from '../../simulator/server.ts';
import { createSimulation, type SimulationOptions } from '../../simulator/simulation.ts';
import { judgeTarget, type Target } from '../commands/judge-target.ts';
import { DEFAULT_SAMPLING, type Depth, type Group } from '../contract/index.ts';
import { BASES, type Basis, type Rule } from '../rule/index.ts';
import type { Outcome } from '../run/outcome-names.ts';
import type { Run } from '../run/types.ts';
import { patchedProfile } from './patched-profile.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from './simulation-dispatcher.ts';

/** The server and profile of a trial. The profile is that of the dialect, or the empty one. */
export type Trial =
  | { readonly kind: 'plain'; readonly dialect: DialectName; readonly empty?: true }
  | { readonly kind: 'fault'; readonly name: string; readonly dialect: DialectName }
  | {
      readonly kind: 'oddity';
      readonly name: string;
      readonly dialect: DialectName;
      readonly empty?: true;
      /** Only the rules of these groups; absent: all. */
      readonly groups?: readonly Group[];
    }
  | { readonly kind: 'degenerate'; readonly name: string; readonly dialect: DialectName; readonly empty?: true };

/** A verdict that the gates evaluate: a failure, a pass on a degenerate server, an error of a rule. */
export interface TrialVerdict {
  readonly rule: string;
  readonly operation: string;
  readonly statement: string;
  readonly basis: Basis;
  /** Whether the basis gates without `--strict`. */
  readonly gating: boolean;
  /** The first finding, or the note. */
  readonly says: string;
}

export interface TrialResult {
  readonly trial: Trial;
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly failed: readonly TrialVerdict[];
  readonly errors: readonly TrialVerdict[];
  /** Only for degenerate servers. */
  readonly passed: readonly TrialVerdict[];
  readonly ms: number;
}

/** Small enough to be fast, since a thorough run looks up each product; large enough that a defect of one row is one in hundreds. */
const PRODUCTS = { quick: 400, standard: 400, thorough: 60 } as const satisfies Record<Depth, number>;
/** The oddities of messages and connections: a simulation without HTTP does not show them. */
const OF_HTTP: ReadonlySet<LegalBasis> = new Set(['headers', 'codings', 'connections']);
/** No pause: the clock of the simulator is fixed. */
const noWait = async (): Promise<void> => undefined;

function verdictsOf(run: Run, verdict: 'fail' | 'pass' | 'error'): TrialVerdict[] {
  return run.results
    .filter((each) => each.verdict === verdict)
    .map(({ rule, operation, statement, basis, findings: [first], note }) => ({
      rule,
      operation,
      statement,
      basis,
      gating: BASES[basis].gating,
      says: first ? `${first.expected}: ${first.actual}` : (note ?? ''),
    }));
}

/** How trials are performed. */
export interface TrialSetting {
  readonly depth?: Depth;
  /** The products of the simulator. Default: {@link PRODUCTS}. */
  readonly products?: number;
  /** No trial of a fault or an oddity opens a port; what only a connection shows is not seen then. */
  readonly withoutPort?: boolean;
}

interface JudgedTrial extends Pick<Target, 'profile' | 'rules' | 'strict'> {
  readonly depth: Depth;
  readonly groups?: readonly Group[] | undefined;
}

const judgeAll = (where: Pick<Target, 'base' | 'network'>, { depth, groups, ...how }: JudgedTrial): Promise<Run> =>
  judgeTarget({
    ...where,
    ...how,
    selection: { safety: 'all', sampling: { ...DEFAULT_SAMPLING, depth }, ...(groups && { groups }) },
    wait: noWait,
  });

/** Judges a server over HTTP. */
async function judgeServer(server: Pick<Simulator, 'url' | 'close'>, how: JudgedTrial): Promise<Run> {
  try {
    return await judgeAll({ base: server.url }, how);
  } finally {
    await server.close();
  }
}

const judgeSimulator = async (options: SimulationOptions, how: JudgedTrial): Promise<Run> =>
  judgeServer(await startSimulator(options), how);

/** Judges a simulation without HTTP, in half the time. */
async function judgeSimulation(options: SimulationOptions, how: JudgedTrial): Promise<Run> {
  const dispatcher = simulationDispatcher(await createSimulation(options));
  const dispatcherFor = (origin: string) => (origin === SIMULATION_ORIGIN ? dispatcher : undefined);
  return judgeAll({ base: SIMULATION_ORIGIN, network: { secrets: [], dispatcherFor } }, how);
}

async function judge(
  trial: Trial,
  rules: readonly Rule[],
  { depth = DEFAULT_SAMPLING.depth, products = PRODUCTS[depth], withoutPort = false }: TrialSetting,
): Promise<Run> {
  const { dialect } = trial;
  const overHttp = withoutPort ? judgeSimulation : judgeSimulator;
  const empty = trial.kind !== 'fault' && trial.empty === true;
  const name = empty ? 'empty' : dialect;
  const how = { rules, depth };
  switch (trial.kind) {
    case 'plain':
      return overHttp({ dialect, products }, { ...how, profile: await patchedProfile(name), strict: true });
    case 'fault': {
      // No fault concerns the connection, and each affects only its group, which a test of the faults checks. Results
      // contain their basis, so a strict run also shows the results of one that is not strict.
      const fault = faultNamed(trial.name);
      const profile = await patchedProfile(name, fault.profile);
      const options = { dialect, products, fault: trial.name };
      return judgeSimulation(options, { ...how, profile, strict: true, groups: [fault.group] });
    }
    case 'oddity': {
      const { profile: patch, legalBasis, start } = oddityNamed(trial.name);
      const showsOverHttpOnly = OF_HTTP.has(legalBasis) || start().send !== undefined;
      const judgeOddity = showsOverHttpOnly ? overHttp : judgeSimulation;
      const profile = await patchedProfile(name, empty ? undefined : patch);
      return judgeOddity({ dialect, products, oddity: trial.name }, { ...how, profile, groups: trial.groups });
    }
    case 'degenerate': {
      const degenerate = degenerateNamed(trial.name);
      const profile = await patchedProfile(name);
      // The limit of a whole exchange is ten times the time-out.
      const limits = degenerate.hangs ? { timeoutMs: 20 } : profile.data.limits;
      const limited = { ...profile, data: { ...profile.data, limits } };
      return judgeServer(await startDegenerate(degenerate), { ...how, profile: limited });
    }
  }
}

/** Performs one trial with these rules. */
export async function performTrial(
  trial: Trial,
  rules: readonly Rule[],
  setting: TrialSetting = {},
): Promise<TrialResult> {
  const began = performance.now();
  const run = await judge(trial, rules, setting);
  return {
    trial,
    outcome: run.outcome,
    ...(run.reason && { reason: run.reason }),
    failed: verdictsOf(run, 'fail'),
    errors: verdictsOf(run, 'error'),
    passed: trial.kind === 'degenerate' ? verdictsOf(run, 'pass') : [],
    ms: Math.round(performance.now() - began),
  };
}
