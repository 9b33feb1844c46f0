/** Answers in the owner’s form. */
import type { Answer, Refused } from '../../model/types.ts';
import type { DialectRequest, Reply } from '../types.ts';
import type { Composer, Told } from './compose.ts';
import { CONTENT_TYPE, WRITE } from './markup.ts';
import { announce, cut, windowOf } from './paging.ts';
import type { Parts } from './parts.ts';
import { type Telling, tell } from './tell.ts';

const STATUS_OF: Readonly<Record<Refused['reason'], number>> = {
  missing: 400,
  malformed: 400,
  unreadable: 400,
  unauthorized: 401,
  tooLarge: 413,
};

/** Errors are told the same way everywhere (RFC 9457): a profile says nothing of their form. */
export function refuse(answer: Answer): Reply {
  const [status, title, detail] = ((): readonly [number, string, string?] => {
    switch (answer.kind) {
      case 'unknown':
        return [404, 'Not known', `no ${answer.input} ${JSON.stringify(answer.value.slice(0, 100))}`];
      case 'refused':
        return [STATUS_OF[answer.reason], 'Bad request', answer.detail];
      case 'broken':
        return [500, 'Internal error', answer.why];
      case 'wrongMethod':
        return [405, 'Method not allowed'];
      default:
        return [404, 'No such path'];
    }
  })();
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ type: 'about:blank', title, status, detail }),
  };
}

/** What is listed once, however many rows the world has of it. */
function distinct(rows: Iterable<Told>, { perRow, lists }: Composer): Told[] {
  const keyOf = (row: Told) => JSON.stringify([...perRow, ...lists].map((field) => row[field] ?? null));
  return [...new Map([...rows].map((row) => [keyOf(row), row])).values()];
}

/** The rows of a window; of all three, where only one list is read, the widest. */
const rowsFor = ({ lists }: Telling, window: string): Iterable<Told> =>
  (lists.find((each) => each.window === window) ?? lists.at(-1))?.rows ?? [];

/** Everything the profile reads of an answer, laid where it reads it; `address` is the request’s, without its query. */
export function writeAnswer(answer: Answer, parts: Parts, request: DialectRequest, address: string): Reply {
  const telling = tell(answer);
  if (!telling) return refuse(answer);
  const { paging, media, composers, delimiter } = parts;
  const inputs = paging && parts.read(request);
  const window = paging && windowOf(paging, inputs ?? {}, request);
  let body: unknown;
  let more = false;
  for (const { window: name, composer } of composers) {
    const all = rowsFor(telling, name);
    const isSet = answer.kind === 'categories' || answer.kind === 'available';
    const listed = isSet ? distinct(all, composer) : all;
    const page = window && !telling.one ? cut(listed, window) : { rows: listed, more: false };
    more ||= page.more;
    body = composer.compose(page.rows, telling.values, telling.one, body);
  }
  const next = window && more ? window.offset + window.limit : undefined;
  const said = paging ? announce(paging, next, request, address, body) : { body, headers: {} };
  const headers: Record<string, string> = {};
  for (const { name, field, write } of composers[0]?.composer.headers ?? []) {
    const value = write(telling.values[field]);
    if (value !== undefined) headers[name] = String(value);
  }
  return {
    status: answer.kind === 'jobStarted' ? 202 : 200,
    headers: { 'content-type': CONTENT_TYPE[media], ...headers, ...said.headers },
    body: {
      [Symbol.iterator]: () =>
        WRITE[media](said.body, { delimiter, columns: composers[0]?.composer.columns ?? [] })[Symbol.iterator](),
    },
  };
}
