/**
 * Matches observed responses to the steps of a probe, in every possible combination: one response for a step that is sent
 * once, all matching ones for a step that is sent once per row.
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
  isOkResponse,
  isRequestedBy,
} from './match-step.ts';
import { type ObservedResponse, ResponseIndex } from './response-index.ts';
import { SameWeek } from './same-week.ts';

/** One match: the responses of each step. */
export interface ProbeMatch {
  readonly answers: ReadonlyMap<string, readonly ObservedResponse[]>;
  /** Whether all responses are proved to be of one data week. */
  readonly isOneWeek: boolean;
}

export type ProbeMatches = { readonly matches: readonly ProbeMatch[] } | { readonly because: string };

/** Maximum number of partners for one response, the nearest in time first. */
const NEAREST = 12;
/** Maximum number of matches of one rule. */
const MOST_MATCHES = 2000;

const pagesOf = (answers: Iterable<readonly ObservedResponse[]>): Observed[] =>
  [...answers].flat().flatMap(({ pages }) => [...pages]);

export interface ProbeMatcherOptions {
  readonly profile: Profile;
  readonly base: string;
  readonly declarations: Declarations;
  readonly traffic: MappedTraffic;
  readonly isStill: boolean;
  /** The steps of all units; their folds run when a response is read. */
  readonly steps: readonly Step[];
}

type Group = readonly (readonly [name: string, step: Step])[];

export class ProbeMatcher {
  readonly #options: ProbeMatcherOptions;
  readonly #index: ResponseIndex;
  readonly #singles = new Map<OperationKey, readonly ObservedResponse[]>();
  readonly #lists = new Map<OperationKey, readonly ObservedResponse[]>();
  /** Clients that got a 2xx: they have access, so that an error status is not due to their credentials. */
  readonly #authorized = new Set<string>();
  #week: SameWeek | undefined;

  constructor(options: ProbeMatcherOptions) {
    this.#options = options;
    this.#index = new ResponseIndex(options.profile, options.base, options.traffic, foldsOf(options));
  }

  /** Reads all observed responses once. `onProgress` gets the count; `signal` stops the reading. */
  async read(onProgress: (count: number, what: string) => void, signal?: AbortSignal): Promise<void> {
    const all: ObservedResponse[] = [];
    for (const { key } of OPERATIONS) {
      // Lets the event loop deliver a signal.
      await setImmediate();
      if (signal?.aborted) return;
      const singles = await this.#index.singles(key);
      const lists = await this.#index.lists(key);
      const further = (await Promise.all(lists.map((list) => this.#index.further(list)))).flat();
      const pages = [...singles, ...new Set(further)];
      this.#singles.set(key, pages);
      this.#lists.set(key, lists);
      all.push(...pages);
      if (pages.length > 0) onProgress(all.length, key);
    }
    for (const answer of all) if (isOkResponse(answer)) this.#authorized.add(answer.pages[0].client);
    this.#week = new SameWeek(all, this.#options.profile, this.#options.isStill);
  }

  /** All responses of an operation, page by page. */
  pagesOf(operation: OperationKey): readonly ObservedResponse[] {
    return this.#singles.get(operation) ?? [];
  }

  /** All matches of the steps of a rule, or why there is none. */
  async match(rule: Rule, steps: Steps): Promise<ProbeMatches> {
    const roots = Object.entries(steps).filter(([, step]) => !step.each || step.alsoMatches);
    const candidates = new Map<string, readonly ObservedResponse[]>();
    const each = new Map<string, readonly ObservedResponse[]>();
    for (const [name, step] of roots) {
      const found = await this.#candidates(step);
      if (step.each) each.set(name, found);
      else candidates.set(name, found);
      if (found.length === 0 && !step.optional) return { because: this.#notSeen(step, steps) };
    }
    const groups = siblings(roots.filter(([name]) => candidates.has(name)));
    const tuples = groups.map((group) => this.#tuplesOf(group, candidates.get((group[0] as Group[number])[0]) ?? []));
    const short = groups.find((group, at) => tuples[at]?.length === 0 && !group.every(([, step]) => step.optional));
    if (short)
      return {
        because: `${(short[0] as Group[number])[1].operation} was not requested ${repetitionsOf(short).length} times`,
      };
    const matches = new Map<string, ProbeMatch>();
    let because = '';
    for (const filled of this.#fillings(groups, tuples)) {
      const answers = new Map([...filled, ...each].filter(([, found]) => found.length > 0));
      // Each drawn response is checked for the data week of the one it is compared with. Responses of unproved weeks can
      // still show that a rule holds.
      const isOneWeek = (this.#week as SameWeek).holds(pagesOf([comparedIn(steps, answers)]));
      for (const proved of rule.repeat === 'pass' ? [true, false] : [true]) {
        const drawn = await this.#draw(rule, steps, answers, rule.repeat === 'pass' && proved);
        if ('because' in drawn) because ||= drawn.because;
        else
          matches.set(keyIn(drawn.answers), {
            answers: drawn.answers,
            isOneWeek: isOneWeek && (proved || matches.get(keyIn(drawn.answers))?.isOneWeek === true),
          });
      }
      if (matches.size >= MOST_MATCHES) break;
    }
    if (matches.size === 0) return { because: because || 'no observed responses can be compared' };
    return { matches: [...matches.values()] };
  }

  async #candidates(step: Step): Promise<readonly ObservedResponse[]> {
    const { profile, base, declarations, traffic } = this.#options;
    const { operation, variant } = step;
    if (variant?.method !== undefined || variant?.path !== undefined) {
      const [inputs = {}] = stepInputs({ ...step, each: undefined } as unknown as Step, [], declarations);
      const spec = { operation, inputs: withUpc(operation, inputs), variant, repetition: 0 };
      const key = keyer(profile)(pagerOf({ base, profile }, spec).first());
      return Promise.all((traffic.byKey.get(key) ?? []).map((each) => this.#index.odd(each, operation, inputs)));
    }
    const carried = carriedInputs(profile, operation);
    const all = [
      ...(this.#lists.get(operation) ?? []),
      ...(step.alsoMatches ? (this.#singles.get(operation) ?? []) : []),
    ];
    const serving = all.filter(
      (answer) =>
        (isRequestedBy(step, answer, carried, declarations) && isWholeEnough(step, answer)) ||
        (isObservedBy(step, answer) && (step.accepts === 'any' || step.accepts === 'response' || isOkResponse(answer))),
    );
    return [...new Set(serving)].filter((answer) => this.#isFair(answer, false));
  }

  /**
   * Whether a response may count as a failure of the service. It does not if its client never got a 2xx and so may have no
   * access, or if the same request got a 2xx at another time or failed only once.
   * @param inTurns whether the step is one of several equal requests, which are judged together
   */
  #isFair(answer: ObservedResponse, inTurns: boolean): boolean {
    const [page] = answer.pages;
    if (isOkResponse(answer)) return true;
    // A 5xx does not depend on the client, but the service must have answered another request.
    const isAuthorized = statusOf(answer) >= 500 ? this.#authorized.size > 0 : this.#authorized.has(page.client);
    if (!isAuthorized) return false;
    if (inTurns) return true;
    const again = (this.#singles.get(answer.operation) ?? []).filter(
      ({ pages: [each] }) => each.key === page.key && each.client === page.client,
    );
    if (again.some(isOkResponse)) return false;
    // An operation that answers other requests is served, even if one gets 405.
    if ([405, 501].includes(statusOf(answer)) && this.pagesOf(answer.operation).some(isOkResponse)) return false;
    return statusOf(answer) < 500 || new Set(again.map(({ pages: [each] }) => each.order)).size > 1;
  }

  #notSeen(step: Step, steps: Steps): string {
    const requested = Object.entries(step.inputs ?? {}).map(([input, source]) =>
      'value' in source ? `${input} ${JSON.stringify(source.value)}` : `an example ${input} of the profile`,
    );
    const isControl = step.variant?.path !== undefined;
    if (isControl) return `${step.operation} was not requested between paths that cannot exist, as the suites do`;
    const where =
      (this.#singles.get(step.operation) ?? []).length === 0
        ? 'was not observed'
        : `was not observed with the necessary inputs (${requested.join(', ') || 'without filters'})`;
    return `${step.operation} ${where}${Object.keys(steps).length > 1 ? ', together with the other requests of this rule' : ''}`;
  }

  /** The possible responses of a group of equal steps: consecutive ones of the same client. */
  #tuplesOf(group: Group, answers: readonly ObservedResponse[]): readonly (readonly ObservedResponse[])[] {
    const repetitions = repetitionsOf(group);
    if (repetitions.length === 1) return answers.map((answer) => [answer]);
    const byRequest = Map.groupBy(answers, ({ pages: [first], inputs }) =>
      JSON.stringify([first.client, first.key, inputs]),
    );
    return [...byRequest.values()].flatMap((same) => {
      const turns = same.toSorted((x, y) => x.pages[0].order - y.pages[0].order);
      return turns.slice(repetitions.length - 1).map((_, at) => turns.slice(at, at + repetitions.length));
    });
  }

  /** Combines the groups so that each response occurs at least once, with the nearest ones of the other groups. */
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
          else fits = (groups[other] as Group).every(([, step]) => step.optional);
        }
        if (!fits) continue;
        // Also without the other groups if they are optional: the judgement is then independent of their time.
        if (groups.every((group, index) => index === at || group.every(([, step]) => step.optional)))
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

  /** Adds the responses of steps that are sent once per row, whose requests contain values of the rows. */
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
      if (!step.each || step.alsoMatches) continue;
      const sources = answers.get(step.each.from) ?? [];
      const source = sources[0]?.operation ?? 'an earlier response';
      const carried = carriedInputs(profile, step.operation);
      const turns = repetitionsOf(Object.entries(steps).filter(([, other]) => isRepetition(other, step)));
      const drawn = (this.#lists.get(step.operation) ?? []).flatMap((answer) => {
        const isSameClient = sources.some(({ pages: [first] }) => first.client === answer.pages[0].client);
        const inputs =
          isSameClient && this.#isFair(answer, turns.length > 1)
            ? drawnInputs(step, answer, sources, carried)
            : undefined;
        return inputs ? [{ answer, inputs }] : [];
      });
      const fitting = drawn.filter(({ answer }) =>
        ofOneWeek
          ? this.#week?.holds(pagesOf([beside, [answer]]))
          : // An item that was listed long ago may no longer exist.
            repeat !== 'inconclusive' || turns.length > 1 || isOkResponse(answer) || isSoonAfter(sources, answer),
      );
      const found =
        turns.length > 1 ? inTurnOf(fitting, turns.indexOf(step.repetition ?? 0), turns.length, sources) : fitting;
      if (found.length > 0) {
        answers.set(name, await Promise.all(found.map(({ answer, inputs }) => this.#index.as(answer, inputs))));
        continue;
      }
      const because =
        drawn.length === 0
          ? `${step.operation} was not requested for anything that ${source} lists`
          : turns.length > 1
            ? `${step.operation} was not requested ${turns.length} times soon after ${source}`
            : `${step.operation} and the response it is compared with are not proved to be of one data week`;
      missing.push({ name, step, because });
    }
    const needed = missing.find(({ name, step }) => !isDispensable(name, step, steps, answers));
    return needed ?? { answers };
  }
}

type Drawn = { readonly answers: Map<string, readonly ObservedResponse[]> } | { readonly because: string };

const keyIn = (answers: ReadonlyMap<string, readonly ObservedResponse[]>): string =>
  JSON.stringify(
    [...answers].map(([name, found]) => [name, found.map(({ pages, inputs }) => [pages[0].order, inputs])]),
  );

/** Whether a step may have no responses, because another step that draws from the same list has some. */
const isDispensable = (
  name: string,
  { each }: Step,
  steps: Steps,
  answers: ReadonlyMap<string, readonly ObservedResponse[]>,
): boolean =>
  Object.entries(steps).every(([, other]) => other.each?.from !== name) &&
  Object.entries(steps).some(([other, step]) => step.each?.from === each?.from && answers.has(other));

/** Whether two steps send the same requests for the same rows. */
const isRepetition = (one: Step, other: Step): boolean =>
  one.each !== undefined &&
  one.operation === other.operation &&
  JSON.stringify(one.each) === JSON.stringify(other.each);

/** The responses that a rule compares; those that only supply values are excluded unless there are no others. */
function comparedIn(
  steps: Steps,
  roots: ReadonlyMap<string, readonly ObservedResponse[]>,
): readonly ObservedResponse[] {
  const sources = new Set(Object.values(steps).flatMap(({ each }) => each?.from ?? []));
  const own = [...roots].flatMap(([name, answers]) => (sources.has(name) || steps[name]?.each ? [] : answers));
  return own.length > 0 ? own : [...roots].flatMap(([name, answers]) => (steps[name]?.each ? [] : answers));
}

/** Maximum time between the start of a job, or the listing of an item, and its request, in ms. */
const SOON = 300_000;

/** Whether a response followed soon after one that supplied its values. */
const isSoonAfter = (sources: readonly ObservedResponse[], { pages: [page] }: ObservedResponse): boolean =>
  sources.some(({ pages: [{ startedAt }] }) => {
    const passed = startedAt === undefined || page.startedAt === undefined ? undefined : page.startedAt - startedAt;
    return passed !== undefined && passed >= 0 && passed <= SOON;
  });

/**
 * The response of one of several equal requests; none if there are too few. A server may delete a job after some time, so
 * only requests soon after its start count or, without recorded times, those of a job with at least one 2xx.
 */
function inTurnOf<D extends { readonly answer: ObservedResponse }>(
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
  if (began?.startedAt === undefined && !inOrder.some(({ answer }) => isOkResponse(answer))) return [];
  return inOrder.slice(turn, turn + 1);
}

const statusOf = ({ exchanges: [first] }: ObservedResponse): number => first?.response?.status ?? 0;

const withUpc = (operation: OperationKey, inputs: Inputs): Inputs =>
  operation.includes('{upc}') && inputs.upc === undefined ? { ...inputs, upc: '012345678905' } : inputs;

/** A step with `alsoMatches` may use an incomplete list; other steps that read content need a complete one. */
const isWholeEnough = (step: Step, answer: ObservedResponse): boolean =>
  step.alsoMatches !== undefined ||
  step.accepts === 'any' ||
  step.accepts === 'response' ||
  answer.observation?.complete !== false ||
  !isOkResponse(answer);

const repetitionsOf = (group: Group): number[] => [...new Set(group.map(([, { repetition = 0 }]) => repetition))];

/** The responses of several repetitions, by their step. */
const inTurn = (group: Group, answers: readonly ObservedResponse[]): [string, ObservedResponse[]][] =>
  group.map(([name, { repetition = 0 }]) => [
    name,
    [answers[repetitionsOf(group).indexOf(repetition)] as ObservedResponse],
  ]);

/** Steps that repeat one request, in the order of their repetition numbers. */
function siblings(roots: Group): Group[] {
  const groups = Map.groupBy(roots, ([, { operation, inputs, variant }]) =>
    JSON.stringify([operation, inputs ?? {}, variant ?? {}]),
  );
  return [...groups.values()].map((group) =>
    group.toSorted(([, x], [, y]) => (x.repetition ?? 0) - (y.repetition ?? 0)),
  );
}

/** Whether the responses of steps with `after` follow those of the steps before. */
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

/** The folds of all steps, by operation. */
function foldsOf({ steps, traffic }: ProbeMatcherOptions): Map<OperationKey, readonly Fold<unknown>[]> {
  const wanted = new Map<Input, Set<string>>();
  for (const { inputs } of traffic.observed) {
    for (const [input, value] of Object.entries(inputs) as [Input, string][])
      wanted.set(input, (wanted.get(input) ?? new Set()).add(String(value)));
  }
  const folds = new Map<OperationKey, Map<string, Fold<unknown>>>();
  const add = (operation: OperationKey, fold: Fold<unknown>) => {
    const own = folds.get(operation) ?? new Map<string, Fold<unknown>>();
    own.set(fold.key, fold);
    folds.set(operation, own);
  };
  for (const step of steps) for (const fold of Object.values(step.folds ?? {})) add(step.operation, fold);
  // A step may draw from any operation, so the rows are collected for all of them.
  for (const step of steps) {
    if (!step.each) continue;
    const as = step.each.as as Readonly<Record<string, Input>>;
    for (const operation of folds.keys()) add(operation, drawnRows(as, wanted, drawnKey(step.operation, as)));
  }
  return new Map([...folds].map(([operation, own]) => [operation, [...own.values()]]));
}
