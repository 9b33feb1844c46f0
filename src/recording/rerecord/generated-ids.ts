/**
 * Values that a service generates for each request, such as job ids and next-page tokens. Recording again replaces each one
 * by the former value at the same place, in the response that issues it and in every later request and response, so that
 * requests keep their keys. The first recording holds the original values.
 */
import { type OperationKey, operationOf } from '../../contract/index.ts';
import { type HeaderLines, mediaTypeOf } from '../../exchange/headers.ts';
import { looksGenerated } from '../../secrets/credential-heuristics.ts';
import { MultiSearch } from '../../secrets/multi-search.ts';
import { type LoadedResponse, loadResponse, type ReadBodyText, withText } from '../format/loaded-response.ts';
import { valuePairsOf, withOtherValues } from '../format/masks.ts';
import type { RecordedRequest, RecordedResponse, StoredBody } from '../format/recorded-exchange.ts';
import type { UnorderedExchange } from '../store/polly-adapter.ts';
import {
  differingParts,
  type EditableMessage,
  ENCODINGS,
  encodedForUrl,
  firstReplacement,
  pairIdsWithoutProfile,
  unusedVariant,
} from './generated-id-values.ts';
import type { ProfileReader } from './profile-reader.ts';

/** The replacement of a search word: in a text, or as a part of a URL or form. */
interface Replacement {
  readonly text: Buffer;
  readonly address: Buffer;
}

const isForm = (lines: HeaderLines): boolean => mediaTypeOf(lines).type === 'application/x-www-form-urlencoded';

export interface GeneratedIdsOptions {
  readonly profileReader?: ProfileReader | undefined;
  readonly readBodyText: ReadBodyText;
  /** Stores a text as a body. */
  readonly store: (text: string) => Promise<StoredBody | undefined>;
}

export class GeneratedIds {
  readonly #options: GeneratedIdsOptions;
  /** Ids that are replaced wherever they occur. */
  readonly #longIds = new MultiSearch<Replacement>();
  /** Short ids, which may also be other values: replaced only where the profile reads or writes an id. */
  readonly #shortIds = new Map<string, string>();
  /** Ids in use in the recording: no other id may be replaced by one of them. */
  readonly #usedIds = new Set<string>();
  /** Ids as issued by the service. */
  readonly #issuedIds = new Set<string>();

  constructor(options: GeneratedIdsOptions) {
    this.#options = options;
  }

  /** Marks an id of the former recording as in use. */
  reserve(id: string): void {
    this.#usedIds.add(id);
  }

  #learn(issued: string, former: string): void {
    if (this.#issuedIds.has(issued)) return;
    this.#issuedIds.add(issued);
    this.#usedIds.add(former);
    if (issued === former) return;
    if (!looksGenerated(issued) && !/^https?:\/\//.test(issued)) {
      this.#shortIds.set(issued, former);
      return;
    }
    for (const encode of ENCODINGS) {
      const text = Buffer.from(encode(former));
      const replacement = { text, address: encode(issued) === issued ? Buffer.from(encodedForUrl(former)) : text };
      this.#longIds.add(Buffer.from(encode(issued)), replacement, 'word');
    }
  }

  /** The Latin-1 text with all long ids replaced. */
  #text(text: string, context: keyof Replacement = 'text'): string {
    if (this.#longIds.size === 0) return text;
    const bytes = Buffer.from(text, 'latin1');
    const parts: Buffer[] = [];
    let read = 0;
    for (
      let hit = this.#longIds.find(bytes, 0, bytes.length);
      hit;
      hit = this.#longIds.find(bytes, read, bytes.length)
    ) {
      parts.push(bytes.subarray(read, hit.start), hit.value[context]);
      read = hit.end;
    }
    return parts.length === 0 ? text : Buffer.concat([...parts, bytes.subarray(read)]).toString('latin1');
  }

  readonly #lines = (lines: HeaderLines): HeaderLines => lines.map(([name, value]) => [name, this.#text(value)]);

  /** The exchange with all known generated ids replaced by those of the former recording. */
  async translate(exchange: UnorderedExchange): Promise<UnorderedExchange> {
    if (this.#longIds.size === 0 && this.#shortIds.size === 0) return exchange;
    const { operation } = exchange;
    const request = await this.#request(exchange.request, operation);
    const response = exchange.response && (await this.#response(exchange.response, operation));
    return { ...exchange, request, ...(response && { response }) };
  }

  async #request(recorded: RecordedRequest, operation: OperationKey | undefined): Promise<RecordedRequest> {
    const { profileReader, readBodyText, store } = this.#options;
    const original = (recorded.body && readBodyText(recorded.body)) ?? '';
    const { url, headers, text } = await this.#withShortIds(
      {
        url: this.#text(recorded.url, 'address'),
        headers: this.#lines(recorded.headers),
        text: this.#text(original, isForm(recorded.headers) ? 'address' : 'text'),
      },
      async (each) => (operation && profileReader?.idsSent(operation, each)) ?? [],
    );
    const body = text === original ? recorded.body : await store(text);
    return { ...recorded, url, headers, ...(body && { body }) };
  }

  async #response(recorded: RecordedResponse, operation: OperationKey | undefined): Promise<RecordedResponse> {
    const { profileReader, readBodyText, store } = this.#options;
    const { text: original = '', ...rest } = loadResponse(recorded, readBodyText);
    const loaded = (message: { readonly headers: HeaderLines; readonly text: string }): LoadedResponse =>
      withText({ ...rest, headers: message.headers, text: message.text }, message.text);
    const { headers, text } = await this.#withShortIds(
      { headers: this.#lines(recorded.headers), text: this.#text(original) },
      async (each) => (operation && (await profileReader?.idsIn(operation, loaded(each)))) ?? [],
    );
    const body = text === original ? recorded.body : await store(text);
    return { ...recorded, headers, ...(body && { body }) };
  }

  /** Replaces the short ids where the profile reads them, one after the other. @param idsOf what it reads from a message */
  async #withShortIds<M extends EditableMessage>(
    message: M,
    idsOf: (message: M) => Promise<readonly string[]>,
  ): Promise<M> {
    if (this.#shortIds.size === 0) return message;
    let changed = message;
    for (const id of new Set(await idsOf(message))) {
      const former = this.#shortIds.get(id);
      if (former === undefined) continue;
      const count = async (each: M, wanted: string) => (await idsOf(each)).filter((found) => found === wanted).length;
      for (let remaining = await count(changed, id); remaining > 0; remaining = await count(changed, id)) {
        const isBetter = async (each: M): Promise<boolean> =>
          (await count(each, id)) < remaining && (await count(each, former)) > 0;
        const replaced = await firstReplacement(id, former, changed, isBetter);
        if (!replaced) break;
        changed = replaced;
      }
    }
    return changed;
  }

  /**
   * Learns the ids that a response issues by comparison with the former response, and returns the exchange with the former
   * ids.
   * @param former the response at this position of the former recording
   */
  async learn(exchange: UnorderedExchange, former: RecordedResponse | undefined): Promise<UnorderedExchange> {
    const { operation, response } = exchange;
    if (operation === undefined || !response) return exchange;
    const pairs = await this.#pairs(operation, response, former);
    const known = this.#longIds.size + this.#shortIds.size;
    for (const [issued, formerId] of pairs) this.#learn(issued, formerId);
    const learned = this.#longIds.size + this.#shortIds.size > known;
    const translated = learned ? await this.#response(response, operation) : response;
    const aligned = former && this.#shortIds.size > 0 ? await this.#align(translated, former) : translated;
    return aligned === response ? exchange : { ...exchange, response: aligned };
  }

  /** Replaces short ids where the former response holds theirs at the same place: `accepted 17`, `/jobs/17`. */
  async #align(response: RecordedResponse, former: RecordedResponse): Promise<RecordedResponse> {
    const { readBodyText, store } = this.#options;
    const [currentResponse, formerResponse] = [
      loadResponse(response, readBodyText),
      loadResponse(former, readBodyText),
    ];
    const isFormerId = (issued: string, formerText: string | undefined): boolean =>
      formerText !== undefined &&
      issued !== formerText &&
      issued.replace(/[A-Za-z0-9]+/g, (word) => this.#shortIds.get(word) ?? word) === formerText;
    const headers = response.headers.map(([name, value], at): [string, string] => {
      const formerLine = former.headers[at]?.[1];
      return [name, isFormerId(value, formerLine) ? (formerLine as string) : value];
    });
    const pairs = (valuePairsOf(currentResponse, formerResponse) ?? []).filter(
      ([{ path, value }, before]) => before.path === path && isFormerId(value, before.value),
    );
    if (pairs.length === 0 && headers.every(([, value], at) => value === response.headers[at]?.[1])) return response;
    const text = withOtherValues(currentResponse.text ?? '', formerResponse.text ?? '', pairs);
    const body = pairs.length === 0 ? response.body : await store(text);
    return { ...response, headers, ...(body && { body }) };
  }

  async #pairs(
    operation: OperationKey,
    response: RecordedResponse,
    former: RecordedResponse | undefined,
  ): Promise<(readonly [issued: string, former: string])[]> {
    const { profileReader, readBodyText } = this.#options;
    // A first recording holds the original values.
    if (!former && this.#usedIds.size === 0) return [];
    const [current, formerResponse] = [
      loadResponse(response, readBodyText),
      former && loadResponse(former, readBodyText),
    ];
    if (current.text === undefined) return [];
    const issuedIds = (await profileReader?.idsIn(operation, current)) ?? [];
    const formerIds = (formerResponse && (await profileReader?.idsIn(operation, formerResponse))) ?? [];
    if (issuedIds.length > 0) {
      return issuedIds.flatMap((issued, at) => {
        const formerId = formerIds[at];
        if (formerId !== undefined && formerIds.length === issuedIds.length)
          return [[issued, formerId] as const, ...differingParts(issued, formerId)];
        if (operationOf(operation).safety === 'read' || this.#issuedIds.has(issued)) return [];
        return [[issued, unusedVariant(issued, this.#usedIds)] as const];
      });
    }
    return formerResponse ? pairIdsWithoutProfile(operation, current, formerResponse) : [];
  }
}
