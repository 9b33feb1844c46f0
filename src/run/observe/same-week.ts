/**
 * Whether answers given at different times stand at one data week: the weekly reload (section 8) or a replica that lags
 * may fall between any two of them, and nobody can be asked again. Proved by the as-of that the answers hold; else by
 * answers that were given again unchanged, within one stretch of time in which nothing of the service changed.
 */
import { type Group, operationOf } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Observed } from './map-traffic.ts';
import type { ObservedResponse } from './response-index.ts';

interface Fact {
  readonly group: Group;
  /** Who asked for what. */
  readonly asked: string;
  /** What was answered. */
  readonly said: string;
  /** The as-of the answer holds; absent where the profile reads none, or it holds several. */
  readonly asOf?: number;
  readonly from?: number;
  readonly to?: number;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The `Date` header tells the time of the answer, not the data week it stands at. */
const CLOCK = /^\$response\.header\.date$/i;

function asOfIn({ operation, observation }: ObservedResponse, profile: Profile): number | undefined {
  const at = profile.data.operations?.[operation]?.response?.fields?.asOf?.at;
  if (at === undefined || (typeof at === 'string' && CLOCK.test(at))) return undefined;
  const days = new Set(observation?.values.asOf?.filter((value) => typeof value === 'number'));
  return days.size === 1 ? [...days][0] : undefined;
}

const saidIn = ({ exchanges: [first], observation, signature }: ObservedResponse): string =>
  `${first?.response?.status ?? 0} ${observation ? observation.digest : (signature?.body ?? '')}`;

/** Equal for answers that show that nothing changed: those of one as-of, or the same to the same request. */
const likeness = ({ group, asOf, asked, said }: Fact): string =>
  asOf === undefined ? `${asked}\n${said}` : `${group} ${asOf}`;

/** From the first to the last of answers that are alike. */
function stretchOf(alike: readonly Fact[]): Stretch | undefined {
  const [from, to] = [alike.flatMap((each) => each.from ?? []), alike.flatMap((each) => each.to ?? [])];
  return from.length < 2 ? undefined : { from: Math.min(...from), to: Math.max(...to) };
}

export class SameWeek {
  readonly #facts = new Map<number, Fact>();
  /** Answers that tell that nothing changed between them. */
  readonly #alike = new Map<string, Fact[]>();
  readonly #validity = new Map<Fact, Stretch | undefined>();
  readonly #isStill: boolean;

  /** @param answers every page by itself */
  constructor(answers: readonly ObservedResponse[], profile: Profile, isStill: boolean) {
    this.#isStill = isStill;
    for (const answer of answers) {
      const [page] = answer.pages;
      const asOf = asOfIn(answer, profile);
      const fact: Fact = {
        group: operationOf(answer.operation).group,
        asked: `${page.client}\n${page.key}`,
        said: saidIn(answer),
        ...(asOf !== undefined && { asOf }),
        ...(page.startedAt !== undefined && { from: page.startedAt, to: page.endedAt ?? page.startedAt }),
      };
      this.#facts.set(page.order, fact);
    }
    for (const fact of this.#facts.values()) {
      const like = likeness(fact);
      const known = this.#alike.get(like);
      if (known) known.push(fact);
      else this.#alike.set(like, [fact]);
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
    const marked = new Set(known.flatMap((fact) => fact.asOf ?? []));
    if (marked.size > 1) return false;
    const stretches = known.map((fact) => this.#validityOf(fact));
    if (stretches.some((each) => each === undefined)) return false;
    const valid = stretches as Stretch[];
    const shared = { from: Math.max(...valid.map(({ from }) => from)), to: Math.min(...valid.map(({ to }) => to)) };
    if (shared.from > shared.to) return false;
    const whole = { from: Math.min(...valid.map(({ from }) => from)), to: Math.max(...valid.map(({ to }) => to)) };
    return this.#isQuiet(whole, new Set(known.map(({ group }) => group)));
  }

  /** When an answer was given unchanged: between two that are equal, or that hold one as-of. Once is not enough. */
  #validityOf(fact: Fact): Stretch | undefined {
    if (!this.#validity.has(fact)) this.#validity.set(fact, stretchOf(this.#alike.get(likeness(fact)) ?? []));
    return this.#validity.get(fact);
  }

  /** Whether nothing that was asked more than once in this time was answered in two ways, and no as-of moved. */
  #isQuiet({ from, to }: Stretch, groups: ReadonlySet<Group>): boolean {
    const said = new Map<string, string>();
    const asOfs = new Map<Group, number>();
    for (const fact of this.#facts.values()) {
      if (!groups.has(fact.group) || fact.from === undefined || (fact.to ?? fact.from) < from || fact.from > to)
        continue;
      if ((said.get(fact.asked) ?? fact.said) !== fact.said) return false;
      said.set(fact.asked, fact.said);
      if (fact.asOf === undefined) continue;
      if ((asOfs.get(fact.group) ?? fact.asOf) !== fact.asOf) return false;
      asOfs.set(fact.group, fact.asOf);
    }
    return true;
  }
}
