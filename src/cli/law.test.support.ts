/** The law of recordings: what is judged through the gateway is judged alike of what the gateway recorded. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DialectName } from '../../simulator/dialects/names.ts';
import { faultNamed } from '../../simulator/faults/index.ts';
import { startGateway } from '../../simulator/gateway/gateway.ts';
import { oddityNamed } from '../../simulator/oddities/index.ts';
import { startReplay } from '../../simulator/replay/replay.ts';
import { startSimulator } from '../../simulator/server.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import { replayOptionsOf } from '../commands/open-replay.ts';
import { withoutWaiting } from '../commands/start-simulator.ts';
import { DEFAULT_SAMPLING, type Depth } from '../contract/index.ts';
import type { Profile } from '../profile/schema.ts';
import { matchingOf } from '../recording/format/profile-matching.ts';
import { openRecording } from '../recording/store/open-recording.ts';
import type { Run } from '../run/types.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import type { ScrubbedKind } from '../secrets/redaction-receipt.ts';
import { patchedProfile } from '../selftest/patched-profile.ts';

export interface LawCase {
  readonly dialect: DialectName;
  readonly fault?: string;
  readonly oddity?: string;
  /** Default: the group of the fault; all. */
  readonly groups?: readonly string[];
  /** Default: standard. */
  readonly depth?: Depth;
  /** Default: the dialect’s own, with what the fault or the oddity needs declared. */
  readonly profile?: Profile;
  /** Values named on the command line as secret. */
  readonly secrets?: readonly string[];
  /** What is replaced by invented data. */
  readonly scrub?: readonly ScrubbedKind[];
  /** The profile with which the recording is judged; default: the same. */
  readonly replayedWith?: Profile;
  /** Given the folder of the recording, once it is closed. */
  readonly inspect?: (folder: string) => void;
}

/** The profile with which a fault shows, or under which an oddity is legal. */
const profileOf = ({ dialect, fault, oddity }: LawCase): Promise<Profile> =>
  patchedProfile(dialect, fault ? faultNamed(fault).profile : oddity ? oddityNamed(oddity).profile : undefined);

/** A run without what differs from one to the next: times and ports. */
function comparablePartOf(run: Run): unknown {
  const { outcome, outcomeInScope, exitCode, reason, fractions, results, exchanges, manifest } = run;
  const result = {
    outcome,
    outcomeInScope,
    exitCode,
    reason,
    fractions,
    requests: manifest.requests,
    results,
    exchanges: exchanges.map(({ ms: _, startedAt: __, ...each }) => each),
  };
  return JSON.parse(JSON.stringify(result).replace(/127\.0\.0\.1:\d+/g, 'HOST'));
}

/** How one case is judged: through the gateway, and of the recording the gateway made of that. */
export interface Judged {
  readonly live: Run;
  readonly replayed: Run;
  /** Both without times and ports: by the law, equal. */
  readonly comparable: readonly [live: unknown, replayed: unknown];
  /** How many requests the replay did not know. */
  readonly missed: number;
}

/** Judges one case both ways. Strictly, so that every verdict counts. */
export async function judgeBothWays(lawCase: LawCase): Promise<Judged> {
  const { dialect, fault, oddity, groups = fault ? [faultNamed(fault).group] : undefined } = lawCase;
  const profile = lawCase.profile ?? (await profileOf(lawCase));
  const sampling = { ...DEFAULT_SAMPLING, ...(lawCase.depth && { depth: lawCase.depth }) };
  const selection = { safety: 'all', sampling, ...(groups && { groups }) } as const;
  const dir = await mkdtemp(join(tmpdir(), 'mdwi-law-'));
  const simulator = await startSimulator({ dialect, products: 40, ...(fault && { fault }), ...(oddity && { oddity }) });
  try {
    const gateway = await startGateway({
      upstream: simulator.url,
      dir,
      name: 'law',
      about: { suite: 'test', source: 'simulator', profile: dialect, safety: 'all' },
      protection: protectionOf(profile, lawCase.secrets),
      ...(lawCase.scrub && { scrub: { kinds: lawCase.scrub, profile } }),
      matching: matchingOf(profile),
    });
    const judge = (base: string, judgedWith: Profile) =>
      judgeTarget({ base, profile: judgedWith, selection, strict: true, wait: withoutWaiting, now: () => 0 });
    const live = await judge(gateway.url, profile);
    await gateway.close();
    const recording = openRecording(dir, 'law');
    lawCase.inspect?.(join(dir, 'law'));
    const replayProfile = lawCase.replayedWith ?? profile;
    const replay = await startReplay({ recording, ...replayOptionsOf(replayProfile, recording, lawCase.secrets) });
    const replayed = await judge(replay.url, replayProfile);
    await replay.close();
    return {
      live,
      replayed,
      comparable: [comparablePartOf(live), comparablePartOf(replayed)],
      missed: replay.missCount(),
    };
  } finally {
    await simulator.close();
    await rm(dir, { recursive: true, force: true });
  }
}
