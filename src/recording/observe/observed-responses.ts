/** All observed responses, read once: by operation, with the clients that have access and the periods of one data week. */
import { setImmediate } from 'node:timers/promises';
import { type Group, OPERATIONS, type OperationKey } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import { BindingValues } from '../../rule/binding-doubts.ts';
import type { Step } from '../../rule/index.ts';
import type { MappedTraffic } from './map-traffic.ts';
import { isOkResponse, statusOf } from './match-step.ts';
import { observedFolds } from './observed-folds.ts';
import { type ObservedResponse, ResponseIndex } from './response-index.ts';
import { SameWeek } from './same-week.ts';

export interface ObservedResponsesOptions {
  readonly profile: Profile;
  readonly base: string;
  readonly traffic: MappedTraffic;
  /** Whether the data cannot change. */
  readonly hasFixedData: boolean;
  /** The steps of all units; their folds run when a response is read. */
  readonly steps: readonly Step[];
}

export class ObservedResponses extends ResponseIndex {
  /** What the bindings of the profile read in all responses. */
  readonly values: BindingValues;
  readonly #options: ObservedResponsesOptions;
  readonly #pages = new Map<OperationKey, readonly ObservedResponse[]>();
  readonly #lists = new Map<OperationKey, readonly ObservedResponse[]>();
  /** Clients that got a 2xx: they have access, so that an error status is not due to their credentials. */
  readonly #authorized = new Set<string>();
  #sameWeek: SameWeek | undefined;

  constructor(options: ObservedResponsesOptions) {
    const values = new BindingValues();
    super(options.profile, options.base, options.traffic, observedFolds(options, values));
    this.values = values;
    this.#options = options;
  }

  /** Reads all responses. `onProgress` gets the count; `signal` stops the reading. */
  async read(onProgress: (count: number, what: string) => void, signal?: AbortSignal): Promise<void> {
    const all: ObservedResponse[] = [];
    for (const { key } of OPERATIONS) {
      // Lets the event loop deliver a signal.
      await setImmediate();
      if (signal?.aborted) return;
      const singlePages = await this.readAll(key, 'page');
      const lists = await this.readAll(key, 'list');
      const linked = (await Promise.all(lists.map((list) => this.linkedPages(list)))).flat();
      const pages = [...singlePages, ...new Set(linked)];
      this.#pages.set(key, pages);
      this.#lists.set(key, lists);
      all.push(...pages);
      if (pages.length > 0) onProgress(all.length, key);
    }
    for (const { operation, observation } of all) this.values.once(operation, observation);
    for (const response of all) if (isOkResponse(response)) this.#authorized.add(response.pages[0].client);
    this.#sameWeek = new SameWeek(all, this.#options.profile, this.#options.hasFixedData);
  }

  /** The responses of an operation, page by page. */
  pagesOf(operation: OperationKey): readonly ObservedResponse[] {
    return this.#pages.get(operation) ?? [];
  }

  /** The responses of an operation, each list over all of its pages. */
  listsOf(operation: OperationKey): readonly ObservedResponse[] {
    return this.#lists.get(operation) ?? [];
  }

  /** The successful responses of a group, page by page. */
  inGroup(group: Group): readonly ObservedResponse[] {
    return OPERATIONS.flatMap((each) => (each.group === group ? this.pagesOf(each.key) : [])).filter(isOkResponse);
  }

  /** Whether all pages of these responses are proved to be of one data week. */
  areOfSameDataWeek(...responses: readonly ObservedResponse[]): boolean {
    return this.#sameWeek?.holds(responses.flatMap(({ pages }) => [...pages])) ?? false;
  }

  /**
   * Whether a response may count as a failure of the service. It does not if its client never got a 2xx and so may have no
   * access, or if the same request got a 2xx at another time or failed only once.
   * @param isRepeated whether its step is one of several equal requests, which are judged together
   */
  isConclusive(response: ObservedResponse, { isRepeated }: { readonly isRepeated: boolean }): boolean {
    const [page] = response.pages;
    const status = statusOf(response);
    if (isOkResponse(response)) return true;
    // A 5xx does not depend on the client, but the service must have answered another request.
    const isAuthorized = status >= 500 ? this.#authorized.size > 0 : this.#authorized.has(page.client);
    if (!isAuthorized) return false;
    if (isRepeated) return true;
    const equalRequests = this.pagesOf(response.operation).filter(
      ({ pages: [each] }) => each.key === page.key && each.client === page.client,
    );
    if (equalRequests.some(isOkResponse)) return false;
    // An operation that answers other requests is served, even if one gets 405.
    if ([405, 501].includes(status) && this.pagesOf(response.operation).some(isOkResponse)) return false;
    return status < 500 || new Set(equalRequests.map(({ pages: [each] }) => each.order)).size > 1;
  }
}
