/** One request of a run, its response, and the context in which the run sends it. */
import type { Group, OperationKey } from '../contract/index.ts';
import type { Variant } from '../exchange/request.ts';
import type { Exchange, Source, WireRequest } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import type { Inputs } from '../profile/template.ts';
import type { CodeTables } from '../reading/code-table.ts';
import type { Signature } from '../reading/signature.ts';
import type { Observation } from '../reading/types.ts';
import type { BindingValues } from '../rule/binding-doubts.ts';
import type { Declarations, Fold, SchemaReading } from '../rule/index.ts';

export interface RequestSpec {
  readonly operation: OperationKey;
  readonly inputs: Inputs;
  readonly variant: Variant;
  readonly repetition: number;
  /** The request, if it is built already; without the inputs of paging. */
  readonly request?: WireRequest;
  /** The codes that the request contains in place of inputs. */
  readonly sentCodes?: Inputs;
  /** Why the request cannot be built. */
  readonly unsendable?: string;
}

/** Whether a node has the documented method and path, and the credentials of its operation. */
export const isDocumented = ({ variant }: Pick<RequestSpec, 'variant'>): boolean =>
  variant.method === undefined && variant.path === undefined && variant.credentials === undefined;

export interface FetchResult {
  readonly exchanges: readonly Exchange[];
  /** The codes that the request contains in place of inputs. */
  readonly sentCodes?: Inputs;
  readonly observation?: Observation;
  readonly signature?: Signature;
  readonly schema?: SchemaReading;
  /** Why the source hides what the responses depend on. */
  readonly notShown?: string;
  readonly folds: ReadonlyMap<string, unknown>;
  /** One of the requests was sent again after a transport fault. */
  readonly retried?: true;
  /** The response to one of the requests changed when it was sent several times in a row. */
  readonly changed?: true;
}

export interface FetchContext {
  /** Whether the result is the response after redirects; further pages of a list always are. */
  readonly followsRedirects: boolean;
  readonly base: string;
  readonly profile: Profile;
  readonly source: Source;
  /** Sends each request again, directly after its response; absent: requests are sent once. */
  readonly replicaSource?: Source;
  /** The tables of codes; default: those that the profile itself contains. */
  readonly codes?: CodeTables;
  /** Inputs that samples of lists must contain. */
  readonly drawn?: readonly Inputs[] | undefined;
  /** The rows of the longest page of each operation so far; absent: a page shorter than requested is the last one. */
  readonly longestPages?: Map<OperationKey, number>;
  /** The groups with a list of several pages so far, by number or offset: the number then selects the page. */
  readonly pagedGroups?: Set<Group>;
  /** Called with each exchange as it completes; `retryOf` is the failed exchange whose request it sends again. */
  readonly onExchange: (exchange: Exchange, operation: OperationKey, retryOf?: Exchange) => void;
  /** Whether the request of a failed exchange is sent again. Default: no. */
  readonly mayRetry?: (exchange: Exchange) => Promise<boolean>;
}

/** The requests of a run that are known so far, sent or waiting. */
export interface KnownRequests {
  readonly count: ReadonlyMap<OperationKey, number>;
  /** Operations that may get further requests when more lists have arrived. */
  readonly incomplete: ReadonlySet<OperationKey>;
}

/** Gets the response of a request, and feeds its rows to the folds. */
export type FetchNode = (
  spec: RequestSpec,
  folds: Iterable<Fold<unknown>>,
  context: FetchContext,
) => Promise<FetchResult>;

/** What a run needs to execute its steps. */
export interface EngineOptions {
  readonly base: string;
  /** In place of `fetchRequest`, which sends: results that are known already. */
  readonly fetch?: FetchNode;
  /** What the bindings read in responses that `fetch` knows; default: nothing yet. */
  readonly values?: BindingValues;
  readonly profile: Profile;
  readonly declarations: Declarations;
  readonly source: Source;
  readonly onProgress?: (requests: number, what: string) => void;
  /** Receives the requests that are known after each round. */
  readonly onRound?: (known: KnownRequests) => void;
  /** Waits for a time in ms; the simulator, whose clock is fixed, needs no pause. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** The time in ms that pauses are measured with; a constant: the order of polls depends on their intervals alone. */
  readonly now?: () => number;
  /** Inputs that samples of lists contain if the lists have them. */
  readonly drawn?: readonly Inputs[];
  /** Interrupts the run: no further request is sent; its reason is the signal. */
  readonly signal?: AbortSignal;
}
