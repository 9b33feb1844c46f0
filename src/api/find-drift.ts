/** Compares a recording with another one, or with the service now. */

import { SAFETY_LADDER, type Safety } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { mergeDifferences } from '../recording/drift/classes.ts';
import { type Compared, compareTraffic } from '../recording/drift/compare-traffic.ts';
import type { RecordedSequence as AskedRequest } from '../recording/drift/recorded-requests.ts';
import { type DriftReport, type NotCompared, reportOf } from '../recording/drift/report.ts';
import { isNewlyRefused } from '../recording/drift/response-pairs.ts';
import { interruptionOf } from '../run/interruption.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { type OpenSide, openSide, type ResentSide, resendToService } from './drift-sides.ts';
import { judgeBoth } from './judge-drift-sides.ts';
import { findRecording, recordedWith } from './open-replay.ts';
import { type SelectionValues, selectionOf } from './selection.ts';

export interface DriftOptions extends Pick<SelectionValues, 'group' | 'operation' | 'safety'> {
  /** The older recording. */
  readonly name: string;
  /** The folder of all recordings. */
  readonly dir: string;
  /** What it is compared with: the name of another recording, or the base address of the service. */
  readonly with: { readonly recording: string } | { readonly base: string };
  /** Name or file of a profile; default: the profile of the recording. */
  readonly profile?: string | undefined;
  readonly secrets?: readonly string[];
  readonly strict?: boolean;
  readonly failOn?: DriftReport['failOn'];
  readonly ignore?: readonly string[];
}

export interface FoundDrift {
  readonly report: DriftReport;
  readonly profile: Profile;
  /** Credentials that the service issued; the report may contain them unredacted. */
  readonly received: readonly ReceivedCredential[];
}

/** Returns the lowest of the safety classes: the class that all recordings cover. */
function lowest(...all: readonly (string | undefined)[]): Safety {
  const ladder = Object.keys(SAFETY_LADDER) as Safety[];
  const steps = all.map((each) => Math.max(0, ladder.indexOf((each ?? 'read') as Safety)));
  return ladder[Math.min(...steps)] as Safety;
}

/** Returns the name or path that loads a profile again. */
const sourceOf = ({ source }: Profile): string => source.replace(/^bundled:/, '');

/** Returns the given profile, or that of the recording. `isOwn` is false for the empty profile, with which nothing can be judged. */
async function profileOf(
  given: string | undefined,
  recording: OpenSide['recording'],
  isLive: boolean,
): Promise<{ readonly profile: Profile; readonly isOwn: boolean }> {
  if (given !== undefined) return { profile: await loadProfile(given), isOwn: true };
  const recorded = await recordedWith(recording).catch(() => undefined);
  if (!recorded) return { profile: await loadProfile('empty'), isOwn: false };
  // Only sending needs real credentials.
  return { profile: isLive ? await loadProfile(sourceOf(recorded)) : recorded, isOwn: true };
}

/**
 * Compares and judges both sides. The recordings are not changed.
 *
 * @throws UsageError or ProfileError if nothing can be compared, RecordingError if responses cannot be stored temporarily
 * @example await compareSides({ name: 'acme', dir: 'recordings', with: { base: 'https://staging.example/api' } })
 */
export async function compareSides(options: DriftOptions): Promise<FoundDrift> {
  const { name, dir, secrets = [] } = options;
  const base = 'base' in options.with ? options.with.base : undefined;
  const other = 'recording' in options.with ? options.with.recording : undefined;
  const first = findRecording(name, dir);
  const second = other === undefined ? undefined : findRecording(other, dir);
  const recorded = second ? lowest(first.about.safety, second.about.safety) : 'read';
  const { group, operation, safety = recorded } = options;
  const selection = selectionOf({ safety, group, operation });
  const { profile, isOwn } = await profileOf(options.profile, first, base !== undefined);
  const was = await openSide(name, dir, selection);
  const interrupts = listenForInterrupts();
  let resentSide: ResentSide | undefined;
  try {
    if (base !== undefined)
      resentSide = await resendToService(was, { base, profile, selection, secrets, signal: interrupts.signal });
    const is: OpenSide = resentSide ?? (await openSide(other as string, dir, selection));
    const compared = await compareTraffic(was.traffic, is.traffic, profile.data);
    const { pairs, onlyBefore, onlyNow } = compared.paired;
    const undetermined = whyUndetermined(compared, resentSide);
    const isAlike = compared.differences.length === 0 && onlyBefore.length + onlyNow.length === 0;
    const canJudge = isOwn && !isAlike && undetermined === undefined && pairs.length > 0 && !interrupts.signal.aborted;
    const given = options.profile ?? sourceOf(profile);
    const judging = { profile: given, safety, group, operation, secret: [...secrets] };
    const verdicts = canJudge ? await judgeBoth(was, is, judging, options.strict ?? false) : [];
    const interrupted = interruptionOf(interrupts.signal);
    const calledNow = base ?? is.recording.name;
    const report = reportOf({
      failOn: options.failOn ?? 'breaking shape',
      was: { name, at: first.about.recordedAt, requests: was.traffic.requests.length },
      is: { name: calledNow, at: is.recording.about.recordedAt, requests: is.traffic.requests.length },
      compared: compared.responses,
      // If the service never responded, that is the only finding.
      differences:
        resentSide?.resent.silent === undefined ? mergeDifferences([...compared.differences, ...verdicts]) : [],
      notCompared: notCompared(compared, resentSide, name, calledNow),
      notes: isOwn
        ? []
        : [
            `verdicts are not compared: the profile “${first.about.profile}” of the recording is not bundled; name its file with --profile FILE`,
          ],
      ignore: options.ignore ?? [],
      ...(undetermined !== undefined && { undetermined }),
      ...(interrupted && { interrupted }),
    });
    return { report, profile, received: resentSide?.received ?? [] };
  } finally {
    interrupts.end();
    await resentSide?.close();
  }
}

function whyUndetermined({ paired: { pairs } }: Compared, resentSide: ResentSide | undefined): string | undefined {
  if (resentSide?.resent.silent !== undefined) return `the service does not answer: ${resentSide.resent.silent}`;
  if (resentSide?.resent.sent === 0) return 'nothing was sent: the safety class allows no recorded request';
  if (pairs.length === 0) return 'nothing could be compared: the two sides have no request in common';
  if (pairs.every(isNewlyRefused))
    return 'nothing could be compared: the service refused every request (credentials of the profile, rate limits)';
  return undefined;
}

/** Counts the requests that only one side has, by operation and reason. */
function notCompared(
  { paired: { onlyBefore, onlyNow } }: Compared,
  resentSide: ResentSide | undefined,
  was: string,
  is: string,
): NotCompared[] {
  const counts = new Map<string, NotCompared>();
  const count = (request: AskedRequest, because: string): void => {
    const operation = request.operation ?? 'of no operation';
    const key = `${operation}\n${because}`;
    counts.set(key, { operation, because, requests: (counts.get(key)?.requests ?? 0) + 1 });
  };
  for (const { request, why } of onlyBefore) {
    const reason = resentSide?.resent.unsent.get(request) ?? why;
    count(request, reason === undefined ? `only in ${was}` : `only in ${was}: ${reason}`);
  }
  for (const request of onlyNow) count(request, `only in ${is}`);
  return [...counts.values()];
}
