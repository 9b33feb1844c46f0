/** A recording being made: a locked folder, its lanes, its bodies, its provenance. */
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Protection } from '../../secrets/protection.ts';
import { pendingReceipt, type RedactionReceipt, type ScrubbedKind } from '../../secrets/receipt.ts';
import type { Mask } from '../format/masks.ts';
import { type Har, type Provenance, RecordingError } from '../format/schema.ts';
import type { ProfileReading } from '../rerecord/generated-ids.ts';
import { RecordingRefresh, type ResendPolicy } from '../rerecord/refresh.ts';
import type { Resend } from '../rerecord/samples.ts';
import { replaceFile } from '../store/atomic-write.ts';
import { LaneFile } from '../store/lane-file.ts';
import { LOCK, type Lock } from '../store/lock.ts';
import { type RequestToRecord, recordWithPolly, type UnorderedExchange } from '../store/polly-adapter.ts';
import { HAR, PROVENANCE } from '../store/recording-files.ts';
import { repairRecording } from '../store/repair.ts';
import { BodySink } from '../store/side-file.ts';
import { inspectRecording } from './inspect-recording.ts';
import { describeLeaks, LeakError, quarantine } from './quarantine.ts';

/** What is persisted waits so long for more, and no longer than ten times what writing took last. */
const PERSIST_MS = 200;
const PERSIST_SHARE = 10;

export interface RecorderOptions {
  /** The folder of all recordings. */
  readonly dir: string;
  readonly name: string;
  /** Without what is only known while recording. */
  readonly provenance: Omit<
    Provenance,
    'schema' | 'name' | 'recordedAt' | 'lanes' | 'dateAsOf' | 'redaction' | 'masks'
  >;
  /** What the profile reads of answers; without it nothing but their looks tells ids apart from data. */
  readonly reading?: ProfileReading;
  /** What has hidden the secrets; once it is closed, the recording is searched for all it knows. */
  readonly protection: Protection;
  /** What is replaced by invented data. */
  readonly scrubbed?: readonly ScrubbedKind[];
  /** Placeholders of the former recording. */
  readonly counted?: readonly string[];
}

/** A place in the order of answers, taken when an answer is complete. */
export interface PendingExchange {
  /** Undefined: nothing is to be kept of this exchange. */
  readonly end: () => void;
  readonly before: Promise<void>;
}

export const diskErrorReason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' ? 'the disk is full' : message;
};

export class Recorder {
  readonly folder: string;
  /** Rejects when nothing can be kept any more; what was kept by then is intact. */
  readonly broken: Promise<never>;
  readonly #break: (error: RecordingError) => void;
  readonly #name: string;
  readonly #options: Omit<RecorderOptions, 'dir' | 'name'>;
  #redaction: RedactionReceipt;
  readonly #laneNames: Set<string>;
  /** Those of them whose files are there. */
  readonly #onDisk: Set<string>;
  readonly #lanes: Map<string, LaneFile>;
  readonly #refresh: RecordingRefresh;
  readonly #lock: Lock;
  #tail: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #tookMs = 0;
  #isBroken = false;
  /** The Date header of the newest answer. */
  #date: string | undefined;
  #kept = 0;
  /** Whether there is a provenance of this recording on disk, and how many lanes it names. */
  #isTold = false;
  #told = 0;

  constructor(
    folder: string,
    name: string,
    options: Omit<RecorderOptions, 'dir' | 'name'> & { readonly masks: readonly Mask[] },
    laneNames: readonly string[],
    lanes: Map<string, LaneFile>,
    lock: Lock,
  ) {
    this.folder = folder;
    this.#name = name;
    this.#options = options;
    this.#redaction = pendingReceipt(options.scrubbed);
    this.#laneNames = new Set(laneNames);
    this.#onDisk = new Set(laneNames);
    this.#lanes = lanes;
    const { masks, reading, provenance } = options;
    this.#refresh = new RecordingRefresh({ folder, matching: provenance.matching, lanes, masks, reading });
    this.#lock = lock;
    const { promise, reject } = Promise.withResolvers<never>();
    this.broken = promise;
    this.#break = reject;
    // Whoever wants to know listens; the others are not to be ended by it.
    promise.catch(() => undefined);
  }

  /** How many exchanges were kept. */
  get kept(): number {
    return this.#kept;
  }

  body(): BodySink {
    return new BodySink(this.folder);
  }

  /** Takes the next place: answers stand in a sequence in the order in which they were complete. */
  turn(): PendingExchange {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    return { before, end: resolve };
  }

  /** Marks the recording as broken by an error of the disk. */
  fail(error: unknown): void {
    this.#isBroken = true;
    this.#break(
      error instanceof RecordingError
        ? error
        : new RecordingError(
            `${this.folder} can no longer be written (${diskErrorReason(error)}): what was recorded before is intact`,
          ),
    );
  }

  /**
   * Records one exchange through Polly. `send` carries it out and takes a turn when it is complete.
   * @param turnOf the turn taken, once `send` has settled
   */
  async record(
    request: RequestToRecord & { readonly again?: Resend | undefined },
    turnOf: () => PendingExchange | undefined,
  ): Promise<void> {
    try {
      let exchange: UnorderedExchange | undefined;
      let made: { readonly id: string; readonly har: Har } | undefined;
      const keep = (id: string, har: Har): void => {
        made = { id, har };
      };
      const send = async () => {
        exchange = await request.send();
        return exchange;
      };
      const first = await recordWithPolly({ ...request, send }, keep);
      await turnOf()?.before;
      const told = exchange && (await this.#refresh.translate(exchange));
      const recorded =
        told === exchange || !told
          ? first
          : await recordWithPolly({ ...request, ...this.#refresh.told(told), send: async () => told }, keep);
      await recorded.persist();
      if (!told || !made) return;
      await this.#keep(request, told, made);
      this.#schedule();
    } finally {
      turnOf()?.end();
    }
  }

  async #keep(
    { lane: name, again }: { readonly lane: string; readonly again?: Resend | undefined },
    exchange: UnorderedExchange,
    { id, har }: { readonly id: string; readonly har: Har },
  ): Promise<void> {
    const [entry] = har.log.entries;
    if (!entry) return;
    let lane = this.#lanes.get(id);
    if (!lane) {
      lane = new LaneFile(join(this.folder, id, HAR), { log: { ...har.log, entries: [] } });
      this.#lanes.set(id, lane);
    }
    this.#laneNames.add(name);
    await this.#refresh.place(lane, entry, exchange);
    this.#refresh.offer(`${id} ${entry._id}`, exchange, again);
    this.#kept++;
    this.#date = entry._mdwi.responseHeaders?.find(([each]) => each.toLowerCase() === 'date')?.[1] ?? this.#date;
  }

  /** Asks some of the requests that change nothing a second time, to learn what differs anyhow. */
  async learnMasks(ask: ResendPolicy): Promise<void> {
    await this.#tail;
    await this.#refresh.learn(ask);
  }

  #schedule(): void {
    if (this.#timer || this.#isBroken) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#writing = this.#writing.then(() => this.#write()).catch((error: unknown) => this.fail(error));
      },
      Math.max(PERSIST_MS, this.#tookMs * PERSIST_SHARE),
    );
  }

  async #write(): Promise<void> {
    const began = performance.now();
    await this.#checkHeld();
    // First, for a recorder may be killed in between: lanes without a provenance could not be told from strangers’ files.
    if (!this.#isTold) await this.#tellProvenance();
    for (const lane of this.#lanes.values()) await lane.write();
    // Then, for a lane that is named and not there would make all of it a damaged recording.
    for (const name of this.#laneNames) this.#onDisk.add(name);
    if (this.#told !== this.#onDisk.size) await this.#tellProvenance();
    this.#tookMs = performance.now() - began;
  }

  /** Whoever removes or moves the folder meanwhile has taken the former part away: half a recording is none. */
  async #checkHeld(): Promise<void> {
    if (await this.#lock.isHeld()) return;
    throw new RecordingError(
      `${this.folder} was removed or moved while it was recorded, or its lock was: nothing more is recorded; put it back, or record anew`,
    );
  }

  async #tellProvenance(): Promise<void> {
    const about: Provenance = {
      schema: 1,
      name: this.#name,
      recordedAt: new Date().toISOString(),
      ...this.#options.provenance,
      masks: [...this.#refresh.masks],
      redaction: this.#redaction,
      ...(this.#date !== undefined && { dateAsOf: this.#date }),
      lanes: [...this.#onDisk].sort(),
    };
    this.#told = this.#onDisk.size;
    this.#isTold = true;
    await replaceFile(join(this.folder, PROVENANCE), `${JSON.stringify(about, null, 2)}\n`);
  }

  /** Searches what was written for secrets. Throws LeakError when there is one; the folder is then set aside. */
  async #inspect(): Promise<void> {
    const { protection, scrubbed, counted } = this.#options;
    const inspect = () => inspectRecording(this.folder, protection, { scrubbed, counted });
    let inspected = await inspect();
    if ('leaks' in inspected && inspected.leaks.every((each) => !each.declared)) {
      const { matching } = this.#options.provenance;
      const paths = [...this.#lanes.values()].map(({ path }) => path);
      await repairRecording({ folder: this.folder, protection, matching }, paths);
      inspected = await inspect();
    }
    if ('leaks' in inspected) {
      const aside = await quarantine(this.folder);
      await rm(join(aside, LOCK), { force: true });
      throw new LeakError(describeLeaks(inspected.leaks, aside));
    }
    this.#redaction = inspected.receipt;
    await this.#tellProvenance();
  }

  /**
   * Writes what is still waiting, has the last look for secrets and gives the folder free. Rejects like `broken`, or with
   * a LeakError.
   */
  async close(): Promise<void> {
    await this.#tail;
    clearTimeout(this.#timer);
    await this.#writing;
    try {
      if (!this.#isBroken && this.#kept > 0) {
        await this.#refresh.settle();
        await this.#write();
        await this.#tellProvenance();
        await this.#inspect();
      }
    } catch (error) {
      if (error instanceof LeakError) throw error;
      this.fail(error);
    } finally {
      await this.#lock.release();
    }
    // Where nothing was kept, and nothing was before, no empty folder stays.
    if (this.#lanes.size === 0) await rmdir(this.folder).catch(() => undefined);
    if (this.#isBroken) await this.broken;
  }
}
