/** A node of the plan: one request and what it is read for, and what all of a run share to send it. */
import type { OperationKey } from '../contract/index.ts';
import type { Variant } from '../exchange/request.ts';
import type { Exchange, Source } from '../exchange/types.ts';
import type { Profile } from '../profile/schema.ts';
import type { Inputs } from '../profile/template.ts';
import type { Signature } from '../reading/signature.ts';
import type { Observation } from '../reading/types.ts';
import type { SchemaReading } from '../rule/index.ts';

export interface NodeSpec {
  readonly operation: OperationKey;
  readonly inputs: Inputs;
  readonly variant: Variant;
  readonly occasion: number;
}

export interface NodeAnswer {
  readonly exchanges: readonly Exchange[];
  readonly observation?: Observation;
  readonly signature?: Signature;
  readonly schema?: SchemaReading;
  readonly folds: ReadonlyMap<string, unknown>;
}

export interface FetchContext {
  readonly base: string;
  readonly profile: Profile;
  readonly source: Source;
  /** Called with each exchange as it completes. */
  readonly onExchange: (exchange: Exchange, operation: OperationKey) => void;
}
