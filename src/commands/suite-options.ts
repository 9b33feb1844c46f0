/** What the vitest entries of `suites/` judge. */
import { inject } from 'vitest';
import { SUITES, type SuiteName, suitesOf } from '../../suites/index.ts';
import { optionsOfVariables, type SettingVariables } from '../config/settings.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import type { FinishedRun, Presentation } from './describe-conformance.ts';
import type { ConformanceOptions } from './run-conformance.ts';
import { selectionOf, targetBaseUrl } from './selection.ts';

/** Environment variables that name the target in a checkout; `TARGET`: a target of the configuration file. */
export type TargetVariables = SettingVariables & { readonly TARGET?: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** A finished run as JSON, set by `mdwi run --vitest`. */
    mdwiRun?: string;
    /** The target, set by vitest.config.ts of the checkout. */
    mdwiTarget?: TargetVariables;
  }
}

/**
 * The options of `describeConformance` for one folder of `suites/`. In a checkout its rules are judged in a run of their own,
 * against BASE_URL (with PROFILE and SAFETY), the recording RECORDING, the target TARGET of the configuration, or the
 * built-in simulator. Under
 * `mdwi run --vitest` the folder shows its part of the finished run, and the first folder checks the run's exit code.
 *
 * @throws UsageError if the variables name no target, or two
 * @example await describeConformance(suiteOptions('product-reference'));
 */
export function suiteOptions(
  suite: SuiteName,
  finished = inject('mdwiRun'),
  variables: TargetVariables = inject('mdwiTarget') ?? {},
): (ConformanceOptions | FinishedRun) & Presentation {
  const rules = SUITES[suite].map(({ id }) => id);
  if (finished !== undefined) {
    const run = JSON.parse(finished) as Run;
    return { run, rules, testExitCode: suite === suitesOf(run.results.map(({ rule }) => rule))[0] };
  }
  const { BASE_URL, RECORDING: recording, TARGET: target, SAFETY, PROFILE: profile } = variables;
  if (SAFETY !== undefined) selectionOf({ safety: SAFETY, nameOf: () => 'SAFETY' });
  const { baseUrl: _, recording: __, ...settings } = optionsOfVariables(variables);
  const common = { rules, ...settings };
  const places = Object.entries({ RECORDING: recording, BASE_URL, TARGET: target }).filter(
    ([, each]) => each !== undefined,
  );
  if (places.length > 1)
    throw new UsageError(`${places.map(([name]) => name).join(' and ')}: only one of them can be judged`);
  if (target !== undefined) return { target, ...common };
  if (recording !== undefined) return { recording, ...common };
  const baseUrl = targetBaseUrl({ 'base-url': BASE_URL, profile, safety: SAFETY }, 'BASE_URL, RECORDING or TARGET');
  if (baseUrl === undefined) return { simulator: true, ...common };
  return { baseUrl, ...common };
}
