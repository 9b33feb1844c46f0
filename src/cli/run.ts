/** `mdwi run`: judges a live server, a recording, or the built-in simulator. */

import { type Configured, configure } from '../commands/configure.ts';
import { type JudgedValues, judgeNamed } from '../commands/judge-named.ts';
import type { ServiceNames } from '../commands/open-replay.ts';
import { redactRun } from '../commands/redact-run.ts';
import { AUTO_SEED, type SamplingValues, samplingOf } from '../commands/selection.ts';
import type { FlagValues } from '../config/flag.ts';
import type { SettingValues } from '../config/settings.ts';
import { EXIT, firstToCount } from '../run/exit-codes.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { notify } from '../terminal/notify.ts';
import { historyKeeper } from './keep-history.ts';
import { type Command, parse } from './parse-flags.ts';
import { printConfig } from './print-config.ts';
import { type ReportValues, reportingOf } from './report-options.ts';
import { type CONFIG_FLAGS, type LIMIT_FLAGS, RUN_FLAGS } from './usage/run.ts';

/**
 * Returns the values with a drawn seed in place of `auto`, and prints it, so that also an aborted run can be repeated.
 * @example withDrawnSeed({ 'sample-seed': 'auto' }, 'run') // { 'sample-seed': 2718281828 }
 */
export function withDrawnSeed<V extends SamplingValues>(values: V, command: string): V {
  if (values['sample-seed'] !== AUTO_SEED) return values;
  const { seed } = samplingOf(values);
  notify(command, `the sample seed is ${seed}: --sample-seed ${seed} repeats these draws`);
  return { ...values, 'sample-seed': seed };
}

export const run: Command = async (args) => {
  const { values, positionals } = parse(args, RUN_FLAGS, 1);
  const configured = await configure(values, {
    target: positionals[0],
    flags: RUN_FLAGS,
  });
  if (values['print-config']) return printConfig(configured);
  return judgeAndReport(runValuesOf(configured));
};

/** The flags of a run, parsed. */
export type RunValues = JudgedValues & ReportValues & Pick<SettingValues, 'history'>;

/** No flag is parsed and then ignored: a flag of `run` that no value above reads is named in the error here. */
type ReadFlag = keyof RunValues | keyof FlagValues<typeof LIMIT_FLAGS & typeof CONFIG_FLAGS>;
type UnreadFlag = Exclude<keyof FlagValues<typeof RUN_FLAGS>, ReadFlag>;
({}) satisfies Record<UnreadFlag, never>;

/** The values of a run by flags and configuration. */
export const runValuesOf = <V>({ values, targetName, settled }: Configured<V>) => ({
  ...values,
  targetName,
  isBaselineOptional: settled.some(({ key, origin }) => key === 'baseline' && origin !== 'flag'),
});

/** How a service that is judged through a gateway is reported. */
export interface ReportedAs extends ServiceNames {
  readonly command: string;
  readonly name: string;
  /** Receives each credential that the service issues. */
  readonly onCredential: (credential: ReceivedCredential) => void;
}

/** Judges the target of a command line, reports the run, and returns the exit code. */
export async function judgeAndReport(given: RunValues, reportedAs?: ReportedAs): Promise<number> {
  const command = reportedAs?.command ?? 'run';
  const values = withDrawnSeed(given, command);
  const reporting = await reportingOf(values, command);
  const keepInHistory = await historyKeeper(values, command);
  const { run: result, secrets } = await judgeNamed(values, {
    ...reporting.scope,
    ...(values.quiet && { onProgress() {} }),
    ...(reportedAs && { name: reportedAs.name, serviceNames: reportedAs, onCredential: reportedAs.onCredential }),
    onMissingBaseline: (sentence) => notify(command, sentence),
    onApproximation: (sentence) => notify(command, sentence),
  });
  // If the service never responded, the reason alone is shown.
  const neverResponded =
    result.manifest.interrupted === undefined &&
    result.exchanges.length > 0 &&
    result.exchanges.every((each) => each.status === undefined && !each.notRecorded);
  const kept = await keepInHistory?.(redactRun(result, secrets));
  const exitCode = await reporting.report(kept?.run ?? result, secrets, { isReasonEnough: neverResponded });
  if (kept?.problem === undefined) return exitCode;
  notify(command, kept.problem);
  return firstToCount(exitCode, EXIT.usage);
}
