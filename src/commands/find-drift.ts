/** Compares a recording with another one, or with the service now. */

import type { SettingValues } from '../config/settings.ts';
import { SAFETY_LADDER, type Safety } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { type DriftDifference, mergeDifferences } from '../recording/drift/classes.ts';
import { compareTraffic, type TrafficComparison } from '../recording/drift/compare-traffic.ts';
import { compareVerdicts } from '../recording/drift/compare-verdicts.ts';
import type { DriftReport } from '../recording/drift/formats/schema.ts';
import { isNewlyRefused } from '../recording/drift/pair-requests.ts';
import type { RecordedSequence } from '../recording/drift/recorded-requests.ts';
import { reportOf } from '../recording/drift/report.ts';
import { recordedSampling } from '../recording/format/recording-options.ts';
import { interruptionOf } from '../run/interruption.ts';
import type { Run } from '../run/types.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { type OpenSide, openSide, type ResentSide, resendToService } from './drift-sides.ts';
import { judgeTarget } from './judge-target.ts';
import { networkOf } from './network.ts';
import { findRecording, openReplay, profileOfRecording, type ReplayValues } from './open-replay.ts';
import { type SelectionValues, selectionOf } from './selection.ts';
import { refuseUnattended } from './unattended.ts';
import { withLimits } from './with-limits.ts';

export interface DriftOptions
  extends Pick<SelectionValues, 'group' | 'operation' | 'safety'>,
    Pick<SettingValues, 'limits' | 'allow-target-host' | 'proxy' | 'ca'> {
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

export interface DriftResult {
  readonly report: DriftReport;
  readonly profile: Profile;
  /** Credentials that the service issued; the report may contain them unredacted. */
  readonly received: readonly ReceivedCredential[];
}

/** Returns the lowest of the safety classes: the class that all recordings cover. */
function lowestSafety(...all: readonly (string | undefined)[]): Safety {
  const ladder = Object.keys(SAFETY_LADDER) as Safety[];
  const ranks = all.map((each) => Math.max(0, ladder.indexOf((each ?? 'read') as Safety)));
  return ladder[Math.min(...ranks)] as Safety;
}

/** Returns the name or path that loads a profile again. */
const sourceOf = ({ source }: Profile): string => source.replace(/^bundled:/, '');

/** Returns the given profile, or that of the recording. `isOwn` is false for the empty profile, with which nothing can be judged. */
async function profileOf(
  profileName: string | undefined,
  recording: OpenSide['recording'],
  isLive: boolean,
): Promise<{ readonly profile: Profile; readonly isKnown: boolean }> {
  if (profileName !== undefined) return { profile: await loadProfile(profileName), isKnown: true };
  const recorded = await profileOfRecording(recording).catch(() => undefined);
  if (!recorded) return { profile: await loadProfile('empty'), isKnown: false };
  // Only sending needs real credentials.
  return { profile: isLive ? await loadProfile(sourceOf(recorded)) : recorded, isKnown: true };
}

/**
 * Compares and judges both sides. The recordings are not changed.
 *
 * @throws UsageError or ProfileError if nothing can be compared, RecordingError if responses cannot be stored temporarily
 * @example await compareSides({ name: 'acme', dir: 'recordings', with: { base: 'https://staging.example/api' } })
 */
export async function compareSides(options: DriftOptions): Promise<DriftResult> {
  const { name, dir, secrets = [] } = options;
  const base = 'base' in options.with ? options.with.base : undefined;
  const other = 'recording' in options.with ? options.with.recording : undefined;
  const first = findRecording(name, dir);
  const second = other === undefined ? undefined : findRecording(other, dir);
  const recorded = second ? lowestSafety(first.about.safety, second.about.safety) : 'read';
  const { group, operation, safety = recorded } = options;
  const selection = selectionOf({ safety, group, operation });
  if (base !== undefined)
    refuseUnattended({ base, safety: selection.safety, allowHosts: options['allow-target-host'] });
  const { profile: loaded, isKnown } = await profileOf(options.profile, first, base !== undefined);
  const profile = withLimits(loaded, options.limits);
  const older = await openSide(name, dir, selection);
  const interrupts = listenForInterrupts();
  let resent: ResentSide | undefined;
  try {
    if (base !== undefined)
      resent = await resendToService(older, {
        base,
        profile,
        selection,
        secrets,
        network: networkOf(options),
        signal: interrupts.signal,
      });
    const newer: OpenSide = resent ?? (await openSide(other as string, dir, selection));
    const compared = await compareTraffic(older.traffic, newer.traffic, profile.data);
    const { pairs, onlyBefore, onlyNow } = compared.paired;
    const undetermined = whyUndetermined(compared, resent);
    const isEqual = compared.differences.length === 0 && onlyBefore.length + onlyNow.length === 0;
    const canJudge =
      isKnown && !isEqual && undetermined === undefined && pairs.length > 0 && !interrupts.signal.aborted;
    const profileName = options.profile ?? sourceOf(profile);
    const { depth, seed } = recordedSampling(first.about);
    const replayValues = {
      depth,
      'sample-seed': seed,
      profile: profileName,
      safety,
      group,
      operation,
      secret: [...secrets],
    };
    const verdicts = canJudge ? await judgeDriftSides(older, newer, replayValues, options.strict ?? false) : [];
    const interrupted = interruptionOf(interrupts.signal);
    const newerName = base ?? newer.recording.name;
    const report = reportOf({
      failOn: options.failOn ?? 'breaking shape',
      was: { name, at: first.about.recordedAt, requests: older.traffic.requests.length },
      is: { name: newerName, at: newer.recording.about.recordedAt, requests: newer.traffic.requests.length },
      compared: compared.responses,
      // If the service never responded, that is the only finding.
      differences:
        resent?.resent.firstFailure === undefined ? mergeDifferences([...compared.differences, ...verdicts]) : [],
      notCompared: notCompared(compared, resent, name, newerName),
      notes: isKnown
        ? []
        : [
            `verdicts are not compared: the profile “${first.about.profile}” of the recording is not bundled; name its file with --profile FILE`,
          ],
      ignore: options.ignore ?? [],
      ...(undetermined !== undefined && { undetermined }),
      ...(interrupted && { interrupted }),
    });
    return { report, profile, received: resent?.received ?? [] };
  } finally {
    interrupts.end();
    await resent?.close();
  }
}

function whyUndetermined({ paired: { pairs } }: TrafficComparison, resent: ResentSide | undefined): string | undefined {
  if (resent?.resent.firstFailure !== undefined) return `the service does not answer: ${resent.resent.firstFailure}`;
  if (resent?.resent.sent === 0) return 'nothing was sent: the safety class allows no recorded request';
  if (pairs.length === 0) return 'nothing could be compared: the two sides have no request in common';
  if (pairs.every(isNewlyRefused))
    return 'nothing could be compared: the service refused every request (credentials of the profile, rate limits)';
  return undefined;
}

/** Counts the requests that only one side has, by operation and reason. */
function notCompared(
  { paired: { onlyBefore, onlyNow } }: TrafficComparison,
  resent: ResentSide | undefined,
  older: string,
  newer: string,
): DriftReport['notCompared'] {
  const counts = new Map<string, DriftReport['notCompared'][number]>();
  const count = (request: RecordedSequence, because: string): void => {
    const operation = request.operation ?? 'of no operation';
    const key = `${operation}\n${because}`;
    counts.set(key, { operation, because, requests: (counts.get(key)?.requests ?? 0) + 1 });
  };
  for (const { request, why } of onlyBefore) {
    const reason = resent?.resent.unsent.get(request) ?? why;
    count(request, reason === undefined ? `only in ${older}` : `only in ${older}: ${reason}`);
  }
  for (const request of onlyNow) count(request, `only in ${newer}`);
  return [...counts.values()];
}

async function judge({ recording, dir }: OpenSide, values: ReplayValues, strict: boolean): Promise<Run> {
  const replay = await openReplay(recording.name, { ...values, 'recordings-dir': dir });
  try {
    return await judgeTarget({ ...replay, strict });
  } finally {
    await replay.close();
  }
}

/**
 * Returns the differences between the verdicts on the two sides.
 * @param values profile, safety and selection, the same for both
 */
async function judgeDriftSides(
  olderSide: OpenSide,
  newerSide: OpenSide,
  values: ReplayValues,
  strict: boolean,
): Promise<DriftDifference[]> {
  const [olderRun, newerRun] = [await judge(olderSide, values, strict), await judge(newerSide, values, strict)];
  // A verdict that an interrupted run did not reach is not a difference.
  if (olderRun.manifest.interrupted || newerRun.manifest.interrupted) return [];
  return compareVerdicts(olderRun, newerRun);
}
