/** What of an answer’s body goes into the recording: secrets hidden and, where that is asked for, figures invented. */
import type { OperationKey } from '../../contract/index.ts';
import type { AnswerHead } from '../../profile/selector.ts';
import type { MessageContext, Protection } from '../../secrets/protection.ts';
import { FigureScrubber } from '../../secrets/scrub/figures.ts';
import { LONGEST_SCRUBBED } from '../../secrets/scrub/value-spans.ts';
import type { BodySink } from '../store/side-file.ts';

/** Takes a body in chunks, in its order. */
export interface ResponseRecorder {
  push(parts: readonly Uint8Array[]): Promise<void>;
  /** @param isWhole false: the body broke off */
  end(isWhole: boolean): Promise<void>;
  /** Why the body must not be kept, in one sentence. */
  readonly refused: string | undefined;
}

export interface ResponseRecorderOptions {
  readonly protection: Protection;
  readonly sink: BodySink;
  readonly where: MessageContext;
  /** Invents figures; absent: they are kept as they are. */
  readonly figures?: FigureScrubber | undefined;
  readonly operation: OperationKey | undefined;
  readonly head: AnswerHead;
}

/** What takes the body of one answer. */
export function responseRecorderFor(keeping: ResponseRecorderOptions): ResponseRecorder {
  const { figures, operation, head, protection, sink, where } = keeping;
  if (figures && FigureScrubber.applies(operation) && head.status < 300) return new Inventing(keeping, operation);
  const hide = protection.stream(where);
  return {
    refused: undefined,
    push: (parts) => sink.write(parts.flatMap((each) => hide(each))),
    end: () => sink.write(hide()),
  };
}

/** Holds an answer whole, for figures can only be invented with all of a row in view. */
class Inventing implements ResponseRecorder {
  readonly #keeping: ResponseRecorderOptions;
  readonly #operation: OperationKey;
  #held: Uint8Array[] = [];
  #bytes = 0;
  refused: string | undefined;

  constructor(keeping: ResponseRecorderOptions, operation: OperationKey) {
    this.#keeping = keeping;
    this.#operation = operation;
  }

  async push(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) {
      this.#bytes += part.length;
      if (this.#bytes <= LONGEST_SCRUBBED) this.#held.push(part);
      else this.#held = [];
    }
  }

  async end(isWhole: boolean): Promise<void> {
    // Of half an answer nobody can tell what is a figure: only that it broke off is kept.
    if (!isWhole) return;
    const { figures, head, protection, sink, where } = this.#keeping;
    const scrubbed =
      this.#bytes > LONGEST_SCRUBBED
        ? {
            refused: `an answer to ${this.#operation} is longer than ${LONGEST_SCRUBBED} bytes; record without --scrub figures`,
          }
        : (figures as FigureScrubber).scrub(this.#operation, Buffer.concat(this.#held), head);
    if ('refused' in scrubbed) this.refused = scrubbed.refused;
    else await sink.write([protection.bytes(scrubbed.bytes, where)]);
  }
}
