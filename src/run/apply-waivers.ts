/** Applies waivers to results: which known failures they cover, and which waivers are stale. */
import { OPERATIONS } from '../contract/index.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import type { Rule } from '../rule/index.ts';
import { matchesWildcard } from '../text-patterns.ts';
import { fingerprintPrefix, inconclusiveFingerprint } from './fingerprint.ts';
import type { Result } from './types.ts';
import type { RunWaiver, Waiver, WaiverNote } from './waiver-types.ts';

/** How waivers are applied. */
export interface WaiverContext {
  /** All rules there are, not only the selected ones. */
  readonly rules: readonly Rule[];
  /** The time of the run, in ms since 1970. */
  readonly now: number;
  /** The run sent no requests of its own: a check that passes there may not have drawn what failed. */
  readonly isObserved?: boolean;
}

const DAY = 86_400_000;

/** The days until the end of the last day on which a waiver is valid (UTC); negative if it has expired. */
const daysUntil = (expires: string, now: number): number =>
  Math.round((Date.parse(expires) - Math.floor(now / DAY) * DAY) / DAY);

const matchesCheck = ({ rule, operation }: Waiver, check: Pick<Result, 'rule' | 'operation'>): boolean =>
  matchesWildcard(rule, check.rule) && (operation === undefined || matchesWildcard(operation, check.operation));

/** Why a waiver names nothing there is; undefined if it does. */
function whyUnknown(waiver: Waiver, rules: readonly Rule[]): string | undefined {
  const { rule, operation, fingerprints = [] } = waiver;
  const named = rules.filter(({ id }) => matchesWildcard(rule, id));
  if (named.length === 0) {
    const ids = rules.map(({ id }) => id);
    return `there is no rule “${rule}”${didYouMean(rule, ids)}`;
  }
  const keys = OPERATIONS.map(({ key }) => key);
  if (operation !== undefined && !keys.some((key) => matchesWildcard(operation, key)))
    return `there is no operation “${operation}”${didYouMean(operation, keys)}`;
  const checks = named.flatMap(({ id, subjects }) => subjects.map((key) => ({ rule: id, operation: key })));
  const matching = checks.filter((check) => matchesCheck(waiver, check));
  if (matching.length === 0) return `“${rule}” does not judge “${operation}”`;
  const prefixes = matching.map((check) => fingerprintPrefix(check.rule, check.operation));
  const foreign = fingerprints.find((print) => !prefixes.some((prefix) => print.startsWith(prefix)));
  if (foreign === undefined) return undefined;
  const kind = foreign.split('/').at(-1);
  const known = prefixes.map((prefix) => `${prefix}${kind}`);
  return `the fingerprint “${foreign}” is of another check${didYouMean(foreign, known)}`;
}

/** Whether a check is one of those that a waiver is about: its fingerprints name the checks. */
const concerns = (waiver: Waiver, { rule, operation }: Pick<Result, 'rule' | 'operation'>): boolean => {
  if (!matchesCheck(waiver, { rule, operation })) return false;
  const prefix = fingerprintPrefix(rule, operation);
  return waiver.fingerprints === undefined || waiver.fingerprints.some((print) => print.startsWith(prefix));
};

/** Whether a run includes every check that a waiver is about: a run of one group says nothing of the others. */
function isInScope(waiver: Waiver, results: readonly Result[], rules: readonly Rule[]): boolean {
  const included = new Set(results.map(({ rule, operation }) => `${rule} ${operation}`));
  return rules.every(({ id, subjects }) =>
    subjects.every((operation) => included.has(`${id} ${operation}`) || !concerns(waiver, { rule: id, operation })),
  );
}

/** The fingerprints of a failure or of an inconclusive result. */
const printsOf = ({ rule, operation, verdict, findings }: Result): string[] =>
  verdict === 'inconclusive'
    ? [inconclusiveFingerprint(rule, operation)]
    : [...new Set(findings.flatMap(({ fingerprint }) => fingerprint ?? []))];

/**
 * Whether a waiver can cover a result: a failure, or an inconclusive one. A cause of the run, such as 401 on every
 * request, is no known failure.
 */
const isCoverable = ({ verdict, cause }: Result): boolean =>
  verdict === 'fail' || (verdict === 'inconclusive' && cause === undefined);

/** The fingerprints of a result that a waiver covers; undefined if it covers none. */
function coveredBy(waiver: Waiver, result: Result): readonly string[] | undefined {
  if (!isCoverable(result) || !matchesCheck(waiver, result)) return undefined;
  const { fingerprints } = waiver;
  if (fingerprints === undefined) return result.verdict === 'fail' ? printsOf(result) : undefined;
  const covered = printsOf(result).filter((print) => fingerprints.includes(print));
  return covered.length > 0 ? covered : undefined;
}

/** A waiver that is valid today, or why not. */
function checkWaiver(waiver: Waiver, { rules, now }: WaiverContext): RunWaiver {
  const { source, rule, expires } = waiver;
  const daysLeft = expires === undefined ? undefined : daysUntil(expires, now);
  const base = { ...waiver, ...(daysLeft !== undefined && { daysLeft }), covers: [] };
  const unknown = whyUnknown(waiver, rules);
  if (unknown !== undefined) return { ...base, state: 'unknown', message: `${unknown}: delete ${source}, or mend it` };
  if (daysLeft !== undefined && daysLeft < 0)
    return {
      ...base,
      state: 'expired',
      message: `the waiver of ${rule} expired on ${expires}: delete ${source}, or extend it`,
    };
  return { ...base, state: 'not-asked' };
}

/** The state of a valid waiver after the run. */
function settleWaiver(
  waiver: RunWaiver,
  results: readonly Result[],
  { rules, isObserved = false }: WaiverContext,
): RunWaiver {
  const covers = results.flatMap((result) => {
    const fingerprints = coveredBy(waiver, result);
    if (!fingerprints) return [];
    const { rule, operation, findings, note } = result;
    const shown = findings.find(({ fingerprint = '' }) => fingerprints.includes(fingerprint));
    const actual = shown?.actual ?? note;
    return [{ rule, operation, fingerprints, ...(actual !== undefined && { actual }) }];
  });
  if (covers.length > 0) return { ...waiver, state: 'covers', covers };
  const concerned = results.filter((each) => concerns(waiver, each) && each.verdict !== 'not-applicable');
  const passed = concerned.filter(({ verdict }) => verdict === 'pass');
  const failed = concerned.filter(({ verdict }) => verdict === 'fail').flatMap(printsOf);
  if (failed.length > 0) {
    const suggestion = waiver.fingerprints?.map((each) => didYouMean(each, failed)).find((each) => each !== '') ?? '';
    return { ...waiver, message: `${waiver.rule} fails in another way than ${waiver.source} covers${suggestion}` };
  }
  const isPassing = passed.length > 0 && passed.length === concerned.length;
  if (isPassing && waiver.intermittent)
    return { ...waiver, message: `${waiver.rule} passes in this run; the waiver stays because it is intermittent` };
  if (!isPassing || isObserved || !isInScope(waiver, results, rules)) return waiver;
  const where = waiver.operation === undefined ? '' : ` on ${waiver.operation}`;
  return { ...waiver, state: 'gone', message: `${waiver.rule}${where} passes now: delete ${waiver.source}` };
}

const noteOf = ({ source, reason, owner, expires }: Waiver): WaiverNote => ({
  source,
  reason,
  ...(owner !== undefined && { owner }),
  ...(expires !== undefined && { expires }),
});

/**
 * Marks the results that waivers cover, and returns the state of each waiver. A failure is waived if waivers cover every
 * kind of finding in it: a different kind is not hidden. An inconclusive result is waived only by its own fingerprint.
 * Waivers that have expired or name nothing cover nothing.
 *
 * @example applyWaivers(results, [{ source: 'waivers.yaml:3', rule: 'C.delta-*', reason: 'ticket 7' }], { rules, now })
 */
export function applyWaivers(
  results: readonly Result[],
  waivers: readonly Waiver[],
  context: WaiverContext,
): { readonly results: readonly Result[]; readonly waivers: readonly RunWaiver[] } {
  const checked = waivers.map((each) => checkWaiver(each, context));
  const valid = checked.filter(({ state }) => state === 'not-asked');
  const waivedResults = results.map((result): Result => {
    const covering = valid.filter((each) => coveredBy(each, result));
    const covered = new Set(covering.flatMap((each) => coveredBy(each, result) ?? []));
    const [first] = covering;
    if (!first || printsOf(result).some((print) => !covered.has(print))) return result;
    return { ...result, waived: true, waiver: noteOf(first) };
  });
  return {
    results: waivedResults,
    waivers: checked.map((each) => (each.state === 'not-asked' ? settleWaiver(each, results, context) : each)),
  };
}

/** Whether a waiver ends the run with 4. */
export const isStaleWaiver = ({ state }: RunWaiver): boolean =>
  state === 'expired' || state === 'unknown' || state === 'gone';

/**
 * The number of waived gating checks, and the days until the first of their waivers expires.
 * @example waivedText(results, waivers) // '2 waived, 12 days left'
 */
export function waivedText(results: readonly Result[], waivers: readonly RunWaiver[]): string | undefined {
  const count = results.filter(({ waived, gating }) => waived && gating).length;
  if (count === 0) return undefined;
  const days = waivers.flatMap(({ state, daysLeft }) =>
    state === 'covers' && daysLeft !== undefined ? [daysLeft] : [],
  );
  const least = Math.min(...days);
  return `${count} waived${days.length > 0 ? `, ${least} ${least === 1 ? 'day' : 'days'} left` : ''}`;
}
