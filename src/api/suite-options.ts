/** What the vitest entries of `suites/` judge. */
import { inject } from 'vitest';
import { SUITES, type SuiteName, suitesOf } from '../../suites/index.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import type { FinishedRun, Presentation } from './describe-conformance.ts';
import type { ConformanceOptions } from './run-conformance.ts';
import { selectionOf, targetBaseUrl } from './selection.ts';

/** Environment variables that name the target in a checkout. */
export interface TargetVariables {
  readonly BASE_URL?: string;
  readonly PROFILE?: string;
  readonly SAFETY?: string;
  readonly RECORDING?: string;
  /** A target of the configuration file, by its name. */
  readonly TARGET?: string;
  /** A file of waivers. */
  readonly WAIVERS?: string;
  readonly RULE_SET?: string;
  /** A host to which a run without a terminal may send more than the safety class read. */
  readonly ALLOW_TARGET_HOST?: string;
}

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
export function suiteOptions(suite: SuiteName): (ConformanceOptions | FinishedRun) & Presentation {
  const rules = SUITES[suite].map(({ id }) => id);
  const finished = inject('mdwiRun');
  if (finished !== undefined) {
    const run = JSON.parse(finished) as Run;
    return { run, rules, testExitCode: suite === suitesOf(run.results.map(({ rule }) => rule))[0] };
  }
  const variables = inject('mdwiTarget') ?? {};
  const { BASE_URL, PROFILE: profile, SAFETY, RECORDING: recording, TARGET: target, ALLOW_TARGET_HOST } = variables;
  const { WAIVERS: waivers, RULE_SET: ruleSet } = variables;
  const safety = SAFETY === undefined ? undefined : selectionOf({ safety: SAFETY, nameOf: () => 'SAFETY' }).safety;
  const common = {
    rules,
    ...(profile !== undefined && { profile }),
    ...(safety !== undefined && { safety }),
    ...(waivers !== undefined && { waivers }),
    ...(ruleSet !== undefined && { ruleSet }),
    ...(ALLOW_TARGET_HOST !== undefined && { allowHosts: [ALLOW_TARGET_HOST] }),
  };
  const places = Object.entries({ RECORDING: recording, BASE_URL, TARGET: target }).filter(
    ([, each]) => each !== undefined,
  );
  if (places.length > 1)
    throw new UsageError(`${places.map(([name]) => name).join(' and ')}: only one of them can be judged`);
  if (target !== undefined) return { target, ...common };
  if (recording !== undefined) return { recording, ...common };
  const baseUrl = targetBaseUrl(
    {
      'base-url': BASE_URL,
      ...(profile !== undefined && { profile }),
      ...(SAFETY !== undefined && { safety: SAFETY }),
    },
    'BASE_URL, RECORDING or TARGET',
  );
  if (baseUrl === undefined) return { simulator: true, ...common };
  return { baseUrl, ...common };
}
