/** Writes a response body to the recording: hides secrets and, with --scrub figures, replaces figures by generated ones. */
import type { OperationKey } from '../../contract/index.ts';
import type { StatusAndHeaders } from '../../profile/selector.ts';
import type { MessageContext, Protection } from '../../secrets/hide-in-exchange.ts';
import { FigureScrubber } from '../../secrets/scrub/figures.ts';
import { LONGEST_SCRUBBED } from '../../secrets/scrub/value-spans.ts';
import type { BodySink } from '../store/side-file.ts';

/** Receives a body in chunks, in order. */
export interface ResponseRecorder {
  push(parts: readonly Uint8Array[]): Promise<void>;
  /** @param result `isComplete` is false if the body is truncated */
  end(result: { readonly isComplete: boolean }): Promise<void>;
  /** Why the body must not be recorded, in one sentence. */
  readonly whyNotRecorded: string | undefined;
}

export interface ResponseRecorderOptions {
  readonly protection: Protection;
  readonly sink: BodySink;
  readonly messageContext: MessageContext;
  /** Generates figures; absent: figures are not changed. */
  readonly figures?: FigureScrubber | undefined;
  readonly operation: OperationKey | undefined;
  readonly head: StatusAndHeaders;
}

/** Creates the recorder of one response body. */
export function responseRecorderFor(options: ResponseRecorderOptions): ResponseRecorder {
  const { figures, operation, head, protection, sink, messageContext } = options;
  if (figures && FigureScrubber.applies(operation) && head.status < 300) return new FigureReplacer(options, operation);
  const hide = protection.stream(messageContext);
  return {
    whyNotRecorded: undefined,
    push: (parts) => sink.write(parts.flatMap((each) => hide(each))),
    end: () => sink.write(hide()),
  };
}

/** Buffers the whole body, because figures are generated from complete rows. */
class FigureReplacer implements ResponseRecorder {
  readonly #options: ResponseRecorderOptions;
  readonly #operation: OperationKey;
  #buffered: Uint8Array[] = [];
  #bytes = 0;
  whyNotRecorded: string | undefined;

  constructor(options: ResponseRecorderOptions, operation: OperationKey) {
    this.#options = options;
    this.#operation = operation;
  }

  async push(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) {
      this.#bytes += part.length;
      if (this.#bytes <= LONGEST_SCRUBBED) this.#buffered.push(part);
      else this.#buffered = [];
    }
  }

  async end({ isComplete }: { readonly isComplete: boolean }): Promise<void> {
    // The figures of a truncated body cannot be identified: only the truncation is recorded.
    if (!isComplete) return;
    const { figures, head, protection, sink, messageContext } = this.#options;
    const scrubbed =
      this.#bytes > LONGEST_SCRUBBED
        ? {
            whyNotRecorded: `a response to ${this.#operation} is longer than ${LONGEST_SCRUBBED} bytes; record without --scrub figures`,
          }
        : (figures as FigureScrubber).scrub(this.#operation, Buffer.concat(this.#buffered), head);
    if ('whyNotRecorded' in scrubbed) this.whyNotRecorded = scrubbed.whyNotRecorded;
    else await sink.write([protection.bytes(scrubbed.bytes, messageContext)]);
  }
}
