/** Answers the requests of the learner from recorded exchanges; nothing is sent. */
import { OPERATIONS, type OperationKey } from '../../contract/index.ts';
import { bodyFrom } from '../../exchange/body.ts';
import type { Exchange, Source, WireRequest } from '../../exchange/types.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import type { Profile } from '../../profile/schema.ts';
import { decodeAnswer } from '../decode-answer.ts';
import { recordedAuth } from './recorded-auth.ts';
import { pathText, type RecordedOperation, readRecordedRequests, type SuccessfulRequest } from './recorded-requests.ts';
import { readSentRequest, type SentValue, sentValues } from './sent-request.ts';

export interface Recorded {
  /** Returns the recorded exchange with the same inputs, else a failure of kind `notRecorded`. */
  readonly source: Source;
  readonly operations: ReadonlyMap<OperationKey, RecordedOperation>;
  /** The credentials of all successful requests, by variables of the environment. */
  readonly auth: PlainObject | PlainObject[] | undefined;
}

interface Found {
  readonly exchange: Exchange;
  readonly pathname: string;
  readonly values: ReadonlyMap<string, string>;
}

const isFilled = ({ value }: SentValue): boolean => typeof value !== 'object' || value === null;

const textsOf = (values: readonly SentValue[]): ReadonlyMap<string, string> =>
  new Map(values.filter(isFilled).map((each) => [pathText(each), String(each.value)]));

/** Reads the exchanges below a base address. */
export async function openRecorded(base: string, exchanges: readonly Exchange[], { data }: Profile): Promise<Recorded> {
  const { prefixes = {} } = data;
  const { pathname: basePath } = new URL(base);
  const patterns = OPERATIONS.map(({ key, group, method, path }) => {
    const whole = `${basePath.replace(/\/+$/, '')}${prefixes[key] ?? prefixes[group] ?? ''}${path}`;
    const [before = '', after] = whole.split('{upc}');
    return { key, method, before, after };
  });
  const found = new Map<OperationKey, Found[]>();
  const sent = new Map<OperationKey, SuccessfulRequest[]>();
  const successful: WireRequest[] = [];
  for (const exchange of exchanges) {
    const { request } = exchange;
    const { pathname } = new URL(request.url);
    const hit = patterns.find(
      ({ method, before, after }) =>
        method === request.method &&
        (after === undefined ? pathname === before : pathname.startsWith(before) && pathname.endsWith(after)),
    );
    if (!hit || !exchange.response) continue;
    const values = sentValues(readSentRequest(request));
    listAt(found, hit.key).push({ exchange, pathname, values: textsOf(values) });
    const { isSuccess, document } = await decodeAnswer(exchange, hit.key);
    if (!isSuccess) continue;
    successful.push(request);
    const upc = hit.after === undefined ? undefined : decodedPart(pathname.slice(hit.before.length));
    listAt(sent, hit.key).push({ values, upc, document });
  }
  const operations = readRecordedRequests(sent);
  return {
    operations,
    auth: recordedAuth(successful),
    source: { send: async (request) => answerTo(request), close: async () => undefined },
  };

  function answerTo(request: WireRequest): Exchange {
    const { pathname } = new URL(request.url);
    const asked = textsOf(sentValues(readSentRequest(request)));
    for (const [key, all] of found) {
      const operation = operations.get(key);
      const matching = all.filter(
        (each) =>
          each.pathname === pathname &&
          each.exchange.request.method === request.method &&
          [...asked].every(([path, value]) => each.values.get(path) === value) &&
          [...each.values].every(([path, value]) => asked.has(path) || operation?.isOptional(path, value)),
      );
      const [first] = matching.sort((x, y) => statusOf(x) - statusOf(y));
      if (first) return { ...first.exchange, request };
    }
    return {
      request,
      body: bodyFrom(new Uint8Array(0)),
      failure: { kind: 'notRecorded', message: 'no recorded request has these inputs' },
      redirects: [],
      timing: { startedAt: new Date(0).toISOString(), totalMs: 0 },
    };
  }
}

/** The list of a key, which begins empty. */
function listAt<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** A part of a path without percent-encoding, as far as it is valid. */
function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const statusOf = ({ exchange }: Found): number => exchange.response?.status ?? 0;
