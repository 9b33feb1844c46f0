import { existsSync } from 'node:fs';
import { flagName, type NamedOptions, type SettingValues } from '../config/settings.ts';
import type { Run } from '../run/types.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { UsageError } from '../usage-error.ts';
import { judgeTarget, type Target } from './judge-target.ts';
import { simulatorNetwork, withDirectHost } from './network.ts';
import type { ServiceNames } from './open-replay.ts';
import { type OpenTargetValues, openTarget, withServiceNames } from './open-target.ts';

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
