/**
 * Puts observed answers in the place of those a rule’s probe would have fetched: every way in which what was observed can
 * stand for the steps, one answer a step that is asked once, all that fit where a step is asked for each of several rows.
 */
import { setImmediate } from 'node:timers/promises';
import { type Input, OPERATIONS, type OperationKey } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Inputs } from '../../profile/template.ts';
import type { Declarations, Fold, Rule, Step, Steps } from '../../rule/index.ts';
import { pagerOf } from '../pager.ts';
import { stepInputs } from '../step-inputs.ts';
import { keyer, type MappedTraffic, type Observed } from './map-traffic.ts';
import {
  carriedInputs,
  drawnInputs,
  drawnKey,
  drawnRows,
  isObservedBy,
  isOkAnswer,
  isRequestedBy,
} from './match-step.ts';
import { type ObservedResponse, ResponseIndex } from './response-index.ts';
import { SameWeek } from './same-week.ts';

/** One way to fill a rule’s steps. */
export interface ProbeMatch {
  readonly answers: ReadonlyMap<string, readonly ObservedResponse[]>;
  /** Whether all of it stands at one data week, as far as that can be proved. */
  readonly isOneWeek: boolean;
}

export type ProbeMatches = { readonly bindings: readonly ProbeMatch[] } | { readonly because: string };

/** Partners looked at for one answer, the nearest in time first. */
const NEAREST = 12;
/** Ways to fill the steps of one rule that are tried at most. */
const MOST_BINDINGS = 2000;

const pagesOf = (answers: Iterable<readonly ObservedResponse[]>): Observed[] =>
  [...answers].flat().flatMap(({ pages }) => [...pages]);

export interface ProbeMatcherOptions {
  readonly profile: Profile;
  readonly base: string;
  readonly declares: Declarations;
  readonly traffic: MappedTraffic;
  readonly isStill: boolean;
  /** The steps of all units that will be judged: what they keep of an answer is kept when it is read. */
  readonly steps: readonly Step[];
}

type Group = readonly (readonly [name: string, step: Step])[];

export class ProbeMatcher {
  readonly #options: ProbeMatcherOptions;
  readonly #book: ResponseIndex;
  readonly #singles = new Map<OperationKey, readonly ObservedResponse[]>();
  readonly #lists = new Map<OperationKey, readonly ObservedResponse[]>();
  /** Clients that were answered well: what they are refused is not refused for who they are. */
  readonly #welcome = new Set<string>();
  #week: SameWeek | undefined;

  constructor(options: ProbeMatcherOptions) {
    this.#options = options;
    this.#book = new ResponseIndex(options.profile, options.base, options.traffic, foldsOf(options));
  }

  /** Reads everything that was observed once. `tell` is told of progress; `signal` ends the reading early. */
  async read(tell: (count: number, what: string) => void, signal?: AbortSignal): Promise<void> {
    const all: ObservedResponse[] = [];
    for (const { key } of OPERATIONS) {
      // Lets a signal that came meanwhile be heard.
      await setImmediate();
      if (signal?.aborted) return;
      const singles = await this.#book.singles(key);
      const lists = await this.#book.lists(key);
      const further = (await Promise.all(lists.map((list) => this.#book.further(list)))).flat();
      const pages = [...singles, ...new Set(further)];
      this.#singles.set(key, pages);
      this.#lists.set(key, lists);
      all.push(...pages);
      if (pages.length > 0) tell(all.length, key);
    }
    for (const answer of all) if (isOkAnswer(answer)) this.#welcome.add(answer.pages[0].client);
    this.#week = new SameWeek(all, this.#options.profile, this.#options.isStill);
  }

  /** Every answer of an operation, page by page. */
  pagesOf(operation: OperationKey): readonly ObservedResponse[] {
    return this.#singles.get(operation) ?? [];
  }

  /** Every way in which the steps of a rule can be filled, or why there is none. */
  async bind(rule: Rule, steps: Steps): Promise<ProbeMatches> {
    const roots = Object.entries(steps).filter(([, step]) => !step.each || step.observes);
    const candidates = new Map<string, readonly ObservedResponse[]>();
    const each = new Map<string, readonly ObservedResponse[]>();
    for (const [name, step] of roots) {
      const found = await this.#candidates(step);
      if (step.each) each.set(name, found);
      else candidates.set(name, found);
      if (found.length === 0 && !step.spare) return { because: this.#notSeen(step, steps) };
    }
    const groups = siblings(roots.filter(([name]) => candidates.has(name)));
    const tuples = groups.map((group) => this.#tuplesOf(group, candidates.get((group[0] as Group[number])[0]) ?? []));
    const short = groups.find((group, at) => tuples[at]?.length === 0 && !group.every(([, step]) => step.spare));
    if (short)
      return {
        because: `${(short[0] as Group[number])[1].operation} was not asked ${occasionsOf(short).length} times over`,
      };
    const bindings = new Map<string, ProbeMatch>();
    let because = '';
    for (const filled of this.#fillings(groups, tuples)) {
      const answers = new Map([...filled, ...each].filter(([, found]) => found.length > 0));
      // What was drawn is proved to be of the week of what it is compared with one by one. What is not can still show that
      // a rule holds.
      const isOneWeek = (this.#week as SameWeek).holds(pagesOf([comparedIn(steps, answers)]));
      for (const proved of rule.repeat === 'pass' ? [true, false] : [true]) {
        const drawn = await this.#draw(rule, steps, answers, rule.repeat === 'pass' && proved);
        if ('because' in drawn) because ||= drawn.because;
        else
          bindings.set(keyIn(drawn.answers), {
            answers: drawn.answers,
            isOneWeek: isOneWeek && (proved || bindings.get(keyIn(drawn.answers))?.isOneWeek === true),
          });
      }
      if (bindings.size >= MOST_BINDINGS) break;
    }
    if (bindings.size === 0) return { because: because || 'nothing was observed that it could be judged by' };
    return { bindings: [...bindings.values()] };
  }

  async #candidates(step: Step): Promise<readonly ObservedResponse[]> {
    const { profile, base, declares, traffic } = this.#options;
    const { operation, variant } = step;
    if (variant?.method !== undefined || variant?.path !== undefined) {
      const [inputs = {}] = stepInputs({ ...step, each: undefined } as unknown as Step, [], declares);
      const spec = { operation, inputs: withUpc(operation, inputs), variant, occasion: 0 };
      const key = keyer(profile)(pagerOf({ base, profile }, spec).first());
      return Promise.all((traffic.byKey.get(key) ?? []).map((each) => this.#book.odd(each, operation, inputs)));
    }
    const carried = carriedInputs(profile, operation);
    const all = [...(this.#lists.get(operation) ?? []), ...(step.observes ? (this.#singles.get(operation) ?? []) : [])];
    const serving = all.filter(
      (answer) =>
        (isRequestedBy(step, answer, carried, declares) && isWholeEnough(step, answer)) ||
        (isObservedBy(step, answer) && (step.wants === 'any' || step.wants === 'answer' || isOkAnswer(answer))),
    );
    return [...new Set(serving)].filter((answer) => this.#isFair(answer, false));
  }

  /**
   * Whether an answer can be held against the service: one who is refused everything may not be entitled to anything, and
   * what was answered at another time, or failed once only, was no refusal.
   * @param inTurns what is asked several times over is judged by that
   */
  #isFair(answer: ObservedResponse, inTurns: boolean): boolean {
    const [page] = answer.pages;
    if (isOkAnswer(answer)) return true;
    // A server that fails does not refuse anybody; yet it must not be down as a whole.
    const isWelcome = statusOf(answer) >= 500 ? this.#welcome.size > 0 : this.#welcome.has(page.client);
    if (!isWelcome) return false;
    if (inTurns) return true;
    const again = (this.#singles.get(answer.operation) ?? []).filter(
      ({ pages: [each] }) => each.key === page.key && each.client === page.client,
    );
    if (again.some(isOkAnswer)) return false;
    // An operation that is answered to others is there, whatever refused the method this time.
    if ([405, 501].includes(statusOf(answer)) && this.pagesOf(answer.operation).some(isOkAnswer)) return false;
    return statusOf(answer) < 500 || new Set(again.map(({ pages: [each] }) => each.order)).size > 1;
  }

  #notSeen(step: Step, steps: Steps): string {
    const asked = Object.entries(step.inputs ?? {}).map(([input, source]) =>
      'value' in source ? `${input} ${JSON.stringify(source.value)}` : `an example ${input} of the profile`,
    );
    const isControl = step.variant?.path !== undefined;
    if (isControl) return `${step.operation} was not asked between paths that cannot exist, as the suites do`;
    const where =
      (this.#singles.get(step.operation) ?? []).length === 0
        ? 'was not observed'
        : `was not observed as this needs it (${asked.join(', ') || 'without filters'})`;
    return `${step.operation} ${where}${Object.keys(steps).length > 1 ? ', beside what else this compares' : ''}`;
  }

  /** The answers a group of equal steps can be filled with: so many of the same client in turn. */
  #tuplesOf(group: Group, answers: readonly ObservedResponse[]): readonly (readonly ObservedResponse[])[] {
    const occasions = occasionsOf(group);
    if (occasions.length === 1) return answers.map((answer) => [answer]);
    const asked = Map.groupBy(answers, ({ pages: [first], inputs }) =>
      JSON.stringify([first.client, first.key, inputs]),
    );
    return [...asked.values()].flatMap((same) => {
      const turns = same.toSorted((x, y) => x.pages[0].order - y.pages[0].order);
      return turns.slice(occasions.length - 1).map((_, at) => turns.slice(at, at + occasions.length));
    });
  }

  /** Fills the groups so that each of their answers is looked at once at least, beside the nearest of the others. */
  *#fillings(
    groups: readonly Group[],
    tuples: readonly (readonly (readonly ObservedResponse[])[])[],
  ): Generator<Map<string, readonly ObservedResponse[]>> {
    if (groups.length === 0) yield new Map();
    for (const [at, own] of tuples.entries()) {
      for (const first of own) {
        const chosen = new Map<number, readonly ObservedResponse[]>([[at, first]]);
        const [
          {
            pages: [page],
          },
        ] = first as [ObservedResponse];
        let fits = true;
        for (const [other, theirs] of tuples.entries()) {
          if (other === at || !fits) continue;
          const partner = this.#partner([...chosen.values()].flat(), theirs, page);
          if (partner) chosen.set(other, partner);
          else fits = (groups[other] as Group).every(([, step]) => step.spare);
        }
        if (!fits) continue;
        // By itself, too, where it can be judged so: nothing then depends on when the others were answered.
        if (groups.every((group, index) => index === at || group.every(([, step]) => step.spare)))
          yield new Map(inTurn(groups[at] as Group, first));
        const filled = new Map<string, readonly ObservedResponse[]>();
        for (const [index, tuple] of chosen) {
          for (const [name, answer] of inTurn(groups[index] as Group, tuple)) filled.set(name, answer);
        }
        if (isInTurn(groups.flat(), filled)) yield filled;
      }
    }
  }

  #partner(
    chosen: readonly ObservedResponse[],
    theirs: readonly (readonly ObservedResponse[])[],
    page: Observed,
  ): readonly ObservedResponse[] | undefined {
    const near = theirs
      .filter(([first]) => first?.pages[0].client === page.client)
      .map((tuple) => ({ tuple, distance: Math.abs((tuple[0] as ObservedResponse).pages[0].order - page.order) }))
      .sort((x, y) => x.distance - y.distance)
      .slice(0, NEAREST);
    const proved = near.find(({ tuple }) => this.#week?.holds(pagesOf([chosen, tuple])));
    return (proved ?? near[0])?.tuple;
  }

  /** Adds to the steps asked for each of several rows the answers to requests drawn from the rows before them. */
  async #draw(
    { repeat }: Rule,
    steps: Steps,
    roots: ReadonlyMap<string, readonly ObservedResponse[]>,
    ofOneWeek: boolean,
  ): Promise<Drawn> {
    const { profile } = this.#options;
    const answers = new Map(roots);
    const missing: { readonly name: string; readonly step: Step; readonly because: string }[] = [];
    const beside = comparedIn(steps, roots);
    for (const [name, step] of Object.entries(steps)) {
      if (!step.each || step.observes) continue;
      const sources = answers.get(step.each.from) ?? [];
      const source = sources[0]?.operation ?? 'an answer before';
      const carried = carriedInputs(profile, step.operation);
      const turns = occasionsOf(Object.entries(steps).filter(([, other]) => isAgain(other, step)));
      const drawn = (this.#lists.get(step.operation) ?? []).flatMap((answer) => {
        const isTheirs = sources.some(({ pages: [first] }) => first.client === answer.pages[0].client);
        const inputs =
          isTheirs && this.#isFair(answer, turns.length > 1) ? drawnInputs(step, answer, sources, carried) : undefined;
        return inputs ? [{ answer, inputs }] : [];
      });
      const fitting = drawn.filter(({ answer }) =>
        ofOneWeek
          ? this.#week?.holds(pagesOf([beside, [answer]]))
          : // What was listed long ago may be gone by now.
            repeat !== 'inconclusive' || turns.length > 1 || isOkAnswer(answer) || isSoonAfter(sources, answer),
      );
      const found =
        turns.length > 1 ? inTheirTurn(fitting, turns.indexOf(step.occasion ?? 0), turns.length, sources) : fitting;
      if (found.length > 0) {
        answers.set(name, await Promise.all(found.map(({ answer, inputs }) => this.#book.as(answer, inputs))));
        continue;
      }
      const because =
        drawn.length === 0
          ? `${step.operation} was not asked about anything that ${source} lists`
          : turns.length > 1
            ? `${step.operation} was not asked ${turns.length} times over, soon after ${source}`
            : `${step.operation} and what it is compared with are not proved to be of one data week`;
      missing.push({ name, step, because });
    }
    const needed = missing.find(({ name, step }) => !canLack(name, step, steps, answers));
    return needed ?? { answers };
  }
}

type Drawn = { readonly answers: Map<string, readonly ObservedResponse[]> } | { readonly because: string };

const keyIn = (answers: ReadonlyMap<string, readonly ObservedResponse[]>): string =>
  JSON.stringify(
    [...answers].map(([name, found]) => [name, found.map(({ pages, inputs }) => [pages[0].order, inputs])]),
  );

/** Whether a rule can do without the answers of a step, because others that draw from the same list were observed. */
const canLack = (
  name: string,
  { each }: Step,
  steps: Steps,
  answers: ReadonlyMap<string, readonly ObservedResponse[]>,
): boolean =>
  Object.entries(steps).every(([, other]) => other.each?.from !== name) &&
  Object.entries(steps).some(([other, step]) => step.each?.from === each?.from && answers.has(other));

/** Steps that ask for the same again, each of the same rows. */
const isAgain = (one: Step, other: Step): boolean =>
  one.each !== undefined &&
  one.operation === other.operation &&
  JSON.stringify(one.each) === JSON.stringify(other.each);

/** What a rule compares others with: the answers that names are drawn from are so only where there is nothing else. */
function comparedIn(
  steps: Steps,
  roots: ReadonlyMap<string, readonly ObservedResponse[]>,
): readonly ObservedResponse[] {
  const sources = new Set(Object.values(steps).flatMap(({ each }) => each?.from ?? []));
  const own = [...roots].flatMap(([name, answers]) => (sources.has(name) || steps[name]?.each ? [] : answers));
  return own.length > 0 ? own : [...roots].flatMap(([name, answers]) => (steps[name]?.each ? [] : answers));
}

/** How long after its start a job must be known, or after it was listed an item, in ms. */
const SOON = 300_000;

/** Whether an answer was given soon after one of those its request was drawn from. */
const isSoonAfter = (sources: readonly ObservedResponse[], { pages: [page] }: ObservedResponse): boolean =>
  sources.some(({ pages: [{ startedAt }] }) => {
    const passed = startedAt === undefined || page.startedAt === undefined ? undefined : page.startedAt - startedAt;
    return passed !== undefined && passed >= 0 && passed <= SOON;
  });

/**
 * Of what was asked several times over, the answer of one turn; none where it was asked too seldom. A job may be forgotten
 * after a while: it counts only if it was asked for soon or, where no times were written down, if it was known once.
 */
function inTheirTurn<D extends { readonly answer: ObservedResponse }>(
  drawn: readonly D[],
  turn: number,
  turns: number,
  sources: readonly ObservedResponse[],
): D[] {
  const [start] = sources;
  const began = start?.pages[0];
  const inOrder = drawn
    .filter(
      ({
        answer: {
          pages: [page],
        },
      }) =>
        began?.startedAt === undefined || (page.order > began.order && (page.startedAt ?? 0) - began.startedAt <= SOON),
    )
    .toSorted(({ answer: x }, { answer: y }) => x.pages[0].order - y.pages[0].order)
    .slice(0, turns);
  if (inOrder.length < turns) return [];
  if (began?.startedAt === undefined && !inOrder.some(({ answer }) => isOkAnswer(answer))) return [];
  return inOrder.slice(turn, turn + 1);
}

const statusOf = ({ exchanges: [first] }: ObservedResponse): number => first?.response?.status ?? 0;

const withUpc = (operation: OperationKey, inputs: Inputs): Inputs =>
  operation.includes('{upc}') && inputs.upc === undefined ? { ...inputs, upc: '012345678905' } : inputs;

/** A rule that wants content takes a list for what it is; without its end it may lack what is looked for. */
const isWholeEnough = (step: Step, answer: ObservedResponse): boolean =>
  step.observes !== undefined ||
  step.wants === 'any' ||
  step.wants === 'answer' ||
  answer.observation?.complete !== false ||
  !isOkAnswer(answer);

const occasionsOf = (group: Group): number[] => [...new Set(group.map(([, { occasion = 0 }]) => occasion))];

/** The answers of several occasions, by the steps they are for. */
const inTurn = (group: Group, answers: readonly ObservedResponse[]): [string, ObservedResponse[]][] =>
  group.map(([name, { occasion = 0 }]) => [name, [answers[occasionsOf(group).indexOf(occasion)] as ObservedResponse]]);

/** Steps that send the same request on several occasions, in their order. */
function siblings(roots: Group): Group[] {
  const groups = Map.groupBy(roots, ([, { operation, inputs, variant }]) =>
    JSON.stringify([operation, inputs ?? {}, variant ?? {}]),
  );
  return [...groups.values()].map((group) => group.toSorted(([, x], [, y]) => (x.occasion ?? 0) - (y.occasion ?? 0)));
}

/** Whether steps that wait for others were answered behind them. */
function isInTurn(roots: Group, filled: ReadonlyMap<string, readonly ObservedResponse[]>): boolean {
  return roots.every(([name, { after = [] }]) => {
    const own = filled.get(name)?.[0]?.pages[0];
    return after.every((before) => {
      const earlier = filled.get(before)?.[0]?.pages[0];
      return (
        !own || !earlier || (own.order > earlier.order && (own.startedAt !== undefined || own.key === earlier.key))
      );
    });
  });
}

/** What all steps together keep of the answers of each operation. */
function foldsOf({ steps, traffic }: ProbeMatcherOptions): Map<OperationKey, readonly Fold<unknown>[]> {
  const wanted = new Map<Input, Set<string>>();
  for (const { inputs } of traffic.observed) {
    for (const [input, value] of Object.entries(inputs) as [Input, string][])
      wanted.set(input, (wanted.get(input) ?? new Set()).add(String(value)));
  }
  const folds = new Map<OperationKey, Map<string, Fold<unknown>>>();
  const keep = (operation: OperationKey, fold: Fold<unknown>) => {
    const own = folds.get(operation) ?? new Map<string, Fold<unknown>>();
    own.set(fold.key, fold);
    folds.set(operation, own);
  };
  for (const step of steps) for (const fold of Object.values(step.folds ?? {})) keep(step.operation, fold);
  // Any operation may be what a step draws from; which one stands in the rule, so the rows are kept wherever the fields are.
  for (const step of steps) {
    if (!step.each) continue;
    const as = step.each.as as Readonly<Record<string, Input>>;
    for (const operation of folds.keys()) keep(operation, drawnRows(as, wanted, drawnKey(step.operation, as)));
  }
  return new Map([...folds].map(([operation, own]) => [operation, [...own.values()]]));
}
