/** Observed answers, read once for all rules that look at them: single pages, and lists over their pages. */
import { type OperationKey, PAGING_INPUTS } from '../../contract/index.ts';
import { bodyFrom } from '../../exchange/body.ts';
import { firstHeader } from '../../exchange/headers.ts';
import type { Exchange, Source, WireRequest } from '../../exchange/types.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Inputs } from '../../profile/template.ts';
import type { Fold } from '../../rule/index.ts';
import { fetchNode, holdsAllWindows } from '../fetch-node.ts';
import type { NodeAnswer } from '../node.ts';
import { keyer, type MappedTraffic, type Observed } from './map-traffic.ts';

/** An answer, or a list over its pages, as the rules see it. */
export interface ObservedResponse extends NodeAnswer {
  readonly operation: OperationKey;
  /** What was asked for, pages aside. */
  readonly inputs: Inputs;
  /** The exchanges it was read from, in the order of its pages. */
  readonly pages: readonly [Observed, ...Observed[]];
}

const WINDOWS = [1, 4, 13] as const;
/** Redirects followed from one exchange to the next. */
const MOST_REDIRECTS = 5;

/** What was asked for, whichever page of it. */
const withoutPaging = (inputs: Inputs): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !(PAGING_INPUTS as readonly string[]).includes(name)));

/** Whether a request asks for the first page of a list. */
function isFirstPage(profile: Profile, { operation, inputs }: Observed): boolean {
  const paging = profile.data.operations?.[operation]?.response?.paging;
  if (inputs.cursor !== undefined) return false;
  if (inputs.offset !== undefined && Number(inputs.offset) !== 0) return false;
  return inputs.page === undefined || (paging?.style === 'page' && Number(inputs.page) === paging.first);
}

/** The profile with pages of the size this client asked for: by its own size a smaller page would seem the last one. */
function withPageSize(profile: Profile, { operation, inputs }: Observed): Profile {
  const declared = profile.data.operations?.[operation];
  const paging = declared?.response?.paging;
  if (!paging || !('size' in paging) || !declared.request || !mentionsSize(declared.request)) return profile;
  const { size: declaredSize = 0, ...rest } = paging;
  const asked = Number(inputs.pageSize);
  // The service is known to give pages as large as the profile’s own; asked for more, it may cut them smaller.
  const size = asked > 0 && asked <= declaredSize ? asked : undefined;
  const response = { ...declared.response, paging: { ...rest, ...(size !== undefined && { size }) } };
  const operations = { ...profile.data.operations, [operation]: { ...declared, response } };
  return { ...profile, data: { ...profile.data, operations } } as Profile;
}
const mentionsSize = (request: object): boolean => JSON.stringify(request).includes('{pageSize}');

const NOT_SEEN: Exchange = {
  request: { method: 'GET', url: 'http://not.observed', headers: [] },
  body: bodyFrom(new Uint8Array(0)),
  failure: { kind: 'notRecorded', message: 'not observed' },
  redirects: [],
  timing: { startedAt: new Date(0).toISOString(), totalMs: 0 },
};

export class ResponseIndex {
  readonly #profile: Profile;
  readonly #base: string;
  readonly #traffic: MappedTraffic;
  readonly #folds: ReadonlyMap<OperationKey, readonly Fold<unknown>[]>;
  readonly #keyed: (request: WireRequest) => string;
  readonly #read = new Map<string, Promise<ObservedResponse>>();

  /** @param folds what all rules together keep of the answers of an operation */
  constructor(
    profile: Profile,
    base: string,
    traffic: MappedTraffic,
    folds: ReadonlyMap<OperationKey, readonly Fold<unknown>[]>,
  ) {
    this.#profile = profile;
    this.#base = base;
    this.#traffic = traffic;
    this.#folds = folds;
    this.#keyed = keyer(profile);
  }

  /** Every page by itself, in the order of the traffic; once for each window where one answer holds all of them. */
  async singles(operation: OperationKey): Promise<ObservedResponse[]> {
    const answers: ObservedResponse[] = [];
    for (const each of this.#of(operation)) {
      for (const inputs of this.#asked(each)) answers.push(await this.#answer(each, inputs, 'page'));
    }
    return answers;
  }

  /** Every list from its first page on, as far as its pages were observed. */
  async lists(operation: OperationKey): Promise<ObservedResponse[]> {
    const answers: ObservedResponse[] = [];
    for (const each of this.#of(operation)) {
      if (!isFirstPage(this.#profile, each)) continue;
      for (const inputs of this.#asked(each)) answers.push(await this.#answer(each, inputs, 'list'));
    }
    return answers;
  }

  /** The pages of a list that nobody could have asked for but by the address of the page before, each by itself. */
  async further({ pages, inputs }: ObservedResponse): Promise<ObservedResponse[]> {
    const own = new Set(this.#of(pages[0].operation).map(({ order }) => order));
    const beyond = pages.filter(({ order }) => !own.has(order));
    return Promise.all(beyond.map((each) => this.odd(each, pages[0].operation, inputs)));
  }

  /** The same answer as if these inputs had been asked for: a name drawn from a row may bring its id along. */
  as(answer: ObservedResponse, inputs: Inputs): Promise<ObservedResponse> {
    return this.#answer(
      answer.pages[0],
      inputs,
      answer.pages.length > 1 || isFirstPage(this.#profile, answer.pages[0]) ? 'list' : 'page',
    );
  }

  /** The answer to an exchange that is not for an operation as documented: a control path, another method. */
  odd(observed: Observed, operation: OperationKey, inputs: Inputs): Promise<ObservedResponse> {
    return this.#answer({ ...observed, operation }, inputs, 'page');
  }

  #of(operation: OperationKey): Observed[] {
    return this.#traffic.observed.filter((each) => each.operation === operation);
  }

  #asked(each: Observed): Inputs[] {
    const inputs = withoutPaging(each.inputs);
    return holdsAllWindows(this.#profile, each.operation) ? WINDOWS.map((window) => ({ ...inputs, window })) : [inputs];
  }

  #answer(first: Observed, inputs: Inputs, extent: 'page' | 'list'): Promise<ObservedResponse> {
    const paging = this.#profile.data.operations?.[first.operation]?.response?.paging;
    const kind = paging ? extent : 'page';
    const key = JSON.stringify([first.order, first.operation, kind, Object.entries(inputs).sort()]);
    const known = this.#read.get(key) ?? this.#fetch(first, inputs, kind);
    this.#read.set(key, known);
    return known;
  }

  async #fetch(first: Observed, inputs: Inputs, extent: 'page' | 'list'): Promise<ObservedResponse> {
    const profile = withPageSize(this.#profile, first);
    const pages: Observed[] = [];
    let last: Observed | undefined;
    const source: Source = {
      send: async (request, consume) => {
        const found = last ? (extent === 'list' ? this.#after(last, request) : undefined) : first;
        if (!found) return NOT_SEEN;
        last = found;
        pages.push(found);
        const exchange = this.#followed(found);
        if (exchange.response) await consume?.(exchange.response, exchange.body.chunks());
        return exchange;
      },
      close: async () => undefined,
    };
    const spec = { operation: first.operation, inputs, variant: {}, occasion: 0 };
    const folds = this.#folds.get(first.operation) ?? [];
    const answer = await fetchNode(spec, folds, true, {
      base: this.#base,
      profile,
      source,
      onExchange: () => undefined,
    });
    const exchanges = answer.exchanges.filter((each) => each !== NOT_SEEN);
    const complete = (answer.observation?.complete ?? false) && isFirstPage(profile, first);
    return {
      ...answer,
      exchanges,
      ...(answer.observation && { observation: { ...answer.observation, complete } }),
      operation: first.operation,
      inputs,
      pages: [first, ...pages.slice(1)],
    };
  }

  /** The page that was asked for next by the same client; where no times were written down, the one of the same turn. */
  #after(last: Observed, request: WireRequest): Observed | undefined {
    const sent = (key: string): Observed[] =>
      (this.#traffic.byKey.get(key) ?? []).filter(({ client }) => client === last.client);
    const next = sent(this.#keyed(request));
    if (last.startedAt !== undefined) return next.find(({ order }) => order > last.order);
    const turn = sent(last.key).findIndex(({ order }) => order === last.order);
    return next[Math.min(turn, next.length - 1)];
  }

  /** The answer behind redirects, as far as they were followed in the traffic. */
  #followed(from: Observed): Exchange {
    let current = from;
    const redirects: Exchange['redirects'][number][] = [];
    while (redirects.length < MOST_REDIRECTS) {
      const { response, request } = current.exchange;
      const location =
        response && response.status >= 300 && response.status < 400
          ? firstHeader(response.headers, 'location')
          : undefined;
      if (location === undefined || !URL.canParse(location, request.url)) break;
      const to = new URL(location, request.url).href;
      const next = this.#after(current, { method: 'GET', url: to, headers: request.headers });
      if (!next) break;
      redirects.push({ status: response?.status ?? 0, from: request.url, to });
      current = next;
    }
    return redirects.length === 0 ? from.exchange : { ...current.exchange, request: from.exchange.request, redirects };
  }
}
