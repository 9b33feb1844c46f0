/** Sends the requests of the learner, and decodes each response into a document as selectors see it. */
import { createLiveSource } from '../client/live-source.ts';
import { type OperationKey, operationOf, SAFETY_LADDER, type SafetyClass } from '../contract/index.ts';
import { firstHeader, linkOf } from '../exchange/headers.ts';
import { buildRequest } from '../exchange/request.ts';
import type { Exchange, ResponseHead, WireRequest } from '../exchange/types.ts';
import { clientAuthOf } from '../profile/auth-schemes.ts';
import { checkProfile } from '../profile/check-profile.ts';
import type { Profile, RequestTemplate, ResponseProfile } from '../profile/schema.ts';
import { compileSelector } from '../profile/selector.ts';
import type { Inputs } from '../profile/template.ts';
import { decodeBody } from '../reading/decode.ts';
import { type Media, mediaOf } from '../reading/media.ts';
import { parsePartialJson } from '../reading/partial-json.ts';
import { BodyError } from '../reading/problem.ts';
import type { CsvForm } from '../reading/reader-types.ts';
import { READERS } from '../reading/readers.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { findRefusalIn, isRefusalBy, type SeenRefusal } from './refusals.ts';
import type { LearnOptions } from './types.ts';

/** A 2xx response with a body that could be decoded, or a refusal with its text. */
export interface Answer {
  readonly operation: OperationKey;
  readonly request: RequestTemplate;
  readonly inputs: Inputs;
  readonly url: string;
  readonly head: ResponseHead;
  /** A 2xx that is no refusal. */
  readonly isSuccess: boolean;
  /** What shows that a 2xx is a refusal. */
  readonly refusal?: SeenRefusal | undefined;
  readonly media?: Media | undefined;
  /** How a CSV body is written, where it differs from the default. */
  readonly csv?: CsvForm | undefined;
  /** As selectors see it; undefined if the body cannot be decoded. */
  readonly document?: unknown;
  /** The cells of CSV lines that are no rows. */
  readonly lines?: readonly (readonly string[])[] | undefined;
  /** The first characters of the body. */
  readonly text: string;
  /** The body is longer than what is read of it. */
  readonly isPartial?: true | undefined;
}

export interface Asker {
  /** What the start states for operations, with the values of its variables. */
  readonly stated: NonNullable<Profile['data']['operations']>;
  /** Sends a request; undefined if a limit, a class of operations or the network prevents it. Equal requests are sent once. */
  ask(operation: OperationKey, request: RequestTemplate, inputs?: Inputs): Promise<Answer | undefined>;
  /** Follows the address of a next page on the same origin. */
  follow(answer: Answer, target: string): Promise<Answer | undefined>;
  readonly answered: ReadonlySet<OperationKey>;
  /** Whether every response so far refuses the credentials, or there is none. */
  isDenied(): boolean;
  /** Every answer that is a success, in the order of the requests. */
  successes(): readonly Answer[];
  /** Every answer to an operation, in the order of the requests. */
  answersOf(operation: OperationKey): readonly Answer[];
  /** The 2xx responses that are refusals. */
  readonly refusals: readonly SeenRefusal[];
  /** Takes all answers, earlier and later ones, for refusals to which a condition applies. */
  addRefusal(condition: SeenRefusal): void;
  readonly requests: () => number;
  readonly bytes: () => number;
  readonly isLimitReached: () => boolean;
  readonly received: readonly ReceivedCredential[];
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;
const WHOLE = compileSelector('$');
const GENTLE_RATE = 10;

/** Creates an asker for a start profile. */
export function createAsker(options: LearnOptions): Asker {
  const { base, description, safety = 'read', onProgress } = options;
  const maxRequests = options.maxRequests ?? (description ? 150 : 300);
  const profile = checkProfile(options.start, 'learn', { env: process.env, unset: 'refuse' }) as Profile;
  const answered = new Set<OperationKey>();
  const received: ReceivedCredential[] = [];
  const refusals: SeenRefusal[] = [];
  const conditions: SeenRefusal[] = [];
  const known = new Map<string, Answer | undefined>();
  let [requests, bytes, isLimitReached, isDenied, current] = [0, 0, false, true, ''];
  const source = createLiveSource({
    ...profile.data.limits,
    ...options.network,
    base,
    ...clientAuthOf(profile.data),
    maxRequests,
    maxBodyBytes: MAX_BODY_BYTES,
    stopAfterRefusals: Number.POSITIVE_INFINITY,
    ...rateOf(options, profile),
    ...(options.signal && { signal: options.signal }),
    ...(options.wait && { wait: options.wait }),
    onRequest: () => {
      requests++;
      onProgress?.(requests, current);
    },
    onCredential: (credential) => received.push(credential),
  });

  /** An answer, as the conditions so far judge it. */
  const judged = (answer: Answer): Answer => {
    const refusal = answer.isSuccess ? conditions.find((each) => isRefusalBy(each, answer.document)) : undefined;
    return refusal ? { ...answer, isSuccess: false, refusal } : answer;
  };

  async function send(
    wire: WireRequest,
    about: Pick<Answer, 'operation' | 'request' | 'inputs'>,
  ): Promise<Answer | undefined> {
    if (isLimitReached || options.signal?.aborted || bytes > (options.maxBytes ?? MAX_BYTES)) {
      isLimitReached = true;
      return undefined;
    }
    current = about.operation;
    const exchange = await source.send(wire);
    bytes += exchange.body.bytes;
    isDenied &&= [401, 403, undefined].includes(exchange.response?.status);
    isLimitReached = exchange.failure?.kind === 'budget';
    const answer =
      exchange.response &&
      judged({ ...about, url: exchange.request.url, ...(await decoded(exchange, about.operation)) } as Answer);
    if (answer?.isSuccess) answered.add(about.operation);
    if (answer?.refusal) refusals.push(answer.refusal);
    return answer;
  }

  return {
    stated: profile.data.operations ?? {},
    answered,
    successes: () =>
      [...known.values()].filter((each): each is Answer => each?.isSuccess === true && each.document !== undefined),
    answersOf: (operation) => [...known.values()].filter((each) => each?.operation === operation) as Answer[],
    refusals,
    addRefusal(condition) {
      conditions.push(condition);
      refusals.push(condition);
      for (const [key, answer] of known) if (answer) known.set(key, judged(answer));
    },
    received,
    requests: () => Math.min(requests, maxRequests),
    bytes: () => bytes,
    isLimitReached: () => isLimitReached,
    isDenied: () => isDenied,
    close: () => source.close(),
    async ask(operation, request, inputs = {}) {
      if (!(SAFETY_LADDER[safety] as readonly SafetyClass[]).includes(operationOf(operation).safety)) return undefined;
      const wire = buildRequest(base, operation, profile, inputs, { request });
      const key = JSON.stringify([wire.url, wire.headers, Buffer.from(wire.body ?? []).toString()]);
      if (!known.has(key)) known.set(key, await send(wire, { operation, request, inputs }));
      return known.get(key);
    },
    async follow(answer, target) {
      if (!URL.canParse(target, answer.url) || new URL(target, answer.url).origin !== new URL(base).origin)
        return undefined;
      const { operation, request, inputs } = answer;
      const wire = buildRequest(base, operation, profile, inputs, { request });
      return send({ ...wire, url: new URL(target, answer.url).href }, { operation, request, inputs });
    },
  };
}

/** A gentle rate for a service on another machine; the limits of the start replace it. */
function rateOf({ base, network, requestsPerSecond }: LearnOptions, { data }: Profile): { requestsPerSecond?: number } {
  if (requestsPerSecond !== undefined) return { requestsPerSecond };
  const isNear = network?.dispatcherFor !== undefined || /^(localhost|127\.|\[::1\])/.test(new URL(base).hostname);
  return isNear || data.limits?.requestsPerSecond !== undefined ? {} : { requestsPerSecond: GENTLE_RATE };
}

type Decoded = Pick<
  Answer,
  'head' | 'isSuccess' | 'refusal' | 'media' | 'csv' | 'document' | 'lines' | 'text' | 'isPartial'
>;

async function decoded({ response, body, failure }: Exchange, operation: OperationKey): Promise<Decoded> {
  const head = response as ResponseHead;
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decodeBody(head, body.chunks(), MAX_BODY_BYTES)) parts.push(part);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
  }
  const bytes = Buffer.concat(parts);
  const text = bytes.toString('utf8', 0, 4096);
  const isSuccess = head.status >= 200 && head.status < 300;
  const media = mediaOfBody(head, text);
  const isPartial = failure?.kind === 'tooLarge' || undefined;
  const base = { head, isSuccess, media, text, ...(isPartial && { isPartial }) };
  if (bytes.length === 0 || !media || media === 'binary') return base;
  if (isPartial && media === 'json') return { ...base, document: parsePartialJson(bytes.toString('utf8')) };
  const csv = media === 'csv' ? csvFormOf(bytes.toString('utf8', 0, 65_536), head) : undefined;
  const read = READERS[media]({
    rowsSelector: undefined,
    otherSelectors: [WHOLE],
    head,
    csv,
    maxRowBytes: MAX_BODY_BYTES,
    maxWholeBytes: MAX_BODY_BYTES,
    onRows: () => undefined,
  });
  try {
    read.push(isPartial ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes);
    const { document, lines } = read.end();
    const mayHaveState = operationOf(operation).kind === 'jobStatus';
    const refusal = isSuccess ? findRefusalIn(document, mayHaveState) : undefined;
    return {
      ...base,
      isSuccess: isSuccess && !refusal,
      csv,
      document,
      ...(lines && { lines }),
      ...(refusal && { refusal }),
    };
  } catch (error) {
    if (error instanceof BodyError) return base;
    throw error;
  }
}

/** The format by Content-Type, or by the first characters where it states none that is read. */
function mediaOfBody(head: ResponseHead, text: string): Media | undefined {
  const stated = mediaOf(undefined, head);
  if (stated && stated !== 'text' && !(stated === 'csv' && /^\s*\{\s*"/.test(text))) return stated;
  if (/^\s*[[{]/.test(text)) return /\}\s*\n\s*\{/.test(text) ? 'ndjson' : 'json';
  if (/^\uFEFF?\s*<[?\w]/.test(text)) return 'xml';
  return stated;
}

/** The declared media of an answer where Content-Type does not say it. */
export const declaredMedia = ({ media, head }: Answer): ResponseProfile['media'] =>
  media !== undefined && (media === 'text' || mediaOf(undefined, head) !== media) ? media : undefined;

const DELIMITERS = [',', ';', '\t', '|'] as const;
const COMMENT = /^(#+|\/\/|--|;;)/;

/** Guesses delimiter and comment lines from the beginning of a CSV text: those by which most lines have as many cells. */
function csvFormOf(text: string, head: ResponseHead): CsvForm | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const comment = COMMENT.exec(lines[0] ?? '')?.[1];
  const records = lines.filter((line) => comment === undefined || !line.startsWith(comment)).slice(0, -1);
  const cellsBy = (delimiter: string) => records.map((line) => line.split(delimiter).length);
  const evenness = (delimiter: string): number => {
    const [first = 1, ...others] = cellsBy(delimiter);
    return first < 2 ? 0 : others.filter((count) => count === first).length * first;
  };
  const [delimiter = ','] = [...DELIMITERS].sort((x, y) => evenness(y) - evenness(x));
  const usual = (firstHeader(head.headers, 'content-type') ?? '').includes('tab-separated') ? '\t' : ',';
  if (delimiter === usual && comment === undefined) return undefined;
  return { ...(delimiter !== usual && { delimiter }), ...(comment !== undefined && { comment: [comment] }) };
}

/** The target of the Link header with a relation; undefined if there is none. */
export const linkIn = ({ head }: Answer, rel: string): string | undefined => linkOf(head.headers, rel);
