import { MAIN_LANE } from '../recording/format/lane-name.ts';
import { flagValues, type RecordingCommand, recordingOptionsOf } from '../recording/format/recording-options.ts';
import type { Provenance } from '../recording/format/schema.ts';
import type { LaneResponses, Recording } from '../recording/store/open-recording.ts';
import type { PlannedRequests } from '../recording/verify/check-coverage.ts';
import type { RecordingProblem } from '../recording/verify/finding.ts';
import { Interrupted } from '../terminal/interrupts.ts';
import { UsageError } from '../usage-error.ts';
import { judgeTarget } from './judge-target.ts';
import { openReplay } from './open-replay.ts';

/** Answers that remember which of them were asked for. */
class AskedAnswers extends Map<string, NonNullable<ReturnType<LaneResponses['get']>>> {
  readonly asked = new Set<string>();

  override get(key: string) {
    const answers = super.get(key);
    if (answers) this.asked.add(key);
    return answers;
  }
}

export interface PlanValues {
  readonly recordings?: string | undefined;
  readonly profile?: string | undefined;
  readonly secret?: string[] | undefined;
}

/** Runs the suites offline over what one command recorded, with its own scope. */
async function askAs(making: RecordingCommand, name: string, values: PlanValues, about: Provenance) {
  const seen: AskedAnswers[] = [];
  const missed = new Map<string, string>();
  const watch = (recording: Recording): Recording => {
    const lanes = new Map([...recording.lanes].map(([lane, answers]) => [lane, new AskedAnswers(answers)] as const));
    const main = lanes.get(MAIN_LANE);
    if (main) seen.push(main);
    return { ...recording, lanes };
  };
  const filter = (flag: string): string[] | undefined => {
    const given = flagValues(making, flag);
    return given.length > 0 ? given : undefined;
  };
  const target = await openReplay(
    name,
    {
      'recordings-dir': values.recordings,
      profile: values.profile,
      secret: values.secret,
      safety: flagValues(making, 'safety').at(-1) ?? about.safety,
      group: filter('group'),
      operation: filter('operation'),
      rule: filter('rule'),
    },
    { watch, onMiss: ({ asked, record }) => void missed.set(asked.split('\n', 1)[0] ?? '', record) },
  );
  try {
    const { manifest } = await judgeTarget(target);
    // Of half a run nobody knows what it would have asked.
    if (manifest.interrupted) throw new Interrupted(manifest.interrupted);
  } finally {
    await target.close();
  }
  return { used: seen.flatMap((each) => [...each.asked]), missed };
}

/** What all commands that made a recording would ask of it now; findings where that cannot be told. */
export async function findPlannedRequests(
  name: string,
  about: Provenance,
  values: PlanValues,
): Promise<PlannedRequests | { readonly findings: readonly RecordingProblem[] }> {
  const makings = recordingOptionsOf(about).filter(({ command }) => command === 'record');
  if (makings.length === 0) {
    const says = 'was not recorded by the suites (mdwi record): what they would ask of it is not looked at';
    return { findings: [{ kind: 'set', says }] };
  }
  const used = new Set<string>();
  const missed = new Map<string, string>();
  try {
    for (const making of makings) {
      const asked = await askAs(making, name, values, about);
      for (const key of asked.used) used.add(key);
      for (const [request, record] of asked.missed) missed.set(request, record);
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      findings: [{ kind: 'plan unknown', says: `what the suites would ask cannot be told: ${error.message}` }],
    };
  }
  return { used, missed: [...missed].map(([request, record]) => ({ request, record })) };
}
