/** Opens the target of a run: a live service, a recording, or the built-in simulator. */
import { loadProfile } from '../profile/load.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import { withFailedChecks } from './failed-checks.ts';
import type { Target } from './judge-target.ts';
import { type NetworkValues, networkOf } from './network.ts';
import type { ReplayValues, ServiceNames } from './open-replay.ts';
import { selectionOf, targetBaseUrl } from './selection.ts';
import { refuseUnattended } from './unattended.ts';
import { withLimits } from './with-limits.ts';

/** All ways to name a target. */
const WAYS = '--base-url URL, --recordings NAME, or --simulator for the built-in simulator';

/** A target that is ready to be judged. */
export interface OpenedTarget extends Pick<Target, 'base' | 'profile' | 'selection' | 'name' | 'wait' | 'network'> {
  /** For a recording: the address to report in place of the temporary one. */
  readonly serviceNames?: ServiceNames;
  /** Ends the server that was started for the run. */
  readonly close?: () => Promise<void>;
}

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
export async function openTarget(
  given: ReplayValues & NetworkValues & { readonly failed?: string | undefined },
): Promise<OpenedTarget> {
  const values = await withFailedChecks(given);
  if (values.recordings !== undefined) {
    const other = values.simulator ? '--simulator' : values['base-url'] === undefined ? undefined : '--base-url';
    if (other !== undefined) throw new UsageError(`--recordings and ${other}: only one of them can be judged`);
    return (await import('./open-replay.ts')).openReplay(values.recordings, values);
  }
  if (values['recordings-dir'] !== undefined) throw new UsageError('--recordings-dir goes with --recordings NAME');
  const base = targetBaseUrl(values, WAYS);
  const selection = selectionOf(values);
  if (base !== undefined) {
    refuseUnattended({ base, safety: selection.safety, allowHosts: values['allow-target-host'] });
    const network = networkOf(values);
    const profile = withLimits(await loadProfile(values.profile ?? 'empty'), values.limits);
    return { base, profile, selection, network };
  }
  const name = values.profile ?? 'reference';
  const profile = withLimits(await loadProfile(name), values.limits);
  const { startDialectSimulator } = await import('./start-simulator.ts');
  const simulator = await startDialectSimulator(name);
  return { base: simulator.url, profile, selection, close: () => simulator.close() };
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
