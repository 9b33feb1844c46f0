/** What a run would have seen of the mutants of a recording. */
import { type OperationKey, operationOf, statementOf } from '../contract/index.ts';
import type { Rhythm } from './changes.ts';
import type { LeftOut, Mutant } from './draw-mutants.ts';
import type { JudgedMutant, MutantVerdict } from './judge-mutants.ts';
import type { Consistency } from './operators/types.ts';
import type { TriedLine } from './try-lines.ts';

/** The numbers of mutants by verdict. */
export interface MutantCounts extends Record<MutantVerdict, number> {
  readonly mutants: number;
}

/** One mutant. */
export interface MutantEntry {
  readonly operator: string;
  readonly statement: string;
  readonly section: string;
  /** The promise of the profile that it breaks, with the statement. */
  readonly promise?: string;
  readonly says: string;
  readonly operation: OperationKey;
  readonly at: string;
  readonly consistency: Consistency;
  readonly rhythm: Rhythm;
  readonly verdict: MutantVerdict;
  /** The checks that failed or became inconclusive. */
  readonly checks: readonly string[];
  /** The line for the profile with which it is caught, of those that were tried. */
  readonly caughtWith?: string;
  /** A run of the changed service would send requests that are not recorded. */
  readonly isMissing?: true;
}

export interface StrengthReport {
  readonly schema: 1;
  readonly profile: string;
  readonly target: string;
  readonly seed: number;
  /** The outcome of the unchanged responses. */
  readonly outcome: string;
  readonly counts: MutantCounts;
  /** The share of the decided mutants that are caught, in percent; absent: none is decided. */
  readonly score?: number;
  readonly byGroup: Readonly<Record<string, MutantCounts>>;
  readonly byStatement: Readonly<Record<string, MutantCounts>>;
  readonly byOperation: Readonly<Record<string, MutantCounts>>;
  readonly byOperator: Readonly<Record<string, MutantCounts>>;
  /** Lines for the profile that were tried, those first that catch most. */
  readonly lines: readonly TriedLine[];
  /** Changes that a conforming service could have made. */
  readonly legal: readonly LeftOut[];
  /** Changes that have no place in the notation. */
  readonly notTried: readonly LeftOut[];
  readonly mutants: readonly MutantEntry[];
  readonly interrupted?: string;
}

const entryOf = (
  { mutant: { operator, site }, verdict, checks, isMissing }: JudgedMutant,
  line: string | undefined,
): MutantEntry => ({
  operator: operator.name,
  statement: operator.statement,
  section: statementOf(operator.statement).section,
  ...(operator.promise !== undefined && { promise: operator.promise }),
  says: operator.says,
  operation: site.operation,
  at: site.at,
  consistency: site.consistency,
  rhythm: site.rhythm,
  verdict,
  checks,
  ...(line !== undefined && { caughtWith: line }),
  ...(isMissing && { isMissing }),
});

/** Counts mutants by verdict. */
export function countMutants(entries: readonly Pick<MutantEntry, 'verdict'>[]): MutantCounts {
  const counts = { mutants: entries.length, caught: 0, advisory: 0, undecided: 0, unseen: 0 };
  for (const { verdict } of entries) counts[verdict]++;
  return counts;
}

/**
 * The share of the decided mutants that are caught, in percent; undefined: none is decided.
 * @example scoreOf({ mutants: 10, caught: 6, advisory: 1, undecided: 2, unseen: 1 }) // 75
 */
export function scoreOf({ mutants, caught, undecided }: MutantCounts): number | undefined {
  const decided = mutants - undecided;
  return decided === 0 ? undefined : Math.floor((caught / decided) * 1000) / 10;
}

const countedBy = (entries: readonly MutantEntry[], keyOf: (entry: MutantEntry) => string) =>
  Object.fromEntries(
    [...Map.groupBy(entries, keyOf)]
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([key, each]) => [key, countMutants(each)]),
  );

/** Summarises judged mutants. */
export function reportStrength(
  judged: readonly JudgedMutant[],
  caughtBy: ReadonlyMap<Mutant, string>,
  about: Omit<StrengthReport, 'schema' | 'counts' | 'score' | 'mutants' | `by${string}`>,
): StrengthReport {
  const mutants = judged.map((each) => entryOf(each, caughtBy.get(each.mutant)));
  const counts = countMutants(mutants);
  const score = scoreOf(counts);
  return {
    schema: 1,
    ...about,
    counts,
    ...(score !== undefined && { score }),
    byGroup: countedBy(mutants, ({ operation }) => operationOf(operation).group),
    byStatement: countedBy(mutants, ({ statement }) => statement),
    byOperation: countedBy(mutants, ({ operation }) => operation),
    byOperator: countedBy(mutants, ({ operator }) => operator),
    mutants,
  } as StrengthReport;
}
