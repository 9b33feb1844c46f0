/** The places and changes of replies, as the dialect wrote them. */
import type { ServerResponse } from 'node:http';
import { concat, textOfUtf8 } from '../../src/bytes.ts';
import type { Group, OperationName } from '../../src/contract/index.ts';
import { bytesOfChunk, chunksOf } from '../behaviors/deliver-body.ts';
import type { Chunk, DialectResponse } from '../dialects/types.ts';
import type { ModelAnswer } from '../model/types.ts';
import type { Context, Hooks, ReplyContext } from './types.ts';

type ReplyChange = (reply: DialectResponse, context: ReplyContext) => DialectResponse;

/** Changes every reply. */
export const onReply = (change: ReplyChange): Hooks => ({ finish: change });

/** What a reply responds to: an operation or a group, and an answer of the model. */
interface Asked {
  readonly operation?: OperationName;
  readonly group?: Group;
  readonly kind?: ModelAnswer['kind'];
}

/** Changes the replies to these requests. */
export const onReplyTo = ({ operation: name, group, kind }: Asked, change: ReplyChange): Hooks =>
  onReply((reply, context) =>
    (name === undefined || context.operation?.name === name) &&
    (group === undefined || context.operation?.group === group) &&
    (kind === undefined || context.answer.kind === kind)
      ? change(reply, context)
      : reply,
  );

/** Changes the replies of an operation to queries that the dialect could read. */
export const onReplyOf = (name: OperationName, change: (reply: DialectResponse) => DialectResponse): Hooks => ({
  reply: (reply, { operation }) => (operation === name ? change(reply) : reply),
});

/** Prepares the response, then sends the reply as usual. */
export const onResponse = (prepare: (response: ServerResponse, reply: DialectResponse) => void): Hooks => ({
  async send(response, reply, send) {
    prepare(response, reply);
    await send(response, reply);
  },
});

/** The same reply with another status. */
export const withStatus =
  (status: number) =>
  (reply: DialectResponse): DialectResponse => ({ ...reply, status });

/** A reply without a body. */
export const empty = (status: number, headers: DialectResponse['headers'] = {}): DialectResponse => ({
  status,
  headers,
  body: '',
});

/** A reply with a page. */
export const page = (status: number, body: string): DialectResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});

/** A reply with a JSON body. */
export const jsonResponse = (
  status: number,
  value: unknown,
  headers: DialectResponse['headers'] = {},
): DialectResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** The chunks of a body. An asynchronous body throws. */
export function replyChunks({ body }: DialectResponse): Iterable<Chunk> {
  const chunks = chunksOf(body);
  if (!(Symbol.iterator in chunks)) throw new Error('an asynchronous body cannot be changed as a whole');
  return chunks;
}

/** The whole body. An asynchronous body throws. */
export const bytesOf = (reply: DialectResponse): Uint8Array => concat(Array.from(replyChunks(reply), bytesOfChunk));

/** The media type of a reply without parameters, in lower case. */
function mediaTypeOf({ headers }: DialectResponse): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return String(found ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase();
}

const isJson = (reply: DialectResponse): boolean => /^(application|text)\/([a-z.-]+\+)?json$/.test(mediaTypeOf(reply));

/** Changes the text of every JSON body. */
export const onJsonText = (change: (text: string) => string): Hooks =>
  onReply((reply) => (isJson(reply) ? { ...reply, body: change(textOfUtf8(bytesOf(reply))) } : reply));

/** The value of a JSON body; undefined if it is empty, or another oddity wrote it in another charset or coding. */
export function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(textOfUtf8(body).replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

type JsonObject = Record<string, unknown>;

/** Changes every JSON body as a value. @param write writes the changed value */
export const onJson = (
  change: (value: unknown, context: ReplyContext) => unknown,
  write: (value: unknown) => string = JSON.stringify,
): Hooks =>
  onReply((reply, context) => {
    const value = isJson(reply) ? jsonIn(bytesOf(reply)) : undefined;
    return value === undefined ? reply : { ...reply, body: write(change(value, context)) };
  });

/** Changes every object of a JSON value, nested objects first. */
export function eachObject(value: unknown, change: (object: JsonObject) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => eachObject(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachObject(each, change)])));
}

/** Changes every object of every JSON body. */
export const onJsonObjects = (change: (object: JsonObject) => unknown): Hooks =>
  onJson((value) => eachObject(value, change));

/** Changes the numbers of some members of every JSON body. */
export const onJsonNumbers = (isChanged: (name: string) => boolean, change: (value: number) => unknown): Hooks =>
  onJsonObjects((object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, each]) => [
        name,
        isChanged(name) && typeof each === 'number' ? change(each) : each,
      ]),
    ),
  );

/** Replaces the reply to some requests, which their answer decides. */
export function replacingReply(
  reply: () => DialectResponse,
  isReplaced: (answer: ModelAnswer, context: Context) => boolean,
): Hooks {
  let isNext = false;
  return {
    answer(answer, context) {
      isNext = isReplaced(answer, context);
      return answer;
    },
    finish(usual) {
      const isOther = isNext;
      isNext = false;
      return isOther ? reply() : usual;
    },
  };
}
