/**
 * Serves a recording, closed to the network: nothing here can send a request. Hot are requests without a body that were
 * asked before: one look-up, one prepared answer.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { USER_AGENT } from '../../src/exchange/types.ts';
import {
  type ClientRequest,
  describeRequest,
  longestHeld,
  type RecordingContext,
  secretContextOf,
} from '../../src/recording/format/describe-request.ts';
import { isLaneName, lanePrefix, MAIN_LANE, splitLane } from '../../src/recording/format/lane-name.ts';
import { operationFinder } from '../../src/recording/format/operation-finder.ts';
import { RecordingError } from '../../src/recording/format/schema.ts';
import { answersFor, type LaneAnswers, type Recording } from '../../src/recording/store/open-recording.ts';
import { SideFileError } from '../../src/recording/store/read-side-file.ts';
import { type MessageContext, Protection, type ProtectionOptions } from '../../src/secrets/protection.ts';
import { Cors } from '../http/cors.ts';
import { mayHaveBody } from '../http/half-open.ts';
import { type Access, startLocalServer } from '../http/local-server.ts';
import { readUpload } from '../http/read-upload.ts';
import { Lane, type Sequence } from './lane-sequence.ts';
import { EncodedKeys } from './match-encoded-credentials.ts';
import { type Miss, type MissResponse, missExplainer } from './miss.ts';
import { sendResponse } from './send-response.ts';

/** How many spellings of requests are remembered with what answers them, and how many misses. */
const REMEMBERED = 20_000;
const MISSES_TOLD = 1_000;

export interface ReplayOptions extends Access {
  readonly recording: Recording;
  /** 0 takes any free port. */
  readonly port?: number;
  /** A request asked more often than it was recorded is a miss; otherwise the last answer repeats. */
  readonly strict?: boolean;
  /** The credentials clients use now: hidden as when it was recorded, so that they are no part of a request. */
  readonly protection?: ProtectionOptions;
  /**
   * `exact`: what was recorded with credentials answers nobody without them, and the other way round. Default `either`:
   * it does where nothing else was recorded.
   */
  readonly credentials?: 'exact' | 'either';
  /** Stands in every recorded `Date` header: where a profile takes the as-of from it, all answers are of one day. */
  readonly date?: string;
  /** The profile as a command line names it, for the command that records what is missed. */
  readonly profile?: string;
  /** Given every miss. */
  readonly onMiss?: (miss: Miss) => void;
  /** Told every miss, once a request. */
  readonly tell?: (message: string) => void;
}

export interface Replay {
  /** The base address of the main lane, the service’s base path included. */
  readonly url: string;
  readonly port: number;
  /** The base address of a lane: one that was recorded, or a copy of the main one with a place of its own. */
  urlOf(lane: string): string;
  /** How many requests were answered with a miss. */
  missed(): number;
  close(): Promise<void>;
}

const linesOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] as string]] : []));

/** Hides nothing. */
const OPENLY: RecordingContext['protection'] = {
  headers: (lines) => lines,
  url: (url) => url,
  bytes: (bytes) => bytes,
};

/** What answers a request. */
interface Hit {
  readonly key: string;
  readonly sequence: Sequence;
  readonly base: string;
  readonly lane: string;
}

/**
 * What was recorded of a request: as it is, else with its credentials hidden as they were then, else with any others in
 * their place. The key is that by which it would have been recorded.
 */
function found(
  lane: Lane,
  asked: ClientRequest,
  door: RecordingContext,
  encoded: EncodedKeys,
): { key: string; sequence: Sequence | undefined } {
  // As when it was recorded: what they say is a credential may stand in later bodies, under other names.
  door.protection.headers(asked.headers, secretContextOf(asked, door));
  const openly = 'sha256' in asked.body ? undefined : describeRequest(asked, { ...door, protection: OPENLY }).key;
  const known = openly === undefined ? undefined : lane.sequence(openly);
  if (openly !== undefined && known) return { key: openly, sequence: known };
  const described = describeRequest(asked, door);
  const { key } = described;
  const sequence = lane.sequence(key);
  const loose = sequence || openly === undefined ? undefined : (lane.looseKey(openly) ?? encoded.find(described));
  return loose === undefined ? { key, sequence } : { key: loose, sequence: lane.sequence(loose) };
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
  const { recording, port = 0, strict = false, credentials = 'either', date, tell = () => undefined } = options;
  const { folder, about } = recording;
  const { matching, basePath } = about;
  const protection = new Protection({ ...options.protection, lookup: true });
  const operationOf = operationFinder(basePath);
  const scrubsUploads = about.redaction.scrubbed?.includes('uploads') ?? false;
  const explain = missExplainer(recording, options.profile);
  const encoded = new EncodedKeys(recording, protection);
  const lanes = new Map<string, Lane>();
  const remembered = new Map<string, Hit>();
  const told = new Set<string>();
  const cors = new Cors(options.cors);
  let own = '';
  let misses = 0;

  const laneOf = (lane: string): Lane => {
    let known = lanes.get(lane);
    if (!known) {
      const answers: LaneAnswers = answersFor(recording, lane) ?? new Map();
      known = new Lane(answers, { folder, base: `${own}${lanePrefix(lane)}`, ...(date !== undefined && { date }) });
      lanes.set(lane, known);
    }
    return known;
  };

  const miss = (request: IncomingMessage, response: ServerResponse, why: Miss): void => {
    misses++;
    options.onMiss?.(why);
    if (!told.has(why.asked) && told.size <= MISSES_TOLD) {
      told.add(why.asked);
      if (told.size <= MISSES_TOLD) tell(`${why.says}; to record it: ${why.record}`);
      else tell(`${MISSES_TOLD} requests were not recorded; further ones are not told`);
    }
    const bytes = Buffer.from(`${JSON.stringify(why, null, 2)}\n`);
    response.writeHead(502, [
      ...['content-type', 'application/json'],
      ...['content-length', `${bytes.length}`],
      ...['x-mdwi-miss', why.miss.replaceAll(' ', '-')],
      ...cors.linesFor(request, new Set()),
    ]);
    response.end(bytes);
  };

  const missed = ({ headers }: IncomingMessage, key: string, lane: string): MissResponse => ({
    key,
    lane,
    bySuites: headers['user-agent'] === USER_AGENT,
  });

  const give = (request: IncomingMessage, response: ServerResponse, { key, sequence, base, lane }: Hit) => {
    const served = sequence.next(strict);
    if (!served) return miss(request, response, explain.atItsEnd(missed(request, key, lane), sequence.length));
    return served instanceof Promise
      ? served.then((each) => sendResponse(each, base, cors, request, response))
      : sendResponse(served, base, cors, request, response);
  };

  /** The body as the key takes it: whole, or by the hash of its protected bytes. */
  const bodyOf = async (
    request: IncomingMessage,
    where: MessageContext,
    most: number,
  ): Promise<Uint8Array | { readonly sha256: string }> => {
    if (!mayHaveBody(request)) return Buffer.alloc(0);
    const hash = createHash('sha256');
    const hide = protection.stream(where);
    const upload = await readUpload(request, most, async (chunk) => {
      for (const each of hide(chunk)) hash.update(each);
    });
    if ('whole' in upload) return upload.whole;
    await upload.drain();
    for (const each of hide()) hash.update(each);
    return { sha256: hash.digest('hex') };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse, spelling?: string): Promise<void> => {
    const split = splitLane(request.url ?? '');
    if (!split) {
      response.writeHead(400, { 'content-type': 'text/plain', 'x-mdwi-replay': 'bad-target' });
      response.end('the lane behind /~/ must have letters, digits, dots and dashes only\n');
      return;
    }
    const lane = laneOf(split.lane);
    const asked = { method: request.method ?? 'GET', target: split.target, headers: linesOf(request.rawHeaders) };
    const door = { base: lane.base, protection, matching, operationOf, scrubsUploads };
    const most = longestHeld(operationOf(asked.method, asked.target), door);
    const body = await bodyOf(request, secretContextOf(asked, door), most);
    let { key, sequence } = found(lane, { ...asked, body }, door, encoded);
    // Who replays need not have what was needed then; a judge has, and what was not asked without it is not known.
    const other = sequence || credentials === 'exact' ? undefined : lane.eitherKey(key, matching);
    if (other !== undefined) [key, sequence] = [other, lane.sequence(other)];
    if (!sequence) return miss(request, response, explain.notRecorded(missed(request, key, split.lane), lane.keys));
    const hit = { key, sequence, base: lane.base, lane: split.lane };
    if (spelling !== undefined) {
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(spelling, hit);
    }
    await give(request, response, hit);
  };

  /** All that the key of a request without a body depends on, as it came; undefined: it has a body. */
  const spellingOf = (request: IncomingMessage): string | undefined => {
    if (mayHaveBody(request)) return undefined;
    let spelling = `${request.method} ${request.url}`;
    for (const each of matching.headers) spelling += `\n${request.headersDistinct[each]?.[0] ?? ''}`;
    return spelling;
  };

  /** Told like a miss, for whoever judges: the answer is known to nobody. */
  const damaged = (request: IncomingMessage, response: ServerResponse, { message }: SideFileError): void => {
    if (!told.has(message)) tell(message);
    told.add(message);
    response.writeHead(502, [
      ...['content-type', 'application/json', 'x-mdwi-miss', 'side-file-changed'],
      ...cors.linesFor(request, new Set()),
    ]);
    response.end(`${JSON.stringify({ miss: 'side file changed', says: message }, null, 2)}\n`);
  };

  const failed = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    // A client that broke off is none of our errors.
    if (request.socket.destroyed || response.destroyed) return;
    if (error instanceof SideFileError && !response.headersSent) return void damaged(request, response, error);
    tell(
      `the replay itself failed at ${request.method} ${protection.url(request.url ?? '', { side: 'request' })}: ${error}`,
    );
    if (response.headersSent) return void response.destroy();
    response.writeHead(500, { 'content-type': 'text/plain', 'x-mdwi-replay': 'failed' });
    response.end(`the replay itself failed: ${protection.text(String(error), { side: 'request' })}\n`);
  };

  const server = await startLocalServer({
    port,
    name: 'replay',
    cors,
    allowHosts: options.allowHosts,
    answer: (request, response) => {
      const spelling = spellingOf(request);
      const hit = spelling === undefined ? undefined : remembered.get(spelling);
      try {
        const sent = hit ? give(request, response, hit) : answer(request, response, spelling);
        sent?.catch((error: unknown) => failed(request, response, error));
      } catch (error) {
        failed(request, response, error);
      }
    },
  });
  own = server.origin;
  const urlOf = (lane: string): string => {
    if (!isLaneName(lane)) throw new RecordingError(`“${lane}” cannot name a lane`);
    return `${own}${lanePrefix(lane)}${basePath}`;
  };
  return {
    url: urlOf(MAIN_LANE),
    port: server.port,
    urlOf,
    missed: () => misses,
    close: () => server.close(),
  };
}
