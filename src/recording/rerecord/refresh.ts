/** Recording again: what of it is news, and what stays as the former recording has it. */
import { readdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { operationOf } from '../../contract/index.ts';
import { firstHeader } from '../../exchange/headers.ts';
import { isVolatileHeader } from '../../exchange/volatile-headers.ts';
import { fromHarEntry, targetOf, toHarEntry } from '../format/entry.ts';
import { type LoadedResponse, loadResponse, type TextOf } from '../format/loaded-response.ts';
import { joinMasks, type Mask, NO_OPERATION, placesFor } from '../format/masks.ts';
import {
  BODIES,
  PARTIAL_SUFFIX,
  type RecordedExchange,
  type RecordedResponse,
  type StoredBody,
} from '../format/recorded-exchange.ts';
import { canonicalBody, headerInputsOf, type Matching, requestKey } from '../format/request-key.ts';
import type { HarEntry } from '../format/schema.ts';
import type { LaneFile } from '../store/lane-file.ts';
import type { RequestToRecord, UnorderedExchange } from '../store/polly-adapter.ts';
import { readSideFile } from '../store/read-side-file.ts';
import { BodySink } from '../store/side-file.ts';
import { compareExchanges } from './compare-exchanges.ts';
import { GeneratedIds, type ProfileReading } from './generated-ids.ts';
import { type Resend, Samples } from './samples.ts';
import { clockPlaces, differingPlaces } from './volatile-places.ts';

/** How requests can be asked once more. */
export interface ResendPolicy {
  /** How long to wait between two. */
  readonly pauseMs: number;
  /** How many may be sent. */
  readonly most: number;
  /** Ends it early: nothing more is sent. */
  readonly signal?: AbortSignal | undefined;
}

/** Longer bodies are told by their hash alone. */
const COMPARED_BYTES = 16 * 1024 * 1024;

export interface RefreshOptions {
  readonly folder: string;
  readonly matching: Matching;
  readonly lanes: ReadonlyMap<string, LaneFile>;
  /** Those of the former recording. */
  readonly masks: readonly Mask[];
  /** What the profile reads; without it only their looks tell ids from data. */
  readonly reading?: ProfileReading | undefined;
}

/** More answers about paths that do not exist teach nothing. */
const MOST_ELSEWHERE = 40;

const NO_HEADERS: ReadonlySet<string> = new Set();

export class RecordingRefresh {
  readonly #options: RefreshOptions;
  readonly #minted: GeneratedIds;
  readonly #samples = new Samples();
  /** Side files that were there before. */
  readonly #had: ReadonlySet<string>;
  #masks: readonly Mask[];
  /** Learned on the way. */
  #learned: readonly Mask[] = [];
  readonly #elsewhere: LoadedResponse[] = [];
  /** Ids of the former recording are looked for once something is minted. */
  #tookIds: Promise<void> | undefined;

  constructor(options: RefreshOptions) {
    this.#options = options;
    this.#masks = options.masks;
    this.#had = new Set(filesIn(join(options.folder, BODIES)));
    this.#minted = new GeneratedIds({
      reading: options.reading,
      textOf: this.#textOf,
      store: (text) => this.#store(text),
    });
  }

  /** All masks known by now. */
  get masks(): readonly Mask[] {
    return this.#masks;
  }

  /** A body as Latin-1; undefined: it is no text, or too long. */
  readonly #textOf: TextOf = (body) => {
    if ('text' in body) return Buffer.from(body.text).toString('latin1');
    if (body.bytes > COMPARED_BYTES) return undefined;
    const text = readSideFile(this.#options.folder, body).toString('latin1');
    return text.includes('\0') ? undefined : text;
  };

  readonly #open = (response: RecordedResponse): LoadedResponse => loadResponse(response, this.#textOf);

  async #store(text: string): Promise<StoredBody | undefined> {
    const sink = new BodySink(this.#options.folder);
    await sink.write([Buffer.from(text, 'latin1')]);
    return sink.end();
  }

  /** The exchange with minted values as the former recording has them, and its key made of them. */
  async translate(exchange: UnorderedExchange): Promise<UnorderedExchange> {
    const told = await this.#minted.translate(exchange);
    if (told === exchange) return exchange;
    const { matching } = this.#options;
    const { method, url, headers, body } = told.request;
    const text = body === exchange.request.body ? undefined : body && this.#textOf(body);
    const asked = exchange.key.split('\n').slice(1 + matching.headers.length);
    const key = requestKey(
      {
        method,
        target: targetOf({ url }),
        headers,
        body:
          text === undefined
            ? asked.join('\n')
            : canonicalBody(Buffer.from(text, 'latin1'), firstHeader(headers, 'content-type')),
      },
      matching,
    );
    return { ...told, key };
  }

  /** What Polly is told of a translated request. */
  told({ key, request: { url, headers } }: UnorderedExchange): Pick<RequestToRecord, 'target' | 'inputs' | 'body'> {
    const { matching } = this.#options;
    const inputs = headerInputsOf({ target: url, headers }, matching);
    const [, ...behind] = key.split('\n');
    return {
      target: targetOf({ url }),
      inputs: Object.fromEntries(inputs),
      body: behind.slice(matching.headers.length).join('\n'),
    };
  }

  /** Puts an answer into its lane: as the former recording has it where it says nothing new. */
  async place(lane: LaneFile, entry: HarEntry, exchange: UnorderedExchange): Promise<void> {
    const found = lane.formerOf(entry._id);
    const former = found && fromHarEntry(found);
    this.#tookIds ??= this.#takeIds();
    await this.#tookIds;
    const learned = await this.#minted.learn(exchange, former?.response);
    if (former && (await this.#saysNothingNew(former, learned))) return lane.keepFormer(entry._id);
    lane.add(learned === exchange ? entry : { ...entry, ...toHarEntry({ ...learned, order: 0 }, entry._id) });
  }

  /** No job may be written with the id of another one that is kept. */
  async #takeIds(): Promise<void> {
    const { lanes, reading } = this.#options;
    if (!reading) return;
    for (const lane of lanes.values())
      for (const entry of lane.formerEntries()) {
        const { operation, response } = fromHarEntry(entry);
        if (!operation || !response || operationOf(operation).safety === 'read') continue;
        for (const id of (await reading.idsIn(operation, this.#open(response))) ?? []) this.#minted.take(id);
      }
  }

  async #saysNothingNew(
    former: RecordedExchange,
    now: UnorderedExchange,
    more: ReadonlySet<string> = NO_HEADERS,
  ): Promise<boolean> {
    const { reading } = this.#options;
    const { operation } = now;
    const masked = new Set([...placesFor(this.#masks, operation), ...more]);
    const read = (operation && reading?.headersOf(operation)) ?? NO_HEADERS;
    const novelty = compareExchanges(former, { ...now, order: former.order }, { masked, read, textOf: this.#textOf });
    if (novelty !== 'masked' || !reading || !operation || !former.response || !now.response) return novelty !== 'other';
    const values = (response: RecordedResponse) => reading.valuesOf(operation, this.#open(response));
    return (await values(former.response)) === (await values(now.response));
  }

  /** Remembers how to ask once more. */
  offer(id: string, { operation, response, failure }: UnorderedExchange, again: Resend | undefined): void {
    if (!response || failure) return;
    if (!operation) this.#lookElsewhere(response);
    else if (again) this.#samples.offer({ operation, id, response, again });
  }

  /** Answers about paths that do not exist hold no data: what differs between them says nothing, and none is asked twice. */
  #lookElsewhere(response: RecordedResponse): void {
    const isLong = response.body !== undefined && 'file' in response.body;
    if (response.status < 400 || isLong || this.#elsewhere.length >= MOST_ELSEWHERE) return;
    const now = this.#open(response);
    const places = this.#elsewhere.flatMap((before) => differingPlaces(before, now, isVolatileHeader));
    this.#elsewhere.push(now);
    this.#learned = joinMasks(
      this.#learned,
      places.map((where): Mask => ({ operation: NO_OPERATION, where })),
    );
  }

  /** Asks some requests a second time and learns what differs. */
  async learn(ask: ResendPolicy): Promise<void> {
    const { reading } = this.#options;
    const learned = await this.#samples.learn({ ...ask, reading, open: this.#open });
    this.#masks = joinMasks(this.#masks, this.#learned, learned);
  }

  /** Goes through what seemed to be news once more, with all masks, and gives up side files that nobody names. */
  async settle(): Promise<void> {
    const now = Date.now();
    for (const lane of this.#options.lanes.values())
      await lane.restoreEqual(async (before, after) => {
        const [former, anew] = [fromHarEntry(before), fromHarEntry(after)];
        if (await this.#saysNothingNew(former, anew)) return true;
        const clocks =
          former.response && anew.response
            ? clockPlaces(this.#open(former.response), this.#open(anew.response), now)
            : [];
        if (clocks.length === 0 || !(await this.#saysNothingNew(former, anew, new Set(clocks)))) return false;
        const { operation = NO_OPERATION } = anew;
        this.#masks = joinMasks(
          this.#masks,
          clocks.map((where) => ({ operation, where })),
        );
        return true;
      });
    await this.#sweep();
  }

  async #sweep(): Promise<void> {
    const { folder, lanes } = this.#options;
    const anew = filesIn(join(folder, BODIES)).filter((file) => !this.#had.has(file) && !file.endsWith(PARTIAL_SUFFIX));
    if (anew.length === 0) return;
    const named = new Set([...lanes.values()].flatMap((lane) => [...lane.sideFiles()]));
    for (const file of anew) if (!named.has(file)) await rm(join(folder, BODIES, file), { force: true });
    if (this.#had.size === 0 && (await readdir(join(folder, BODIES)).catch(() => ['none'])).length === 0)
      await rm(join(folder, BODIES), { recursive: true });
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
