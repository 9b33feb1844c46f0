/** Opens the target of a run: a live service, a recording, or the built-in simulator. */
import type { App } from '../client/in-process/app.ts';
import { flagName, type OptionName } from '../config/settings.ts';
import { loadProfile } from '../profile/load.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import type { Target } from './judge-target.ts';
import { type NetworkValues, networkOf, simulatorNetwork } from './network.ts';
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
  const { startDialectSimulator, withoutWaiting } = await import('./start-simulator.ts');
  const { url, close, approximations } = await startDialectSimulator(
    source,
    typeof simulator === 'object' ? simulator : {},
  );
  const network = simulatorNetwork(url);
  return { base: url, profile: loaded, selection, network, close, approximations, wait: withoutWaiting };
}

/** Returns a copy of a run that reports the service's address in place of the temporary one it was judged at. */
export function withServiceNames(run: Run, { temporaryOrigin, reportedOrigin, serverCommand }: ServiceNames): Run {
  const replaced = JSON.parse(JSON.stringify(run).replaceAll(temporaryOrigin, reportedOrigin)) as Run;
  if (serverCommand === undefined) return replaced;
  const exchanges = replaced.exchanges.map((each) =>
    each.curl ? { ...each, curl: `${each.curl} # while ${serverCommand} runs` } : each,
  );
  return { ...replaced, exchanges };
}
