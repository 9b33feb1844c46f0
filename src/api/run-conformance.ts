/** Judges a target for a program: the public function `run`. */
import type { App } from '../client/in-process/app.ts';
import type { Depth, Group, OperationKey, Safety } from '../contract/index.ts';
import type { ProfileInput } from '../profile/schema.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import type { WaiverData } from '../waivers/waiver-schema.ts';
import { configure } from './configure.ts';
import type { ConfiguredValues, LimitValues } from './configured-values.ts';
import { type JudgedValues, judgeNamed } from './judge-named.ts';
import { listedWaivers, ruleSetOf, waiversOf } from './known-failures.ts';
import { memberName } from './option-names.ts';
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
export type ConformanceOptions = ConformanceTarget & {
  /** The configuration file. Default: none, or with `target` the one that is found from the working directory upwards. */
  readonly config?: string;
  /** A target of the configuration, whose settings hold where the options have none. */
  readonly target?: string;
  /**
   * The name of a bundled profile, the path of a file, or a profile of `defineProfile`. Default: that of the recording;
   * `reference` for the simulator; otherwise `empty`, which leaves everything open.
   */
  readonly profile?: string | ProfileInput;
  /** How much a request may change. Default: `read`; `all` for the simulator; that of the recording. */
  readonly safety?: Safety;
  /** How many products, names and items are requested. Default: `standard`; that of the recording. */
  readonly depth?: Depth;
  /** The seed of the draws; `auto`: another one in each run. Default: 1; that of the recording. */
  readonly sampleSeed?: number | 'auto';
  /** Hosts to which an unattended run may send more than `read`, e.g. `staging.example`; the loopback interface is always allowed. */
  readonly allowHosts?: readonly string[];
  /** Default: all groups, operations and rules. */
  readonly groups?: readonly Group[];
  readonly operations?: readonly OperationKey[];
  /** Ids of rules, e.g. `C.upc-12-digits`, or patterns with `*`. */
  readonly rules?: readonly string[];
  /** All rules but these. */
  readonly skipRules?: readonly string[];
  /** Only the checks that failed in an earlier run: its `run.json`, or the run. */
  readonly failed?: string | Run;
  /** An earlier run to compare with: its `run.json`, or the run. The run then has `comparison`. */
  readonly baseline?: string | Run;
  /** Failures that the baseline has do not set the exit code; a lost proof does. */
  readonly failOnNew?: boolean;
  /** Known failures that do not gate: a file, or a list. */
  readonly waivers?: string | readonly WaiverData[];
  /** The version to which the rule set is pinned, e.g. `0.1.0`: later demands are advice. */
  readonly ruleSet?: string;
  /** The HTTP proxy to the service. Default: HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment. */
  readonly proxy?: string;
  /** A file of certificate authorities (PEM) to trust in addition. */
  readonly ca?: string;
  /** Hosts, besides that of the service, to which redirects are followed. Default: none. */
  readonly followTo?: readonly string[];
  /** Limits that replace those of the profile, one by one. */
  readonly limits?: LimitValues;
  /** Advisory rules gate, too. */
  readonly strict?: boolean;
  /** Inconclusive gating checks do not make the run undetermined. */
  readonly allowInconclusive?: boolean;
  /** Untested checks make the run undetermined. */
  readonly requireConformant?: boolean;
  /** Values that must not appear in the run, besides the credentials of the profile. */
  readonly secrets?: readonly string[];
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

/** A list that options hold, as a list of flags. */
const copyOf = <T extends string>(list: readonly T[] | undefined): T[] | undefined => list && [...list];

/** The options under the names of the flags, as a configuration completes them. */
async function flagValues(options: ConformanceOptions) {
  const { app, profile, baseline } = options;
  return {
    nameOf: memberName,
    'base-url': app ? (await import('../client/in-process/app-source.ts')).APP_ORIGIN : options.baseUrl,
    recordings: options.recording,
    simulator: options.simulator === undefined ? undefined : true,
    'recordings-dir': options.recording === undefined ? undefined : options.recordingsDir,
    // In place of an object, which a file cannot name.
    profile: typeof profile === 'object' ? 'empty' : profile,
    safety: options.safety,
    depth: options.depth,
    'sample-seed': options.sampleSeed,
    group: copyOf(options.groups),
    operation: copyOf(options.operations),
    rule: copyOf(options.rules),
    'skip-rule': copyOf(options.skipRules),
    limits: await checkLimits(options.limits),
    secret: copyOf(options.secrets),
    proxy: options.proxy,
    ca: options.ca,
    'follow-to': copyOf(options.followTo),
    'allow-target-host': copyOf(options.allowHosts),
    waivers: await listedWaivers(options.waivers),
    'rule-set': options.ruleSet,
    baseline: typeof baseline === 'object' ? '' : baseline,
  } satisfies ConfiguredValues;
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
  const configured = isConfigured ? await configure(own, { file, target, omit: UNUSED_SETTINGS }) : undefined;
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
    ...(strict !== undefined && { strict }),
    ...(allowInconclusive !== undefined && { allowInconclusive }),
    ...(requireConformant !== undefined && { requireConformant }),
    ...(waivers && { waivers }),
    ...(ruleSet && { ruleSet }),
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => undefined),
  });
  return redactRun(run, secrets);
}
