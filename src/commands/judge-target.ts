/** Judges one target: base address and profile in, run out. */
import { RULES } from '../../suites/index.ts';
import type { App } from '../client/in-process/app.ts';
import { createLiveSource, type LiveOptions } from '../client/live-source.ts';
import { clientAuthOf } from '../profile/auth-schemes.ts';
import type { Profile } from '../profile/schema.ts';
import type { Rule, RuleSetVersion } from '../rule/index.ts';
import { DURATION_OVER } from '../run/interruption.ts';
import type { OutcomeOptions } from '../run/outcome.ts';
import { performRun } from '../run/run.ts';
import type { Run, Selection } from '../run/types.ts';
import type { Waiver } from '../run/waiver-types.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import type { Progress } from '../terminal/progress.ts';
import { version } from '../version.ts';
import type { Network } from './network.ts';
import { startRunProgress } from './run-progress.ts';
import { maxRequestsOf } from './with-limits.ts';

export interface Target extends Partial<OutcomeOptions> {
  readonly base: string;
  readonly profile: Profile;
  readonly selection: Selection;
  /** Known failures. */
  readonly waivers?: readonly Waiver[];
  /** Demands of later versions are advice. */
  readonly ruleSet?: RuleSetVersion;
  /** Default: all rules. */
  readonly rules?: readonly Rule[];
  /** Replaces pauses, in ms, for a target that needs none, such as a recording. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** The time in ms that pauses are measured with; a constant: the order of polls depends on their intervals alone. */
  readonly now?: () => number;
  /** What the report calls the target; default: `base`. */
  readonly name?: string;
  /** An app that is judged in-process; `base` is then `APP_ORIGIN`. */
  readonly app?: App;
  /** Proxies and certificate authorities; default: none, as for a server that mdwi starts itself. */
  readonly network?: Network;
  /** The origin of the service behind a gateway, by the origin of the gateway. */
  readonly upstreams?: Readonly<Record<string, string>>;
  /** In place of tokens that are fetched, for a recording. */
  readonly issuedToken?: string;
  /** Stops sending; the run is then partial. Default: Ctrl-C and SIGTERM. */
  readonly signal?: AbortSignal;
  /** Receives the number of requests so far and the operation. Default: a line on the terminal. */
  readonly onProgress?: Progress['update'];
  /** Receives each credential that the service issues; the run may contain it unredacted. */
  readonly onCredential?: (credential: ReceivedCredential) => void;
}

/**
 * This many refusals in a row end a run. One broken operation causes fewer, with all its filters; a service that refuses
 * everything is not flooded.
 */
export const MAX_CONSECUTIVE_REFUSALS = 300;

/**
 * Runs the rules against a target over HTTP, or against an app in-process. Ctrl-C stops sending: the responses received so far are judged, and the run is
 * marked as interrupted.
 */
export async function judgeTarget({
  base,
  profile,
  selection,
  strict = false,
  allowInconclusive = false,
  requireConformant = false,
  rules = RULES,
  waivers,
  ruleSet,
  wait,
  now,
  name,
  app,
  onCredential,
  network,
  upstreams,
  issuedToken,
  ...given
}: Target): Promise<Run> {
  const { limits } = profile.data;
  const interrupts = given.signal ? { signal: given.signal, end() {} } : listenForInterrupts();
  const duration = new AbortController();
  const end = limits?.maxDurationMs && setTimeout(() => duration.abort(DURATION_OVER), limits.maxDurationMs);
  const signal = AbortSignal.any([interrupts.signal, duration.signal]);
  const options: LiveOptions = {
    ...limits,
    maxRequests: maxRequestsOf(profile, selection),
    ...network,
    base,
    ...clientAuthOf(profile.data),
    signal,
    stopAfterRefusals: MAX_CONSECUTIVE_REFUSALS,
    ...(wait && { wait }),
    ...(onCredential && { onCredential }),
    ...(upstreams && { upstreams }),
    ...(issuedToken !== undefined && { issuedToken }),
  };
  const source = app
    ? (await import('../client/in-process/app-source.ts')).createAppSource(app, options)
    : createLiveSource(options);
  const progress = given.onProgress
    ? { update: given.onProgress, end() {}, learn: undefined }
    : await startRunProgress({ rules, selection, profile, base });
  try {
    return await performRun({
      rules,
      selection,
      profile,
      base,
      source,
      strict,
      allowInconclusive,
      requireConformant,
      suiteVersion: version(),
      ...(waivers && { waivers }),
      ...(ruleSet && { ruleSet }),
      onProgress: progress.update,
      ...(progress.learn && { onRound: progress.learn }),
      signal,
      ...(wait && { wait }),
      ...(now && { now }),
      ...(name !== undefined && { target: name }),
    });
  } finally {
    progress.end();
    interrupts.end();
    clearTimeout(end);
    await source.close();
  }
}
