/** Finds the requests that the rules send, by judging a recording offline. */
import { MAIN_LANE } from '../recording/format/names.ts';
import {
  flagValues,
  type RecordingCommand,
  recordedSampling,
  recordingOptionsOf,
} from '../recording/format/recording-options.ts';
import type { Provenance } from '../recording/format/schema.ts';
import type { LaneResponses, Recording } from '../recording/store/open-recording.ts';
import type { PlannedRequests } from '../recording/verify/check-coverage.ts';
import type { RecordingProblem } from '../recording/verify/finding.ts';
import { Interrupted } from '../terminal/interrupts.ts';
import { UsageError } from '../usage-error.ts';
import { judgeTarget } from './judge-target.ts';
import { openReplay } from './open-replay.ts';

/** Recorded responses that note which of them are requested. */
class ObservedResponses extends Map<string, NonNullable<ReturnType<LaneResponses['get']>>> {
  readonly requested = new Set<string>();

  override get(key: string) {
    const responses = super.get(key);
    if (responses) this.requested.add(key);
    return responses;
  }
}

export interface PlanValues {
  readonly recordings?: string | undefined;
  readonly profile?: string | undefined;
  readonly secret?: string[] | undefined;
}

/** Judges a recording offline with the scope of the command that recorded it, and notes the requests. */
async function observeRequests(command: RecordingCommand, name: string, values: PlanValues, about: Provenance) {
  const observed: ObservedResponses[] = [];
  const missed = new Map<string, string>();
  const observe = (recording: Recording): Recording => {
    const lanes = new Map(
      [...recording.lanes].map(([lane, responses]) => [lane, new ObservedResponses(responses)] as const),
    );
    const main = lanes.get(MAIN_LANE);
    if (main) observed.push(main);
    return { ...recording, lanes };
  };
  const filter = (flag: string): string[] | undefined => {
    const given = flagValues(command, flag);
    return given.length > 0 ? given : undefined;
  };
  const sampling = recordedSampling({ ...about, made: [command] });
  const target = await openReplay(
    name,
    {
      'recordings-dir': values.recordings,
      profile: values.profile,
      secret: values.secret,
      safety: flagValues(command, 'safety').at(-1) ?? about.safety,
      depth: sampling.depth,
      'sample-seed': sampling.seed,
      group: filter('group'),
      operation: filter('operation'),
      rule: filter('rule'),
      'skip-rule': filter('skip-rule'),
    },
    { observe, onMiss: ({ asked, record }) => void missed.set(asked.split('\n', 1)[0] ?? '', record) },
  );
  try {
    const { manifest } = await judgeTarget(target);
    // The requests of an interrupted run are incomplete.
    if (manifest.interrupted) throw new Interrupted(manifest.interrupted);
  } finally {
    await target.close();
  }
  return { used: observed.flatMap((each) => [...each.requested]), missed };
}

/** Finds the requests that the commands of a recording would send now; returns findings if these are unknown. */
export async function findPlannedRequests(
  name: string,
  about: Provenance,
  values: PlanValues,
): Promise<PlannedRequests | { readonly findings: readonly RecordingProblem[] }> {
  const commands = recordingOptionsOf(about).filter(({ command }) => command === 'record');
  if (commands.length === 0) {
    const says = 'was not recorded by mdwi record: its coverage of the rules is not checked';
    return { findings: [{ kind: 'set', says }] };
  }
  const used = new Set<string>();
  const missed = new Map<string, string>();
  try {
    for (const command of commands) {
      const requests = await observeRequests(command, name, values, about);
      for (const key of requests.used) used.add(key);
      for (const [request, record] of requests.missed) missed.set(request, record);
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      findings: [{ kind: 'plan unknown', says: `the requests of the rules are unknown: ${error.message}` }],
    };
  }
  return { used, missed: [...missed].map(([request, record]) => ({ request, record })) };
}
