/** Builds a run from its judged units: results, outcome, fractions, and the openings to fill. */

import {
  DEFAULT_SAMPLING,
  type OpeningId,
  type OperationKey,
  openingById,
  operationOf,
  statementOf,
} from '../contract/index.ts';
import { profileHash } from '../profile/profile-hash.ts';
import { formatLocation } from '../profile/profile-location.ts';
import { declarationsOf } from '../rule/declarations.ts';
import {
  BASES,
  type Declarations,
  type Evidence,
  type FailedJudgement,
  type Finding,
  isLater,
  RULE_SET_VERSIONS,
  type Rule,
  type RuleSetVersion,
} from '../rule/index.ts';
import { applyWaivers, waivedText } from './apply-waivers.ts';
import { findCauses, type ResultSources, type RunRequest } from './causes.ts';
import type { RunSnapshot } from './comparison-types.ts';
import { mergeCoverage } from './coverage.ts';
import { fingerprintOf } from './fingerprint.ts';
import { interruptionOf } from './interruption.ts';
import type { UnitVerdict } from './judge-unit.ts';
import type { Outage } from './outages.ts';
import { decideOutcome, fractionsOf, type OutcomeOptions } from './outcome.ts';
import type { EngineOptions } from './request-spec.ts';
import type { ExchangeSummary, ReportedFinding, Result, Run, Selection, Unit } from './types.ts';
import type { DecidedUnit, PreparedRun } from './units.ts';
import { findUnreadKeys } from './unread-keys.ts';
import type { Waiver } from './waiver-types.ts';

export interface RunOptions extends OutcomeOptions, Omit<EngineOptions, 'declarations' | 'drawn'> {
  readonly rules: readonly Rule[];
  readonly selection: Selection;
  /** The name of the target in the report; default: `base`. */
  readonly target?: string;
  readonly suiteVersion: string;
  /** The version to which the rule set is pinned: later demands are advice. Default: the current version. */
  readonly ruleSet?: RuleSetVersion;
  readonly waivers?: readonly Waiver[];
  /** The units, if they are known: a run of the same profile again. Its keys that nothing reads are known, too. */
  readonly prepared?: PreparedRun;
  /** Receives the ids of the exchanges that the result of a check rests on. */
  readonly onSources?: (check: Pick<Result, 'rule' | 'operation'>, exchanges: readonly string[]) => void;
}

function toReported(rule: Rule, operation: OperationKey, { kind, since: _, ...shown }: Finding): ReportedFinding {
  return { ...shown, fingerprint: fingerprintOf(rule.id, operation, kind) };
}

const NO_EVIDENCE = { exchanges: 0, rows: 0, distinct: 0 };

/** The failure that a judgement states or doubts. */
const failureIn = (judged: UnitVerdict | DecidedUnit): FailedJudgement | undefined =>
  judged.verdict === 'fail' ? judged : 'doubted' in judged ? judged.doubted : undefined;

/** The version of the rule set that brought the demand of a judgement; of a failure the oldest, because it alone fails. */
function sinceOf(rule: Rule, judged: UnitVerdict | DecidedUnit): RuleSetVersion {
  const versions = failureIn(judged)?.findings.map(({ since = rule.since }) => since) ?? [
    'since' in judged ? (judged.since ?? rule.since) : rule.since,
  ];
  return versions.find((version) => versions.every((other) => !isLater(version, other))) ?? rule.since;
}

function toResult(
  { rule, subject }: Unit,
  judged: UnitVerdict | DecidedUnit,
  { strict, ruleSet }: { readonly strict: boolean; readonly ruleSet?: RuleSetVersion },
  declarations: Declarations,
): Result {
  const basis =
    judged.verdict === 'fail'
      ? (judged.basis ?? rule.basis)
      : (failureIn(judged)?.basis ?? rule.declaredBasis?.(declarations, subject.key) ?? rule.basis);
  const since = sinceOf(rule, judged);
  const gates = strict || BASES[basis].gating;
  const isPinned = gates && isLater(since, ruleSet);
  const findings = judged.verdict === 'fail' ? judged.findings : [];
  // Beside a failure of the pinned version, a later demand is only a note: a waiver of the failure need not cover it.
  const later = isPinned ? [] : findings.filter((each) => isLater(each.since ?? rule.since, ruleSet));
  const [first] = later;
  const because = first
    ? `a later rule set demands ${first.expected}; actual: ${first.actual}`
    : 'because' in judged
      ? judged.because
      : 'note' in judged
        ? judged.note
        : undefined;
  return {
    rule: rule.id,
    operation: subject.key,
    statement: rule.statement,
    section: statementOf(rule.statement).section,
    basis,
    gating: gates && !isPinned,
    verdict: judged.verdict,
    waived: false,
    evidence: evidenceIn(judged),
    findings: findings.filter((each) => !later.includes(each)).map((each) => toReported(rule, subject.key, each)),
    ...(since !== RULE_SET_VERSIONS[0] && { since }),
    ...(isPinned && { pinned: true }),
    ...(because && { note: because }),
    ...('openings' in judged && judged.openings && { openings: judged.openings }),
    ...('needsSafety' in judged && judged.needsSafety && { needsSafety: judged.needsSafety }),
  };
}

function evidenceIn(judged: UnitVerdict | DecidedUnit): Evidence {
  const stated: Partial<Evidence> = 'evidence' in judged ? judged.evidence : {};
  const coverage = mergeCoverage(stated.coverage ?? [], ('coverage' in judged && judged.coverage) || []);
  return { ...NO_EVIDENCE, ...stated, ...(coverage.length > 0 && { coverage }) };
}

/** Makes passes inconclusive where paths that cannot exist return the same content: it proves nothing. */
function downgradeUnprovenPasses(verdicts: Map<Unit, UnitVerdict | DecidedUnit>): void {
  const judged = [...verdicts];
  const unprovenOperations = new Map(
    judged.flatMap(([{ subject }, each]) => ('provesNothing' in each ? [[subject.key, each.because] as const] : [])),
  );
  for (const [unit, { verdict }] of judged) {
    const because = unprovenOperations.get(unit.subject.key);
    if (verdict === 'pass' && because !== undefined) verdicts.set(unit, { verdict: 'inconclusive', because });
  }
}

/** Openings that block units, those that block most rules first, and facts that a profile may add last. */
function openingsToFill(results: readonly Result[]): Run['openings'] {
  const rules = new Map<OpeningId, Set<string>>();
  for (const result of results) {
    for (const opening of result.openings ?? []) rules.set(opening, (rules.get(opening) ?? new Set()).add(result.rule));
  }
  return [...rules]
    .sort(([x, ofX], [y, ofY]) => addedLast(x) - addedLast(y) || ofY.size - ofX.size)
    .map(([id, blocked]) => {
      const { asks, fill, section } = openingById(id);
      return { opening: id, asks, fill, section, rules: [...blocked] };
    });
}

const addedLast = (id: OpeningId): number => (openingById(id).optional ? 1 : 0);

/** The judged units of a run, or of recorded traffic. */
export interface JudgedUnits {
  readonly options: Omit<RunOptions, 'source' | 'wait' | 'onProgress' | 'onRound'>;
  readonly units: readonly Unit[];
  /** The verdict of each unit. */
  readonly verdicts: Map<Unit, UnitVerdict | DecidedUnit>;
  /** The start time in ms since 1970. */
  readonly startedAt: number;
  readonly exchanges: readonly ExchangeSummary[];
  /** A digest of the lists that were read. */
  readonly snapshot?: RunSnapshot | undefined;
  readonly draws?: Run['draws'];
  readonly waits?: Run['manifest']['waits'];
  readonly detail: (id: string) => Promise<Pick<ExchangeSummary, 'curl' | 'begins' | 'inputs'>>;
  /** The requests of a live run with their symptoms, and what the result of each unit rests on. */
  readonly requests?: readonly RunRequest[];
  /** When the service stopped responding during a live run. */
  readonly outages?: readonly Outage[];
  readonly sourcesOf?: (unit: Unit) => ResultSources;
  /** Another run over the same units, whose results replace untested ones. */
  readonly suiteRun?: Run;
  /** The traffic was sent by others. */
  readonly isObserved?: true;
}

/** Builds the run from its judged units. */
export async function summariseRun({
  options,
  units,
  verdicts,
  startedAt,
  exchanges: sentExchanges,
  snapshot,
  draws = [],
  detail,
  requests = [],
  outages,
  waits,
  sourcesOf,
  suiteRun,
  isObserved,
}: JudgedUnits): Promise<Run> {
  const { profile, selection, base, strict } = options;
  const { sampling = DEFAULT_SAMPLING } = selection;
  const declarations = declarationsOf(profile, sampling);
  downgradeUnprovenPasses(verdicts);
  const suiteResults = new Map(suiteRun?.results.map((each) => [`${each.rule} ${each.operation}`, each]));
  const sourcesOfResults: [Result, ResultSources][] = [];
  const judgedResults = units.map((unit) => {
    const sources = sourcesOf?.(unit);
    const result = {
      ...toResult(unit, verdicts.get(unit) as UnitVerdict | DecidedUnit, options, declarations),
      ...(sources?.isRetried && { retried: true as const }),
    };
    if (sources) {
      sourcesOfResults.push([result, sources]);
      options.onSources?.(result, sources.exchanges);
    }
    return result.verdict === 'untested' ? (suiteResults.get(`${result.rule} ${result.operation}`) ?? result) : result;
  });
  const { causes, byResult, everywhere } = findCauses(requests, sourcesOfResults, outages);
  const unwaived = judgedResults.map((result) => {
    const cause = byResult.get(result);
    return cause === undefined ? result : { ...result, cause };
  });
  const { results, waivers } = applyWaivers(unwaived, options.waivers ?? [], {
    rules: options.rules,
    now: startedAt,
    isObserved: isObserved ?? false,
  });
  const citedIds = new Set(results.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
  const exchanges = [...sentExchanges, ...(suiteRun?.exchanges.filter(({ id }) => citedIds.has(id)) ?? [])];
  const interrupted = interruptionOf(options.signal);
  const decided = decideOutcome(results, {
    ...options,
    waivers,
    interrupted,
    failedBefore: selection.checks !== undefined,
  });
  // Groups without an applicable rule are not in the scope.
  const judged = results.filter((each) => each.verdict !== 'not-applicable');
  const groups = [
    ...new Set((judged.length > 0 ? judged : results).map((each) => operationOf(each.operation).group)),
  ].sort();
  const isFiltered = selection.operations || selection.rules || selection.checks;
  const scope = [
    groups.join(''),
    selection.safety,
    // The traffic of clients contains what they requested, at any depth.
    ...(isObserved ? [] : [sampling.depth]),
    ...(isFiltered ? ['filtered'] : []),
  ].join(', ');
  const waived = waivedText(results, waivers);
  const unread = options.prepared ? [] : findUnreadKeys(profile, options.rules, results);
  const unreachable =
    !interrupted && exchanges.length > 0 && exchanges.every((each) => each.status === undefined && !each.notRecorded);
  return {
    schema: 1,
    outcome: decided.outcome,
    outcomeInScope: `${decided.outcome} (${waived === undefined ? scope : `${scope}; ${waived}`})`,
    exitCode: decided.exitCode,
    ...(decided.reason && {
      reason: unreachable
        ? `the service does not answer: ${exchanges[0]?.failure?.replace(/^[A-Z]+ \S+: /, '')}`
        : everywhere === undefined || interrupted
          ? decided.reason
          : decided.outcome === 'undetermined'
            ? everywhere
            : `${decided.reason}; ${everywhere}`,
    }),
    manifest: {
      suite: options.suiteVersion,
      target: options.target ?? base,
      profile: `${profile.data.name} (${profile.source})`,
      groups,
      safety: selection.safety,
      strict,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      requests: sentExchanges.length,
      ...(waits && { waits }),
      node: process.version,
      profileHash: profileHash(profile),
      ...(!isObserved && sampling),
      ...(options.ruleSet && { ruleSet: options.ruleSet }),
      ...(interrupted && { interrupted }),
      ...(options.allowInconclusive && { allowInconclusive: true }),
      ...(options.requireConformant && { requireConformant: true }),
    },
    fractions: fractionsOf(results),
    results,
    exchanges: await withDetails(exchanges, detail, results),
    openings: openingsToFill(results),
    ...(unread.length > 0 && { unread: unread.map(({ path, why }) => ({ key: formatLocation(path), why })) }),
    ...(options.waivers && { waivers }),
    ...(causes.length > 0 && { cause: causes }),
    ...(snapshot && { snapshot }),
    ...(draws.length > 0 && { draws }),
  };
}

/** Adds command and response text to the exchanges with findings. */
async function withDetails(
  exchanges: readonly ExchangeSummary[],
  detail: JudgedUnits['detail'],
  results: readonly Result[],
): Promise<ExchangeSummary[]> {
  const citedIds = new Set(results.flatMap((each) => each.findings.map((finding) => finding.exchange)));
  return Promise.all(
    exchanges.map(async (each) => (citedIds.has(each.id) ? { ...each, ...(await detail(each.id)) } : each)),
  );
}
