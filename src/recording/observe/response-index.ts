/** Observed responses, read once for all rules: single pages, and lists over their pages. */
import { type Input, type OperationKey, PAGING_INPUTS } from '../../contract/index.ts';
import { bodyFrom } from '../../exchange/body.ts';
import { firstHeader } from '../../exchange/headers.ts';
import type { Exchange, Source, WireRequest } from '../../exchange/types.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Inputs } from '../../profile/template.ts';
import type { CodeTables } from '../../reading/code-table.ts';
import type { Fold } from '../../rule/index.ts';
import { readCodeTable, type TableRequest, tablesNeeded } from '../../run/code-tables.ts';
import { inlineTables, withCodes } from '../../run/coded-values.ts';
import { fetchRequest, holdsAllWindows } from '../../run/fetch-request.ts';
import type { FetchResult } from '../../run/request-spec.ts';
import { type MappedTraffic, type Observed, requestKeyOf } from './map-traffic.ts';

/** A response, or a list over its pages. */
export interface ObservedResponse extends FetchResult {
  readonly operation: OperationKey;
  /** The inputs of the request, without paging. */
  readonly inputs: Inputs;
  /** Its exchanges, in the order of the pages. */
  readonly pages: readonly [Observed, ...Observed[]];
}

const WINDOWS = [1, 4, 13] as const;
/** Redirects followed from one exchange to the next. */
const MAX_REDIRECTS = 5;

/** Inputs without those of paging. */
const withoutPaging = (inputs: Inputs): Inputs =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !(PAGING_INPUTS as readonly string[]).includes(name)));

/** Whether a request is for the first page of a list. */
function isFirstPage(profile: Profile, { operation, inputs }: Observed): boolean {
  const paging = profile.data.operations?.[operation]?.response?.paging;
  if (inputs.cursor !== undefined) return false;
  if (inputs.offset !== undefined && Number(inputs.offset) !== 0) return false;
  return inputs.page === undefined || (paging?.style === 'page' && Number(inputs.page) === paging.first);
}

/** The profile with the page size of a request: with a larger declared size a full page looks like the last one. */
function withPageSize(profile: Profile, { operation, inputs }: Observed): Profile {
  const declared = profile.data.operations?.[operation];
  const paging = declared?.response?.paging;
  if (!paging || !('size' in paging) || !declared.request || !mentionsSize(declared.request)) return profile;
  const { size: declaredSize = 0, ...rest } = paging;
  const requested = Number(inputs.pageSize);
  // The service returns pages of the declared size; for a larger one it may return fewer rows.
  const size = requested > 0 && requested <= declaredSize ? requested : undefined;
  const response = { ...declared.response, paging: { ...rest, ...(size !== undefined && { size }) } };
  const operations = { ...profile.data.operations, [operation]: { ...declared, response } };
  return { ...profile, data: { ...profile.data, operations } } as Profile;
}
const mentionsSize = (request: object): boolean => JSON.stringify(request).includes('{pageSize}');

const NOT_OBSERVED: Exchange = {
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
  readonly #keyOf: (request: WireRequest) => string;
  readonly #responses = new Map<string, Promise<ObservedResponse>>();
  /** The number of rows of the longest observed page of each operation. */
  readonly #longestPages = new Map<OperationKey, number>();
  readonly #codes = new Map<OperationKey, Promise<CodeTables>>();

  /** @param folds the folds of all rules, by operation */
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
    this.#keyOf = requestKeyOf(profile);
  }

  /**
   * The responses of an operation in the order of the traffic: every page, or every list from its first page to the last
   * observed one; once per window if one response contains all of them.
   */
  async readAll(operation: OperationKey, extent: 'page' | 'list'): Promise<ObservedResponse[]> {
    const responses: ObservedResponse[] = [];
    for (const each of this.#exchangesOf(operation)) {
      if (extent === 'list' && !isFirstPage(this.#profile, each)) continue;
      for (const inputs of this.#inputVariants(each)) responses.push(await this.#readOnce(each, inputs, extent));
    }
    return responses;
  }

  /** The pages of a list that only the link of the page before identifies, each as a separate response. */
  async linkedPages({ pages, inputs }: ObservedResponse): Promise<ObservedResponse[]> {
    const known = new Set(this.#exchangesOf(pages[0].operation).map(({ order }) => order));
    const linked = pages.filter(({ order }) => !known.has(order));
    return Promise.all(linked.map((each) => this.readAs(each, pages[0].operation, inputs)));
  }

  /** The tables for the codes of an operation, from all observed lists of them. */
  codesFor(operation: OperationKey): Promise<CodeTables> {
    const known = this.#codes.get(operation) ?? this.#readTables(tablesNeeded(this.#profile, { operation }));
    this.#codes.set(operation, known);
    return known;
  }

  async #readTables(needed: readonly TableRequest[]): Promise<CodeTables> {
    const tables = new Map(inlineTables(this.#profile));
    for (const each of needed) {
      const lists = await this.readAll(each.source.from, 'list');
      // A filtered list is only a part of the table.
      const requested = lists.filter(
        ({ inputs }) =>
          Object.keys(inputs).length === Object.keys(each.inputs).length &&
          Object.entries(each.inputs).every(([name, value]) => String(inputs[name as Input]) === String(value)),
      );
      tables.set(each.name, await readCodeTable(this.#profile, each, requested));
    }
    return tables;
  }

  /** The same response with other inputs: a name from a row may have its id with it. */
  withInputs(response: ObservedResponse, inputs: Inputs): Promise<ObservedResponse> {
    return this.#readOnce(
      response.pages[0],
      inputs,
      response.pages.length > 1 || isFirstPage(this.#profile, response.pages[0]) ? 'list' : 'page',
    );
  }

  /** The response of a request with another path or method than the documented one, such as a control. */
  readAs(observed: Observed, operation: OperationKey, inputs: Inputs): Promise<ObservedResponse> {
    return this.#readOnce({ ...observed, operation }, inputs, 'page');
  }

  #exchangesOf(operation: OperationKey): Observed[] {
    return this.#traffic.observed.filter((each) => each.operation === operation);
  }

  #inputVariants(each: Observed): Inputs[] {
    const inputs = withoutPaging(each.inputs);
    return holdsAllWindows(this.#profile, each.operation) ? WINDOWS.map((window) => ({ ...inputs, window })) : [inputs];
  }

  #readOnce(first: Observed, inputs: Inputs, extent: 'page' | 'list'): Promise<ObservedResponse> {
    const paging = this.#profile.data.operations?.[first.operation]?.response?.paging;
    const kind = paging ? extent : 'page';
    const key = JSON.stringify([first.order, first.operation, kind, Object.entries(inputs).sort()]);
    const known = this.#responses.get(key) ?? this.#fetch(first, inputs, kind);
    this.#responses.set(key, known);
    return known;
  }

  async #fetch(first: Observed, inputs: Inputs, extent: 'page' | 'list'): Promise<ObservedResponse> {
    const profile = withPageSize(this.#profile, first);
    const pages: Observed[] = [];
    let last: Observed | undefined;
    let lacksPage = false;
    const source: Source = {
      send: async (request, consume) => {
        const found = last ? (extent === 'list' ? this.#nextExchange(last, request) : undefined) : first;
        lacksPage ||= !found;
        if (!found) return NOT_OBSERVED;
        last = found;
        pages.push(found);
        const exchange = this.#followRedirects(found);
        if (exchange.response) await consume?.(exchange.response, exchange.body.chunks());
        return exchange;
      },
      close: async () => undefined,
    };
    const codes = await this.codesFor(first.operation);
    const spec = withCodes(profile, { operation: first.operation, inputs, variant: {}, repetition: 0 }, codes);
    const folds = this.#folds.get(first.operation) ?? [];
    const result = await fetchRequest(spec, folds, {
      followsRedirects: true,
      base: this.#base,
      profile,
      source,
      codes,
      onExchange: () => undefined,
      // The server may limit the size of pages: a short first page is the whole list only if another page is longer.
      ...(extent === 'list' && { longestPages: this.#longestPages }),
    });
    const longest = Math.max(this.#longestPages.get(first.operation) ?? 0, result.observation?.rows ?? 0);
    if (extent === 'page') this.#longestPages.set(first.operation, longest);
    const exchanges = result.exchanges.filter((each) => each !== NOT_OBSERVED);
    const complete = (result.observation?.complete ?? false) && !lacksPage && isFirstPage(profile, first);
    return {
      ...result,
      exchanges,
      ...(result.observation && { observation: { ...result.observation, complete } }),
      operation: first.operation,
      inputs,
      pages: [first, ...pages.slice(1)],
    };
  }

  /** The next page that the same client requested; without recorded times, the one with the same ordinal. */
  #nextExchange(last: Observed, request: WireRequest): Observed | undefined {
    const requestsOf = (key: string): Observed[] =>
      (this.#traffic.byKey.get(key) ?? []).filter(({ client }) => client === last.client);
    const next = requestsOf(this.#keyOf(request));
    if (last.startedAt !== undefined) return next.find(({ order }) => order > last.order);
    const ordinal = requestsOf(last.key).findIndex(({ order }) => order === last.order);
    return next[Math.min(ordinal, next.length - 1)];
  }

  /** The response after redirects, if the client followed them. */
  #followRedirects(from: Observed): Exchange {
    let current = from;
    const redirects: Exchange['redirects'][number][] = [];
    while (redirects.length < MAX_REDIRECTS) {
      const { response, request } = current.exchange;
      const location =
        response && response.status >= 300 && response.status < 400
          ? firstHeader(response.headers, 'location')
          : undefined;
      if (location === undefined || !URL.canParse(location, request.url)) break;
      const to = new URL(location, request.url).href;
      const next = this.#nextExchange(current, { method: 'GET', url: to, headers: request.headers });
      if (!next) break;
      redirects.push({ status: response?.status ?? 0, from: request.url, to });
      current = next;
    }
    return redirects.length === 0 ? from.exchange : { ...current.exchange, request: from.exchange.request, redirects };
  }
}
