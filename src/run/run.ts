/** One run: selects units, executes them against a source, judges them, and returns the result. */
import { type OpeningId, openingById, operationOf, SAFETY_LADDER, statementOf } from '../contract/index.ts';
import type { Source } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import { declarationsOf } from '../rule/declarations.ts';
import { BASES, type Rule } from '../rule/index.ts';
import { Engine } from './engine.ts';
import { interruptionOf } from './interruption.ts';
import type { UnitVerdict } from './judge-unit.ts';
import { decideOutcome, fractionsOf, type OutcomeOptions } from './outcome.ts';
import type { ExchangeSummary, Result, Run, Selection, Unit } from './types.ts';
import { prepare, prerequisiteUnits, type Settled, selectUnits } from './units.ts';

export interface RunOptions extends OutcomeOptions {
  readonly rules: readonly Rule[];
  readonly selection: Selection;
  readonly profile: Profile;
  readonly base: string;
  /** The name of the target in the report; default: `base`. */
  readonly target?: string;
  readonly source: Source;
  readonly suiteVersion: string;
  readonly onProgress?: (requests: number, what: string) => void;
  /** Waits for a time in ms. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Interrupts the run; its reason is the signal. */
  readonly signal?: AbortSignal;
}

const NO_EVIDENCE = { exchanges: 0, rows: 0, distinct: 0 };

function toResult({ rule, subject }: Unit, judged: UnitVerdict | Settled, strict: boolean): Result {
  const basis = judged.verdict === 'fail' ? (judged.basis ?? rule.basis) : rule.basis;
  const because = 'because' in judged ? judged.because : 'note' in judged ? judged.note : undefined;
  return {
    rule: rule.id,
    operation: subject.key,
    statement: rule.statement,
    section: statementOf(rule.statement).section,
    basis,
    gating: strict || BASES[basis].gating,
    verdict: judged.verdict,
    waived: false,
    evidence: { ...NO_EVIDENCE, ...('evidence' in judged ? judged.evidence : {}) },
    findings: judged.verdict === 'fail' ? judged.findings : [],
    ...(because && { note: because }),
    ...('openings' in judged && judged.openings && { openings: judged.openings }),
  };
}

/** Makes passes inconclusive where paths that cannot exist return the same content: it proves nothing. */
function doubtEmptySuccess(settled: Map<Unit, UnitVerdict | Settled>): void {
  const judged = [...settled];
  const unproven = new Map(
    judged.flatMap(([{ subject }, each]) => ('provesNothing' in each ? [[subject.key, each.because] as const] : [])),
  );
  for (const [unit, { verdict }] of judged) {
    const because = unproven.get(unit.subject.key);
    if (verdict === 'pass' && because !== undefined) settled.set(unit, { verdict: 'inconclusive', because });
  }
}

/** Openings that block units, those that block most rules first. */
function openingsToFill(results: readonly Result[]): Run['openings'] {
  const rules = new Map<OpeningId, Set<string>>();
  for (const result of results) {
    for (const opening of result.openings ?? []) rules.set(opening, (rules.get(opening) ?? new Set()).add(result.rule));
  }
  return [...rules]
    .sort(([, x], [, y]) => y.size - x.size)
    .map(([id, blocked]) => {
      const { asks, fill, section } = openingById(id);
      return { opening: id, asks, fill, section, rules: [...blocked] };
    });
}

/** Runs the selected rules against a source. Never rejects for an error of the service. */
export async function performRun(options: RunOptions): Promise<Run> {
  const { profile, selection, source, base } = options;
  const began = Date.now();
  const allowed = SAFETY_LADDER[selection.safety];
  const declarations = declarationsOf(profile);
  const units = selectUnits(options.rules, selection);
  const settled = new Map<Unit, UnitVerdict | Settled>();
  const ready: { unit: Unit; steps: ReturnType<Rule['probe']> }[] = [];
  for (const unit of units) {
    const prepared = prepare(unit, profile, declarations, allowed);
    if ('steps' in prepared) ready.push({ unit, steps: prepared.steps });
    else settled.set(unit, prepared);
  }
  const selected = ready.map(({ unit }) => unit);
  for (const unit of prerequisiteUnits(options.rules, selection, selected)) {
    const prepared = prepare(unit, profile, declarations, allowed);
    if ('steps' in prepared) ready.push({ unit, steps: prepared.steps });
  }
  const engine = new Engine({
    base,
    profile,
    declarations,
    source,
    ...(options.onProgress && { onProgress: options.onProgress }),
    ...(options.wait && { wait: options.wait }),
    ...(options.signal && { signal: options.signal }),
  });
  for (const [unit, judged] of await engine.execute(ready)) settled.set(unit, judged);
  return summariseRun({
    options,
    units,
    settled,
    began,
    exchanges: engine.exchanges,
    detail: (id) => engine.detail(id),
  });
}

/** The judged units of a run, or of recorded traffic. */
export interface JudgedUnits {
  readonly options: Omit<RunOptions, 'source' | 'wait' | 'onProgress'>;
  readonly units: readonly Unit[];
  /** The verdict of each unit. */
  readonly settled: Map<Unit, UnitVerdict | Settled>;
  /** The start time in ms since 1970. */
  readonly began: number;
  readonly exchanges: readonly ExchangeSummary[];
  readonly detail: (id: string) => Promise<Pick<ExchangeSummary, 'curl' | 'begins'>>;
  /** Another run over the same units, whose results replace untested ones. */
  readonly suiteRun?: Run;
}

/** Builds the run from its judged units. */
export async function summariseRun({
  options,
  units,
  settled,
  began,
  exchanges: own,
  detail,
  suiteRun,
}: JudgedUnits): Promise<Run> {
  const { profile, selection, base, strict } = options;
  doubtEmptySuccess(settled);
  const other = new Map(suiteRun?.results.map((each) => [`${each.rule} ${each.operation}`, each]));
  const results = units.map((unit) => {
    const result = toResult(unit, settled.get(unit) as UnitVerdict | Settled, strict);
    return result.verdict === 'untested' ? (other.get(`${result.rule} ${result.operation}`) ?? result) : result;
  });
  const cited = new Set(results.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
  const exchanges = [...own, ...(suiteRun?.exchanges.filter(({ id }) => cited.has(id)) ?? [])];
  const interrupted = interruptionOf(options.signal);
  const decided = decideOutcome(results, { ...options, interrupted });
  // Groups without an applicable rule are not in the scope.
  const judged = results.filter((each) => each.verdict !== 'not-applicable');
  const groups = [
    ...new Set((judged.length > 0 ? judged : results).map((each) => operationOf(each.operation).group)),
  ].sort();
  const scope =
    selection.operations || selection.rules
      ? `${groups.join('')}, ${selection.safety}, filtered`
      : `${groups.join('')}, ${selection.safety}`;
  const unreachable =
    !interrupted && exchanges.length > 0 && exchanges.every((each) => each.status === undefined && !each.notRecorded);
  return {
    schema: 1,
    outcome: decided.outcome,
    outcomeInScope: `${decided.outcome} (${scope})`,
    exitCode: decided.exitCode,
    ...(decided.reason && {
      reason: unreachable ? `the service does not answer: ${exchanges[0]?.failure}` : decided.reason,
    }),
    manifest: {
      suite: options.suiteVersion,
      target: options.target ?? base,
      profile: `${profile.data.name} (${profile.source})`,
      groups,
      safety: selection.safety,
      strict,
      startedAt: new Date(began).toISOString(),
      durationMs: Date.now() - began,
      requests: own.length,
      node: process.version,
      ...(interrupted && { interrupted }),
    },
    fractions: fractionsOf(results),
    results,
    exchanges: await withDetails(exchanges, detail, results),
    openings: openingsToFill(results),
  };
}

/** Adds command and response text to the exchanges with findings. */
async function withDetails(
  exchanges: readonly ExchangeSummary[],
  detail: JudgedUnits['detail'],
  results: readonly Result[],
): Promise<ExchangeSummary[]> {
  const cited = new Set(results.flatMap((each) => each.findings.map((finding) => finding.exchange)));
  return Promise.all(
    exchanges.map(async (each) => (cited.has(each.id) ? { ...each, ...(await detail(each.id)) } : each)),
  );
}
