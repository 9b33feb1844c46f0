/**
 * Values a service mints anew each time, such as the ids of jobs and the tokens of next pages. In a recording made again
 * each is written as the one that stood in its place before, in the answer that mints it and wherever it is brought back,
 * so that requests keep their keys. The first recording holds what the service said.
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

/** What a profile reads out of exchanges; made where bodies are read. */
export interface ProfileReading {
  /** Everything it reads out of an answer: two answers with the same text mean the same. */
  valuesOf(operation: OperationKey, response: LoadedResponse): Promise<string>;
  /** The ids of jobs and the tokens of next pages that stand in an answer; undefined: it does not say where any would. */
  idsIn(operation: OperationKey, response: LoadedResponse): Promise<readonly string[] | undefined>;
  /** The headers it reads in answers of an operation, in lower case; not the date, which stands in the provenance. */
  headersOf(operation: OperationKey): ReadonlySet<string>;
  /** The ids and tokens that a request brings. */
  idsBrought(operation: OperationKey, request: RecordedRequestText): readonly string[];
}

/** What stands in a needle’s place: in a text, or as a part of an address or form. */
interface Spelled {
  readonly text: Buffer;
  readonly address: Buffer;
}

const isForm = (lines: HeaderLines): boolean => mediaTypeOf(lines).type === 'application/x-www-form-urlencoded';

export interface GeneratedIdsOptions {
  readonly reading?: ProfileReading | undefined;
  readonly textOf: TextOf;
  /** Keeps a text as the body of an answer. */
  readonly store: (text: string) => Promise<StoredBody | undefined>;
}

export class GeneratedIds {
  readonly #options: GeneratedIdsOptions;
  /** What is replaced wherever it stands. */
  readonly #needles = new MultiSearch<Spelled>();
  /** What could be anything else, too, and is replaced only where the profile reads or writes an id. */
  readonly #short = new Map<string, string>();
  /** Ids as the recording has them: no second one may be written like them. */
  readonly #taken = new Set<string>();
  /** As the service says them. */
  readonly #known = new Set<string>();

  constructor(options: GeneratedIdsOptions) {
    this.#options = options;
  }

  /** An id of the former recording. */
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
    for (const spell of ENCODINGS) {
      const text = Buffer.from(spell(was));
      const spelled = { text, address: spell(is) === is ? Buffer.from(inAddress(was)) : text };
      this.#needles.add(Buffer.from(spell(is)), spelled, 'word');
    }
  }

  /** The text, in Latin-1, with everything in it replaced that cannot be anything else. */
  #text(text: string, context: keyof Spelled = 'text'): string {
    if (this.#needles.size === 0) return text;
    const bytes = Buffer.from(text, 'latin1');
    const parts: Buffer[] = [];
    let read = 0;
    for (
      let hit = this.#needles.find(bytes, 0, bytes.length);
      hit;
      hit = this.#needles.find(bytes, read, bytes.length)
    ) {
      parts.push(bytes.subarray(read, hit.start), hit.value[context]);
      read = hit.end;
    }
    return parts.length === 0 ? text : Buffer.concat([...parts, bytes.subarray(read)]).toString('latin1');
  }

  readonly #lines = (lines: HeaderLines): HeaderLines => lines.map(([name, value]) => [name, this.#text(value)]);

  /** The exchange with every minted value that is known by now as the former recording has it. */
  async translate(exchange: UnorderedExchange): Promise<UnorderedExchange> {
    if (this.#needles.size === 0 && this.#short.size === 0) return exchange;
    const { operation } = exchange;
    const request = await this.#request(exchange.request, operation);
    const response = exchange.response && (await this.#response(exchange.response, operation));
    return { ...exchange, request, ...(response && { response }) };
  }

  async #request(given: RecordedRequest, operation: OperationKey | undefined): Promise<RecordedRequest> {
    const was = given.body ? this.#options.textOf(given.body) : '';
    let asked: RecordedRequestText = {
      url: this.#text(given.url, 'address'),
      headers: this.#lines(given.headers),
      text: this.#text(was ?? '', isForm(given.headers) ? 'address' : 'text'),
    };
    const { reading } = this.#options;
    if (reading && operation !== undefined && this.#short.size > 0) {
      for (const id of reading.idsBrought(operation, asked)) {
        const former = this.#short.get(id);
        if (former === undefined) continue;
        const wanted = (each: RecordedRequestText): boolean => {
          const brought = reading.idsBrought(operation, each);
          return brought.includes(former) && !brought.includes(id);
        };
        const { url, text } = asked;
        const places: ReplaceableText<RecordedRequestText>[] = [
          { text: url, change: (changed) => ({ ...asked, url: changed }) },
          ...headerTexts(asked),
          { text, change: (changed) => ({ ...asked, text: changed }) },
        ];
        asked = (await firstReplacement(id, former, places, wanted)) ?? asked;
      }
    }
    const body = asked.text === (was ?? '') ? given.body : await this.#options.store(asked.text);
    return { ...given, url: asked.url, headers: asked.headers, ...(body && { body }) };
  }

  async #response(given: RecordedResponse, operation: OperationKey | undefined): Promise<RecordedResponse> {
    const was = loadResponse(given, this.#options.textOf);
    let answer = withText({ ...was, headers: this.#lines(given.headers) }, this.#text(was.text ?? ''));
    const { reading } = this.#options;
    if (reading && operation !== undefined && this.#short.size > 0) {
      const idsIn = async (each: LoadedResponse) => (await reading.idsIn(operation, each)) ?? [];
      for (const id of new Set(await idsIn(answer))) {
        const former = this.#short.get(id);
        if (former === undefined) continue;
        for (;;) {
          const left = (await idsIn(answer)).filter((each) => each === id).length;
          const wanted = async (each: LoadedResponse): Promise<boolean> =>
            (await idsIn(each)).filter((found) => found === id).length < left;
          const changed = left > 0 ? await firstReplacement(id, former, responseTexts(answer), wanted) : undefined;
          if (!changed) break;
          answer = changed;
        }
      }
    }
    const body = answer.text === (was.text ?? '') ? given.body : await this.#options.store(answer.text ?? '');
    return { ...given, headers: answer.headers, ...(body && { body }) };
  }

  /**
   * Learns what an answer mints by the answer that stood in its place before, and gives it back with that put in.
   * @param former what the former recording holds in this place
   */
  async learn(exchange: UnorderedExchange, former: RecordedResponse | undefined): Promise<UnorderedExchange> {
    const { operation, response } = exchange;
    if (operation === undefined || !response) return exchange;
    const pairs = await this.#pairs(operation, response, former);
    const known = this.#needles.size + this.#short.size;
    for (const [is, was] of pairs) this.#learn(is, was);
    const learned = this.#needles.size + this.#short.size > known;
    const told = learned ? await this.#response(response, operation) : response;
    const aligned = former && this.#short.size > 0 ? await this.#align(told, former) : told;
    return aligned === response ? exchange : { ...exchange, response: aligned };
  }

  /** Puts short ids also where the former answer holds theirs at the very same place: `accepted 17`, `/jobs/17`. */
  async #align(response: RecordedResponse, former: RecordedResponse): Promise<RecordedResponse> {
    const { textOf, store } = this.#options;
    const [now, then] = [loadResponse(response, textOf), loadResponse(former, textOf)];
    const isTheirs = (is: string, was: string | undefined): boolean =>
      was !== undefined && is !== was && is.replace(/[A-Za-z0-9]+/g, (word) => this.#short.get(word) ?? word) === was;
    const headers = response.headers.map(([name, value], at): [string, string] => {
      const was = former.headers[at]?.[1];
      return [name, isTheirs(value, was) ? (was as string) : value];
    });
    const [a, b] = [pathValuesIn(then), pathValuesIn(now)];
    let [text, read] = ['', 0];
    if (a && b && a.length === b.length && now.text !== undefined && then.text !== undefined)
      for (const [at, leaf] of [...b.entries()].sort(([, x], [, y]) => x.start - y.start)) {
        const was = a[at] as PathValue;
        if (leaf.start < 0 || was.where !== leaf.where || !isTheirs(leaf.value, was.value)) continue;
        text += now.text.slice(read, leaf.start) + then.text.slice(was.start, was.end);
        read = leaf.end;
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
    // A first recording holds what the service says.
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
