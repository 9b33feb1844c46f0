/** One run of several: the report and the exit code of all targets and jobs. */
import { SAFETY_LADDER, type Safety } from '../contract/index.ts';
import type { RunComparison } from '../run/comparison-types.ts';
import { EXIT, firstToCount, knownCode } from '../run/exit-codes.ts';
import { fractionsOf } from '../run/outcome.ts';
import type { Outcome } from '../run/outcome-names.ts';
import type { Result, Run, RunPart } from '../run/types.ts';
import { checkKey } from './compare-runs.ts';

/** A file of a run, as it was read. */
export type ReadPart = { readonly file: string } & ({ readonly run: Run } | { readonly missing: string });

type PresentPart = ReadPart & { readonly run: Run };

/** From worst to best, in the order of their exit codes. */
const SEVERITY: readonly Outcome[] = [
  'interrupted',
  'nonconformant',
  'undetermined',
  'partial',
  'conformant-with-waivers',
  'conformant',
];

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The common value of all; undefined if they differ. */
function shared<T>(values: readonly T[]): T | undefined {
  return unique(values).length === 1 ? values[0] : undefined;
}

const nameOf = ({ manifest }: Run): string => manifest.targetName ?? manifest.target;

/**
 * The name of each part’s target. Two services with one name are named by their addresses, and two runs of the same checks
 * against one service by their files.
 */
function namesOf(parts: readonly PresentPart[]): string[] {
  const byTarget = parts.map(({ run }) => {
    const namesakes = parts.filter((each) => nameOf(each.run) === nameOf(run));
    return shared(namesakes.map((each) => each.run.manifest.target)) === undefined ? run.manifest.target : nameOf(run);
  });
  return parts.map(({ file, run }, at) => {
    const checks = new Set(run.results.map(checkKey));
    const isRepeated = parts.some(
      (each, other) =>
        other !== at && byTarget[other] === byTarget[at] && each.run.results.some((one) => checks.has(checkKey(one))),
    );
    return isRepeated ? `${byTarget[at]} (${file})` : (byTarget[at] as string);
  });
}

/** A result with exchange ids that are unique in the report, such as `2#12` of the second part, and its index of a cause. */
const resultIn = (result: Result, prefix: string, target: string | undefined, causesBefore: number): Result => ({
  ...result,
  ...(target !== undefined && { target }),
  ...(result.cause !== undefined && { cause: result.cause + causesBefore }),
  findings: result.findings.map((finding) =>
    finding.exchange === undefined ? finding : { ...finding, exchange: `${prefix}${finding.exchange}` },
  ),
});

/** The part of `outcomeInScope` in brackets. */
const scopeOf = ({ outcomeInScope }: Run): string => /\((.*)\)$/.exec(outcomeInScope)?.[1] ?? outcomeInScope;

function mergedComparison(parts: readonly PresentPart[], targets: readonly (string | undefined)[]) {
  const lists = parts.flatMap(({ run: { comparison } }, at) => {
    const target = targets[at];
    const labelled = <T>(checks: readonly T[]): T[] =>
      checks.map((each) => (target === undefined ? each : { ...each, target }));
    return comparison ? [{ comparison, labelled }] : [];
  });
  if (lists.length === 0) return undefined;
  const all = <K extends Exclude<keyof RunComparison, 'baseline' | 'failOnNew'>>(key: K): RunComparison[K][number][] =>
    lists.flatMap(({ comparison, labelled }) => labelled<RunComparison[K][number]>(comparison[key]));
  return {
    baseline: unique(lists.map(({ comparison }) => comparison.baseline)).join(', '),
    ...(lists.every(({ comparison }) => comparison.failOnNew) && { failOnNew: true as const }),
    newFailures: all('newFailures'),
    fixed: all('fixed'),
    lostProofs: all('lostProofs'),
    changedEvidence: all('changedEvidence'),
    notComparable: all('notComparable'),
  };
}

/** Waivers of all parts; one that a part did not ask about is shown as another part found it. */
function mergedWaivers(runs: readonly Run[]): Run['waivers'] {
  const waivers = runs.flatMap(({ waivers: own = [] }) => own);
  const keyOf = ({ source, rule, operation = '' }: (typeof waivers)[number]) => [source, rule, operation].join('\n');
  const decided = new Set(waivers.filter(({ state }) => state !== 'not-asked').map(keyOf));
  const seen = new Set<string>();
  return waivers.filter((each) => {
    if (each.state !== 'not-asked') return true;
    const isShown = !decided.has(keyOf(each)) && !seen.has(keyOf(each));
    seen.add(keyOf(each));
    return isShown;
  });
}

function mergedOpenings(runs: readonly Run[]): Run['openings'] {
  const openings = Map.groupBy(
    runs.flatMap((run) => run.openings),
    ({ opening }) => opening,
  );
  return [...openings.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, rules: unique([first, ...others].flatMap(({ rules }) => rules)) }] : [],
  );
}

function mergedManifest(runs: readonly Run[], names: readonly string[], now: string): Run['manifest'] {
  const manifests = runs.map(({ manifest }) => manifest);
  const [first] = manifests;
  if (!first)
    return {
      suite: 'unknown',
      target: 'unknown',
      profile: 'unknown',
      groups: [],
      safety: 'read',
      strict: false,
      startedAt: now,
      durationMs: 0,
      requests: 0,
      node: 'unknown',
    };
  const starts = manifests.map(({ startedAt }) => Date.parse(startedAt));
  const ends = manifests.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  const start = Math.min(...starts);
  const interrupted = manifests.find((each) => each.interrupted)?.interrupted;
  const sharedOf = <K extends keyof Run['manifest']>(key: K) => shared(manifests.map((each) => each[key]));
  const ladder = Object.keys(SAFETY_LADDER) as Safety[];
  return {
    suite: unique(manifests.map(({ suite }) => suite)).join(', '),
    target: unique(names).join(', '),
    profile: unique(manifests.map(({ profile }) => profile)).join(', '),
    groups: unique(manifests.flatMap(({ groups }) => groups)).sort(),
    // What all parts allow; each part has its own.
    safety: ladder.find((each) => manifests.some(({ safety }) => safety === each)) ?? 'read',
    strict: manifests.every(({ strict }) => strict),
    startedAt: new Date(start).toISOString(),
    durationMs: Math.max(...ends) - start,
    requests: manifests.reduce((sum, { requests }) => sum + requests, 0),
    node: unique(manifests.map(({ node }) => node)).join(', '),
    ...{ targetName: sharedOf('targetName'), profileHash: sharedOf('profileHash'), ruleSet: sharedOf('ruleSet') },
    interrupted,
    ...(manifests.every((each) => each.allowInconclusive) && { allowInconclusive: true as const }),
    ...(manifests.every((each) => each.requireConformant) && { requireConformant: true as const }),
  };
}

/**
 * Makes one run of several. The exit code is the first of the precedence that one of them has; a missing part counts as
 * undetermined. Each part keeps its scope in `parts`; results name their target if there are several.
 * @param now the time in ISO 8601, for a report without a single readable part
 */
export function mergeRuns(parts: readonly ReadPart[], now: string): Run {
  const [only] = parts;
  if (parts.length === 1 && only && 'run' in only) return only.run;
  const present = parts.filter((each): each is PresentPart => 'run' in each);
  const missing = parts.filter((each) => 'missing' in each);
  const runs = present.map(({ run }) => run);
  const names = namesOf(present);
  const targets = names.map((name) => (unique(names).length > 1 ? name : undefined));
  const prefixes = present.map(({ file }) => `${parts.findIndex((each) => each.file === file) + 1}`);
  const causesBefore = (at: number): number => runs.slice(0, at).flatMap((run) => run.cause ?? []).length;
  const results = runs.flatMap((run, at) =>
    run.results.map((result) => resultIn(result, prefixes[at] as string, targets[at], causesBefore(at))),
  );
  const outcomes = new Set([
    ...runs.map((run) => run.outcome),
    ...(missing.length > 0 ? ['undetermined' as const] : []),
  ]);
  const outcome = SEVERITY.find((each) => outcomes.has(each)) ?? 'undetermined';
  const scopes = unique(
    runs.map((run, at) => (targets[at] === undefined ? scopeOf(run) : `${names[at]}: ${scopeOf(run)}`)),
  );
  const reasons = [
    ...runs.flatMap(({ reason, exitCode }, at) =>
      reason && (exitCode !== EXIT.ok || runs.every((each) => each.exitCode === EXIT.ok))
        ? [`${targets[at] ?? present[at]?.file}: ${reason}`]
        : [],
    ),
    ...missing.map(({ missing: why }) => `a part is missing: ${why}`),
  ];
  const comparison = mergedComparison(present, targets);
  const waivers = mergedWaivers(runs);
  const cause = runs.flatMap((run) => run.cause ?? []);
  return {
    schema: 1,
    outcome,
    outcomeInScope: `${outcome} (${[...scopes, ...missing.map(({ file }) => `${file}: missing`)].join('; ')})`,
    exitCode: firstToCount(
      ...runs.map(({ exitCode }) => knownCode(exitCode)),
      ...(missing.length > 0 || runs.length === 0 ? [EXIT.undetermined] : []),
    ),
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
    manifest: mergedManifest(runs, names, now),
    fractions: fractionsOf(results),
    results,
    exchanges: runs.flatMap((run, at) => run.exchanges.map((each) => ({ ...each, id: `${prefixes[at]}${each.id}` }))),
    openings: mergedOpenings(runs),
    ...(cause.length > 0 && { cause }),
    ...(waivers && waivers.length > 0 && { waivers }),
    ...(comparison && { comparison }),
    parts: parts.map((part): RunPart => {
      if ('missing' in part) return { file: part.file, missing: part.missing };
      const { outcomeInScope, exitCode, reason, manifest, fractions, history } = part.run;
      const target = names[present.indexOf(part as PresentPart)] as string;
      return {
        file: part.file,
        target,
        outcomeInScope,
        exitCode,
        ...(reason && { reason }),
        manifest,
        fractions,
        ...(history && { history }),
      };
    }),
  };
}
