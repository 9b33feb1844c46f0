/**
 * Whether responses of different times belong to one data week: a weekly reload (section 8) or a replica that lags may be
 * between any two of them, and no request can be repeated. The proof is the as-of date in the responses or, without one,
 * responses that were repeated unchanged in a period in which nothing of the service changed.
 */
import { type Group, operationOf } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import { DATE_HEADER } from '../../rule/data-weeks.ts';
import type { Observed } from './map-traffic.ts';
import type { ObservedResponse } from './response-index.ts';

interface ResponseState {
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

function asOfIn({ operation, observation }: ObservedResponse, profile: Profile): number | undefined {
  const at = profile.data.operations?.[operation]?.response?.fields?.asOf?.at;
  if (at === undefined || (typeof at === 'string' && DATE_HEADER.test(at))) return undefined;
  const days = new Set(observation?.values.asOf?.filter((value) => typeof value === 'number'));
  return days.size === 1 ? [...days][0] : undefined;
}

const contentOf = ({ exchanges: [first], observation, signature }: ObservedResponse): string =>
  `${first?.response?.status ?? 0} ${observation ? observation.digest : (signature?.body ?? '')}`;

/** Equal for responses that show that nothing changed: those of one as-of date, or equal ones to one request. */
const stateKey = ({ group, asOf, request, content }: ResponseState): string =>
  asOf === undefined ? `${request}\n${content}` : `${group} ${asOf}`;

/** The period from the first to the last of equal responses. */
function periodOf(equal: readonly ResponseState[]): Period | undefined {
  const [from, to] = [equal.flatMap((each) => each.from ?? []), equal.flatMap((each) => each.to ?? [])];
  return from.length < 2 ? undefined : { from: Math.min(...from), to: Math.max(...to) };
}

export class SameWeek {
  readonly #states = new Map<number, ResponseState>();
  /** Groups of responses that show that nothing changed between them. */
  readonly #byState = new Map<string, ResponseState[]>();
  readonly #validity = new Map<ResponseState, Period | undefined>();
  readonly #hasFixedData: boolean;

  /** @param responses every page as a separate response */
  constructor(responses: readonly ObservedResponse[], profile: Profile, hasFixedData: boolean) {
    this.#hasFixedData = hasFixedData;
    for (const response of responses) {
      const [page] = response.pages;
      const asOf = asOfIn(response, profile);
      const state: ResponseState = {
        group: operationOf(response.operation).group,
        request: `${page.client}\n${page.key}`,
        content: contentOf(response),
        ...(asOf !== undefined && { asOf }),
        ...(page.startedAt !== undefined && { from: page.startedAt, to: page.endedAt ?? page.startedAt }),
      };
      this.#states.set(page.order, state);
    }
    for (const state of this.#states.values()) {
      const key = stateKey(state);
      const known = this.#byState.get(key);
      if (known) known.push(state);
      else this.#byState.set(key, [state]);
    }
  }

  /** Whether the service’s data did not change between these exchanges. */
  holds(pages: readonly Observed[]): boolean {
    const states = [...new Set(pages.map(({ order }) => order))].map((order) => this.#states.get(order));
    if (states.length <= 1 || this.#hasFixedData) return true;
    const known = states.filter((state) => state !== undefined);
    if (known.length < states.length) return false;
    const asOfs = new Set(known.map(({ asOf }) => asOf));
    const [asOf] = asOfs;
    if (asOfs.size === 1 && asOf !== undefined) return true;
    const dates = new Set(known.flatMap((state) => state.asOf ?? []));
    if (dates.size > 1) return false;
    const periods = known.map((state) => this.#validityOf(state));
    if (periods.some((each) => each === undefined)) return false;
    const valid = periods as Period[];
    const common = { from: Math.max(...valid.map(({ from }) => from)), to: Math.min(...valid.map(({ to }) => to)) };
    if (common.from > common.to) return false;
    const union = { from: Math.min(...valid.map(({ from }) => from)), to: Math.max(...valid.map(({ to }) => to)) };
    return this.#isUnchangedIn(union, new Set(known.map(({ group }) => group)));
  }

  /** The period in which a response was unchanged: between two equal ones, or two of one as-of date. */
  #validityOf(state: ResponseState): Period | undefined {
    if (!this.#validity.has(state)) this.#validity.set(state, periodOf(this.#byState.get(stateKey(state)) ?? []));
    return this.#validity.get(state);
  }

  /** Whether no repeated request got different responses in a period, and no as-of date changed. */
  #isUnchangedIn({ from, to }: Period, groups: ReadonlySet<Group>): boolean {
    const contents = new Map<string, string>();
    const asOfs = new Map<Group, number>();
    for (const state of this.#states.values()) {
      if (!groups.has(state.group) || state.from === undefined || (state.to ?? state.from) < from || state.from > to)
        continue;
      if ((contents.get(state.request) ?? state.content) !== state.content) return false;
      contents.set(state.request, state.content);
      if (state.asOf === undefined) continue;
      if ((asOfs.get(state.group) ?? state.asOf) !== state.asOf) return false;
      asOfs.set(state.group, state.asOf);
    }
    return true;
  }
}
