/** Recording again: leaves former entries in place where the response is unchanged, and learns masks and generated ids. */
import { readdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { operationOf } from '../../contract/index.ts';
import { fromHarEntry, targetOf, toHarEntry } from '../format/entry.ts';
import { type LoadedResponse, loadResponse, type ReadBodyText } from '../format/loaded-response.ts';
import { joinMasks, type Mask, NO_OPERATION, placesFor } from '../format/masks.ts';
import { BODIES, type RecordedExchange, type RecordedResponse, type StoredBody } from '../format/recorded-exchange.ts';
import { type Matching, requestKey } from '../format/request-key.ts';
import type { HarEntry } from '../format/schema.ts';
import { isVolatileHeader } from '../format/volatile-headers.ts';
import type { LaneFile } from '../store/lane-file.ts';
import type { UnorderedExchange } from '../store/polly-adapter.ts';
import { storedBytes } from '../store/read-side-file.ts';
import { BodySink } from '../store/side-file.ts';
import { compareExchanges, differingPlaces, timestampPlaces } from './compare-exchanges.ts';
import { GeneratedIds } from './generated-ids.ts';
import { type Resend, type ResendPolicy, Samples } from './learn-masks.ts';
import type { ProfileReader } from './profile-reader.ts';

/** Longer bodies are compared by their hash only. */
const COMPARED_BYTES = 16 * 1024 * 1024;

export interface RefreshOptions {
  readonly folder: string;
  readonly matching: Matching;
  readonly lanes: ReadonlyMap<string, LaneFile>;
  /** The masks of the former recording. */
  readonly masks: readonly Mask[];
  /** What the profile reads; without it ids are recognised only by their form. */
  readonly profileReader?: ProfileReader | undefined;
}

/** How many responses to requests for no operation are compared. */
const MAX_WITHOUT_OPERATION = 40;

const NO_HEADERS: ReadonlySet<string> = new Set();

export class Rerecording {
  readonly #options: RefreshOptions;
  readonly #generatedIds: GeneratedIds;
  readonly #samples = new Samples();
  /** Side files of the former recording. */
  readonly #formerFiles: ReadonlySet<string>;
  #masks: readonly Mask[];
  /** Masks learned while recording. */
  #learned: readonly Mask[] = [];
  readonly #withoutOperation: LoadedResponse[] = [];
  /** The collection of the former ids, started with the first response. */
  #collectedIds: Promise<void> | undefined;

  constructor(options: RefreshOptions) {
    this.#options = options;
    this.#masks = options.masks;
    this.#formerFiles = new Set(filesIn(join(options.folder, BODIES)));
    this.#generatedIds = new GeneratedIds({
      profileReader: options.profileReader,
      readBodyText: this.#readBodyText,
      store: (text) => this.#store(text),
    });
  }

  /** All masks known so far. */
  get masks(): readonly Mask[] {
    return this.#masks;
  }

  /** A body as Latin-1; undefined if it is not text, or too long. */
  readonly #readBodyText: ReadBodyText = (body) => {
    const text = storedBytes(this.#options.folder, body, COMPARED_BYTES)?.toString('latin1');
    return 'file' in body && text?.includes('\0') ? undefined : text;
  };

  readonly #load = (response: RecordedResponse): LoadedResponse => loadResponse(response, this.#readBodyText);

  async #store(text: string): Promise<StoredBody | undefined> {
    const sink = new BodySink(this.#options.folder);
    await sink.write([Buffer.from(text, 'latin1')]);
    return sink.end();
  }

  /** The exchange with the generated ids of the former recording, and with the key of the changed request. */
  async withPreviousIds(exchange: UnorderedExchange): Promise<UnorderedExchange> {
    const translated = await this.#generatedIds.translate(exchange);
    if (translated === exchange) return exchange;
    const { matching } = this.#options;
    const { method, url, headers, body } = translated.request;
    const text = body === exchange.request.body ? undefined : body && this.#readBodyText(body);
    const formerBody = exchange.key.split('\n').slice(1 + matching.headers.length);
    const key = requestKey(
      {
        method,
        target: targetOf({ url }),
        headers,
        body: text === undefined ? formerBody.join('\n') : Buffer.from(text, 'latin1'),
      },
      matching,
    );
    return { ...translated, key };
  }

  /** Adds a response to its lane, or leaves the former entry in place if the response is unchanged. */
  async addTo(lane: LaneFile, entry: HarEntry, exchange: UnorderedExchange): Promise<void> {
    const found = lane.formerOf(entry._id);
    const former = found && fromHarEntry(found);
    this.#collectedIds ??= this.#collectIds();
    await this.#collectedIds;
    const learned = await this.#generatedIds.learn(exchange, former?.response);
    if (former && (await this.#isUnchanged(former, learned))) return lane.keepFormer(entry._id);
    lane.add(learned === exchange ? entry : { ...entry, ...toHarEntry({ ...learned, order: 0 }, entry._id) });
  }

  /** Collects the job ids of the former recording, so that no other job gets one of them. */
  async #collectIds(): Promise<void> {
    const { lanes, profileReader } = this.#options;
    if (!profileReader) return;
    for (const lane of lanes.values())
      for (const entry of lane.formerEntries()) {
        const { operation, response } = fromHarEntry(entry);
        if (!operation || !response || operationOf(operation).safety === 'read') continue;
        for (const id of (await profileReader.idsIn(operation, this.#load(response))) ?? [])
          this.#generatedIds.reserve(id);
      }
  }

  async #isUnchanged(
    former: RecordedExchange,
    current: UnorderedExchange,
    additionallyMasked: ReadonlySet<string> = NO_HEADERS,
  ): Promise<boolean> {
    const { profileReader } = this.#options;
    const { operation } = current;
    const masked = new Set([...placesFor(this.#masks, operation), ...additionallyMasked]);
    const read = (operation && profileReader?.headersOf(operation)) ?? NO_HEADERS;
    const change = compareExchanges(
      former,
      { ...current, order: former.order },
      { masked, readHeaders: read, readBodyText: this.#readBodyText },
    );
    if (change !== 'masked' || !profileReader || !operation || !former.response || !current.response)
      return change !== 'other';
    const values = (response: RecordedResponse) => profileReader.valuesOf(operation, this.#load(response));
    return (await values(former.response)) === (await values(current.response));
  }

  /** Stores the exchange as a sample of which the request can be sent again. */
  addSample(id: string, { operation, response, failure }: UnorderedExchange, again: Resend | undefined): void {
    if (!response || failure) return;
    if (!operation) this.#learnWithoutOperation(response);
    else if (again) this.#samples.add({ operation, id, response, resend: again });
  }

  /** Responses to requests for no operation hold no data: every difference between them is volatile. */
  #learnWithoutOperation(response: RecordedResponse): void {
    const isLong = response.body !== undefined && 'file' in response.body;
    if (response.status < 400 || isLong || this.#withoutOperation.length >= MAX_WITHOUT_OPERATION) return;
    const current = this.#load(response);
    const places = this.#withoutOperation.flatMap((before) => differingPlaces(before, current, isVolatileHeader));
    this.#withoutOperation.push(current);
    this.#learned = joinMasks(
      this.#learned,
      places.map((where): Mask => ({ operation: NO_OPERATION, where })),
    );
  }

  /** Sends some requests a second time and learns the places that differ. */
  async learn(policy: ResendPolicy): Promise<void> {
    const { profileReader } = this.#options;
    const learned = await this.#samples.learn({ ...policy, profileReader, load: this.#load });
    this.#masks = joinMasks(this.#masks, this.#learned, learned);
  }

  /** Compares all changed entries again with the final masks, and removes side files that no entry names. */
  async finish(): Promise<void> {
    const now = Date.now();
    for (const lane of this.#options.lanes.values())
      await lane.restoreEqual(async (before, after) => {
        const [former, recorded] = [fromHarEntry(before), fromHarEntry(after)];
        if (await this.#isUnchanged(former, recorded)) return true;
        const timestamps =
          former.response && recorded.response
            ? timestampPlaces(this.#load(former.response), this.#load(recorded.response), now)
            : [];
        if (timestamps.length === 0 || !(await this.#isUnchanged(former, recorded, new Set(timestamps)))) return false;
        const { operation = NO_OPERATION } = recorded;
        this.#masks = joinMasks(
          this.#masks,
          timestamps.map((where) => ({ operation, where })),
        );
        return true;
      });
    await this.#removeUnnamedFiles();
  }

  async #removeUnnamedFiles(): Promise<void> {
    const { folder, lanes } = this.#options;
    if (!(await removeUnnamedFiles(folder, lanes, this.#formerFiles))) return;
    if (this.#formerFiles.size === 0 && (await readdir(join(folder, BODIES)).catch(() => ['none'])).length === 0)
      await rm(join(folder, BODIES), { recursive: true });
  }
}

/** Removes side files that no lane names, except for some; returns whether there were others than those. */
export async function removeUnnamedFiles(
  folder: string,
  lanes: ReadonlyMap<string, LaneFile>,
  kept: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const files = filesIn(join(folder, BODIES)).filter((each) => SIDE_FILE.test(each) && !kept.has(each));
  if (files.length === 0) return false;
  const named = new Set([...lanes.values()].flatMap((lane) => [...lane.sideFiles()]));
  for (const each of files) if (!named.has(each)) await rm(join(folder, BODIES, each), { force: true });
  return true;
}
const SIDE_FILE = /^sha256-[0-9a-f]{64}$/;

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
