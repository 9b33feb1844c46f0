/** Tries lines for a profile: how many mutants does a run with one more line catch? */
import { isOperationKey, operationOf } from '../contract/index.ts';
import { performRun } from '../run/run.ts';
import { CapturedRun } from './captured-run.ts';
import { type Mutant, mutantsOf } from './draw-mutants.ts';
import { type JudgedMutant, type Judging, MutantJudge } from './judge-mutants.ts';
import { lineKey, type ProfileLine, withLines } from './lines.ts';
import type { Operator } from './operators/types.ts';
import { RecordedWorld } from './world.ts';

/** So many mutants are judged with each line. */
const PER_LINE = 25;

/** What a line does. */
export interface TriedLine {
  /** The key, and its value as JSON, which is YAML, too. */
  readonly key: string;
  readonly value: string;
  readonly evidence: string;
  readonly isPromise: boolean;
  /** The mutants that were judged with it: unseen ones, and those that break the promise. */
  readonly tried: number;
  readonly caught: number;
}

/** What a measurement knows when it tries lines. */
export interface LineTrial {
  readonly judging: Judging;
  /** The profile with all bindings that were learned. */
  readonly fullest: Judging['profile'];
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** A judge of the captured responses by another profile. */
async function judgeBy(judging: Judging, profile: Judging['profile']): Promise<MutantJudge> {
  const captured = new CapturedRun();
  const { rules, base, selection } = judging;
  await performRun({
    ...{ rules, base, profile, selection },
    source: judging.captured.asSource(),
    fetch: captured.fetch,
    values: captured.values,
    wait: async () => undefined,
    suiteVersion: '',
    ...{ strict: false, allowInconclusive: false, requireConformant: false },
  });
  return MutantJudge.of({ ...judging, captured, profile });
}

const keyOf = ({ operator, site: { at, consistency, rhythm } }: Mutant): string =>
  JSON.stringify([operator.name, at, consistency, rhythm]);

/** Whether an operator breaks what a line promises; `…` in a promise is any name. */
function breaks({ promise }: Operator, { path }: ProfileLine): boolean {
  const names = promise?.split('.') ?? [];
  return names.length > 0 && names.every((name, index) => name === '…' || name === String(path[index]));
}

/** The group that a line is about; undefined: any. */
const groupOf = ({ path }: ProfileLine): string | undefined => {
  const key = path.find((each) => typeof each === 'string' && isOperationKey(each));
  return typeof key === 'string' && isOperationKey(key) ? operationOf(key).group : undefined;
};

/**
 * Tries lines one by one, those first that read what most unseen mutants change.
 * @param known all mutants that were judged without a line
 */
export async function tryLines(
  lines: readonly ProfileLine[],
  known: readonly JudgedMutant[],
  { judging, fullest, seed, signal }: LineTrial,
  maxLines: number,
): Promise<{ readonly tried: TriedLine[]; readonly caughtBy: ReadonlyMap<Mutant, string> }> {
  const unseen = known
    .filter(({ verdict }) => verdict === 'unseen' || verdict === 'advisory')
    .map(({ mutant }) => mutant);
  const concerned = (line: ProfileLine): Mutant[] => {
    const group = groupOf(line);
    return unseen.filter(({ site: { operation } }) => group === undefined || operationOf(operation).group === group);
  };
  const inOrder = [...lines].sort(
    (x, y) => Number(x.isPromise) - Number(y.isPromise) || concerned(y).length - concerned(x).length,
  );
  const meant = inOrder.filter((line) => line.isPromise || concerned(line).length > 0);
  // Bindings and promises share the number of lines.
  const bindings = meant.filter(({ isPromise }) => !isPromise);
  const promises = meant.filter(({ isPromise }) => isPromise);
  const half = Math.max(Math.ceil(maxLines / 2), maxLines - promises.length);
  const chosen = [...bindings.slice(0, half), ...promises].slice(0, maxLines);
  const judged = new Set(known.map(({ mutant }) => keyOf(mutant)));
  const tried: TriedLine[] = [];
  const caughtBy = new Map<Mutant, string>();
  for (const line of chosen) {
    if (signal.aborted) break;
    const profile = await withLines(judging.profile, [line]);
    const world = await withLines(fullest, [line]);
    if (!profile || !world) continue;
    const judge = await judgeBy(judging, profile);
    const broken = line.isPromise
      ? await mutantsOf(await RecordedWorld.read(judging.captured, world, seed), PER_LINE, (each) => breaks(each, line))
      : [];
    const mutants = [...broken.filter((mutant) => !judged.has(keyOf(mutant))), ...sample(concerned(line))];
    let caught = 0;
    for (const mutant of mutants)
      if ((await judge.judge(mutant)).verdict === 'caught') {
        caught++;
        if (!caughtBy.has(mutant)) caughtBy.set(mutant, lineKey(line));
      }
    const { evidence, isPromise } = line;
    tried.push({
      key: lineKey(line),
      value: JSON.stringify(line.value),
      evidence,
      isPromise,
      tried: mutants.length,
      caught,
    });
  }
  return { tried: tried.sort((x, y) => y.caught - x.caught), caughtBy };
}

/** Some of the mutants, at equal distances. */
const sample = (mutants: readonly Mutant[]): Mutant[] => {
  const step = Math.max(1, mutants.length / PER_LINE);
  return Array.from(
    { length: Math.min(PER_LINE, mutants.length) },
    (_, index) => mutants[Math.floor(index * step)] as Mutant,
  );
};
