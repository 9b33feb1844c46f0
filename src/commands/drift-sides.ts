/** Opens the two sides of a comparison: two recordings, or a recording and the service’s responses to the same requests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLiveSource } from '../client/live-source.ts';
import { operationOf, SAFETY_LADDER } from '../contract/index.ts';
import { clientAuthOf } from '../profile/auth-schemes.ts';
import type { Profile } from '../profile/schema.ts';
import { type RecordedTraffic, recordedTraffic } from '../recording/drift/recorded-requests.ts';
import { type Resent, resend } from '../recording/drift/resend.ts';
import { LeakError } from '../recording/record/quarantine.ts';
import type { Recording } from '../recording/store/open-recording.ts';
import type { Selection } from '../run/types.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import { Protection } from '../secrets/hide-in-exchange.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { startProgress } from '../terminal/progress.ts';
import { MAX_CONSECUTIVE_REFUSALS } from './judge-target.ts';
import { type Network, withDirectHost } from './network.ts';
import { openGateway } from './open-gateway.ts';
import { findRecording, verifyBodies } from './open-replay.ts';

/** One side of a comparison. */
export interface OpenSide {
  readonly recording: Recording;
  readonly traffic: RecordedTraffic;
  /** The folder of all recordings. */
  readonly dir: string;
}

export interface ResentSide extends OpenSide {
  readonly resent: Resent;
  /** Credentials that the service issued meanwhile. */
  readonly received: readonly ReceivedCredential[];
  /** Removes what was recorded for the comparison. */
  close(): Promise<void>;
}

/** Returns the recorded traffic of the selected groups and operations. */
function selectTraffic(traffic: RecordedTraffic, { groups, operations }: Selection): RecordedTraffic {
  if (!groups && !operations) return traffic;
  const requests = traffic.requests.filter(
    ({ operation }) =>
      operation !== undefined &&
      (!groups || groups.includes(operationOf(operation).group)) &&
      (!operations || operations.includes(operation)),
  );
  return { ...traffic, requests };
}

/** Reads a recording to be compared. Throws UsageError if it is damaged. */
export async function openSide(name: string, dir: string, selection: Selection): Promise<OpenSide> {
  const recording = findRecording(name, dir);
  await verifyBodies(recording);
  return {
    recording,
    dir,
    traffic: selectTraffic(recordedTraffic(recording), selection),
  };
}

export interface ResendToServiceOptions {
  readonly base: string;
  readonly profile: Profile;
  readonly selection: Selection;
  readonly secrets: readonly string[];
  readonly network: Network;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** Sends the recorded requests to a service and records the responses in a temporary folder. */
export async function resendToService(
  { traffic, recording }: OpenSide,
  options: ResendToServiceOptions,
): Promise<ResentSide> {
  const { base, profile, selection, secrets, network, signal } = options;
  /** Why responses are missing. The client sees only that the gateway closed the connection. */
  const failures: string[] = [];
  const received: ReceivedCredential[] = [];
  const dir = await mkdtemp(join(tmpdir(), 'mdwi-drift-'));
  const close = (): Promise<void> => rm(dir, { recursive: true, force: true });
  const progress = startProgress();
  try {
    const scrub = recording.about.redaction.scrubbed;
    const gateway = await openGateway(
      { name: 'now', recordings: dir, secret: [...secrets], ...(scrub && { scrub: [...scrub] }) },
      {
        upstream: base,
        network,
        profile,
        source: 'live',
        safety: selection.safety,
        onMessage: (why) => failures.push(why),
      },
    );
    const { limits } = profile.data;
    const source = createLiveSource({
      ...limits,
      ...withDirectHost(network, gateway.url),
      ...clientAuthOf(profile.data),
      base,
      upstreams: { [new URL(gateway.url).origin]: new URL(base).origin },
      signal,
      stopAfterRefusals: MAX_CONSECUTIVE_REFUSALS,
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
        reveal: revealSecrets(profile, secrets),
        wait: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
        onProgress: progress.update,
      });
    } finally {
      await source.close();
      await gateway.close();
    }
    const recordedAt = new Date().toISOString();
    const side =
      gateway.recordedCount() > 0
        ? await openSide('now', dir, { safety: selection.safety })
        : {
            dir,
            recording: { ...recording, about: { ...recording.about, recordedAt } },
            traffic: { ...traffic, requests: [] },
          };
    const [silent = resent.firstFailure] = failures;
    const describedResent = resent.firstFailure === undefined ? resent : { ...resent, silent: silent as string };
    return { ...side, resent: describedResent, received, close };
  } catch (error) {
    await close();
    throw error instanceof LeakError ? new LeakError(error.leaks) : error;
  } finally {
    progress.end();
  }
}

/** Returns a function that replaces placeholders with the secrets of the profile and the command line. */
function revealSecrets(profile: Profile, secrets: readonly string[]): (text: string) => string {
  const { registry } = new Protection(protectionOf(profile, secrets));
  const known = registry.known().toSorted((a, b) => b.placeholder.length - a.placeholder.length);
  return (text) => known.reduce((revealed, { placeholder, value }) => revealed.replaceAll(placeholder, value), text);
}
