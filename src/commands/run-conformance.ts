/** Judges a target for a program: the public function `run`. */
import type { App } from '../client/in-process/app.ts';
import { memberName, type SettingOptions, valuesOfOptions } from '../config/settings.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import { configure } from './configure.ts';
import type { ConfiguredValues } from './configured-values.ts';
import { type JudgedValues, judgeNamed } from './judge-named.ts';
import { listedWaivers, ruleSetOf, waiversOf } from './known-failures.ts';
import { redactRun } from './redact-run.ts';
import type { SimulatorModel } from './start-simulator.ts';
import { checkLimits } from './with-limits.ts';

/** What is judged: exactly one of these. */
export type ConformanceTarget =
  | {
      /** The base address of a service, e.g. `https://staging.example/api`. */
      readonly baseUrl: string;
      readonly recording?: never;
      readonly app?: never;
      readonly simulator?: never;
    }
  | {
      /** The name of a recording; nothing is sent. */
      readonly recording: string;
      /** The folder of the recordings; default: `recordings`. */
      readonly recordingsDir?: string;
      readonly baseUrl?: never;
      readonly app?: never;
      readonly simulator?: never;
    }
  | {
      /** An app, judged in-process without a port. What a server in front of it decides stays untested. */
      readonly app: App;
      readonly baseUrl?: never;
      readonly recording?: never;
      readonly simulator?: never;
    }
  | {
      /** The built-in simulator in the dialect of the profile. */
      readonly simulator: true | SimulatorModel;
      readonly baseUrl?: never;
      readonly recording?: never;
      readonly app?: never;
    }
  | (ConfiguredTarget & {
      readonly baseUrl?: never;
      readonly recording?: never;
      readonly app?: never;
      readonly simulator?: never;
    });

/** What the configuration file names. */
type ConfiguredTarget =
  /** A target by its name. */
  | { readonly target: string }
  /** The file, whose only target is judged. */
  | { readonly config: string };

/** What is judged, how, and with which rules. */
export type ConformanceOptions = ConformanceTarget &
  SettingOptions & {
    /** A target of the configuration, whose settings hold where the options have none. */
    readonly target?: string;
    /** Stops sending; the run is then marked as interrupted. */
    readonly signal?: AbortSignal;
    /** Receives the number of requests so far and the operation of the last one. */
    readonly onProgress?: (requests: number, operation: string) => void;
  };

const TARGETS = ['baseUrl', 'recording', 'app', 'simulator'] as const;
const WAYS = 'one of baseUrl, recording, app and simulator, or a target of the configuration';

function checkTarget(options: ConformanceOptions): void {
  const named = TARGETS.filter((each) => options[each] !== undefined);
  const isConfigured = options.config !== undefined || options.target !== undefined;
  if (named.length === 0 && !isConfigured) throw new UsageError(`no target is named: give ${WAYS}`);
  if (named.length > 1) throw new UsageError(`${named.join(' and ')}: only one of them can be judged`);
  const { app } = options;
  const isApp = typeof app === 'function' || typeof (app as { fetch?: unknown } | undefined)?.fetch === 'function';
  if (app !== undefined && !isApp)
    throw new UsageError(
      'app is neither a function nor an object with a function `fetch`: give a RequestListener of node:http or a fetch handler',
    );
}

/** The options under the names of the flags, as a configuration completes them. */
async function flagValues(options: ConformanceOptions): Promise<ConfiguredValues> {
  const { app, profile, baseline } = options;
  return {
    ...valuesOfOptions(options),
    nameOf: memberName,
    'base-url': app ? (await import('../client/in-process/app-source.ts')).APP_ORIGIN : options.baseUrl,
    recordings: options.recording,
    simulator: options.simulator === undefined ? undefined : true,
    'recordings-dir': options.recording === undefined ? undefined : options.recordingsDir,
    // In place of an object, which a file cannot name.
    profile: typeof profile === 'object' ? 'empty' : profile,
    limits: await checkLimits(options.limits),
    waivers: await listedWaivers(options.waivers),
    baseline: typeof baseline === 'object' ? '' : baseline,
  };
}

/** What only the command line uses. */
const UNUSED_SETTINGS = ['reports', 'history'] as const;

/** The values that hold: those of the options, then those of the configuration. */
async function valuesOf(
  options: ConformanceOptions,
): Promise<JudgedValues & Pick<ConfiguredValues, 'waivers' | 'rule-set'>> {
  const { config: file, target, app, profile, failed, failOnNew } = options;
  const own = await flagValues(options);
  const isConfigured = file !== undefined || target !== undefined;
  const configured = isConfigured ? await configure(own, { target, omit: UNUSED_SETTINGS }) : undefined;
  const values = configured?.values ?? own;
  if ((values['base-url'] ?? values.recordings ?? values.simulator) === undefined)
    throw new UsageError(`${configured?.config?.source} does not name what is judged: give ${WAYS}`);
  return {
    ...values,
    ...(app && { app }),
    simulator: options.simulator ?? values.simulator,
    profile: profile ?? values.profile,
    baseline: options.baseline ?? values.baseline,
    failed,
    'fail-on-new': failOnNew,
    isBaselineOptional: options.baseline === undefined,
    targetName: configured?.targetName,
  };
}

/**
 * Judges a target and returns the run, without credentials. It prints nothing and sets no exit code: the verdict is in
 * `outcome` and `exitCode`.
 *
 * @throws UsageError, ProfileError if the options, the configuration, the profile or the recording cannot be used; nothing was
 *   sent then
 * @example
 * const { outcome, results } = await run({ app, profile: 'acme.yaml', groups: ['C'] });
 * @example
 * const { comparison } = await run({ target: 'staging', baseline: 'last.json', failOnNew: true });
 */
export async function runConformance(options: ConformanceOptions): Promise<Run> {
  checkTarget(options);
  const values = await valuesOf(options);
  const waivers = await waiversOf(values.waivers);
  const ruleSet = ruleSetOf(values['rule-set'], memberName('rule-set'));
  const { strict, allowInconclusive, requireConformant } = options;
  const { run, secrets } = await judgeNamed(values, {
    ...{ strict, allowInconclusive, requireConformant, waivers, ruleSet },
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => undefined),
  });
  return redactRun(run, secrets);
}
