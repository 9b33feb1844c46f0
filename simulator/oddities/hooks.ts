/** Builders of the hooks that most oddities use, so that an oddity is one expression. */

import type { ServerResponse } from 'node:http';
import { concat, textOfUtf8, utf8 } from '../../src/bytes.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { mapRows } from '../model/iterable.ts';
import type { Day, ModelAnswer, ProductRow } from '../model/types.ts';
import type { OddityHooks, ReplyContext, Send } from './types.ts';

/** What an implementer writes whose lists are not all reloaded at once. */
export const ONE_AFTER_ANOTHER = { dataWeek: { oneReload: false } } as const;

/** Hooks without state. */
export const always = (hooks: OddityHooks) => (): OddityHooks => hooks;

/** Changes the rows of the bulk list, of deltas and of look-ups. */
export const onProductRows = (change: <T extends ProductRow>(row: T, asOf: Day) => T): OddityHooks => ({
  answer(answer, { world }) {
    const asOf = world.clock.asOf();
    switch (answer.kind) {
      case 'products':
        return { ...answer, rows: mapRows(answer.rows, (row) => change(row, asOf)) };
      case 'deltas':
        return {
          ...answer,
          windows: answer.windows.map(({ weeks, rows }) => ({
            weeks,
            rows: mapRows(rows, (row) => change(row, asOf)),
          })),
        };
      case 'product':
        return { ...answer, product: change(answer.product, asOf) };
      default:
        return answer;
    }
  },
});

/** Counts the requests of one server. */
export const countingRequests = (make: (next: () => number) => OddityHooks) => (): OddityHooks => {
  let count = 0;
  return make(() => ++count);
};

/** Changes every reply. */
export const onReply = (change: (reply: DialectResponse, context: ReplyContext) => DialectResponse) =>
  always({ finish: change });

/** Changes the replies to answers of these kinds. */
export const onKind = (
  kinds: readonly ModelAnswer['kind'][],
  change: (reply: DialectResponse, context: ReplyContext) => DialectResponse,
) => onReply((reply, context) => (kinds.includes(context.answer.kind) ? change(reply, context) : reply));

/** Prepares the response, then sends the reply as usual. */
export const onResponse = (prepare: (response: ServerResponse, reply: DialectResponse) => void) =>
  always({
    async send(response, reply, send) {
      prepare(response, reply);
      await send(response, reply);
    },
  });

export const isSuccessReply = ({ status }: DialectResponse): boolean => status >= 200 && status < 300;

/** Adds header lines to every reply, after existing lines of the same name. */
export const withHeaders = (headers: DialectResponse['headers']) =>
  onReply((reply) => {
    const merged: Record<string, string | readonly string[]> = { ...reply.headers };
    for (const [name, value] of Object.entries(headers)) {
      const own = Object.keys(merged).find((each) => each.toLowerCase() === name.toLowerCase());
      merged[own ?? name] = own === undefined ? value : [merged[own] ?? [], value].flat();
    }
    return { ...reply, headers: merged };
  });

/** The whole body. An asynchronous body throws. */
export function bytesOf({ body }: DialectResponse): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  if (body instanceof Uint8Array) return body;
  if (!(Symbol.iterator in body)) throw new Error('an asynchronous body cannot be changed as a whole');
  return concat([...body].map((chunk) => (typeof chunk === 'string' ? utf8(chunk) : chunk)));
}

/** The media type of a reply without parameters, in lower case. */
export function mediaTypeOfReply({ headers }: DialectResponse): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return String(found ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase();
}

const isJson = (reply: DialectResponse): boolean =>
  /^(application|text)\/([a-z.-]+\+)?json$/.test(mediaTypeOfReply(reply));

/** Changes the text of every JSON body. */
export const onJsonText = (change: (text: string) => string | Uint8Array) =>
  onReply((reply) => (isJson(reply) ? { ...reply, body: change(textOfUtf8(bytesOf(reply))) } : reply));

/** The value of a JSON body; undefined if it is empty, or another oddity wrote it in another charset or coding. */
export function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(textOfUtf8(body).replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Changes every JSON body as a value. @param write writes the changed value */
export const onJson = (change: (value: unknown) => unknown, write: (value: unknown) => string = JSON.stringify) =>
  onReply((reply) => {
    const value = isJson(reply) ? jsonIn(bytesOf(reply)) : undefined;
    return value === undefined ? reply : { ...reply, body: write(change(value)) };
  });

/** Changes every object of a JSON value, nested objects first. */
export function eachObject(value: unknown, change: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => eachObject(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachObject(each, change)])));
}

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

/** Sends a reply whose whole body is known, with its Content-Length. */
export const sendAtOnce = (
  send: Send,
  response: ServerResponse,
  reply: DialectResponse,
  body: Uint8Array,
): Promise<void> => {
  response.setHeader('Content-Length', body.length);
  return send(response, { ...reply, body });
};
