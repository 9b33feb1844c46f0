/** Asking twice: what differs between two answers to one request, given one after the other, is no news later either. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationKey, operationOf } from '../../src/contract/index.ts';
import { firstHeader, mediaTypeOf } from '../../src/exchange/headers.ts';
import type { LoadedResponse } from '../../src/recording/format/loaded-response.ts';
import { differingPlaces, type Mask, withPlaceOf } from '../../src/recording/format/masks.ts';
import { mayHoldUrls, PLACEHOLDER, replaceOrigin } from '../../src/recording/format/origin.ts';
import type { RecordedResponse } from '../../src/recording/format/types.ts';
import { isVolatileHeader } from '../../src/recording/rerecord/compare-exchanges.ts';
import type { ProfileReading } from '../../src/recording/rerecord/generated-ids.ts';
import type { MessageContext } from '../../src/secrets/protection.ts';
import type { GatewayContext } from './context.ts';
import { decode } from './decode.ts';
import { withoutHeader, withUnboundCookies } from './forward-response.ts';
import type { UpstreamRequest } from './upstream.ts';

/** Of each operation so many requests are asked again. */
const MOST_OF_ONE = 3;
/** So many of each status are remembered, for some are asked again by the client itself. */
const MOST_REMEMBERED = 6;
/** Longer answers are not asked for twice. */
export const MOST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const MOST_MS = 60_000;
/** Clocks that tell seconds must have moved on. */
const LATER_MS = 1_100;
/** Answers that say: ask no more. */
const REFUSALS = [401, 403, 408, 425, 429, 500, 502, 503, 504];

/** Gives the answer to one more request, as it would be kept; undefined where it cannot be compared. */
export type Resend = () => Promise<LoadedResponse | undefined>;

/** Sends a request once more, past every client. */
export async function resendRequest(
  gate: GatewayContext,
  {
    sending,
    where,
  }: { readonly sending: Omit<UpstreamRequest, 'signal' | 'onInterim'>; readonly where: MessageContext },
): Promise<LoadedResponse | undefined> {
  const answer = await gate.upstream.send({
    ...sending,
    onInterim: () => undefined,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  try {
    const { status, reason, headers } = answer;
    const { chunks, coding } = await decode(answer.body, firstHeader(headers, 'content-encoding'));
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) return undefined;
      parts.push(chunk);
    }
    const kept = withUnboundCookies(coding === undefined ? headers : withoutHeader(headers, 'content-encoding'));
    const { type } = mediaTypeOf(headers);
    const hide = gate.protection.stream({ ...where, type, data: (where.data ?? false) && status < 300 });
    const told = Buffer.concat(parts).toString('latin1');
    const text = Buffer.from(mayHoldUrls(type) ? replaceOrigin(told, gate.theirs, PLACEHOLDER) : told, 'latin1');
    const body = Buffer.concat([...hide(text), ...hide()]);
    return {
      status,
      reason,
      headers: gate.protection.headers(
        kept.map(([name, value]) => [name, replaceOrigin(value, gate.theirs, PLACEHOLDER)]),
        where,
      ),
      ...(coding !== undefined && { coding }),
      bodyId: undefined,
      text: body.toString('latin1'),
    };
  } finally {
    answer.destroy();
  }
}

interface Sample {
  readonly operation: OperationKey;
  /** The lane and Polly’s id of the request. */
  readonly id: string;
  readonly response: RecordedResponse;
  readonly again: Resend;
  readonly at: number;
  /** What the client itself was answered when it asked once more. */
  second?: RecordedResponse;
}

export interface LearnOptions {
  readonly reading?: ProfileReading | undefined;
  readonly open: (response: RecordedResponse) => LoadedResponse;
  /** How long to wait between two requests. */
  readonly pauseMs: number;
  /** How many requests may be sent. */
  readonly most: number;
  /** Ends it: nothing more is sent. */
  readonly signal?: AbortSignal | undefined;
}

const bytesOf = ({ body }: RecordedResponse): number => (body && 'file' in body ? body.bytes : 0);

/** Jobs are at work in this group: what is asked more than once there is answered differently because it is to be. */
const OF_SEQUENCES = 'A';

/** Requests that may be asked again, a few of each operation that changes nothing. */
export class Samples {
  readonly #byOperation = new Map<OperationKey, Sample[]>();

  offer(sample: Omit<Sample, 'at'>): void {
    const { operation, response } = sample;
    if (operationOf(operation).safety !== 'read' || REFUSALS.includes(response.status)) return;
    if (bytesOf(response) > MOST_BYTES) return;
    const known = this.#byOperation.get(operation) ?? [];
    this.#byOperation.set(operation, known);
    const before = known.find(({ id }) => id === sample.id);
    if (before) before.second ??= response;
    else if (known.filter((each) => each.response.status === response.status).length < MOST_REMEMBERED)
      known.push({ ...sample, at: performance.now() });
  }

  /** Of each operation a few, of each status one first. */
  #chosen(): Sample[] {
    return [...this.#byOperation].flatMap(([operation, known]) => {
      const fit = known.filter(({ second }) => !second || operationOf(operation).group !== OF_SEQUENCES);
      const statuses = fit.map(({ response }) => response.status);
      const first = fit.filter((_, at) => statuses.indexOf(statuses[at] as number) === at);
      return [...new Set([...first, ...fit])].slice(0, MOST_OF_ONE);
    });
  }

  /** Asks again, one request at a time, and tells the places that differ and that the profile does not read. */
  async learn({ reading, open, pauseMs, most, signal }: LearnOptions): Promise<readonly Mask[]> {
    const masks: Mask[] = [];
    const began = performance.now();
    let asked = 0;
    let isRefused = false;
    for (const { operation, response, again, at, second: known } of this.#chosen()) {
      let second = known && open(known);
      if (!second && !isRefused && !signal?.aborted && asked < most && performance.now() - began < MOST_MS) {
        asked++;
        await sleep(Math.max(pauseMs, at + LATER_MS - performance.now(), 0), undefined, signal && { signal }).catch(
          () => undefined,
        );
        second = signal?.aborted ? undefined : await again().catch(() => undefined);
        isRefused = second !== undefined && REFUSALS.includes(second.status);
      }
      if (!second || isRefused) continue;
      const first = open(response);
      for (const where of differingPlaces(first, second, isVolatileHeader))
        if (!reading || !(await isRead(where, reading, operation, first, second))) masks.push({ operation, where });
    }
    return masks;
  }
}

/** Whether a profile would read something else had only this place changed. */
async function isRead(
  where: string,
  reading: ProfileReading,
  operation: OperationKey,
  first: LoadedResponse,
  second: LoadedResponse,
): Promise<boolean> {
  const changed = withPlaceOf(first, second, where);
  return (await reading.valuesOf(operation, first)) !== (await reading.valuesOf(operation, changed));
}
