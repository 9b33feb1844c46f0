/** Sends the requests of the learner, or answers them from recorded exchanges. */
import { createLiveSource } from '../client/live-source.ts';
import {
  type Input,
  type OperationKey,
  operationOf,
  PAGING_INPUTS,
  SAFETY_LADDER,
  type SafetyClass,
} from '../contract/index.ts';
import { linkOf } from '../exchange/headers.ts';
import { buildRequest } from '../exchange/request.ts';
import type { WireRequest } from '../exchange/types.ts';
import { clientAuthOf } from '../profile/auth-schemes.ts';
import { checkProfile } from '../profile/check-profile.ts';
import type { Profile, RequestTemplate, ResponseProfile } from '../profile/schema.ts';
import type { Inputs } from '../profile/template.ts';
import type { CodeTable } from '../reading/code-table.ts';
import { mediaOf } from '../reading/media.ts';
import type { BodyPlan } from '../reading/read-body.ts';
import { fetchCodeTables } from '../run/code-tables.ts';
import { inlineTables, withCodes } from '../run/coded-values.ts';
import { readingPlanOf } from '../run/fetch-request.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { type ReadAnswer, readAnswer } from './declared/read-answer.ts';
import { MAX_DECODED_BYTES } from './decode-answer.ts';
import { openRecorded, type Recorded } from './recorded/open-recorded.ts';
import type { RecordedOperation } from './recorded/recorded-requests.ts';
import { isRefusalBy, type SeenRefusal } from './refusals.ts';
import type { LearnOptions } from './types.ts';

/** A 2xx response with a body that could be decoded, or a refusal with its text. */
export interface Answer extends ReadAnswer {
  readonly operation: OperationKey;
  readonly request: RequestTemplate;
  readonly inputs: Inputs;
  readonly url: string;
}

export interface Asker {
  /** What the start states for operations, with the values of its variables. */
  readonly stated: NonNullable<Profile['data']['operations']>;
  /** How clients requested operations, if exchanges are recorded. */
  readonly recorded: ReadonlyMap<OperationKey, RecordedOperation>;
  /** The credentials of recorded requests. */
  readonly recordedAuth: Recorded['auth'];
  /** The start. */
  readonly profile: Profile;
  /** How the start reads the responses of an operation. */
  planOf(operation: OperationKey, inputs: Inputs): BodyPlan;
  /** Sends a request; undefined if a limit, a class of operations or the network prevents it. Equal requests are sent once. */
  ask(operation: OperationKey, request: RequestTemplate, inputs?: Inputs): Promise<Answer | undefined>;
  /** Follows the address of a next page on the same origin. */
  follow(answer: Answer, target: string): Promise<Answer | undefined>;
  readonly answered: ReadonlySet<OperationKey>;
  /** Why requests had no response, by operation; none over the limit of requests. */
  readonly failures: ReadonlyMap<OperationKey, string>;
  /** Whether every response so far refuses the credentials, or there is none. */
  isDenied(): boolean;
  /** Every answer that is a success, in the order of the requests. */
  successes(): readonly Answer[];
  /** Every answer to an operation, in the order of the requests. */
  answersOf(operation: OperationKey): readonly Answer[];
  /** The names of parameters for an input that an operation refuses with any value; for pages, also those of its group. */
  unknownNames(operation: OperationKey, input: Input): Set<string>;
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

const MAX_BYTES = 256 * 1024 * 1024;
const GENTLE_RATE = 10;

/** Creates an asker for a start profile: of the service, or of recorded exchanges, where nothing is sent. */
export async function createAsker(options: LearnOptions): Promise<Asker> {
  const { base, description, safety = 'read', onProgress } = options;
  const maxRequests = options.maxRequests ?? (description ? 150 : 300);
  const checked = () =>
    checkProfile(options.start, 'learn', {
      env: process.env,
      unset: options.recorded ? 'keep' : 'refuse',
    }) as Profile;
  const profile = options.profile ?? checked();
  const tables = new Map<string, CodeTable>();
  const recorded = options.recorded && (await openRecorded(base, options.recorded, profile));
  const answered = new Set<OperationKey>();
  const received: ReceivedCredential[] = [];
  const failures = new Map<OperationKey, string>();
  const refusals: SeenRefusal[] = [];
  const conditions: SeenRefusal[] = [];
  const known = new Map<string, Answer | undefined>();
  const unknownNames = new Map<string, Set<string>>();
  let [requests, bytes, isLimitReached, isDenied, current] = [0, 0, false, true, ''];
  const source =
    recorded?.source ??
    createLiveSource({
      ...profile.data.limits,
      ...options.network,
      base,
      ...clientAuthOf(profile.data),
      maxRequests,
      maxBodyBytes: MAX_DECODED_BYTES,
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
    const refusal = answer.isSuccess ? conditions.find((each) => isRefusalBy(each, answer)) : undefined;
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
    const { failure, response } = exchange;
    isLimitReached = failure?.kind === 'budget';
    if (failure && !response && !isLimitReached) failures.set(about.operation, failure.message);
    const answer =
      response &&
      judged({
        ...about,
        url: exchange.request.url,
        ...(await readAnswer(exchange, about.operation, profile)),
      } as Answer);
    if (answer?.isSuccess) answered.add(about.operation);
    if (answer?.refusal) refusals.push(answer.refusal);
    return answer;
  }

  return {
    stated: profile.data.operations ?? {},
    recorded: recorded?.operations ?? new Map(),
    recordedAuth: recorded?.auth,
    profile,
    planOf: (operation, inputs) =>
      readingPlanOf(profile, operation, inputs, new Map([...inlineTables(profile), ...tables])),
    answered,
    failures,
    successes: () =>
      [...known.values()].filter((each): each is Answer => each?.isSuccess === true && each.document !== undefined),
    answersOf: (operation) => [...known.values()].filter((each) => each?.operation === operation) as Answer[],
    unknownNames(operation, input) {
      const isPaging = (PAGING_INPUTS as readonly Input[]).includes(input);
      const key = `${isPaging ? operationOf(operation).group : operation} ${input}`;
      const names = unknownNames.get(key) ?? new Set();
      unknownNames.set(key, names);
      return names;
    },
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
    isDenied: () => isDenied && !recorded,
    close: () => source.close(),
    async ask(operation, request, inputs = {}) {
      const isAllowed = (SAFETY_LADDER[safety] as readonly SafetyClass[]).includes(operationOf(operation).safety);
      if (!isAllowed && !recorded) return undefined;
      const spec = { operation, inputs, variant: { request }, repetition: 0 };
      const coded = withCodes(profile, spec, await fetchCodeTables({ base, profile, source }, spec, tables));
      if (coded.unsendable !== undefined) return undefined;
      const wire = buildRequest(base, operation, profile, { ...inputs, ...coded.sentCodes }, { request });
      const key = JSON.stringify([wire.url, wire.headers, Buffer.from(wire.body ?? []).toString()]);
      const before = known.get(key);
      if (!known.has(key)) known.set(key, await send(wire, { operation, request, inputs }));
      // The same request by a template that spells the value: the inputs are then neutral.
      else if (before && isSpelledAnew(before, inputs)) known.set(key, { ...before, request, inputs });
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

/** Whether inputs have the names of those of an answer, but other values. */
const isSpelledAnew = (answer: Answer, inputs: Inputs): boolean =>
  Object.keys(answer.inputs).join() === Object.keys(inputs).join() &&
  JSON.stringify(answer.inputs) !== JSON.stringify(inputs);

/** A gentle rate for a service on another machine; the limits of the start replace it. */
function rateOf({ base, network, requestsPerSecond }: LearnOptions, { data }: Profile): { requestsPerSecond?: number } {
  if (requestsPerSecond !== undefined) return { requestsPerSecond };
  const isNear = network?.dispatcherFor !== undefined || /^(localhost|127\.|\[::1\])/.test(new URL(base).hostname);
  return isNear || data.limits?.requestsPerSecond !== undefined ? {} : { requestsPerSecond: GENTLE_RATE };
}

/** The declared media of an answer where Content-Type does not say it. */
export const declaredMedia = ({ media, head }: Answer): ResponseProfile['media'] =>
  media !== undefined && (media === 'text' || mediaOf(undefined, head) !== media) ? media : undefined;

/** The target of the Link header with a relation; undefined if there is none. */
export const linkIn = ({ head }: Answer, rel: string): string | undefined => linkOf(head.headers, rel);
