/** What all exchanges of one gateway share. */
import type { ServerResponse } from 'node:http';
import type { OperationKey } from '../../src/contract/index.ts';
import type { OriginPattern } from '../../src/recording/format/origin.ts';
import type { Matching } from '../../src/recording/format/request-key.ts';
import type { Recorder } from '../../src/recording/record/recorder.ts';
import type { BodySink } from '../../src/recording/store/side-file.ts';
import type { MessageContext, Protection } from '../../src/secrets/hide-in-exchange.ts';
import type { FigureScrubber } from '../../src/secrets/scrub/figures.ts';
import type { Cors } from '../http/cors.ts';
import type { ClientConnection } from './client-connection.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

export interface GatewayContext {
  /** The origin of the upstream. */
  readonly origin: string;
  /** Finds the origin of the upstream in heads and bodies. */
  readonly upstreamPattern: OriginPattern;
  readonly upstream: Upstream;
  readonly recorder: Recorder;
  readonly protection: Protection;
  /** Replaces the figures of responses with invented ones. */
  readonly figureScrubber?: FigureScrubber;
  /** Whether uploaded files are recorded as invented ones. */
  readonly scrubsUploads: boolean;
  readonly matching: Matching;
  /** The origins of pages that may read responses, besides those the service allows. */
  readonly cors: Cors;
  /** The gateway’s origin and the prefix of a lane. It replaces the upstream’s origin in responses to clients. */
  baseOf(lane: string): string;
  operationOf(method: string, target: string): OperationKey | undefined;
  /** Whether the gateway is closing. It then disconnects clients itself, which is not recorded as a time-out of a client. */
  isClosing(): boolean;
  /** Reports, once, why an exchange is not recorded. */
  reportNotRecorded(why: string): void;
  /** Reports a failure of the upstream or of the gateway to the user. */
  report(message: string): void;
}

/** One request to the upstream, and the destinations of its response. */
export interface ForwardedRequest {
  readonly gateway: GatewayContext;
  readonly client: ClientConnection;
  /** The base address that replaces the upstream’s origin in responses to the client. */
  readonly base: string;
  /** Path and query as recorded, for messages. */
  readonly url: string;
  readonly upstreamRequest: Omit<UpstreamRequest, 'signal' | 'onInterim'>;
  readonly response: ServerResponse;
  readonly bodySink: BodySink;
  /** The context in which secrets of the response are hidden. */
  readonly messageContext: MessageContext;
  /** For an upload that streams: settles when the client has sent it, or has closed the connection. */
  readonly waitForUpload?: () => Promise<void>;
  readonly operation: OperationKey | undefined;
}
