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
  if (figures && FigureScrubber.applies(operation) && head.status < 300)
    return figureReplacer(options, figures, operation);
  const hide = protection.stream(messageContext);
  return {
    whyNotRecorded: undefined,
    push: (parts) => sink.write(parts.flatMap((each) => hide(each))),
    end: () => sink.write(hide()),
  };
}

/** Buffers the whole body, because figures are generated from complete rows. */
function figureReplacer(
  { head, protection, sink, messageContext }: ResponseRecorderOptions,
  figures: FigureScrubber,
  operation: OperationKey,
): ResponseRecorder {
  let [buffered, bytes]: [Uint8Array[], number] = [[], 0];
  let whyNotRecorded: string | undefined;
  return {
    get whyNotRecorded() {
      return whyNotRecorded;
    },
    async push(parts) {
      for (const part of parts) {
        bytes += part.length;
        if (bytes <= LONGEST_SCRUBBED) buffered.push(part);
        else buffered = [];
      }
    },
    async end({ isComplete }) {
      // The figures of a truncated body cannot be identified: only the truncation is recorded.
      if (!isComplete) return;
      if (bytes > LONGEST_SCRUBBED) {
        whyNotRecorded = `a response to ${operation} is longer than ${LONGEST_SCRUBBED} bytes; record without --scrub figures`;
        return;
      }
      const scrubbed = figures.scrub(operation, Buffer.concat(buffered), head);
      if ('whyNotRecorded' in scrubbed) whyNotRecorded = scrubbed.whyNotRecorded;
      else await sink.write([protection.bytes(scrubbed.bytes, messageContext)]);
    },
  };
}
