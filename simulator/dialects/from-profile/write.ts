/** Answers in the owner’s form. */
import type { Statuses } from '../../../src/profile/schema.ts';
import { JOB_STARTERS } from '../../model/job-starters.ts';
import type { ModelAnswer, Refused } from '../../model/types.ts';
import type { DialectRequest, Reply } from '../types.ts';
import type { Composer } from './compose-body.ts';
import { type DescribeOptions, describeAnswer } from './describe-answer.ts';
import type { OperationCodec } from './operation-codec.ts';
import { announce, cut, windowOf } from './paging.ts';
import { CONTENT_TYPE, WRITE } from './serialize.ts';
import type { NeutralRow } from './value.ts';

const STATUS_OF: Readonly<Record<Refused['reason'], number>> = {
  missing: 400,
  malformed: 400,
  unreadable: 400,
  unauthorized: 401,
  tooLarge: 413,
};

/** The first status stated; one that says there is no body goes before one that needs a body of its own. */
const stated = (statuses: readonly number[] | undefined, otherwise: number): number =>
  statuses?.find((status) => status >= 400 || status === 204) ?? otherwise;

function statusOf(answer: ModelAnswer, { unknown, malformed, unauthorized }: Statuses): number {
  if (answer.kind === 'unknown') return answer.input === 'upc' ? stated(unknown, 404) : 404;
  if (answer.kind === 'broken') return 500;
  if (answer.kind === 'wrongMethod') return 405;
  if (answer.kind !== 'refused') return 404;
  if (answer.reason === 'unauthorized') return stated(unauthorized, 401);
  return answer.input === 'upc' ? stated(malformed, 400) : STATUS_OF[answer.reason];
}

const TITLES: Partial<Record<ModelAnswer['kind'], string>> = {
  unknown: 'Not known',
  refused: 'Bad request',
  broken: 'Internal error',
  wrongMethod: 'Method not allowed',
};

function detailOf(answer: ModelAnswer): string | undefined {
  if (answer.kind === 'unknown') return `no ${answer.input} ${JSON.stringify(answer.value.slice(0, 100))}`;
  if (answer.kind === 'refused') return answer.detail;
  return answer.kind === 'broken' ? answer.why : undefined;
}

/** Errors are told the same way everywhere (RFC 9457): a profile says nothing of their form. */
export const problemOf = (status: number, title: string, detail?: string): object => ({
  type: 'about:blank',
  title,
  status,
  detail,
});

export function refuse(answer: ModelAnswer, statuses: Statuses = {}): Reply {
  const status = statusOf(answer, statuses);
  if (status === 204) return { status, headers: {}, body: '' };
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify(problemOf(status, TITLES[answer.kind] ?? 'No such path', detailOf(answer))),
  };
}

/** The status of a success: the one a schema is stated for, else the usual one. */
export const successOf = ({ schemas, operation }: OperationCodec): number =>
  [200, 201, 202].find((status) => schemas.has(String(status))) ?? (operation.name in JOB_STARTERS ? 202 : 200);

/** What is listed once, however many rows the world has of it. */
function distinct(rows: Iterable<NeutralRow>, { perRow, lists }: Composer): NeutralRow[] {
  const keyOf = (row: NeutralRow) => JSON.stringify([...perRow, ...lists].map((field) => row[field] ?? null));
  return [...new Map([...rows].map((row) => [keyOf(row), row])).values()];
}

/** The rows of a window; of all three, where only one list is read, the widest. */
const rowsFor = ({ lists }: DescribeOptions, window: string): Iterable<NeutralRow> =>
  (lists.find((each) => each.window === window) ?? lists.at(-1))?.rows ?? [];

/** Everything the profile reads of an answer, laid where it reads it; `address` is the request’s, without its query. */
export function writeAnswer(
  answer: ModelAnswer,
  parts: OperationCodec,
  request: DialectRequest,
  address: string,
): Reply {
  const telling = describeAnswer(answer);
  if (!telling) return refuse(answer, parts.statuses);
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
    status: successOf(parts),
    headers: { 'content-type': CONTENT_TYPE[media], ...headers, ...said.headers },
    body: {
      [Symbol.iterator]: () =>
        WRITE[media](said.body, { delimiter, columns: composers[0]?.composer.columns ?? [] })[Symbol.iterator](),
    },
  };
}
