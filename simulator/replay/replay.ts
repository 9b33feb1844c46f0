/**
 * Serves a recording without network access: no code here can send a request. The fast path is a repeated request: one
 * look-up, one prepared response.
 */
import { createHash, type Hash, hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { headerLinesOf } from '../../src/exchange/headers.ts';
import { operationFinder } from '../../src/exchange/operation-finder.ts';
import { USER_AGENT } from '../../src/exchange/types.ts';
import { type ClientRequest, maxBufferedBytes, secretContextOf } from '../../src/recording/format/describe-request.ts';
import { lanePrefix, MAIN_LANE, nameProblem, nameRule, splitLane } from '../../src/recording/format/names.ts';
import { RecordingError } from '../../src/recording/format/schema.ts';
import { type LaneResponses, type Recording, responsesFor } from '../../src/recording/store/open-recording.ts';
import { SideFileError } from '../../src/recording/store/read-side-file.ts';
import { Protection, type ProtectionOptions } from '../../src/secrets/hide-in-exchange.ts';
import { Cors } from '../http/cors.ts';
import { mayHaveBody } from '../http/half-open.ts';
import { type Access, startLocalServer } from '../http/local-server.ts';
import { readUpload } from '../http/read-upload.ts';
import { ErrorResponder } from './error-responses.ts';
import { EncodedKeys, findRecorded } from './find-recorded.ts';
import { Lane, type Sequence } from './lane-sequence.ts';
import { type Miss, type MissedRequest, missExplainer } from './miss.ts';
import { sendResponse } from './send-response.ts';
import { SideFileCache } from './side-file-cache.ts';

/** How many requests, byte for byte, are cached with their recorded responses. */
const CACHED_REQUESTS = 20_000;
const NO_BODY = Buffer.alloc(0);

export interface ReplayOptions extends Access {
  readonly recording: Recording;
  /** 0 takes any free port. */
  readonly port?: number;
  /** The origin of a replay without a port, which gets its connections from `accept`. */
  readonly origin?: string;
  /** A request sent more often than it was recorded is a miss; by default the last response repeats. */
  readonly strict?: boolean;
  /** The credentials of the clients: hidden as during recording, so that they do not count when requests are matched. */
  readonly protection?: ProtectionOptions;
  /**
   * `exact`: a response recorded with credentials is served only to requests with credentials, and vice versa.
   * `either`, the default: it is also served to the other kind where no other response is recorded.
   */
  readonly credentials?: 'exact' | 'either';
  /** Replaces every recorded `Date` header: where a profile reads the as-of date from it, all responses have one date. */
  readonly date?: string;
  /** The profile as a command line names it, for the command that records a missed request. */
  readonly profile?: string;
  /** Called with every miss. */
  readonly onMiss?: (miss: Miss) => void;
  /** Called with a message for each missed request, once per request. */
  readonly onMessage?: (message: string) => void;
}

export interface Replay {
  /** The base address of the main lane, the service’s base path included. */
  readonly url: string;
  readonly port: number;
  /** The base address of a lane: a recorded one, or a copy of the main one with its own position in each sequence. */
  urlOf(lane: string): string;
  /** How many requests got a miss. */
  missCount(): number;
  /** Serves a connection within the process. */
  accept(socket: Duplex): void;
  close(): Promise<void>;
}

/** The recorded responses to a request. */
interface Hit {
  readonly key: string;
  readonly sequence: Sequence;
  readonly base: string;
  readonly lane: string;
  /** Path and query after the lane prefix. */
  readonly target: string;
  /** The headers with which the request was sent last. */
  sentHeaders: string;
}

/**
 * Starts serving a recording on the loopback address.
 *
 * @example
 * const replay = await startReplay({ recording: openRecording('recordings', 'reference') });
 * await fetch(`${replay.url}/webservices/testService`);
 * await replay.close();
 *
 * @throws an Error when the port is taken
 */
export async function startReplay(options: ReplayOptions): Promise<Replay> {
  const {
    recording,
    port = 0,
    strict = false,
    credentials = 'either',
    date,
    onMessage: report = () => undefined,
  } = options;
  const { folder, about } = recording;
  const { matching, basePath } = about;
  const protection = new Protection({ ...options.protection, keepPlaceholders: true });
  const operationOf = operationFinder(basePath);
  const scrubsUploads = about.redaction.scrubbed?.includes('uploads') ?? false;
  const hasInventedFigures = about.redaction.scrubbed?.includes('figures') ?? false;
  const explain = missExplainer(recording, options.profile);
  const encoded = new EncodedKeys(recording, protection);
  const lanes = new Map<string, Lane>();
  const cache = new Map<string, Hit>();
  const cors = new Cors(options.cors);
  const sendContext = { cors, sideFiles: new SideFileCache() };
  const errors = new ErrorResponder({ cors, report, onMiss: options.onMiss, protection });
  let ownOrigin = '';

  const laneOf = (lane: string): Lane => {
    let known = lanes.get(lane);
    if (!known) {
      const responses: LaneResponses = responsesFor(recording, lane) ?? new Map();
      known = new Lane(responses, {
        folder,
        base: `${ownOrigin}${lanePrefix(lane)}`,
        ...(date !== undefined && { date }),
        hasInventedFigures,
      });
      lanes.set(lane, known);
    }
    return known;
  };

  const missedRequest = ({ headers }: IncomingMessage, key: string, lane: string): MissedRequest => ({
    key,
    lane,
    bySuites: headers['user-agent'] === USER_AGENT,
  });

  const sendNext = (
    request: IncomingMessage,
    response: ServerResponse,
    { key, sequence, base, lane }: Hit,
  ): Promise<void> | undefined => {
    const prepared = sequence.next(strict);
    if (!prepared)
      return void errors.miss(request, response, explain.atItsEnd(missedRequest(request, key, lane), sequence.length));
    return prepared instanceof Promise
      ? prepared.then((each) => sendResponse(each, base, sendContext, request, response))
      : sendResponse(prepared, base, sendContext, request, response);
  };

  /** The body as the request key contains it: whole, or as the hash of its protected bytes. */
  const bodyOf = async (
    request: IncomingMessage,
    received: Omit<ClientRequest, 'body'>,
  ): Promise<ClientRequest['body']> => {
    if (!mayHaveBody(request)) return NO_BODY;
    let long: { readonly hash: Hash; readonly hide: ReturnType<Protection['stream']> } | undefined;
    const operation = scrubsUploads ? operationOf(received.method, received.target) : undefined;
    const upload = await readUpload(request, maxBufferedBytes(operation, { scrubsUploads }), async (chunk) => {
      long ??= { hash: createHash('sha256'), hide: protection.stream(secretContextOf(received, { operationOf })) };
      for (const each of long.hide(chunk)) long.hash.update(each);
    });
    if ('bytes' in upload) return upload.bytes;
    await upload.drain();
    for (const each of long?.hide() ?? []) long?.hash.update(each);
    return { sha256: long?.hash.digest('hex') ?? '' };
  };

  /** All that the key of a request depends on, as received; undefined: its body is too long to tell. */
  const cacheKeyOf = (request: IncomingMessage, body: ClientRequest['body']): string | undefined => {
    if ('sha256' in body) return undefined;
    let cacheKey = `${request.method} ${request.url}`;
    for (const each of matching.headers) cacheKey += `\n${request.headersDistinct[each]?.[0] ?? ''}`;
    if (body.length > 0) cacheKey += `\n${request.headers['content-type'] ?? ''}\n${hash('sha256', body)}`;
    return cacheKey;
  };

  /** The credentials in the headers of a repeated request become known, as those of the first one. */
  const noteHeaders = ({ method = '', rawHeaders }: IncomingMessage, hit: Hit): void => {
    const sent = rawHeaders.join('\n');
    if (sent === hit.sentHeaders) return;
    hit.sentHeaders = sent;
    const headers = headerLinesOf(rawHeaders);
    protection.headers(headers, secretContextOf({ method, target: hit.target, headers }, { operationOf }));
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const split = splitLane(request.url ?? '');
    if (!split) {
      response.writeHead(400, { 'content-type': 'text/plain', 'x-mdwi-replay': 'bad-target' });
      response.end(`the name of a lane, after /~/, ${nameRule('lane')}\n`);
      return;
    }
    const received = {
      method: request.method ?? 'GET',
      target: split.target,
      headers: headerLinesOf(request.rawHeaders),
    };
    const body = await bodyOf(request, received);
    const cacheKey = cacheKeyOf(request, body);
    const cached = cacheKey === undefined ? undefined : cache.get(cacheKey);
    if (cached) return respondAgain(request, response, cached);
    const lane = laneOf(split.lane);
    const context = { base: lane.base, protection, matching, operationOf, scrubsUploads };
    let { key, sequence, isAsSent } = findRecorded(lane, { ...received, body }, context, encoded);
    // A client of a replay may lack the credentials of the recording. The suites have them: for them a request that was
    // not recorded without credentials is unknown.
    const matchingKey =
      sequence || credentials === 'exact' ? undefined : lane.keyWithOrWithoutCredentials(key, matching);
    if (matchingKey !== undefined) [key, sequence] = [matchingKey, lane.sequence(matchingKey)];
    if (!sequence)
      return errors.miss(request, response, explain.notRecorded(missedRequest(request, key, split.lane), lane.keys));
    const hit = {
      ...{ key, sequence, base: lane.base, lane: split.lane, target: split.target },
      sentHeaders: request.rawHeaders.join('\n'),
    };
    // How credentials within a body are hidden depends on those known so far.
    if (cacheKey !== undefined && (isAsSent || body === NO_BODY)) {
      if (cache.size >= CACHED_REQUESTS) cache.clear();
      cache.set(cacheKey, hit);
    }
    await sendNext(request, response, hit);
  };

  const respondAgain = (request: IncomingMessage, response: ServerResponse, hit: Hit): Promise<void> | undefined => {
    noteHeaders(request, hit);
    return sendNext(request, response, hit);
  };

  const handleError = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    // A client that closed its connection is not an error of the replay.
    if (request.socket.destroyed || response.destroyed) return;
    if (error instanceof SideFileError && !response.headersSent)
      return void errors.changedSideFile(request, response, error);
    errors.internalError(request, response, error);
  };

  const server = await startLocalServer({
    port,
    origin: options.origin,
    name: 'replay',
    cors,
    allowHosts: options.allowHosts,
    onRequest: (request, response) => {
      const cacheKey = mayHaveBody(request) ? undefined : cacheKeyOf(request, NO_BODY);
      const hit = cacheKey === undefined ? undefined : cache.get(cacheKey);
      try {
        const sent = hit ? respondAgain(request, response, hit) : respond(request, response);
        sent?.catch((error: unknown) => handleError(request, response, error));
      } catch (error) {
        handleError(request, response, error);
      }
    },
  });
  ownOrigin = server.origin;
  const urlOf = (lane: string): string => {
    const problem = nameProblem('lane', lane);
    if (problem) throw new RecordingError(problem);
    return `${ownOrigin}${lanePrefix(lane)}${basePath}`;
  };
  return {
    url: urlOf(MAIN_LANE),
    port: server.port,
    urlOf,
    missCount: () => errors.missCount,
    accept: server.accept,
    close: () => server.close(),
  };
}
