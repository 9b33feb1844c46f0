/** Learns which parts of responses are volatile: two responses to one request, one right after the other, differ in them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationKey, operationOf } from '../../contract/index.ts';
import { isVolatileHeader } from '../../exchange/volatile-headers.ts';
import type { LoadedResponse } from '../format/loaded-response.ts';
import type { Mask } from '../format/masks.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import type { ProfileReading } from './generated-ids.ts';
import { differingPlaces, withPlaceOf } from './volatile-places.ts';

/** Of each operation so many requests are asked again. */
const MOST_OF_ONE = 3;

/** So many of each status are remembered, for some are asked again by the client itself. */
const MOST_REMEMBERED = 6;

/** Longer answers are not asked for twice. */
export const MOST_BYTES = 4 * 1024 * 1024;

const MOST_MS = 60_000;

/** Clocks that tell seconds must have moved on. */
const LATER_MS = 1_100;

/** Answers that say: ask no more. */
const REFUSALS = [401, 403, 408, 425, 429, 500, 502, 503, 504];

/** Gives the answer to one more request, as it would be kept; undefined where it cannot be compared. */
export type Resend = () => Promise<LoadedResponse | undefined>;

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
