/** What all exchanges of one gateway share. */
import type { OperationKey } from '../../src/contract/index.ts';
import type { Matching } from '../../src/exchange/har/key.ts';
import type { Protector } from '../../src/exchange/har/protect.ts';
import type { Finder } from '../../src/exchange/har/splitter.ts';
import type { Recorder } from './recorder.ts';
import type { Upstream } from './upstream.ts';

export interface Gate {
  /** Of the upstream. */
  readonly origin: string;
  /** Finds that origin in heads and bodies. */
  readonly theirs: Finder;
  readonly upstream: Upstream;
  readonly recorder: Recorder;
  readonly protector: Protector;
  readonly matching: Matching;
  /** Own origin and lane prefix: what clients see in place of the upstream’s origin. */
  baseOf(lane: string): string;
  operationOf(method: string, target: string): OperationKey | undefined;
  /** Whether the gateway is being closed: whoever is cut off now did not give up. */
  closing(): boolean;
  /** Tells whoever runs the gateway what clients can only guess. */
  tell(message: string): void;
}
