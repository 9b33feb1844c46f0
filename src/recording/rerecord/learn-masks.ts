/** Learns which parts of responses are volatile: two responses to one request, one right after the other, differ in them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationKey, operationOf } from '../../contract/index.ts';
import type { LoadedResponse } from '../format/loaded-response.ts';
import type { Mask } from '../format/masks.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import { isVolatileHeader } from '../format/volatile-headers.ts';
import { differingPlaces, withPlaceOf } from './compare-exchanges.ts';
import type { ProfileReader } from './profile-reader.ts';

/** How many requests of each operation are sent again. */
const MAX_PER_OPERATION = 3;

/** How many samples of each status are stored. The client itself may repeat some of these requests. */
const MAX_SAMPLES_PER_STATUS = 6;

/** Requests with longer responses are not sent again. */
export const MAX_BYTES = 4 * 1024 * 1024;

const MAX_DURATION_MS = 60_000;

/** The least time between two requests, so that a clock with a resolution of a second changes. */
const MIN_INTERVAL_MS = 1_100;

/** Statuses after which no further request is sent. */
const REFUSAL_STATUSES = [401, 403, 408, 425, 429, 500, 502, 503, 504];

/** Sends the request again and returns the response as it would be recorded; undefined if it cannot be compared. */
export type Resend = () => Promise<LoadedResponse | undefined>;

interface Sample {
  readonly operation: OperationKey;
  /** The lane and Polly’s id of the request. */
  readonly id: string;
  readonly response: RecordedResponse;
  readonly resend: Resend;
  readonly at: number;
  /** The second response, if the client itself repeated the request. */
  second?: RecordedResponse;
}

/** The limits of sending requests a second time. */
export interface ResendPolicy {
  /** The pause between two requests. */
  readonly pauseMs: number;
  /** How many requests may be sent. */
  readonly maxRequests: number;
  /** Stops it: no further request is sent. */
  readonly signal?: AbortSignal | undefined;
}

interface LearnOptions extends ResendPolicy {
  readonly profileReader?: ProfileReader | undefined;
  readonly load: (response: RecordedResponse) => LoadedResponse;
}

const bytesOf = ({ body }: RecordedResponse): number => (body && 'file' in body ? body.bytes : 0);

/** The group of jobs: responses to repeated requests differ by intent, because the state of a job changes. */
const JOB_GROUP = 'A';

/** Requests that may be sent again: a few of each operation that changes nothing. */
export class Samples {
  readonly #byOperation = new Map<OperationKey, Sample[]>();

  add(sample: Omit<Sample, 'at'>): void {
    const { operation, response } = sample;
    if (operationOf(operation).safety !== 'read' || REFUSAL_STATUSES.includes(response.status)) return;
    if (bytesOf(response) > MAX_BYTES) return;
    const known = this.#byOperation.get(operation) ?? [];
    this.#byOperation.set(operation, known);
    const before = known.find(({ id }) => id === sample.id);
    if (before) before.second ??= response;
    else if (known.filter((each) => each.response.status === response.status).length < MAX_SAMPLES_PER_STATUS)
      known.push({ ...sample, at: performance.now() });
  }

  /** A few samples of each operation, one of each status first. */
  #chosen(): Sample[] {
    return [...this.#byOperation].flatMap(([operation, known]) => {
      const usable = known.filter(({ second }) => !second || operationOf(operation).group !== JOB_GROUP);
      const statuses = usable.map(({ response }) => response.status);
      const first = usable.filter((_, at) => statuses.indexOf(statuses[at] as number) === at);
      return [...new Set([...first, ...usable])].slice(0, MAX_PER_OPERATION);
    });
  }

  /** Sends the requests again, one at a time, and returns the places that differ and that the profile does not read. */
  async learn({ profileReader, load, pauseMs, maxRequests, signal }: LearnOptions): Promise<readonly Mask[]> {
    const masks: Mask[] = [];
    const began = performance.now();
    let sent = 0;
    let isRefused = false;
    for (const { operation, response, resend, at, second: known } of this.#chosen()) {
      let second = known && load(known);
      if (
        !second &&
        !isRefused &&
        !signal?.aborted &&
        sent < maxRequests &&
        performance.now() - began < MAX_DURATION_MS
      ) {
        sent++;
        await sleep(
          Math.max(pauseMs, at + MIN_INTERVAL_MS - performance.now(), 0),
          undefined,
          signal && { signal },
        ).catch(() => undefined);
        second = signal?.aborted ? undefined : await resend().catch(() => undefined);
        isRefused = second !== undefined && REFUSAL_STATUSES.includes(second.status);
      }
      if (!second || isRefused) continue;
      const first = load(response);
      for (const where of differingPlaces(first, second, isVolatileHeader))
        if (!profileReader || !(await isRead(where, profileReader, operation, first, second)))
          masks.push({ operation, where });
    }
    return masks;
  }
}

/** Whether the profile reads another value if only this place changes. */
async function isRead(
  where: string,
  profileReader: ProfileReader,
  operation: OperationKey,
  first: LoadedResponse,
  second: LoadedResponse,
): Promise<boolean> {
  const changed = withPlaceOf(first, second, where);
  return (await profileReader.valuesOf(operation, first)) !== (await profileReader.valuesOf(operation, changed));
}
