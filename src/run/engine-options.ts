import type { OperationKey } from '../contract/index.ts';
import type { Source } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import type { Inputs } from '../profile/template.ts';
import type { Declarations } from '../rule/index.ts';

/** What a run needs to execute its steps. */
export interface EngineOptions {
  readonly base: string;
  readonly profile: Profile;
  readonly declarations: Declarations;
  readonly source: Source;
  readonly onProgress?: (requests: number, operation: OperationKey) => void;
  /** Waits for a time in ms; the simulator, whose clock is fixed, needs no pause. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Inputs that samples of lists contain if the lists have them. */
  readonly drawn?: readonly Inputs[];
  /** Aborts the run: no further request is sent. */
  readonly signal?: AbortSignal;
}
