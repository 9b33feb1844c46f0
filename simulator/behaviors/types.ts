/** The types of behaviors: what a user switches on and off while a simulator runs. */
import type { OperationKey } from '../../src/contract/index.ts';

/** The requests that a behavior applies to. Default: all. */
export interface BehaviorScope {
  /** One operation, e.g. `GET /PLATFORMAPI/prodRef/v1/allProducts`. */
  readonly operation?: OperationKey | undefined;
  /** The behavior is removed after this number of requests. Default: never. */
  readonly times?: number | undefined;
}
