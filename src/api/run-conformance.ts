/** Judges a target for a program: the public function `run`. */

import type { App } from '../client/in-process/app.ts';
import type { Group, OperationKey, Safety } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import type { ProfileInput } from '../profile/schema.ts';
import type { Run } from '../run/types.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { UsageError } from '../usage-error.ts';
import type { WaiverData } from '../waivers/waiver-schema.ts';
import type { LimitValues } from './configured-values.ts';
import { judgeTarget } from './judge-target.ts';
import { listedWaivers, ruleSetOf, waiversOf } from './known-failures.ts';
import { networkOf } from './network.ts';
import { type OpenedTarget, withServiceNames } from './open-target.ts';
import { redactRun } from './redact-run.ts';
import { baseUrlOf, type SelectionValues, selectionOf } from './selection.ts';
import { type SimulatorModel, startDialectSimulator } from './start-simulator.ts';
import { refuseUnattended } from './unattended.ts';
import { withLimits } from './with-limits.ts';

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
    };

/** What is judged, how, and with which rules. */
export type ConformanceOptions = ConformanceTarget & {
  /**
   * The name of a bundled profile, the path of a file, or a profile of `defineProfile`. Default: that of the recording;
   * `reference` for the simulator; otherwise `empty`, which leaves everything open.
   */
  readonly profile?: string | ProfileInput;
  /** How much a request may change. Default: `read`; `all` for the simulator; that of the recording. */
  readonly safety?: Safety;
  /** Hosts to which an unattended run may send more than `read`, e.g. `staging.example`; the loopback interface is always allowed. */
  readonly allowHosts?: readonly string[];
  /** Default: all groups, operations and rules. */
  readonly groups?: readonly Group[];
  readonly operations?: readonly OperationKey[];
  /** Ids of rules, e.g. `C.upc-12-digits`, or patterns with `*`. */
  readonly rules?: readonly string[];
  readonly skipRules?: readonly string[];
  /** Known failures that do not gate: a file, or a list. */
  readonly waivers?: string | readonly WaiverData[];
  /** The version to which the rule set is pinned, e.g. `0.1.0`: later demands are advice. */
  readonly ruleSet?: string;
  /** The HTTP proxy to the service. Default: HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment. */
  readonly proxy?: string;
  /** A file of certificate authorities (PEM) to trust in addition. */
  readonly ca?: string;
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
const WAYS = 'one of baseUrl, recording, app and simulator';

function checkTarget(options: ConformanceOptions): void {
  const named = TARGETS.filter((each) => options[each] !== undefined);
  if (named.length === 0) throw new UsageError(`no target is named: give ${WAYS}`);
  if (named.length > 1) throw new UsageError(`${named.join(' and ')}: only one of them can be judged`);
  const { app } = options;
  const isApp = typeof app === 'function' || typeof (app as { fetch?: unknown } | undefined)?.fetch === 'function';
  if (app !== undefined && !isApp)
    throw new UsageError(
      'app is neither a function nor an object with a function `fetch`: give a RequestListener of node:http or a fetch handler',
    );
}

const OPTION_NAMES = {
  safety: 'safety',
  group: 'groups',
  operation: 'operations',
  rule: 'rules',
  'skip-rule': 'skipRules',
} as const;

/** The values of a selection as the command line gives them. */
const selectionValues = ({
  safety,
  groups,
  operations,
  rules,
  skipRules,
  baseUrl,
  app,
}: ConformanceOptions): SelectionValues => ({
  // Only a service or an app may have to be protected from requests.
  ...((baseUrl !== undefined || app !== undefined) && { 'base-url': baseUrl ?? 'app' }),
  ...(safety !== undefined && { safety }),
  ...(groups && { group: [...groups] }),
  ...(operations && { operation: [...operations] }),
  ...(rules && { rule: [...rules] }),
  ...(skipRules && { 'skip-rule': [...skipRules] }),
});

async function open(options: ConformanceOptions): Promise<OpenedTarget & { readonly app?: App }> {
  const { profile, secrets } = options;
  checkTarget(options);
  const values = selectionValues(options);
  const selection = selectionOf(values, (flag) => OPTION_NAMES[flag]);
  if (options.recording !== undefined) {
    const { recording, recordingsDir } = options;
    const { openReplay } = await import('./open-replay.ts');
    return openReplay(recording, {
      ...values,
      profile,
      ...(recordingsDir !== undefined && { 'recordings-dir': recordingsDir }),
      ...(secrets && { secret: [...secrets] }),
    });
  }
  if (options.simulator !== undefined) {
    const loaded = withLimits(await loadProfile(profile ?? 'reference'), options.limits);
    const model = options.simulator === true ? {} : options.simulator;
    const { url, close } = await startDialectSimulator(profile, model);
    return { base: url, profile: loaded, selection, close };
  }
  const loaded = () => loadProfile(profile ?? 'empty').then((each) => withLimits(each, options.limits));
  if (options.app === undefined) {
    const base = baseUrlOf(options.baseUrl);
    refuseUnattended({ base, safety: selection.safety, allowHosts: options.allowHosts });
    return { base, profile: await loaded(), selection, network: networkOf(options) };
  }
  const { APP_ORIGIN } = await import('../client/in-process/app-source.ts');
  return {
    base: APP_ORIGIN,
    app: options.app,
    profile: await loaded(),
    selection,
    name: 'app (in-process)',
    serviceNames: { temporaryOrigin: APP_ORIGIN, reportedOrigin: APP_ORIGIN, serverCommand: 'the app' },
  };
}

/**
 * Judges a target and returns the run, without credentials. It prints nothing and sets no exit code: the verdict is in
 * `outcome` and `exitCode`.
 *
 * @throws UsageError, ProfileError if the options, the profile or the recording cannot be used; nothing was sent then
 * @example
 * const { outcome, results } = await run({ app, profile: 'acme.yaml', groups: ['C'] });
 */
export async function runConformance(options: ConformanceOptions): Promise<Run> {
  const waivers = await waiversOf(await listedWaivers(options.waivers));
  const ruleSet = ruleSetOf(options.ruleSet, 'ruleSet');
  const target = await open(options);
  const { strict, allowInconclusive, requireConformant, secrets } = options;
  const received: ReceivedCredential[] = [];
  try {
    const judged = await judgeTarget({
      ...target,
      ...(strict !== undefined && { strict }),
      ...(allowInconclusive !== undefined && { allowInconclusive }),
      ...(requireConformant !== undefined && { requireConformant }),
      ...(waivers && { waivers }),
      ...(ruleSet && { ruleSet }),
      signal: options.signal ?? new AbortController().signal,
      onProgress: options.onProgress ?? (() => undefined),
      onCredential: (credential) => received.push(credential),
    });
    const named = target.serviceNames ? withServiceNames(judged, target.serviceNames) : judged;
    return redactRun(
      named,
      secretValuesOf(target.profile, [...(secrets ?? []), ...(target.network?.secrets ?? [])], received),
    );
  } finally {
    await target.close?.();
  }
}
