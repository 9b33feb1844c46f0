/** Measures what a run of a profile would see if the service broke: mutation testing of its recorded or captured responses. */
import { RULES } from '../../suites/index.ts';
import type { InterruptSignal } from '../run/interruption.ts';
import { interruptionOf } from '../run/interruption.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { CapturedRun } from '../strength/captured-run.ts';
import { drawMutants } from '../strength/draw-mutants.ts';
import { type JudgedMutant, type Judging, MutantJudge } from '../strength/judge-mutants.ts';
import { learnLines, withLines } from '../strength/lines.ts';
import { reportStrength, type StrengthReport } from '../strength/report.ts';
import { tryLines } from '../strength/try-lines.ts';
import { RecordedWorld } from '../strength/world.ts';
import { type OpenTargetValues, openTarget } from './judge-named.ts';
import { judgeTarget, openSource } from './judge-target.ts';

export interface StrengthOptions {
  readonly maxMutants: number;
  /** How many lines for the profile are tried. */
  readonly maxLines: number;
  /** The seed of the draw of mutants. */
  readonly seed: number;
  /** Stops: what is known is reported. */
  readonly signal: AbortSignal;
  /** Called with the number of judged mutants and the operation of the last one. */
  readonly onProgress: (count: number, what: string) => void;
}

export interface MeasuredStrength {
  /** It may contain secrets. */
  readonly report: StrengthReport;
  readonly secrets: readonly string[];
  readonly received: InterruptSignal | undefined;
}

/**
 * Judges a recording, or a service, and then its responses with one change at a time. Only the first needs a service.
 * @throws UsageError, ProfileError if the target cannot be used
 * @example (await measureStrength({ recordings: 'reference' }, options)).report.score // 91.2
 */
export async function measureStrength(
  values: OpenTargetValues,
  { maxMutants, maxLines, seed, signal, onProgress }: StrengthOptions,
): Promise<MeasuredStrength> {
  const target = await openTarget(values);
  const { base, profile, selection, name = base } = target;
  const credentials: ReceivedCredential[] = [];
  const captured = new CapturedRun();
  const { fetch, values: read } = captured;
  const capturing = {
    ...{ ...target, fetch, values: read, signal, onProgress },
    onCredential: (credential: ReceivedCredential) => credentials.push(credential),
  };
  const live = await openSource(capturing, signal);
  const judged: JudgedMutant[] = [];
  try {
    const unchanged = await judgeTarget(capturing);
    const judging: Judging = { captured, rules: RULES, base, profile, selection, live };
    const judge = await MutantJudge.of(judging);
    const lines = await learnLines(captured, profile, base, signal);
    // What the profile does not read breaks, too.
    const fullest =
      (await withLines(
        profile,
        lines.filter(({ isPromise }) => !isPromise),
      )) ?? profile;
    const world = await RecordedWorld.read(captured, fullest, seed);
    const { mutants, legal, notTried } = await drawMutants(world, maxMutants);
    for (const mutant of mutants) {
      if (signal.aborted) break;
      judged.push(await judge.judge(mutant));
      onProgress(judged.length, mutant.site.operation);
      // Signals are received between two mutants.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const trial = { judging, fullest, seed, signal };
    const { tried, caughtBy } = await tryLines(lines, judged, trial, maxLines);
    const received = interruptionOf(signal);
    const report = reportStrength(judged, caughtBy, {
      profile: `${profile.data.name} (${profile.source})`,
      target: name,
      seed,
      outcome: unchanged.outcomeInScope,
      lines: tried,
      legal,
      notTried,
      ...(received && { interrupted: received }),
    });
    const given = [...(values.secret ?? []), ...(target.network?.secrets ?? [])];
    return { report, secrets: secretValuesOf(profile, given, credentials), received };
  } finally {
    await live.close();
    await target.close?.();
  }
}
