/** Judging one target: the way from a base address and a profile to a run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RULES } from '../../suites/index.ts';
import { createLiveSource } from '../client/live-source.ts';
import type { AuthScheme, Profile } from '../profile/schema.ts';
import type { Rule } from '../rule/index.ts';
import type { OutcomeOptions } from '../run/outcome.ts';
import { performRun } from '../run/run.ts';
import type { Run, Selection } from '../run/types.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { startProgress } from '../terminal/progress.ts';
import { version } from '../version.ts';

export interface Target extends Partial<OutcomeOptions> {
  readonly base: string;
  readonly profile: Profile;
  readonly selection: Selection;
  /** Default: the suites’ own. */
  readonly rules?: readonly Rule[];
  /** How pauses are made, in ms; for a simulator, whose clock stands still. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** What the report calls the target; default: `base`. */
  readonly name?: string;
  /** Receives each credential that comes from the service; what the run says may hold it in clear. */
  readonly onCredential?: (credential: ReceivedCredential) => void;
}

/**
 * So many refusals in a row end a run: more than one broken operation can cause under all its filters, far fewer than
 * would trouble a service that refuses everything.
 */
const REFUSALS = 300;

/** Runs the suites against a target over HTTP. Ctrl-C stops sending; what was seen by then is judged, and the run says that it
 * was interrupted. */
export async function judgeTarget({
  base,
  profile,
  selection,
  strict = false,
  allowInconclusive = false,
  requireConformant = false,
  rules = RULES,
  wait,
  name,
  onCredential,
}: Target): Promise<Run> {
  const { auth, limits } = profile.data;
  const interrupts = listenForInterrupts();
  const { signal } = interrupts;
  const schemes: readonly AuthScheme[] = auth === undefined ? [] : Array.isArray(auth) ? auth : [auth];
  const source = createLiveSource({
    ...limits,
    auth: schemes,
    signal,
    stopAfterRefusals: REFUSALS,
    ...(wait && { wait }),
    ...(onCredential && { onCredential }),
  });
  const progress = startProgress();
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
      onProgress: progress.tell,
      signal,
      wait: wait ?? ((ms) => sleep(ms, undefined, { signal }).catch(() => undefined)),
      ...(name !== undefined && { target: name }),
    });
  } finally {
    progress.end();
    interrupts.end();
    await source.close();
  }
}
