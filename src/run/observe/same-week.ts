/**
 * Whether responses of different times belong to one data week: a weekly reload (section 8) or a replica that lags may be
 * between any two of them, and no request can be repeated. The proof is the as-of date in the responses or, without one,
 * responses that were repeated unchanged in a period in which nothing of the service changed.
 */
import { type Group, operationOf } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Observed } from './map-traffic.ts';
import type { ObservedResponse } from './response-index.ts';

interface Fact {
  readonly group: Group;
  /** Client and request. */
  readonly request: string;
  /** Status and content of the response. */
  readonly content: string;
  /** The as-of date of the response; absent if the profile reads none, or if there are several. */
  readonly asOf?: number;
  readonly from?: number;
  readonly to?: number;
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** The `Date` header is the time of the response, not its data week. */
const DATE_HEADER = /^\$response\.header\.date$/i;

function asOfIn({ operation, observation }: ObservedResponse, profile: Profile): number | undefined {
  const at = profile.data.operations?.[operation]?.response?.fields?.asOf?.at;
  if (at === undefined || (typeof at === 'string' && DATE_HEADER.test(at))) return undefined;
  const days = new Set(observation?.values.asOf?.filter((value) => typeof value === 'number'));
  return days.size === 1 ? [...days][0] : undefined;
}

const contentOf = ({ exchanges: [first], observation, signature }: ObservedResponse): string =>
  `${first?.response?.status ?? 0} ${observation ? observation.digest : (signature?.body ?? '')}`;

/** Equal for responses that show that nothing changed: those of one as-of date, or equal ones to one request. */
const stateKey = ({ group, asOf, request, content }: Fact): string =>
  asOf === undefined ? `${request}\n${content}` : `${group} ${asOf}`;

/** The period from the first to the last of equal responses. */
function periodOf(equal: readonly Fact[]): Period | undefined {
  const [from, to] = [equal.flatMap((each) => each.from ?? []), equal.flatMap((each) => each.to ?? [])];
  return from.length < 2 ? undefined : { from: Math.min(...from), to: Math.max(...to) };
}

export class SameWeek {
  readonly #facts = new Map<number, Fact>();
  /** Groups of responses that show that nothing changed between them. */
  readonly #byState = new Map<string, Fact[]>();
  readonly #validity = new Map<Fact, Period | undefined>();
  readonly #isStill: boolean;

  /** @param answers every page as a separate response */
  constructor(answers: readonly ObservedResponse[], profile: Profile, isStill: boolean) {
    this.#isStill = isStill;
    for (const answer of answers) {
      const [page] = answer.pages;
      const asOf = asOfIn(answer, profile);
      const fact: Fact = {
        group: operationOf(answer.operation).group,
        request: `${page.client}\n${page.key}`,
        content: contentOf(answer),
        ...(asOf !== undefined && { asOf }),
        ...(page.startedAt !== undefined && { from: page.startedAt, to: page.endedAt ?? page.startedAt }),
      };
      this.#facts.set(page.order, fact);
    }
    for (const fact of this.#facts.values()) {
      const state = stateKey(fact);
      const known = this.#byState.get(state);
      if (known) known.push(fact);
      else this.#byState.set(state, [fact]);
    }
  }

  /** Whether the service’s data did not change between these exchanges. */
  holds(pages: readonly Observed[]): boolean {
    const facts = [...new Set(pages.map(({ order }) => order))].map((order) => this.#facts.get(order));
    if (facts.length <= 1 || this.#isStill) return true;
    const known = facts.filter((fact) => fact !== undefined);
    if (known.length < facts.length) return false;
    const asOfs = new Set(known.map(({ asOf }) => asOf));
    const [asOf] = asOfs;
    if (asOfs.size === 1 && asOf !== undefined) return true;
    const stated = new Set(known.flatMap((fact) => fact.asOf ?? []));
    if (stated.size > 1) return false;
    const periods = known.map((fact) => this.#validityOf(fact));
    if (periods.some((each) => each === undefined)) return false;
    const valid = periods as Period[];
    const shared = { from: Math.max(...valid.map(({ from }) => from)), to: Math.min(...valid.map(({ to }) => to)) };
    if (shared.from > shared.to) return false;
    const whole = { from: Math.min(...valid.map(({ from }) => from)), to: Math.max(...valid.map(({ to }) => to)) };
    return this.#isQuiet(whole, new Set(known.map(({ group }) => group)));
  }

  /** The period in which a response was unchanged: between two equal ones, or two of one as-of date. */
  #validityOf(fact: Fact): Period | undefined {
    if (!this.#validity.has(fact)) this.#validity.set(fact, periodOf(this.#byState.get(stateKey(fact)) ?? []));
    return this.#validity.get(fact);
  }

  /** Whether no repeated request got different responses in a period, and no as-of date changed. */
  #isQuiet({ from, to }: Period, groups: ReadonlySet<Group>): boolean {
    const contents = new Map<string, string>();
    const asOfs = new Map<Group, number>();
    for (const fact of this.#facts.values()) {
      if (!groups.has(fact.group) || fact.from === undefined || (fact.to ?? fact.from) < from || fact.from > to)
        continue;
      if ((contents.get(fact.request) ?? fact.content) !== fact.content) return false;
      contents.set(fact.request, fact.content);
      if (fact.asOf === undefined) continue;
      if ((asOfs.get(fact.group) ?? fact.asOf) !== fact.asOf) return false;
      asOfs.set(fact.group, fact.asOf);
    }
    return true;
  }
}
