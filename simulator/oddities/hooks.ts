/** The places most oddities take hold of, so that an oddity itself is one expression. */
import type { ServerResponse } from 'node:http';
import type { Reply } from '../dialects/types.ts';
import type { ModelAnswer } from '../model/types.ts';
import type { OddityHooks, ReplyContext, Send } from './types.ts';

/** Hooks without a state of their own. */
export const always = (hooks: OddityHooks) => (): OddityHooks => hooks;

/** Changes every reply. */
export const onReply = (change: (reply: Reply, context: ReplyContext) => Reply) => always({ finish: change });

/** Changes the reply to every answer of these kinds. */
export const onKind = (kinds: readonly ModelAnswer['kind'][], change: (reply: Reply, context: ReplyContext) => Reply) =>
  onReply((reply, context) => (kinds.includes(context.answer.kind) ? change(reply, context) : reply));

/** Changes how a reply goes on the wire: prepares the response, then sends it the plain way. */
export const onResponse = (prepare: (response: ServerResponse, reply: Reply) => void) =>
  always({
    async send(response, reply, send) {
      prepare(response, reply);
      await send(response, reply);
    },
  });

export const isSuccessReply = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** More header lines for every reply, behind those of the same name that it has. */
export const withHeaders = (headers: Reply['headers']) =>
  onReply((reply) => {
    const merged: Record<string, string | readonly string[]> = { ...reply.headers };
    for (const [name, value] of Object.entries(headers)) {
      const own = Object.keys(merged).find((each) => each.toLowerCase() === name.toLowerCase());
      merged[own ?? name] = own === undefined ? value : [merged[own] ?? [], value].flat();
    }
    return { ...reply, headers: merged };
  });

/** The whole body; only what is generated synchronously is ever asked for. */
export function bytesOf({ body }: Reply): Buffer {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string);
  if (!(Symbol.iterator in body)) throw new Error('a body that comes by and by cannot be changed as a whole');
  return Buffer.concat([...body].map((chunk) => Buffer.from(chunk as string)));
}

/** The media type of a reply without parameters, in lower case. */
export function mediaTypeOfReply({ headers }: Reply): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return String(found ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase();
}

const isJson = (reply: Reply): boolean => /^(application|text)\/([a-z.-]+\+)?json$/.test(mediaTypeOfReply(reply));

/** Changes the text of every JSON body. */
export const onJsonText = (change: (text: string) => string | Uint8Array) =>
  onReply((reply) => (isJson(reply) ? { ...reply, body: change(bytesOf(reply).toString()) } : reply));

/** Changes every JSON body as a value. */
export const onJson = (change: (value: unknown) => unknown) =>
  onJsonText((text) => (text === '' ? text : JSON.stringify(change(JSON.parse(text)))));

/** Every object of a JSON value changed, inner ones first. */
export function eachObject(value: unknown, change: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => eachObject(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachObject(each, change)])));
}

/** A reply in JSON of our own making. */
export const jsonReply = (status: number, value: unknown, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** Sends a reply whose body is known as a whole, and its length with it. */
export const sendAtOnce = (send: Send, response: ServerResponse, reply: Reply, body: Uint8Array): Promise<void> => {
  response.setHeader('Content-Length', body.length);
  return send(response, { ...reply, body });
};
