/** What all exchanges of one gateway share. */
import type { OperationKey } from '../../src/contract/index.ts';
import type { Matching } from '../../src/recording/format/request-key.ts';
import type { Finder } from '../../src/recording/format/word-finder.ts';
import type { Recorder } from '../../src/recording/record/recorder.ts';
import type { Protection } from '../../src/secrets/protection.ts';
import type { FigureScrubber } from '../../src/secrets/scrub/figures.ts';
import type { Cors } from '../http/cors.ts';
import type { Upstream } from './upstream.ts';

export interface GatewayContext {
  /** Of the upstream. */
  readonly origin: string;
  /** Finds that origin in heads and bodies. */
  readonly theirs: Finder;
  readonly upstream: Upstream;
  readonly recorder: Recorder;
  readonly protection: Protection;
  /** Invents figures in place of those of the answers. */
  readonly figures?: FigureScrubber;
  /** Whether invented files take the place of uploaded ones. */
  readonly scrubsUploads: boolean;
  readonly matching: Matching;
  /** Which pages may read answers beside those the service allows. */
  readonly cors: Cors;
  /** Own origin and lane prefix: what clients see in place of the upstream’s origin. */
  baseOf(lane: string): string;
  operationOf(method: string, target: string): OperationKey | undefined;
  /** Whether the gateway is being closed: whoever is cut off now did not give up. */
  closing(): boolean;
  /** Tells, once, why something is not kept. */
  refuse(why: string): void;
  /** Tells whoever runs the gateway what clients can only guess. */
  tell(message: string): void;
}
