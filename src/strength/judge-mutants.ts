/** Judges the changed worlds offline: only the checks that read a changed response. */
import type { Exchange, Source } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import { declarationsOf } from '../rule/declarations.ts';
import type { Rule } from '../rule/index.ts';
import { performRun } from '../run/run.ts';
import type { RunOptions } from '../run/summarise-run.ts';
import type { Result, Run, Selection } from '../run/types.ts';
import { type PreparedRun, prepareRun, type ReadyUnit, requestsTo } from '../run/units.ts';
import type { CapturedRun } from './captured-run.ts';
import type { Mutant } from './draw-mutants.ts';

/** What a run says about a mutant. `undecided`: it needs a response that was not recorded, or a gating check is inconclusive. */
export const MUTANT_VERDICTS = ['caught', 'advisory', 'undecided', 'unseen'] as const;
export type MutantVerdict = (typeof MUTANT_VERDICTS)[number];

export interface JudgedMutant {
  readonly mutant: Mutant;
  readonly verdict: MutantVerdict;
  /** The rules that failed or became inconclusive, with their operation. */
  readonly checks: readonly string[];
  /** Whether the run asked for a response that was not recorded. */
  readonly isMissing: boolean;
}

export interface Judging {
  readonly captured: CapturedRun;
  readonly rules: readonly Rule[];
  readonly base: string;
  readonly profile: Profile;
  readonly selection: Selection;
  /** Sends requests that a changed service would get and the unchanged one did not. */
  readonly live?: Source;
}

type Check = Pick<Result, 'rule' | 'operation'>;
const nameOf = ({ rule, operation }: Check): string => `${rule} ${operation}`;

/** The source of a run that sends nothing. */
const NO_SOURCE = {
  send: () => Promise.reject(new Error('a mutant is judged from captured responses')),
  async close() {},
};

interface OfflineRun extends Pick<RunOptions, 'fetch' | 'onSources'> {
  readonly prepared: PreparedRun;
}

/** A run that sends nothing. */
const runOf = ({ captured, rules, base, profile, selection }: Judging, offline: OfflineRun): Promise<Run> =>
  performRun({
    ...{ rules, base, profile, selection },
    source: NO_SOURCE,
    values: captured.values.copy(),
    wait: async () => undefined,
    suiteVersion: '',
    ...{ strict: false, allowInconclusive: false, requireConformant: false },
    ...offline,
  });

/** Whether a unit reads what other units request: it then needs all of their requests. */
const readsOthers = ({ steps }: ReadyUnit): boolean => Object.values(steps).some(({ fromAllRules }) => fromAllRules);

export class MutantJudge {
  readonly #judging: Judging;
  /** All units with their requests, by their check. */
  readonly #ready: ReadonlyMap<string, ReadyUnit>;
  /** The results of the unchanged responses, by their check. */
  readonly #before: ReadonlyMap<string, Result>;
  /** The checks that read an exchange. */
  readonly #checksOf: ReadonlyMap<Exchange, ReadonlySet<string>>;
  /** The checks that caught mutants of an operator and operation, the last first. */
  readonly #caughtBy = new Map<string, string[]>();

  private constructor(
    judging: Judging,
    ready: readonly ReadyUnit[],
    before: readonly Result[],
    checksOf: ReadonlyMap<Exchange, ReadonlySet<string>>,
  ) {
    this.#judging = judging;
    this.#ready = new Map(
      ready.map((each) => [nameOf({ rule: each.unit.rule.id, operation: each.unit.subject.key }), each]),
    );
    this.#before = new Map(before.map((each) => [nameOf(each), each]));
    this.#checksOf = checksOf;
  }

  /** Judges the unchanged responses, to know which check reads which. */
  static async of(judging: Judging): Promise<MutantJudge> {
    const { captured, rules, selection, profile } = judging;
    const ids = new Map<string, Exchange>();
    const known = new Set<Exchange>();
    const unchanged = captured.fetchChanged(new Map(), () => undefined);
    const read = new Map<Exchange, Set<string>>();
    const prepared = prepareRun(rules, selection, profile, declarationsOf(profile, selection.sampling));
    const { results } = await runOf(judging, {
      prepared,
      fetch: (spec, folds, context) =>
        unchanged(spec, folds, {
          ...context,
          onExchange(exchange, ...more) {
            if (!known.has(exchange)) ids.set(`#${known.add(exchange).size}`, exchange);
            context.onExchange(exchange, ...more);
          },
        }),
      onSources(check, exchanges) {
        for (const id of exchanges) {
          const exchange = ids.get(id);
          if (exchange) read.set(exchange, (read.get(exchange) ?? new Set()).add(nameOf(check)));
        }
      },
    });
    const checksOf = new Map<Exchange, Set<string>>();
    for (const { sent, logged } of captured.nodes.values()) {
      const checks = logged.flatMap((each) => [...(read.get(each) ?? [])]);
      for (const each of sent) checksOf.set(each, new Set([...(checksOf.get(each) ?? []), ...checks]));
    }
    return new MutantJudge(judging, prepared.ready, results, checksOf);
  }

  /** The results of the unchanged responses. */
  get results(): readonly Result[] {
    return [...this.#before.values()];
  }

  /** Judges a mutant by the checks that read a changed response: first by those that caught mutants like it. */
  async judge(mutant: Mutant): Promise<JudgedMutant> {
    const key = `${mutant.operator.name} ${mutant.site.operation}`;
    const likely = this.#caughtBy.get(key) ?? [];
    const all = [...new Set([...mutant.changed.keys()].flatMap((each) => [...(this.#checksOf.get(each) ?? [])]))];
    const isLight = (name: string): boolean => !readsOthers(this.#ready.get(name) as ReadyUnit);
    const light = all.filter((name) => this.#ready.has(name) && isLight(name));
    const heavy = all.filter((name) => this.#ready.has(name) && !isLight(name));
    let judged: JudgedMutant | undefined;
    for (const names of [likely, light]) {
      if (names.length === 0) continue;
      judged = await this.#judgeBy(mutant, names);
      if (judged.verdict === 'caught') return this.#note(key, judged);
    }
    if (judged && heavy.length === 0) return judged;
    return this.#note(key, await this.#judgeBy(mutant, [...light, ...heavy]));
  }

  #note(key: string, judged: JudgedMutant): JudgedMutant {
    if (judged.verdict !== 'caught') return judged;
    const known = this.#caughtBy.get(key) ?? [];
    const isKnown = judged.checks.some((name) => known.includes(name));
    if (!isKnown) this.#caughtBy.set(key, [...judged.checks.slice(0, 1), ...known].slice(0, 3));
    return judged;
  }

  async #judgeBy(mutant: Mutant, names: readonly string[]): Promise<JudgedMutant> {
    let isMissing = false;
    const { captured, live } = this.#judging;
    const onMissing = () => {
      isMissing = true;
    };
    // Another response would not have a change that shows everywhere.
    const fetch = captured.fetchChanged(
      mutant.changed,
      onMissing,
      mutant.site.consistency === 'one list' ? live : undefined,
    );
    const ready = names.flatMap((name) => this.#ready.get(name) ?? []);
    const read = new Set(
      ready.flatMap(({ steps }) => Object.values(steps).flatMap((each) => (each.fromAllRules ? each.operation : []))),
    );
    const others = [...this.#ready.values()].filter((each) => !ready.includes(each));
    const besides = read.size > 0 ? requestsTo(read, others) : [];
    const prepared = { units: ready.map(({ unit }) => unit), decided: new Map(), ready, besides };
    const { results } = await runOf(this.#judging, { fetch, prepared });
    return { mutant, isMissing, ...this.#verdictOf(results, isMissing) };
  }

  #verdictOf(results: readonly Result[], isMissing: boolean): Pick<JudgedMutant, 'verdict' | 'checks'> {
    const changed = results.filter((each) => this.#before.get(nameOf(each))?.verdict !== each.verdict);
    const of = (isMeant: (result: Result) => boolean): string[] => changed.filter(isMeant).map(nameOf);
    const failed = of(({ verdict, gating }) => verdict === 'fail' && gating);
    if (failed.length > 0) return { verdict: 'caught', checks: failed };
    const undecided = of(({ verdict, gating }) => gating && (verdict === 'inconclusive' || verdict === 'error'));
    const advised = of(({ verdict }) => verdict === 'fail');
    if (advised.length > 0 && undecided.length === 0) return { verdict: 'advisory', checks: advised };
    if (undecided.length > 0 || isMissing) return { verdict: 'undecided', checks: undecided };
    return { verdict: 'unseen', checks: [] };
  }
}
