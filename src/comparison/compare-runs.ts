/** The difference between two runs. */

import { DEFAULT_SAMPLING } from '../contract/index.ts';
import { counted } from '../format-values.ts';
import type { Evidence } from '../rule/index.ts';
import type { CheckChange, RunComparison } from '../run/comparison-types.ts';
import { coverageOfEvidence } from '../run/coverage.ts';
import type { Result, Run } from '../run/types.ts';

/** Identifies a check in a run; a report of several targets has one per target. */
export const checkKey = ({ target = '', rule, operation }: Pick<Result, 'target' | 'rule' | 'operation'>): string =>
  `${target}\n${rule}\n${operation}`;

/** The results of a run by `checkKey`. */
export const resultsByCheck = ({ results }: Pick<Run, 'results'>): ReadonlyMap<string, Result> =>
  new Map(results.map((each) => [checkKey(each), each]));

/** The kinds of failure of a result; undefined if a finding has no fingerprint. */
function fingerprintsOf({ findings }: Result): ReadonlySet<string> | undefined {
  const prints = findings.flatMap(({ fingerprint }) => (fingerprint === undefined ? [] : [fingerprint]));
  return prints.length > 0 && prints.length === findings.length ? new Set(prints) : undefined;
}

/**
 * Whether a baseline has a failure: the same check failed with the same kinds of findings. Without fingerprints on both
 * sides, the check alone counts.
 */
export function isKnownFailure(was: Result | undefined, is: Result): boolean {
  if (was?.verdict !== 'fail') return false;
  const [before, now] = [fingerprintsOf(was), fingerprintsOf(is)];
  return !before || !now || [...now].every((each) => before.has(each));
}

const isDecided = ({ verdict }: Result): boolean => verdict === 'pass' || verdict === 'fail';

/** Why a check cannot be compared: it is in the scope of one run only. A failure now is compared all the same. */
function scopeDifference(was: Result, is: Result, before: Run, after: Run): string | undefined {
  if ((was.needsSafety ?? is.needsSafety) && before.manifest.safety !== after.manifest.safety)
    return `the baseline ran with --safety ${before.manifest.safety}, this run with --safety ${after.manifest.safety}`;
  if (after.manifest.interrupted && !isDecided(is)) return 'this run was interrupted';
  if (before.manifest.interrupted && !isDecided(was)) return 'the baseline was interrupted';
  const [drawnBefore, drawnNow] = [before, after].map(({ manifest }) => manifest.depth ?? DEFAULT_SAMPLING.depth);
  // What the profile leaves open or does not claim is lost at any depth.
  const dependsOnDepth =
    is.verdict === 'pass' || is.verdict === 'inconclusive' || (is.verdict === 'untested' && !is.openings);
  if (drawnBefore !== drawnNow && dependsOnDepth && was.verdict !== is.verdict)
    return `the baseline drew samples at depth ${drawnBefore}, this run at depth ${drawnNow}`;
  return undefined;
}

/** Members of the manifest that may explain why a proof is lost, in words. */
const CAUSES = { profileHash: 'the profile', ruleSet: 'the rule set', suite: 'the version of mdwi' } as const;

/** What changed between the runs besides the service. */
function changedSettings(before: Run, after: Run): string | undefined {
  const changed = (Object.keys(CAUSES) as (keyof typeof CAUSES)[]).filter((key) => {
    const [was, is] = [before.manifest[key], after.manifest[key]];
    // A file of an older version has no hash.
    return was !== is && (key !== 'profileHash' || (was !== undefined && is !== undefined));
  });
  return changed.length > 0 ? `${changed.map((key) => CAUSES[key]).join(' and ')} changed` : undefined;
}

/**
 * The evidence of a pass in words.
 * @example evidenceText({ exchanges: 2, rows: 900, distinct: 1 }) // '2 exchanges, 900 rows, 1 distinct'
 */
export const evidenceText = ({ exchanges, rows, distinct, coverage }: Evidence): string =>
  [
    counted(exchanges, 'exchange'),
    ...(rows > 0 ? [counted(rows, 'row')] : []),
    ...(distinct > 0 ? [`${distinct} distinct`] : []),
    ...(coverage ? [coverageOfEvidence({ coverage })] : []),
  ].join(', ');

const isEqual = (x: Evidence, y: Evidence): boolean =>
  x.exchanges === y.exchanges && x.rows === y.rows && x.distinct === y.distinct;

const OUT_OF_BASELINE = 'the baseline did not include it';
const OUT_OF_RUN = 'this run does not include it';

/** Where a difference belongs; undefined if there is none. */
type Kind = Exclude<keyof RunComparison, 'baseline' | 'failOnNew' | 'notComparable'>;

/** The kind of a difference between two results of one check. */
function kindOf(was: Result, is: Result): Kind | undefined {
  if (is.verdict === 'fail' && !is.waived && !isKnownFailure(was, is)) return 'newFailures';
  if (was.verdict === 'fail' && is.verdict === 'pass') return 'fixed';
  // A failure that is no longer judged must not disappear: a binding that is removed would hide it.
  if (isDecided(was) && !isDecided(is) && !is.waived) return 'lostProofs';
  if (was.verdict !== is.verdict) return 'changedEvidence';
  if (is.verdict === 'fail') {
    const [before, now] = [fingerprintsOf(was), fingerprintsOf(is)];
    return before && now && before.size !== now.size ? 'changedEvidence' : undefined;
  }
  return is.verdict === 'pass' && !isEqual(was.evidence, is.evidence) ? 'changedEvidence' : undefined;
}

const verdictText = ({ verdict, waived }: Result): string => (waived ? `${verdict}, waived` : verdict);

/** A result in words, as detailed as the difference needs. */
function stateText(result: Result, other: Result): string {
  if (result.verdict !== other.verdict || result.waived !== other.waived) return verdictText(result);
  if (result.verdict === 'pass') return evidenceText(result.evidence);
  const prints = fingerprintsOf(result);
  return prints ? `${result.verdict} (${[...prints].sort().join(', ')})` : result.verdict;
}

function changeOf(was: Result, is: Result, kind: Kind, changed: string | undefined): CheckChange {
  const why = kind === 'lostProofs' ? [is.note, changed].filter((each) => each !== undefined).join('; ') : '';
  return {
    rule: is.rule,
    operation: is.operation,
    was: stateText(was, is),
    is: stateText(is, was),
    ...(why && { why }),
    ...(is.target !== undefined && { target: is.target }),
    ...(!is.gating && { advisory: true as const }),
  };
}

/** The share of rows that is left, to list what lost most evidence first. */
const shareLeft = (was: Result, is: Result): number => {
  if (was.verdict !== is.verdict) return -1;
  return was.evidence.rows > 0 ? is.evidence.rows / was.evidence.rows : 1;
};

/**
 * Compares two runs check by check.
 *
 * A check that was decided and is not decided now is a lost proof, whatever the cause: a profile that no longer binds or claims
 * something changes its hash, and exactly this must not turn green into untested unseen. Checks that only one run includes
 * are not comparable: another selection, a safety class that does not reach them, another depth of the draw.
 *
 * @param baseline the name of the earlier run, for reports
 */
export function compareRuns(before: Run, after: Run, baseline: string): RunComparison {
  const earlier = resultsByCheck(before);
  const present = resultsByCheck(after);
  const changed = changedSettings(before, after);
  const found: { readonly kind: Kind; readonly was: Result; readonly is: Result }[] = [];
  const notComparable: RunComparison['notComparable'][number][] = [];
  const refuse = ({ rule, operation, target }: Result, why: string): void => {
    notComparable.push({ rule, operation, why, ...(target !== undefined && { target }) });
  };
  for (const is of after.results) {
    const was = earlier.get(checkKey(is));
    if (!was) {
      if (is.verdict !== 'not-applicable')
        refuse(is, is.verdict === 'fail' ? `it fails, and ${OUT_OF_BASELINE}` : OUT_OF_BASELINE);
      continue;
    }
    const kind = kindOf(was, is);
    if (!kind) continue;
    const difference = kind === 'newFailures' ? undefined : scopeDifference(was, is, before, after);
    if (difference) refuse(is, difference);
    else found.push({ kind, was, is });
  }
  for (const was of before.results)
    if (!present.has(checkKey(was)) && was.verdict !== 'not-applicable') refuse(was, OUT_OF_RUN);
  found.sort((x, y) => shareLeft(x.was, x.is) - shareLeft(y.was, y.is));
  const changes = (kind: Kind): CheckChange[] =>
    found.filter((each) => each.kind === kind).map(({ was, is }) => changeOf(was, is, kind, changed));
  return {
    baseline,
    newFailures: changes('newFailures'),
    fixed: changes('fixed'),
    lostProofs: changes('lostProofs'),
    changedEvidence: changes('changedEvidence'),
    notComparable,
  };
}
