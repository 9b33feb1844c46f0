/** The two sides of a comparison: recordings, or a recording and the service now, asked the same. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLiveSource } from '../client/live-source.ts';
import { operationOf, SAFETY_LADDER } from '../contract/index.ts';
import type { Profile } from '../profile/schema.ts';
import { type RecordedTraffic, readRecordedTraffic } from '../recording/drift/recorded-requests.ts';
import { type Resent, resend } from '../recording/drift/resend.ts';
import type { Recording } from '../recording/store/open-recording.ts';
import type { Selection } from '../run/types.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import { Protection } from '../secrets/protection.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { startProgress } from '../terminal/progress.ts';
import { openGateway } from './open-gateway.ts';
import { findRecording, verifyBodies } from './open-replay.ts';

/** One side, ready to be compared. */
export interface OpenSide {
  readonly recording: Recording;
  readonly traffic: RecordedTraffic;
  /** The folder of the recordings it is among. */
  readonly dir: string;
}

export interface ResentSide extends OpenSide {
  readonly resent: Resent;
  /** What the service gave as credentials meanwhile. */
  readonly received: readonly ReceivedCredential[];
  /** Removes what was recorded for the comparison. */
  close(): Promise<void>;
}

/** The part of a recording that a selection of groups and operations names. */
function within(traffic: RecordedTraffic, { groups, operations }: Selection): RecordedTraffic {
  if (!groups && !operations) return traffic;
  const asked = traffic.asked.filter(
    ({ operation }) =>
      operation !== undefined &&
      (!groups || groups.includes(operationOf(operation).group)) &&
      (!operations || operations.includes(operation)),
  );
  return { ...traffic, asked };
}

/** Reads a recording to be compared; what is wrong with it is a UsageError. */
export async function openSide(name: string, dir: string, selection: Selection): Promise<OpenSide> {
  const recording = findRecording(name, dir);
  await verifyBodies(recording);
  return { recording, dir, traffic: within(readRecordedTraffic(name, recording.folder, recording.about), selection) };
}

/** A refusal of one request says nothing of the next: so many in a row do. */
const REFUSALS = 300;

export interface ResendToServiceOptions {
  readonly base: string;
  readonly profile: Profile;
  readonly selection: Selection;
  readonly secrets: readonly string[];
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** Asks a service what a recording was asked, and records the answers where nobody else sees them. */
export async function resendToService(
  { traffic, recording }: OpenSide,
  options: ResendToServiceOptions,
): Promise<ResentSide> {
  const { base, profile, selection, secrets, signal } = options;
  /** Why answers failed to come: the client sees only that the gateway hung up. */
  const failures: string[] = [];
  const received: ReceivedCredential[] = [];
  const dir = await mkdtemp(join(tmpdir(), 'mdwi-drift-'));
  const close = (): Promise<void> => rm(dir, { recursive: true, force: true });
  const progress = startProgress();
  try {
    const scrub = recording.about.redaction.scrubbed;
    const gateway = await openGateway(
      { name: 'now', recordings: dir, secret: [...secrets], ...(scrub && { scrub: [...scrub] }) },
      { upstream: base, profile, source: 'live', safety: selection.safety, tell: (why) => failures.push(why) },
    );
    const { auth, limits } = profile.data;
    const source = createLiveSource({
      ...limits,
      auth: [auth ?? []].flat(),
      signal,
      stopAfterRefusals: REFUSALS,
      onCredential(credential) {
        received.push(credential);
        gateway.protect(credential);
      },
    });
    let resent: Resent;
    try {
      resent = await resend(traffic, {
        profile,
        source,
        baseOf: gateway.urlOf,
        basePath: base.slice(new URL(base).origin.length),
        allowed: SAFETY_LADDER[selection.safety],
        reveal: revealing(profile, secrets),
        wait: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
        onProgress: progress.tell,
      });
    } finally {
      await source.close();
      await gateway.close();
    }
    const opened = await openSide('now', dir, { safety: selection.safety });
    const [silent = resent.silent] = failures;
    const known = resent.silent === undefined ? resent : { ...resent, silent: silent as string };
    return { ...opened, resent: known, received, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    progress.end();
  }
}

/** Puts the values a profile and a command line declare in place of their placeholders. */
function revealing(profile: Profile, secrets: readonly string[]): (text: string) => string {
  const { pseudonyms } = new Protection(protectionOf(profile, secrets));
  const known = pseudonyms.known().toSorted((a, b) => b.placeholder.length - a.placeholder.length);
  return (text) => known.reduce((told, { placeholder, value }) => told.replaceAll(placeholder, value), text);
}
