/** Judges one target: base address and profile in, run out. */
import { RULES } from '../../suites/index.ts';
import type { App } from '../client/in-process/app.ts';
import { createLiveSource, type LiveOptions } from '../client/live-source.ts';
import type { Source } from '../exchange/types.ts';
import { clientAuthOf } from '../profile/auth-schemes.ts';
import type { Rule } from '../rule/index.ts';
import { DURATION_OVER } from '../run/interruption.ts';
import type { OutcomeOptions } from '../run/outcome.ts';
import { performRun } from '../run/run.ts';
import type { RunOptions } from '../run/summarise-run.ts';
import type { Run } from '../run/types.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import type { Progress } from '../terminal/progress.ts';
import { version } from '../version.ts';
import type { Network } from './network.ts';
import { startRunProgress } from './run-progress.ts';
import { maxRequestsOf } from './with-limits.ts';

export interface Target
  extends Partial<OutcomeOptions>,
    Pick<RunOptions, 'base' | 'profile' | 'selection' | 'waivers' | 'ruleSet' | 'wait' | 'now' | 'fetch' | 'values'>,
    Pick<LiveOptions, 'upstreams' | 'issuedToken' | 'onCredential'> {
  /** Default: all rules. */
  readonly rules?: readonly Rule[];
  /** What the report calls the target; default: `base`. */
  readonly name?: string;
  /** An app that is judged in-process; `base` is then `APP_ORIGIN`. */
  readonly app?: App;
  /** Proxies and certificate authorities; default: none, as for a server that mdwi starts itself. */
  readonly network?: Network;
  /** Stops sending; the run is then partial. Default: Ctrl-C and SIGTERM. */
  readonly signal?: AbortSignal;
  /** Receives the number of requests so far and the operation. Default: a line on the terminal. */
  readonly onProgress?: Progress['update'];
}

/**
 * This many refusals in a row end a run. One broken operation causes fewer, with all its filters; a service that refuses
 * everything is not flooded.
 */
export const MAX_CONSECUTIVE_REFUSALS = 300;

/** The source of the responses of a target: a client, or its app. */
export async function openSource(target: Target, signal: AbortSignal): Promise<Source> {
  const { base, profile, selection, app, network, wait, onCredential, upstreams, issuedToken } = target;
  const options: LiveOptions = {
    ...profile.data.limits,
    maxRequests: maxRequestsOf(profile, selection),
    ...network,
    ...clientAuthOf(profile.data),
    stopAfterRefusals: MAX_CONSECUTIVE_REFUSALS,
    ...{ base, signal, wait, onCredential, upstreams, issuedToken },
  };
  return app
    ? (await import('../client/in-process/app-source.ts')).createAppSource(app, options)
    : createLiveSource(options);
}

/**
 * Runs the rules against a target over HTTP, or against an app in-process. Ctrl-C stops sending: the responses received so far are judged, and the run is
 * marked as interrupted.
 */
export async function judgeTarget(target: Target): Promise<Run> {
  const { base, profile, selection } = target;
  const { rules = RULES, strict = false, allowInconclusive = false, requireConformant = false } = target;
  const { limits } = profile.data;
  const interrupts = target.signal ? { signal: target.signal, end() {} } : listenForInterrupts();
  const duration = new AbortController();
  const end = limits?.maxDurationMs && setTimeout(() => duration.abort(DURATION_OVER), limits.maxDurationMs);
  const signal = AbortSignal.any([interrupts.signal, duration.signal]);
  const source = await openSource(target, signal);
  const progress = target.onProgress
    ? { update: target.onProgress, end() {}, learn: undefined }
    : await startRunProgress({ rules, selection, profile, base });
  try {
    return await performRun({
      ...target,
      ...{ rules, strict, allowInconclusive, requireConformant, source, signal },
      suiteVersion: version(),
      onProgress: progress.update,
      onRound: progress.learn,
      target: target.name,
    });
  } finally {
    progress.end();
    interrupts.end();
    clearTimeout(end);
    await source.close();
  }
}
