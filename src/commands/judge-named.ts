import { existsSync } from 'node:fs';
import type { App } from '../client/in-process/app.ts';
import { flagName, type NamedOptions, type OptionName, type SettingValues } from '../config/settings.ts';
import { loadProfile } from '../profile/load.ts';
import type { Run } from '../run/types.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { UsageError } from '../usage-error.ts';
import { judgeTarget, type Target } from './judge-target.ts';
import { type NetworkValues, networkOf, simulatorNetwork, withDirectHost } from './network.ts';
import type { ReplayValues, ServiceNames } from './open-replay.ts';
import { type FailedValues, selectionOf, targetBaseUrl, withFailedChecks } from './selection.ts';
import type { SimulatorModel } from './start-simulator.ts';
import { refuseUnattended } from './unattended.ts';
import { withLimits } from './with-limits.ts';

/** All ways to name a target. */
const waysOf = (nameOf: OptionName): string =>
  `${nameOf('base-url')} URL, ${nameOf('recordings')} NAME, or ${nameOf('simulator')} for the built-in simulator`;

/** What names a target, under the names of the flags. */
export type OpenTargetValues = ReplayValues &
  NetworkValues &
  FailedValues & {
    /** The built-in simulator, or its data and one fault. */
    readonly simulator?: boolean | SimulatorModel | undefined;
    /** An app that is judged in-process; the base address is then `APP_ORIGIN`. */
    readonly app?: App | undefined;
  };

/** A target that is ready to be judged. */
export interface OpenedTarget
  extends Pick<Target, 'base' | 'profile' | 'selection' | 'name' | 'wait' | 'network' | 'issuedToken'> {
  readonly app?: App;
  /** The address to report in place of a temporary one. */
  readonly serviceNames?: ServiceNames;
  /** What the simulator does not do as the profile says. */
  readonly approximations?: readonly string[];
  /** Ends the server that was started for the run. */
  readonly close?: () => Promise<void>;
}

/** How an app without an address is reported. */
const asApp = (app: App, origin: string) => ({
  app,
  name: 'app (in-process)',
  serviceNames: { temporaryOrigin: origin, reportedOrigin: origin, serverCommand: 'the app' },
});

/**
 * Opens the target that the values name. Without a base address and a recording, that is the simulator in the dialect of
 * the profile.
 *
 * @throws UsageError if two targets are named, if a profile file or a safety class is given without a target, or if the
 *   profile or the recording cannot be used
 * @example
 * const target = await openTarget({ recordings: 'reference', rule: ['C.upc-12-digits'] });
 * try { await judgeTarget(target); } finally { await target.close?.(); }
 */
export async function openTarget(given: OpenTargetValues): Promise<OpenedTarget> {
  const { simulator, ...values } = await withFailedChecks(given);
  const { profile: source, app, nameOf = flagName } = values;
  const isSimulator = simulator !== undefined && simulator !== false;
  if (values.recordings !== undefined) {
    const other = isSimulator ? 'simulator' : values['base-url'] === undefined ? undefined : 'base-url';
    if (other !== undefined)
      throw new UsageError(`${nameOf('recordings')} and ${nameOf(other)}: only one of them can be judged`);
    return (await import('./open-replay.ts')).openReplay(values.recordings, values);
  }
  if (values['recordings-dir'] !== undefined)
    throw new UsageError(`${nameOf('recordings-dir')} goes with ${nameOf('recordings')} NAME`);
  const profileName = typeof source === 'string' ? source : undefined;
  const base = targetBaseUrl({ ...values, simulator: isSimulator, profile: profileName }, waysOf(nameOf));
  const selection = selectionOf(values);
  const profile = async (name: string) => withLimits(await loadProfile(source ?? name), values.limits);
  if (base !== undefined) {
    refuseUnattended({ base, safety: selection.safety, allowHosts: values['allow-target-host'], nameOf });
    const network = networkOf(values);
    return { base, profile: await profile('empty'), selection, network, ...(app && asApp(app, base)) };
  }
  const loaded = await profile('reference');
  const { startSimulatorServer, withoutWaiting } = await import('./start-simulator.ts');
  const model = typeof simulator === 'object' ? simulator : {};
  const { url, close, approximations } = await startSimulatorServer({ ...model, profile: source });
  const network = simulatorNetwork(url);
  return { base: url, profile: loaded, selection, network, close, approximations, wait: withoutWaiting };
}

/** Returns a copy of a run that reports the service's address in place of the temporary one it was judged at. */
function withServiceNames(run: Run, { temporaryOrigin, reportedOrigin, serverCommand }: ServiceNames): Run {
  const replaced = JSON.parse(JSON.stringify(run).replaceAll(temporaryOrigin, reportedOrigin)) as Run;
  if (serverCommand === undefined) return replaced;
  const exchanges = replaced.exchanges.map((each) =>
    each.curl ? { ...each, curl: `${each.curl} # while ${serverCommand} runs` } : each,
  );
  return { ...replaced, exchanges };
}

interface ComparisonValues extends NamedOptions, Pick<SettingValues, 'baseline' | 'fail-on-new'> {
  /** The baseline is from the configuration, which also holds for the first run, when there is none yet. */
  readonly isBaselineOptional?: boolean | undefined;
}

/**
 * Reads the baseline before anything is sent.
 * @param onMissing receives the sentence that an optional baseline does not exist yet
 * @returns the comparison of a run with it
 * @throws UsageError if the baseline cannot be read
 */
async function baselineComparison(
  { baseline, 'fail-on-new': failsOnNew = false, isBaselineOptional = false, nameOf = flagName }: ComparisonValues,
  onMissing: (sentence: string) => void = () => undefined,
): Promise<(run: Run) => Run> {
  if (baseline === undefined) {
    if (failsOnNew)
      throw new UsageError(
        `${nameOf('fail-on-new')} needs a run to compare with: ${nameOf('baseline')}, or baseline in the configuration`,
      );
    return (run) => run;
  }
  if (isBaselineOptional && typeof baseline === 'string' && !existsSync(baseline)) {
    onMissing(`there is no baseline ${baseline} yet: every failure sets the exit code`);
    return (run) => run;
  }
  const { givenRun } = await import('../comparison/read-run.ts');
  const before = givenRun(baseline, nameOf('baseline'));
  const { compareWithBaseline } = await import('../comparison/fail-on-new.ts');
  const name = typeof baseline === 'string' ? baseline : `the run of ${before.manifest.startedAt}`;
  return (run) => compareWithBaseline(before, run, name, failsOnNew);
}

/** The options of a run, under the names of the flags. */
export type JudgedValues = OpenTargetValues & ComparisonValues & { readonly targetName?: string | undefined };

type Judging = Omit<Target, 'base' | 'profile' | 'selection' | 'wait' | 'app' | 'network' | 'rules'>;

export interface JudgeOptions extends Judging {
  /** In place of the names of the target. */
  readonly serviceNames?: ServiceNames | undefined;
  /** Receives the sentence that the baseline of a configuration does not exist yet. */
  readonly onMissingBaseline?: (sentence: string) => void;
  /** Receives a sentence for each thing that the simulator does not do as the profile says. */
  readonly onApproximation?: (sentence: string) => void;
}

export interface JudgedRun {
  /** The run, with its comparison. It may contain secrets: `redactRun`. */
  readonly run: Run;
  readonly secrets: readonly string[];
}

/**
 * Opens, judges and closes a target, and compares the run with the baseline.
 * @throws UsageError, ProfileError before anything is sent
 * @example const { run, secrets } = await judgeNamed({ recordings: 'reference', rule: ['C.upc-*'] });
 */
export async function judgeNamed(values: JudgedValues, options: JudgeOptions = {}): Promise<JudgedRun> {
  const { serviceNames, onMissingBaseline, onApproximation, onCredential, ...judging } = options;
  const compare = await baselineComparison(values, onMissingBaseline);
  const target = await openTarget(values);
  const { profile, network, approximations = [] } = target;
  for (const sentence of approximations) onApproximation?.(sentence);
  const names = serviceNames ?? target.serviceNames;
  const received: ReceivedCredential[] = [];
  try {
    const judged = await judgeTarget({
      ...target,
      // A server that was started for the run, or an app, is reached without a proxy.
      ...(network && names && { network: withDirectHost(network, names.temporaryOrigin) }),
      ...(names?.simulator !== undefined && { network: simulatorNetwork(names.simulator) }),
      ...judging,
      // A gateway forwards the requests to the service.
      ...(serviceNames && {
        upstreams: { [serviceNames.temporaryOrigin]: new URL(serviceNames.reportedOrigin).origin },
      }),
      onCredential(credential) {
        received.push(credential);
        onCredential?.(credential);
      },
    });
    const { targetName } = values;
    const named = targetName === undefined ? judged : { ...judged, manifest: { ...judged.manifest, targetName } };
    return {
      run: compare(names ? withServiceNames(named, names) : named),
      secrets: secretValuesOf(profile, [...(values.secret ?? []), ...(network?.secrets ?? [])], received),
    };
  } finally {
    await target.close?.();
  }
}
