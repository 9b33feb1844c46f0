/** Judges the changed worlds offline: only the checks that read a changed response. */
import type { Exchange } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import type { Rule } from '../rule/index.ts';
import { performRun } from '../run/run.ts';
import type { RunOptions } from '../run/summarise-run.ts';
import type { Result, Run, Selection } from '../run/types.ts';
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
}

type Check = Pick<Result, 'rule' | 'operation'>;
const nameOf = ({ rule, operation }: Check): string => `${rule} ${operation}`;

/** The source of a run that sends nothing. */
const NO_SOURCE = {
  send: () => Promise.reject(new Error('a mutant is judged from captured responses')),
  async close() {},
};

interface OfflineRun extends Pick<RunOptions, 'fetch' | 'onSources'> {
  readonly checks?: readonly Check[];
}

/** A run that sends nothing. */
const runOf = ({ captured, rules, base, profile, selection }: Judging, { checks, ...more }: OfflineRun): Promise<Run> =>
  performRun({
    ...{ rules, base, profile },
    selection: checks ? { ...selection, checks } : selection,
    source: NO_SOURCE,
    values: captured.values.copy(),
    wait: async () => undefined,
    suiteVersion: '',
    ...{ strict: false, allowInconclusive: false, requireConformant: false },
    ...more,
  });

export class MutantJudge {
  readonly #judging: Judging;
  /** The results of the unchanged responses, by their check. */
  readonly #before: ReadonlyMap<string, Result>;
  /** The checks that read an exchange. */
  readonly #checksOf: ReadonlyMap<Exchange, ReadonlySet<string>>;
  /** The checks that caught mutants of an operator and operation, the last first. */
  readonly #caughtBy = new Map<string, Check[]>();

  private constructor(judging: Judging, before: readonly Result[], checksOf: ReadonlyMap<Exchange, ReadonlySet<string>>) {
    this.#judging = judging;
    this.#before = new Map(before.map((each) => [nameOf(each), each]));
    this.#checksOf = checksOf;
  }

  /** Judges the unchanged responses, to know which check reads which. */
  static async of(judging: Judging): Promise<MutantJudge> {
    const { captured } = judging;
    const ids = new Map<string, Exchange>();
    const known = new Set<Exchange>();
    const unchanged = captured.fetchChanged(new Map(), () => undefined);
    const read = new Map<Exchange, Set<string>>();
    const { results } = await runOf(judging, {
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
    for (const { sent } of captured.nodes.values()) {
      const checks = sent.flatMap((each) => [...(read.get(each) ?? [])]);
      for (const each of sent) checksOf.set(each, new Set([...(checksOf.get(each) ?? []), ...checks]));
    }
    return new MutantJudge(judging, results, checksOf);
  }

  /** The results of the unchanged responses. */
  get results(): readonly Result[] {
    return [...this.#before.values()];
  }

  /** Judges a mutant: first by the checks that caught those before it. */
  async judge(mutant: Mutant): Promise<JudgedMutant> {
    const key = `${mutant.operator.name} ${mutant.site.operation}`;
    const likely = this.#caughtBy.get(key) ?? [];
    if (likely.length > 0) {
      const judged = await this.#judgeBy(mutant, likely);
      if (judged.verdict === 'caught') return judged;
    }
    const names = new Set([...mutant.changed.keys()].flatMap((each) => [...(this.#checksOf.get(each) ?? [])]));
    const checks = [...names].flatMap((name) => this.#before.get(name) ?? []);
    const judged = await this.#judgeBy(mutant, checks);
    if (judged.verdict === 'caught') {
      const caught = checks.filter((each) => judged.checks.includes(nameOf(each))).slice(0, 2);
      this.#caughtBy.set(key, [...caught, ...likely].slice(0, 4));
    }
    return judged;
  }

  async #judgeBy(mutant: Mutant, checks: readonly Check[]): Promise<JudgedMutant> {
    let isMissing = false;
    const fetch = this.#judging.captured.fetchChanged(mutant.changed, () => {
      isMissing = true;
    });
    const run = checks.length === 0 ? undefined : await runOf(this.#judging, { fetch, checks });
    return { mutant, isMissing, ...this.#verdictOf(run?.results ?? [], isMissing) };
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

