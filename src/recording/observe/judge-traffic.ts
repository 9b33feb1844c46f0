/** Judges the recorded traffic of any client by the rules, with those requests whose inputs can be read back. */
import { setImmediate } from 'node:timers/promises';
import { isUpc, SAFETY_LADDER } from '../../contract/index.ts';
import { curlCredentialsOf } from '../../exchange/curl.ts';
import { authKeyOf } from '../../profile/auth-schemes.ts';
import type { Profile } from '../../profile/schema.ts';
import { declarationsOf, isRequestComplete } from '../../rule/declarations.ts';
import type { Reading, Step, Steps } from '../../rule/index.ts';
import { codedInputsOf, withMeanings } from '../../run/coded-values.ts';
import { detailOf } from '../../run/exchange-log.ts';
import { judgeUnit, type UnitVerdict } from '../../run/judge-unit.ts';
import { type JudgedUnits, type RunOptions, summariseRun } from '../../run/summarise-run.ts';
import type { ExchangeSummary, Run, Unit } from '../../run/types.ts';
import { type DecidedUnit, prepare, selectUnits } from '../../run/units.ts';
import { judgeObserved, readingOf } from './judge-observed.ts';
import { namesKnownItems } from './known-items.ts';
import { type MappedTraffic, mapTraffic, type Observed, type ObservedTraffic } from './map-traffic.ts';
import { matchProbe } from './match-probes.ts';
import { ObservedResponses } from './observed-responses.ts';
import { ResponseIndex } from './response-index.ts';

export interface TrafficOptions extends Omit<RunOptions, 'source' | 'wait' | 'base'> {
  readonly traffic: ObservedTraffic;
  /** The run of the suites over the same recording, if the suites recorded it. */
  readonly suiteRun?: Run;
}

/** Counts of the judged traffic. */
export interface TrafficSummary {
  readonly exchanges: number;
  /** Number of exchanges of a documented operation, by method and path. */
  readonly mapped: number;
  /** Number of these whose inputs were read back. */
  readonly read: number;
  /** The reasons for the others, most frequent first. */
  readonly unread: readonly (readonly [why: string, count: number])[];
}

const INTERRUPTED = 'not judged: the command was interrupted';

/** Judges observed traffic; returns the run and its counts. Sends no request. */
export async function judgeTraffic(
  options: TrafficOptions,
): Promise<{ readonly run: Run; readonly summary: TrafficSummary }> {
  const { traffic, profile, selection } = options;
  const startedAt = Date.now();
  const declarations = declarationsOf(profile, selection.sampling);
  const mapped = await decodeInputs(profile, traffic.base, mapTraffic(traffic, profile));
  const units = selectUnits(options.rules, selection);
  const verdicts = new Map<Unit, UnitVerdict | DecidedUnit>();
  const ready: { readonly unit: Unit; readonly steps: Steps }[] = [];
  for (const unit of units) {
    const prepared = prepare(unit, profile, declarations, SAFETY_LADDER.all, false);
    if ('steps' in prepared) ready.push({ unit, steps: prepared.steps });
    else verdicts.set(unit, prepared);
  }
  const steps = ready.flatMap((each) => Object.values(each.steps));
  const { base, hasFixedData } = traffic;
  const observed = new ObservedResponses({ profile, base, traffic: mapped, hasFixedData, steps });
  const matchOptions = { profile, base, declarations, traffic: mapped, observed };
  const { signal } = options;
  await observed.read((count, what) => options.onProgress?.(count, what), signal);
  for (const { unit, steps: unitSteps } of ready) {
    if (signal) await setImmediate();
    const isInterrupted = signal?.aborted ?? false;
    verdicts.set(unit, isInterrupted ? { verdict: 'untested', because: INTERRUPTED } : await judge(unit, unitSteps));
  }
  const exchanges = mapped.observed.map(summaryOf);
  const byId = new Map(mapped.observed.map((each) => [each.id, each]));
  const judged: JudgedUnits = {
    options: { ...options, base: traffic.base },
    units,
    verdicts,
    startedAt,
    exchanges,
    detail: async (id) => {
      const cited = byId.get(id);
      return cited
        ? detailOf(cited.exchange, curlCredentialsOf(profile, authKeyOf(profile.data, cited.operation)))
        : {};
    },
    ...(options.suiteRun && { suiteRun: options.suiteRun }),
    isObserved: true,
  };
  return { run: await summariseRun(judged), summary: summaryOfTraffic(traffic, mapped) };

  async function judge(unit: Unit, steps: Steps): Promise<UnitVerdict> {
    // A rule that needs requests of its own, and can do without those of other rules, is judged by its own.
    const needed = Object.values(steps).filter(({ optional }) => !optional);
    const gathers = Object.values(steps).some(({ fromAllRules }) => fromAllRules);
    if (gathers && (needed.length === 0 || needed.some(({ fromAllRules }) => fromAllRules)))
      return judgeGathered(unit, steps);
    const matched = await matchProbe(matchOptions, unit.rule, steps);
    if ('because' in matched) return { verdict: 'untested', because: matched.because };
    return judgeObserved(unit, steps, matched.matches, declarations, observed.values);
  }

  /** Judges rules about every response to a valid request by all observed ones. */
  function judgeGathered(unit: Unit, steps: Steps): UnitVerdict {
    const gathering = Object.fromEntries(Object.entries(steps).filter(([, step]) => step.fromAllRules));
    const responsesOf = ({ operation, fromAllRules }: Step) => {
      const { unknown = [] } = declarations.statuses(operation);
      const isValid = ({ inputs }: Observed) =>
        (inputs.upc === undefined || isUpc(String(inputs.upc))) &&
        isRequestComplete(profile, operation, (input) => inputs[input] !== undefined);
      const isOfLists = fromAllRules === 'lists';
      const all = isOfLists ? observed.listsOf(operation) : observed.pagesOf(operation);
      return all.filter(({ pages: [page], exchanges: [first] }) => {
        const status = first?.response?.status ?? 0;
        return (
          isValid(page) &&
          // A schema is judged by the status, whatever the response is for.
          (!isOfLists || namesKnownItems(operation, page.inputs, observed, declarations)) &&
          first?.response?.status !== undefined &&
          (status < 300 || status === 404 || unknown.includes(status))
        );
      });
    };
    const responses = Object.fromEntries(Object.entries(gathering).map(([name, step]) => [name, responsesOf(step)]));
    if (Object.values(responses).every(({ length }) => length === 0))
      return { verdict: 'untested', because: `${unit.subject.key} was not observed` };
    const readings = (name: string): Reading[] => {
      const step = gathering[name];
      return step ? (responses[name] ?? []).map((response) => readingOf(response, step)) : [];
    };
    const judged = judgeUnit(unit, gathering, readings, declarations, observed.values);
    return judged.verdict === 'inconclusive' ? { ...judged, verdict: 'untested' } : judged;
  }
}

const summaryOf = ({ id, operation, exchange }: Observed): ExchangeSummary => ({
  id,
  operation,
  method: exchange.request.method,
  url: exchange.request.url,
  ...(exchange.response && { status: exchange.response.status }),
  ...(exchange.failure && { failure: exchange.failure.message }),
  bytes: exchange.body.bytes,
  ...(Date.parse(exchange.timing.startedAt) > 0 && { startedAt: exchange.timing.startedAt }),
  ms: Math.round(exchange.timing.totalMs),
});

function summaryOfTraffic({ exchanges }: ObservedTraffic, { observed, mapped, unread }: MappedTraffic): TrafficSummary {
  return {
    exchanges: exchanges.length,
    mapped,
    read: observed.length,
    unread: [...unread].sort(([, x], [, y]) => y - x),
  };
}

/** The traffic with meanings in place of codes. A request with a code of unknown meaning is not read. */
async function decodeInputs(profile: Profile, base: string, traffic: MappedTraffic): Promise<MappedTraffic> {
  const templateOf = ({ operation }: Observed) => profile.data.operations?.[operation]?.request;
  if (!traffic.observed.some((each) => codedInputsOf(templateOf(each), each.inputs).length > 0)) return traffic;
  const index = new ResponseIndex(profile, base, traffic, new Map());
  const observed: Observed[] = [];
  const unread = new Map(traffic.unread);
  for (const each of traffic.observed) {
    const coded = codedInputsOf(templateOf(each), each.inputs);
    const inputs =
      coded.length === 0
        ? each.inputs
        : withMeanings(templateOf(each), each.inputs, await index.codesFor(each.operation));
    if (inputs) {
      observed.push({ ...each, inputs });
      continue;
    }
    const why = `the code of ${coded.map(([input]) => input).join(' or ')}, whose meaning was not observed`;
    unread.set(why, (unread.get(why) ?? 0) + 1);
  }
  return { ...traffic, observed, unread };
}
