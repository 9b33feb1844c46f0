/**
 * Values that a service generates for each request, such as job ids and next-page tokens. Recording again replaces each one
 * by the former value at the same place, in the response that issues it and in every later request and response, so that
 * requests keep their keys. The first recording holds the original values.
 */
import { type OperationKey, operationOf } from '../../contract/index.ts';
import type { HeaderLines } from '../../exchange/header-lines.ts';
import { mediaTypeOf } from '../../exchange/headers.ts';
import { looksGenerated } from '../../secrets/credential-heuristics.ts';
import { MultiSearch } from '../../secrets/multi-search.ts';
import { type LoadedResponse, loadResponse, type TextOf, withText } from '../format/loaded-response.ts';
import { pathValuesIn } from '../format/masks.ts';
import type { RecordedRequest, RecordedResponse, StoredBody } from '../format/recorded-exchange.ts';
import type { PathValue } from '../format/value-paths.ts';
import type { UnorderedExchange } from '../store/polly-adapter.ts';
import { firstReplacement, headerTexts, type ReplaceableText, responseTexts } from './generated-id-places.ts';
import { differingParts, ENCODINGS, freeForm, inAddress, withoutIds } from './generated-id-values.ts';

/** A request with its body as Latin-1. */
export interface RecordedRequestText {
  readonly url: string;
  readonly headers: HeaderLines;
  readonly text: string;
}

/** The values that a profile reads from exchanges. */
export interface ProfileReading {
  /** All values read from a response, as text: equal texts mean equal responses. */
  valuesOf(operation: OperationKey, response: LoadedResponse): Promise<string>;
  /** The job ids and next-page tokens in a response; undefined if the profile declares no place for them. */
  idsIn(operation: OperationKey, response: LoadedResponse): Promise<readonly string[] | undefined>;
  /** The headers read from responses of an operation, in lower case; without the date, which is in the provenance. */
  headersOf(operation: OperationKey): ReadonlySet<string>;
  /** The ids and tokens in a request. */
  idsSent(operation: OperationKey, request: RecordedRequestText): readonly string[];
}

/** The replacement of a search word: in a text, or as a part of a URL or form. */
interface Replacement {
  readonly text: Buffer;
  readonly address: Buffer;
}

const isForm = (lines: HeaderLines): boolean => mediaTypeOf(lines).type === 'application/x-www-form-urlencoded';

export interface GeneratedIdsOptions {
  readonly reading?: ProfileReading | undefined;
  readonly textOf: TextOf;
  /** Stores a text as a body. */
  readonly store: (text: string) => Promise<StoredBody | undefined>;
}

export class GeneratedIds {
  readonly #options: GeneratedIdsOptions;
  /** Ids that are replaced wherever they occur. */
  readonly #words = new MultiSearch<Replacement>();
  /** Short ids, which may also be other values: replaced only where the profile reads or writes an id. */
  readonly #short = new Map<string, string>();
  /** Ids in use in the recording: no other id may be replaced by one of them. */
  readonly #taken = new Set<string>();
  /** Ids as issued by the service. */
  readonly #known = new Set<string>();

  constructor(options: GeneratedIdsOptions) {
    this.#options = options;
  }

  /** Marks an id of the former recording as in use. */
  take(id: string): void {
    this.#taken.add(id);
  }

  #learn(is: string, was: string): void {
    if (this.#known.has(is)) return;
    this.#known.add(is);
    this.#taken.add(was);
    if (is === was) return;
    if (!looksGenerated(is) && !/^https?:\/\//.test(is)) {
      this.#short.set(is, was);
      return;
    }
    for (const encode of ENCODINGS) {
      const text = Buffer.from(encode(was));
      const replacement = { text, address: encode(is) === is ? Buffer.from(inAddress(was)) : text };
      this.#words.add(Buffer.from(encode(is)), replacement, 'word');
    }
  }

  /** The Latin-1 text with all long ids replaced. */
  #text(text: string, context: keyof Replacement = 'text'): string {
    if (this.#words.size === 0) return text;
    const bytes = Buffer.from(text, 'latin1');
    const parts: Buffer[] = [];
    let read = 0;
    for (let hit = this.#words.find(bytes, 0, bytes.length); hit; hit = this.#words.find(bytes, read, bytes.length)) {
      parts.push(bytes.subarray(read, hit.start), hit.value[context]);
      read = hit.end;
    }
    return parts.length === 0 ? text : Buffer.concat([...parts, bytes.subarray(read)]).toString('latin1');
  }

  readonly #lines = (lines: HeaderLines): HeaderLines => lines.map(([name, value]) => [name, this.#text(value)]);

  /** The exchange with all known generated ids replaced by those of the former recording. */
  async translate(exchange: UnorderedExchange): Promise<UnorderedExchange> {
    if (this.#words.size === 0 && this.#short.size === 0) return exchange;
    const { operation } = exchange;
    const request = await this.#request(exchange.request, operation);
    const response = exchange.response && (await this.#response(exchange.response, operation));
    return { ...exchange, request, ...(response && { response }) };
  }

  async #request(given: RecordedRequest, operation: OperationKey | undefined): Promise<RecordedRequest> {
    const was = given.body ? this.#options.textOf(given.body) : '';
    let changed: RecordedRequestText = {
      url: this.#text(given.url, 'address'),
      headers: this.#lines(given.headers),
      text: this.#text(was ?? '', isForm(given.headers) ? 'address' : 'text'),
    };
    const { reading } = this.#options;
    if (reading && operation !== undefined && this.#short.size > 0) {
      for (const id of reading.idsSent(operation, changed)) {
        const former = this.#short.get(id);
        if (former === undefined) continue;
        const wanted = (each: RecordedRequestText): boolean => {
          const sent = reading.idsSent(operation, each);
          return sent.includes(former) && !sent.includes(id);
        };
        const { url, text } = changed;
        const places: ReplaceableText<RecordedRequestText>[] = [
          { text: url, change: (other) => ({ ...changed, url: other }) },
          ...headerTexts(changed),
          { text, change: (other) => ({ ...changed, text: other }) },
        ];
        changed = (await firstReplacement(id, former, places, wanted)) ?? changed;
      }
    }
    const body = changed.text === (was ?? '') ? given.body : await this.#options.store(changed.text);
    return { ...given, url: changed.url, headers: changed.headers, ...(body && { body }) };
  }

  async #response(given: RecordedResponse, operation: OperationKey | undefined): Promise<RecordedResponse> {
    const was = loadResponse(given, this.#options.textOf);
    let response = withText({ ...was, headers: this.#lines(given.headers) }, this.#text(was.text ?? ''));
    const { reading } = this.#options;
    if (reading && operation !== undefined && this.#short.size > 0) {
      const idsIn = async (each: LoadedResponse) => (await reading.idsIn(operation, each)) ?? [];
      for (const id of new Set(await idsIn(response))) {
        const former = this.#short.get(id);
        if (former === undefined) continue;
        for (;;) {
          const left = (await idsIn(response)).filter((each) => each === id).length;
          const wanted = async (each: LoadedResponse): Promise<boolean> =>
            (await idsIn(each)).filter((found) => found === id).length < left;
          const changed = left > 0 ? await firstReplacement(id, former, responseTexts(response), wanted) : undefined;
          if (!changed) break;
          response = changed;
        }
      }
    }
    const body = response.text === (was.text ?? '') ? given.body : await this.#options.store(response.text ?? '');
    return { ...given, headers: response.headers, ...(body && { body }) };
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
    const known = this.#words.size + this.#short.size;
    for (const [is, was] of pairs) this.#learn(is, was);
    const learned = this.#words.size + this.#short.size > known;
    const translated = learned ? await this.#response(response, operation) : response;
    const aligned = former && this.#short.size > 0 ? await this.#align(translated, former) : translated;
    return aligned === response ? exchange : { ...exchange, response: aligned };
  }

  /** Replaces short ids where the former response holds theirs at the same place: `accepted 17`, `/jobs/17`. */
  async #align(response: RecordedResponse, former: RecordedResponse): Promise<RecordedResponse> {
    const { textOf, store } = this.#options;
    const [now, then] = [loadResponse(response, textOf), loadResponse(former, textOf)];
    const isFormerId = (is: string, was: string | undefined): boolean =>
      was !== undefined && is !== was && is.replace(/[A-Za-z0-9]+/g, (word) => this.#short.get(word) ?? word) === was;
    const headers = response.headers.map(([name, value], at): [string, string] => {
      const was = former.headers[at]?.[1];
      return [name, isFormerId(value, was) ? (was as string) : value];
    });
    const [a, b] = [pathValuesIn(then), pathValuesIn(now)];
    let [text, read] = ['', 0];
    if (a && b && a.length === b.length && now.text !== undefined && then.text !== undefined)
      for (const [at, value] of [...b.entries()].sort(([, x], [, y]) => x.start - y.start)) {
        const was = a[at] as PathValue;
        if (value.start < 0 || was.where !== value.where || !isFormerId(value.value, was.value)) continue;
        text += now.text.slice(read, value.start) + then.text.slice(was.start, was.end);
        read = value.end;
      }
    if (read === 0 && headers.every(([, value], at) => value === response.headers[at]?.[1])) return response;
    const body = read === 0 ? response.body : await store(text + (now.text ?? '').slice(read));
    return { ...response, headers, ...(body && { body }) };
  }

  async #pairs(
    operation: OperationKey,
    response: RecordedResponse,
    former: RecordedResponse | undefined,
  ): Promise<(readonly [is: string, was: string])[]> {
    const { reading, textOf } = this.#options;
    // A first recording holds the original values.
    if (!former && this.#taken.size === 0) return [];
    const [is, was] = [loadResponse(response, textOf), former && loadResponse(former, textOf)];
    if (is.text === undefined) return [];
    const now = (await reading?.idsIn(operation, is)) ?? [];
    const before = (was && (await reading?.idsIn(operation, was))) ?? [];
    if (now.length > 0) {
      return now.flatMap((is, at) => {
        const was = before[at];
        if (was !== undefined && before.length === now.length) return [[is, was] as const, ...differingParts(is, was)];
        if (operationOf(operation).safety === 'read' || this.#known.has(is)) return [];
        return [[is, freeForm(is, this.#taken)] as const];
      });
    }
    return was ? withoutIds(operation, is, was) : [];
  }
}
