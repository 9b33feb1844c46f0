/** A recording being made: a locked folder, its lanes, its bodies, its provenance. */
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Provenance, RecordingError } from '../../src/exchange/har/schema.ts';
import { type ToRecord, throughPolly } from './adapter.ts';
import { replaceFile } from './atomic.ts';
import { LaneFile } from './lane-file.ts';
import { BodySink } from './side-file.ts';

/** What is persisted waits so long for more, and no longer than ten times what writing took last. */
const PERSIST_MS = 200;
const PERSIST_SHARE = 10;

export const HAR = 'recording.har';
export const PROVENANCE = 'provenance.json';

export interface RecorderOptions {
  /** The folder of all recordings. */
  readonly dir: string;
  readonly name: string;
  /** Without what is only known while recording. */
  readonly provenance: Omit<Provenance, 'schema' | 'name' | 'recordedAt' | 'lanes' | 'dateAsOf'>;
}

/** A place in the order of answers, taken when an answer is complete. */
export interface Turn {
  /** Undefined: nothing is to be kept of this exchange. */
  readonly end: () => void;
  readonly before: Promise<void>;
}

export const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' ? 'the disk is full' : message;
};

export class Recorder {
  readonly folder: string;
  /** Rejects when nothing can be kept any more; what was kept by then is intact. */
  readonly broken: Promise<never>;
  readonly #break: (error: RecordingError) => void;
  readonly #name: string;
  readonly #provenance: RecorderOptions['provenance'];
  readonly #laneNames: Set<string>;
  readonly #lanes: Map<string, LaneFile>;
  readonly #unlock: () => Promise<void>;
  #tail: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #tookMs = 0;
  #isBroken = false;
  /** The Date header of the newest answer. */
  #date: string | undefined;
  #kept = 0;
  /** How many lanes the provenance on disk names. */
  #told = 0;

  constructor(
    folder: string,
    name: string,
    provenance: RecorderOptions['provenance'],
    laneNames: readonly string[],
    lanes: Map<string, LaneFile>,
    unlock: () => Promise<void>,
  ) {
    this.folder = folder;
    this.#name = name;
    this.#provenance = provenance;
    this.#laneNames = new Set(laneNames);
    this.#lanes = lanes;
    this.#unlock = unlock;
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
  turn(): Turn {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    return { before, end: resolve };
  }

  /** Marks the recording as broken by an error of the disk. */
  fail(error: unknown): void {
    this.#isBroken = true;
    this.#break(
      new RecordingError(
        `${this.folder} can no longer be written (${reasonOf(error)}): what was recorded before is intact`,
      ),
    );
  }

  /**
   * Records one exchange through Polly. `send` carries it out and takes a turn when it is complete.
   * @param turnOf the turn taken, once `send` has settled
   */
  async record(request: ToRecord, turnOf: () => Turn | undefined): Promise<void> {
    try {
      const recorded = await throughPolly(request, (id, har) => {
        const [entry] = har.log.entries;
        if (!entry) return;
        let lane = this.#lanes.get(id);
        if (!lane) {
          lane = new LaneFile(join(this.folder, id, HAR), { log: { ...har.log, entries: [] } });
          this.#lanes.set(id, lane);
        }
        this.#laneNames.add(request.lane);
        lane.add(entry);
        this.#kept++;
        this.#date = entry._mdwi.responseHeaders?.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? this.#date;
      });
      await turnOf()?.before;
      await recorded.persist();
      this.#schedule();
    } finally {
      turnOf()?.end();
    }
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
    // First, for a recorder may be killed in between: lanes without a provenance could not be told from strangers’ files.
    if (this.#told !== this.#laneNames.size) await this.#tellProvenance();
    for (const lane of this.#lanes.values()) await lane.write();
    this.#tookMs = performance.now() - began;
  }

  async #tellProvenance(): Promise<void> {
    const about: Provenance = {
      schema: 1,
      name: this.#name,
      recordedAt: new Date().toISOString(),
      ...this.#provenance,
      ...(this.#date !== undefined && { dateAsOf: this.#date }),
      lanes: [...this.#laneNames].sort(),
    };
    this.#told = this.#laneNames.size;
    await replaceFile(join(this.folder, PROVENANCE), `${JSON.stringify(about, null, 2)}\n`);
  }

  /** Writes what is still waiting and gives the folder free. Rejects like `broken`. */
  async close(): Promise<void> {
    await this.#tail;
    clearTimeout(this.#timer);
    await this.#writing;
    try {
      if (!this.#isBroken && this.#kept > 0) {
        await this.#write();
        await this.#tellProvenance();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      await this.#unlock();
    }
    // Where nothing was kept, and nothing was before, no empty folder stays.
    if (this.#lanes.size === 0) await rmdir(this.folder).catch(() => undefined);
    if (this.#isBroken) await this.broken;
  }
}
