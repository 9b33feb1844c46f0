import type { OperationKey } from '../contract/index.ts';
import type { Source } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import type { Inputs } from '../profile/template.ts';
import type { Declarations } from '../rule/index.ts';

/** The requests of a run that are known so far, sent or waiting. */
export interface KnownRequests {
  readonly count: ReadonlyMap<OperationKey, number>;
  /** Operations that may get further requests when more lists have arrived. */
  readonly incomplete: ReadonlySet<OperationKey>;
}

/** What a run needs to execute its steps. */
export interface EngineOptions {
  readonly base: string;
  readonly profile: Profile;
  readonly declarations: Declarations;
  readonly source: Source;
  readonly onProgress?: (requests: number, operation: OperationKey) => void;
  /** Receives the requests that are known after each round. */
  readonly onRound?: (known: KnownRequests) => void;
  /** Waits for a time in ms; the simulator, whose clock is fixed, needs no pause. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** The time in ms that pauses are measured with; a constant: the order of polls depends on their intervals alone. */
  readonly now?: () => number;
  /** Inputs that samples of lists contain if the lists have them. */
  readonly drawn?: readonly Inputs[];
  /** Aborts the run: no further request is sent. */
  readonly signal?: AbortSignal;
}
