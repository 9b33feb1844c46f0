/** Writes a recording: a locked folder, its lanes, bodies and provenance. */
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../atomic-write.ts';
import type { Protection } from '../../secrets/hide-in-exchange.ts';
import { pendingReceipt, type RedactionReceipt, type ScrubbedKind } from '../../secrets/redaction-receipt.ts';
import type { Mask } from '../format/masks.ts';
import { type Provenance, RecordingError } from '../format/schema.ts';
import type { Resend, ResendPolicy } from '../rerecord/learn-masks.ts';
import type { ProfileReader } from '../rerecord/profile-reader.ts';
import { Rerecording } from '../rerecord/refresh.ts';
import { LaneFile } from '../store/lane-file.ts';
import { LOCK, type Lock } from '../store/lock.ts';
import { recordWithPolly, type UnorderedExchange } from '../store/polly-adapter.ts';
import { HAR, PROVENANCE } from '../store/recording-files.ts';
import { repairRecording } from '../store/redact-written.ts';
import { BodySink } from '../store/side-file.ts';
import { inspectRecording, LeakError, quarantine } from './quarantine.ts';

/** The delay before changes are written: the larger of this and the duration of the last write times the factor. */
const PERSIST_MS = 200;
const PERSIST_FACTOR = 10;

export interface RecorderOptions {
  /** The folder of all recordings. */
  readonly dir: string;
  readonly name: string;
  /** The provenance without the members that are known only while recording. */
  readonly provenance: Omit<
    Provenance,
    'schema' | 'name' | 'recordedAt' | 'lanes' | 'dateAsOf' | 'redaction' | 'masks'
  >;
  /** What the profile reads from responses; without it ids are recognised only by their form. */
  readonly profileReader?: ProfileReader;
  /** Hides the secrets. On close, the recording is scanned for all secrets it knows. */
  readonly protection: Protection;
  /** The kinds of data that are replaced by generated data. */
  readonly scrubbed?: readonly ScrubbedKind[];
  /** Placeholders of the former recording. */
  readonly formerPlaceholders?: readonly string[];
}

/** A position in the order of responses; assigned when a response is complete. */
export interface QueuePosition {
  /** Allows the next exchange to be stored. */
  readonly release: () => void;
  /** Resolves when all earlier exchanges are stored. */
  readonly allEarlierStored: Promise<void>;
}

export const diskErrorReason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' ? 'the disk is full' : message;
};

export class Recorder {
  readonly folder: string;
  /** Rejects when recording fails; what was recorded before is intact. */
  readonly failed: Promise<never>;
  readonly #rejectFailure: (error: RecordingError) => void;
  readonly #name: string;
  readonly #options: Omit<RecorderOptions, 'dir' | 'name'>;
  #redaction: RedactionReceipt;
  readonly #laneNames: Set<string>;
  /** The names of lanes whose files exist. */
  readonly #onDisk: Set<string>;
  readonly #lanes: Map<string, LaneFile>;
  readonly #rerecording: Rerecording;
  readonly #lock: Lock;
  #lastQueued: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #writeDurationMs = 0;
  #hasFailed = false;
  /** The Date header of the latest response. */
  #date: string | undefined;
  #recordedCount = 0;
  /** How many lanes the provenance on disk names; undefined if this recorder has not written one. */
  #lanesInProvenance: number | undefined;

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
    const { masks, profileReader, provenance } = options;
    this.#rerecording = new Rerecording({
      folder,
      matching: provenance.matching,
      lanes,
      masks,
      profileReader,
    });
    this.#lock = lock;
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.#rejectFailure = reject;
    // Without a handler, a rejection that no caller awaits would end the process.
    promise.catch(() => undefined);
  }

  /** How many exchanges were recorded. */
  get recordedCount(): number {
    return this.#recordedCount;
  }

  createBodySink(): BodySink {
    return new BodySink(this.folder);
  }

  /** Assigns the next position: responses are stored in the order in which they are complete. */
  enqueue(): QueuePosition {
    const before = this.#lastQueued;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastQueued = promise;
    return { allEarlierStored: before, release: resolve };
  }

  /** Marks the recording as failed because of a disk error. */
  fail(error: unknown): void {
    this.#hasFailed = true;
    this.#rejectFailure(
      error instanceof RecordingError
        ? error
        : new RecordingError(
            `${this.folder} can no longer be written (${diskErrorReason(error)}): what was recorded before is intact`,
          ),
    );
  }

  /**
   * Records one exchange with Polly.
   * @param position from `enqueue`
   * @param resend sends the request again
   */
  async record(lane: string, exchange: UnorderedExchange, position: QueuePosition, resend?: Resend): Promise<void> {
    try {
      await position.allEarlierStored;
      await this.#add(lane, await this.#rerecording.withPreviousIds(exchange), resend);
      this.#schedule();
    } finally {
      position.release();
    }
  }

  async #add(name: string, exchange: UnorderedExchange, resend: Resend | undefined): Promise<void> {
    const { id, har } = await recordWithPolly(name, exchange, this.#options.provenance.matching);
    const [entry] = har.log.entries;
    if (!entry) return;
    let lane = this.#lanes.get(id);
    if (!lane) {
      lane = new LaneFile(join(this.folder, id, HAR), { log: { ...har.log, entries: [] } });
      this.#lanes.set(id, lane);
    }
    this.#laneNames.add(name);
    await this.#rerecording.addTo(lane, entry, exchange);
    this.#rerecording.addSample(`${id} ${entry._id}`, exchange, resend);
    this.#recordedCount++;
    this.#date = entry._mdwi.responseHeaders?.find(([each]) => each.toLowerCase() === 'date')?.[1] ?? this.#date;
  }

  /** Sends some of the requests that change nothing a second time, to learn masks. */
  async learnMasks(policy: ResendPolicy): Promise<void> {
    await this.#lastQueued;
    await this.#rerecording.learn(policy);
  }

  #schedule(): void {
    if (this.#timer || this.#hasFailed) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#writing = this.#writing.then(() => this.#write()).catch((error: unknown) => this.fail(error));
      },
      Math.max(PERSIST_MS, this.#writeDurationMs * PERSIST_FACTOR),
    );
  }

  async #write(): Promise<void> {
    const began = performance.now();
    await this.#checkHeld();
    // Before the lanes: if the recorder is killed in between, lanes without a provenance are not a recording.
    if (this.#lanesInProvenance === undefined) await this.#writeProvenance();
    for (const lane of this.#lanes.values()) await lane.write();
    // After the lanes: a recording whose provenance names a missing lane is damaged.
    for (const name of this.#laneNames) this.#onDisk.add(name);
    if (this.#lanesInProvenance !== this.#onDisk.size) await this.#writeProvenance();
    this.#writeDurationMs = performance.now() - began;
  }

  /** Fails if the folder was removed or moved while recording: what follows alone is not a complete recording. */
  async #checkHeld(): Promise<void> {
    if (await this.#lock.isHeld()) return;
    throw new RecordingError(
      `${this.folder}, or its lock file, was removed or moved during recording: nothing more is recorded; put it back, or record again`,
    );
  }

  async #writeProvenance(): Promise<void> {
    const provenance: Provenance = {
      schema: 1,
      name: this.#name,
      recordedAt: new Date().toISOString(),
      ...this.#options.provenance,
      masks: [...this.#rerecording.masks],
      redaction: this.#redaction,
      ...(this.#date !== undefined && { dateAsOf: this.#date }),
      lanes: [...this.#onDisk].sort(),
    };
    this.#lanesInProvenance = this.#onDisk.size;
    await replaceFile(join(this.folder, PROVENANCE), `${JSON.stringify(provenance, null, 2)}\n`);
  }

  /** Scans the written files for secrets. If there is one, quarantines the folder and throws LeakError. */
  async #inspect(): Promise<void> {
    const { protection, scrubbed, formerPlaceholders } = this.#options;
    const inspect = () => inspectRecording(this.folder, protection, { scrubbed, formerPlaceholders });
    let inspected = await inspect();
    if ('leaks' in inspected && inspected.leaks.every((each) => !each.declared)) {
      const { matching } = this.#options.provenance;
      const paths = [...this.#lanes.values()].map(({ path }) => path);
      await repairRecording({ folder: this.folder, protection, matching }, paths);
      inspected = await inspect();
    }
    if ('leaks' in inspected) {
      const quarantined = await quarantine(this.folder);
      await rm(join(quarantined, LOCK), { force: true });
      throw new LeakError(inspected.leaks, quarantined);
    }
    this.#redaction = inspected.receipt;
    await this.#writeProvenance();
  }

  /**
   * Writes pending changes, scans for secrets and releases the lock. Rejects like `failed`, or with a LeakError.
   */
  async close(): Promise<void> {
    await this.#lastQueued;
    clearTimeout(this.#timer);
    await this.#writing;
    try {
      if (!this.#hasFailed && this.#recordedCount > 0) {
        await this.#rerecording.finish();
        await this.#write();
        await this.#writeProvenance();
        await this.#inspect();
      }
    } catch (error) {
      if (error instanceof LeakError) throw error;
      this.fail(error);
    } finally {
      await this.#lock.release();
    }
    // Removes the folder if nothing was recorded into an empty one.
    if (this.#lanes.size === 0) await rmdir(this.folder).catch(() => undefined);
    if (this.#hasFailed) await this.failed;
  }
}
